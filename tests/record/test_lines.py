import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.record.codec import Unreadable
from bot.record.hashing import PARTS, Keys, Value, canon, commitment, seal
from bot.record.lines import EventRecord, read_record
from tests.support.logs import Log
from tests.support.parts import Line, close_parts, entry, leaf_of, part_of, withhold

KEYS = Keys(bytes(range(32)), bytes(range(32, 64)))
MISFITS: dict[str, list[Value]] = {
    "clock": ["5", -1, True, None],
    "target": ["5", 0, True, None],
    "part": ["5", 0, True, None],
    "channel": ["", "x", 5],
    "id": ["5", 5],
    "see": ["all", 5, []],
    "kind": ["dance", 5, []],
    "pub": ["x", [], None],
    "more": [5],
}
"""Values that a field of an event never has."""


def roll() -> Line:
    """A hidden roll with all its parts open."""
    log = Log()
    log.add("create")
    log.roll("1d20", public={"see": "gm"}, label="to hit")
    return log.events[1]


def line_of(event: Line) -> str:
    """The event's line, but for the newline."""
    return canon(event).decode()


def test_a_commitment_is_a_hash_of_four_things() -> None:
    """It is SHA-256 of a list written by hand: the format's name, the part's, the salt and the value."""
    salt = "00" * 16
    said = f'["evenhand/2","who","{salt}",{{"user":"42"}}]'

    assert commitment("who", salt, '{"user":"42"}') == sha256(said.encode()).hexdigest()


def test_a_leaf_is_a_hash_of_the_entry() -> None:
    """The entry is the event with its parts closed; the leaf is that with a zero byte before it."""
    event = roll()
    closed = json.loads(entry(event))

    assert all(len(str(closed[name])) == 64 for name in PARTS)
    assert read_record(line_of(event)).leaf == sha256(b"\0" + entry(event)).digest()


@given(st.sets(st.sampled_from(PARTS)))
def test_closing_parts_changes_no_leaf(names: set[str]) -> None:
    """Whatever is closed of an event, its leaf is the same, and only what is open can be read."""
    told = read_record(line_of(close_parts(roll(), *names)))

    assert told.leaf == leaf_of(roll())
    assert told.closed == names
    assert (told.event is None) == ("what" in names)


def test_a_withheld_event_has_its_leaf_and_number() -> None:
    """Of an event that a reader may know nothing of there is the number and the true leaf."""
    assert read_record(line_of(withhold(roll()))) == EventRecord(2, leaf_of(roll()))


def test_every_field_and_part_is_bound() -> None:
    """Whatever is changed in an event, its leaf changes: each field, and what binds each part."""
    event = close_parts(roll(), *PARTS)
    changed: Line = {"channel": "9", "id": "1400000251658240000", "kind": "make", "see": "self", "seq": 3}
    added: Line = {"part": 1, "pub": {"a": 1}, "target": 1}
    changed |= {name: str(event[name])[::-1] for name in PARTS}
    others = [{**event, name: value} for name, value in (changed | added).items()]

    assert changed.keys() == event.keys()
    assert len({read_record(line_of(other)).leaf for other in [event, *others]}) == len(others) + 1


def test_parts_with_the_same_value_differ() -> None:
    """Equal values in two parts, or under two salts, have unlike commitments."""
    one, other = "00" * 16, "11" * 16

    assert commitment("who", one, '{"user":"4"}') != commitment("who", one, '{"user":"42"}')
    assert len({commitment(name, salt, "{}") for name in PARTS for salt in (one, other)}) == 8


def test_salts_follow_from_keys() -> None:
    """The salts of a number are always the same; another number, key or part has others."""
    salts = KEYS.salts(27)
    others = [*KEYS.salts(28).values(), *Keys(bytes(32), bytes(32)).salts(27).values()]

    assert salts == KEYS.salts(27)
    assert len({*salts.values(), *others}) == 12
    assert all(len(salt) == 32 for salt in salts.values())


def test_keys_are_not_shown() -> None:
    """Neither key stands in the text of the object that holds them."""
    assert repr(KEYS) == "Keys()"


def test_without_a_key_each_part_hangs_on_its_owner() -> None:
    """Who and words hang on the person's key alone, what and how on the campaign's."""
    forgotten = Keys(KEYS.campaign, bytes(32)).salts(27)

    assert {name for name in PARTS if forgotten[name] != KEYS.salts(27)[name]} == {"who", "words"}


@pytest.mark.parametrize(
    "part", ["", "AB" * 32, "ab" * 31, ["00" * 16], ["00" * 15, {}], [1, {}], ["00" * 16, []], {}, None, 5]
)
@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_open_or_closed_and_nothing_else(name: str, part: Value) -> None:
    """A part that is neither is refused, whatever it is."""
    with pytest.raises(Unreadable, match=r"not as it should be|no object"):
        read_record(line_of({**roll(), name: part}))


@pytest.mark.parametrize("names", [(), PARTS])
@pytest.mark.parametrize(("field", "values"), MISFITS.items())
def test_a_field_is_as_it_should_be_whatever_is_closed(
    names: tuple[str, ...], field: str, values: list[Value]
) -> None:
    """Nobody looks at it otherwise where an event is told in part."""
    event = close_parts(roll(), *names)
    if field == "clock":
        event.pop("id")

    for value in values:
        with pytest.raises(
            Unreadable, match=r"as it should be|is no object|number that is none|there is not"
        ):
            read_record(line_of({**event, field: value}))


def test_a_seal_is_the_beginning_of_the_leaf() -> None:
    """A seal is shown as four groups of eight digits, the first half of the leaf."""
    leaf = leaf_of(roll())

    assert seal(leaf).replace(" ", "") == leaf.hex()[:32]
    assert [len(group) for group in seal(leaf).split()] == [8] * 4


def test_a_hidden_roll_can_not_be_guessed_from_what_is_told() -> None:
    """Nothing that a player receives of a hidden d20 is the salt that a guess of its result would need."""
    event = roll()
    told = canon(close_parts(event, "words", "what", "how")).decode()
    what = part_of(event, "what")
    assert isinstance(what, dict)
    pieces = {told[place : place + 32] for place in range(len(told) - 31)}

    for face in range(1, 21):
        guess = canon({**what, "results": [str(face)]}).decode()
        assert not any(commitment("what", piece, guess) in told for piece in pieces)
