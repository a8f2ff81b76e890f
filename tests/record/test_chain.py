"""The hash chain: what a head is, and that it holds all that an event says but the person in the clear."""

from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

import pytest

from bot.campaign.events import Event, Rolled, RollerReset, Seal
from bot.campaign.rollers import Remembers
from bot.campaign.visibility import Visibility
from bot.dice.labels import Label
from bot.dice.terms import Which
from bot.record.chain import START, hash_person, link, short

SALT = b"0123456789abcdef"
BODY = Rolled(
    roller="Glück",
    source=Label.HALF,
    results=("7", "12"),
    spec='{"system":"fair","base":"2d6","tightness":"1"}',
    prev=1,
    before=(0, -3),
    draws=((36, 7), (36, 35)),
)
EVENT = Event(
    campaign_id=3,
    seq=2,
    interaction_id=1_401_234_567_890_123_456,
    part=0,
    clock=None,
    channel_id=8,
    user_id=42,
    label="for Ann",
    visibility=Visibility.GM,
    body=BODY,
    seal=Seal(SALT, hash_person(SALT, 42, "for Ann"), b""),
)
SEAL = EVENT.seal
CHANGES: dict[str, Any] = {
    "seq": 3,
    "interaction_id": 1_401_234_567_890_123_457,
    "part": 1,
    "clock": 5,
    "channel_id": 9,
    "visibility": Visibility.BLIND,
    "body": RollerReset(roller="Glück"),
    "seal": replace(SEAL, person=hash_person(SALT, 43, "for Ann")),
}
"""Another value for every field that the chain holds."""
FREE = {"campaign_id": 4, "user_id": None, "label": None, "seal": replace(SEAL, salt=None, head=b"x")}
"""What it does not hold: a number of this database alone, the person in the clear, and itself."""
SAID: dict[str, Any] = {
    "roller": "glück",
    "target": 1,
    "text": "1d6",
    "spec": BODY.spec.replace('"1"', '"2"'),
    "results": ("7", "11"),
    "source": None,
    "prev": None,
    "whose": Remembers.TABLE,
    "practice": True,
    "together": True,
    "names": ("Orc", "Ogre"),
    "lots": (1, 2),
    "absent": True,
    "plus": -1,
    "keep": Which.KEEP_LOWEST,
    "before": (0, -2),
    "draws": ((36, 7), (36, 34)),
}
"""Another value for every field of a roll that is recorded."""
MADE_AGAIN = {"outcomes", "after"}


def head(event: Event, before: bytes = START) -> bytes:
    """The head after an event."""
    return link(before, event).seal.head


def test_a_head_is_sha256_of_the_head_before_and_the_events_json() -> None:
    """The first event's head is what 32 zero bytes and a line written by hand hash to, for ever."""
    person = sha256(b'0123456789abcdef[42,"for Ann"]').hexdigest()
    said = (
        '[2,1401234567890123456,0,null,8,"roll","gm",null,[{},'
        '{"prev":1,"results":["7","12"],"roller":"Gl\\u00fcck","source":"half",'
        '"spec":"{\\"system\\":\\"fair\\",\\"base\\":\\"2d6\\",\\"tightness\\":\\"1\\"}"},'
        f'{{"before":[0,-3],"draws":[[36,7],[36,35]]}}],"{person}"]'
    )

    assert head(EVENT) == sha256(bytes(32) + said.encode("ascii")).digest()
    assert head(EVENT).hex() == "baea8758f038d257b3308aeacf35d7e96d9899c5bb071ad0dc4fada634c90b50"


def test_every_field_is_in_the_chain_or_free() -> None:
    """No field of an event or of a roll was forgotten by the tests below."""
    assert {field.name for field in fields(Event)} == CHANGES.keys() | FREE.keys()
    assert {field.name for field in fields(Rolled)} == SAID.keys() | MADE_AGAIN


@pytest.mark.parametrize("field", CHANGES)
def test_a_changed_field_changes_the_head(field: str) -> None:
    """Whatever is changed in an event afterwards, its head does not fit any more."""
    assert head(replace(EVENT, **{field: CHANGES[field]})) != head(EVENT)


@pytest.mark.parametrize("field", SAID)
def test_a_changed_record_changes_the_head(field: str) -> None:
    """Whatever is changed in what a roll says."""
    assert head(replace(EVENT, body=replace(BODY, **{field: SAID[field]}))) != head(EVENT)


@pytest.mark.parametrize("field", FREE)
def test_what_is_free_does_not_change_the_head(field: str) -> None:
    """Without the player's id, their words and the salt, an erased event has the head that it had."""
    free: dict[str, Any] = {field: FREE[field]}

    assert head(replace(EVENT, **free)) == head(EVENT)


def test_the_head_before_changes_the_head() -> None:
    """The same event on another history has another head."""
    assert head(EVENT, b"\1" * 32) != head(EVENT)


def test_a_person_is_hidden_by_salt() -> None:
    """Equal people have unlike hashes with unlike salts; id and words can't be shifted into one another."""
    assert hash_person(b"a" * 16, 1, "x") != hash_person(b"b" * 16, 1, "x")
    assert hash_person(b"a" * 16, 1, "1") != hash_person(b"a" * 16, 11, "")


def test_a_link_sets_the_head_and_nothing_else() -> None:
    """A linked event is the same event with its head; four digits of it are shown."""
    linked = link(START, EVENT)

    assert linked == replace(EVENT, seal=replace(SEAL, head=head(EVENT)))
    assert short(linked.seal.head) == linked.seal.head.hex()[:4]
