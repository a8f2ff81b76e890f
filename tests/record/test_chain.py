import json
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

import pytest

from bot.campaign.events import Event, Kind
from bot.campaign.visibility import Visibility
from bot.dice.labels import Label
from bot.record.chain import START, hash_person, link, seal, short

EVENT = Event(
    campaign_id=3,
    seq=2,
    interaction_id=1_401_234_567_890_123_456,
    channel_id=8,
    user_id=42,
    kind=Kind.ROLL,
    roller="Glück",
    text="",
    visibility=Visibility.GM,
    label="for Ann",
    source=Label.HALF,
    results=("7", "12"),
    spec='{"system":"fair","base":"2d6","tightness":"1"}',
    target=None,
    detail={"prev": 1, "before": [0, -3], "draws": [[36, 7], [36, 35]]},
    salt=b"0123456789abcdef",
    person=hash_person(b"0123456789abcdef", 42, "for Ann"),
    head=b"",
)
CHANGES: dict[str, Any] = {
    "seq": 3,
    "interaction_id": EVENT.interaction_id + 1,
    "channel_id": 9,
    "kind": Kind.REVEAL,
    "roller": "glück",
    "text": "1d6",
    "visibility": Visibility.BLIND,
    "source": None,
    "results": ("7", "11"),
    "spec": EVENT.spec.replace('"1"', '"2"'),
    "target": 1,
    "detail": {**EVENT.detail, "before": [0, -2]},
    "person": hash_person(b"0123456789abcdef", 43, "for Ann"),
}
"""Another value for every field that the chain holds."""
FREE = {"campaign_id", "user_id", "label", "salt", "head"}
"""What it does not hold: a number of this database alone, the person in the clear, and itself."""


def test_a_head_is_sha256_of_the_head_before_and_the_events_json() -> None:
    """The first event's head is what 32 zero bytes and a line written by hand hash to, for ever."""
    person = sha256(b'0123456789abcdef[42,"for Ann"]').hexdigest()
    said = (
        '[2,1401234567890123456,8,"roll","Gl\\u00fcck","","gm","half",["7","12"],'
        '"{\\"system\\":\\"fair\\",\\"base\\":\\"2d6\\",\\"tightness\\":\\"1\\"}",null,'
        f'{{"before":[0,-3],"draws":[[36,7],[36,35]],"prev":1}},"{person}"]'
    )

    assert link(START, EVENT) == sha256(bytes(32) + said.encode("ascii")).digest()
    assert link(START, EVENT).hex() == "94cc9da8972e35b41ec6886c88700af2128c27870b5c8c509ea5058de267fc74"


def test_every_field_is_in_the_chain_or_free() -> None:
    """No field of an event was forgotten by the tests below."""
    assert {field.name for field in fields(Event)} == CHANGES.keys() | FREE


@pytest.mark.parametrize("field", CHANGES)
def test_a_changed_field_changes_the_head(field: str) -> None:
    """Whatever is changed in an event afterwards, its head does not fit any more."""
    changed: Event = replace(EVENT, **{field: CHANGES[field]})

    assert link(START, changed) != link(START, EVENT)


def test_the_head_before_changes_the_head() -> None:
    """The same event on another history has another head."""
    assert link(b"\1" * 32, EVENT) != link(START, EVENT)


def test_erasing_a_person_keeps_the_chain() -> None:
    """Without the player's id, their words and the salt, an event has the head that it had."""
    erased = replace(EVENT, user_id=None, label=None, salt=None)

    assert link(START, erased) == link(START, EVENT)


def test_a_person_is_hidden_by_salt() -> None:
    """Equal people have unlike hashes with unlike salts; id and words can't be shifted into one another."""
    assert hash_person(b"a" * 16, 1, "x") != hash_person(b"b" * 16, 1, "x")
    assert hash_person(b"a" * 16, 1, "1") != hash_person(b"a" * 16, 11, "")


def test_the_order_of_keys_is_nothing() -> None:
    """A detail that the database gives back with its keys in another order has the same head."""
    detail = json.loads(json.dumps({key: EVENT.detail[key] for key in sorted(EVENT.detail)}))

    assert link(START, replace(EVENT, detail=detail)) == link(START, EVENT)


def test_sealing_sets_the_head_and_nothing_else() -> None:
    """A sealed event is the same event with its head; four digits of it are shown."""
    sealed = seal(START, EVENT)

    assert sealed == replace(EVENT, head=link(START, EVENT))
    assert short(sealed.head) == sealed.head.hex()[:4]
