"""The codec: every kind of body comes back as it was, and no other record is read."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.call_terms import Rule, Terms
from bot.campaign.campaigns import HAND_LIMIT, PACE_LIMIT, Footer, Remembers, RightHolder, Roller, Rules
from bot.campaign.events import Body, CallOpened, HistoryCut, Rolled, RollerMade, RulesSet
from bot.campaign.kinds import BODIES, SHORTEST_RETENTION, Kind, Visibility
from bot.campaign.rolled import OfAccount, OfDice, OfPart, OfRoller
from bot.dice.draws import Source
from bot.dice.system import Json
from bot.record.codec import Parts, Unreadable, _decode_integer, decode, encode, number_or_text
from bot.record.hashing import LARGEST_NUMBER, canon
from bot.systems.checks import CheckTerms, Degree

EXACT = 2**53 - 1
"""The largest integer that every reader of JSON has."""
INTEGERS = st.integers(-(2**80), 2**80) | st.sampled_from([EXACT, EXACT + 1, -EXACT, -EXACT - 1])
MADE: Mapping[type, st.SearchStrategy[Any]] = {
    Terms: st.builds(
        Terms,
        dc=st.integers(-9, 9),
        degrees=st.sampled_from([(), (Degree(0, "miss", 0), Degree(-2, "pass", 1))]),
        rule=st.sampled_from(Rule),
        needed=st.integers(1, 9),
        cards=st.integers(1, 9),
        role=st.none() | INTEGERS,
        whose=st.none() | st.sampled_from(Remembers),
        visibility=st.sampled_from(Visibility),
        hold=st.booleans(),
    ),
    CheckTerms: st.builds(
        CheckTerms,
        dc=st.integers(-9, 9),
        under=st.booleans(),
        degrees=st.sampled_from([(), (Degree(0, "miss", 0), Degree(-2, "pass", 1))]),
    ),
    Rules: st.builds(
        Rules,
        visibility=st.sampled_from(Visibility),
        makers=st.sampled_from(RightHolder),
        footer=st.sampled_from(Footer),
        called_only=st.booleans(),
        by_hand=st.booleans(),
        d6_only=st.booleans(),
        d100_zero=st.booleans(),
        hand=st.integers(0, HAND_LIMIT),
        pace=st.integers(0, PACE_LIMIT),
        retention=st.just(SHORTEST_RETENTION),
    ),
}
"""Values that refuse some of what their types allow."""
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.floats() | st.text(max_size=5) | INTEGERS.map(str),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def of_type(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type."""
    if hint is OfDice:
        return st.builds(OfDice, st.text(max_size=5), st.booleans())
    if hint in (OfRoller, OfAccount, OfPart):
        # Which fields there are tells the class, and what is empty is left out.
        return st.builds(hint, *[st.text(min_size=1, max_size=5) for _ in fields(hint)])
    if get_origin(hint) in {Union, UnionType}:
        return st.one_of([st.none() if one is type(None) else of_type(one) for one in get_args(hint)])
    if get_origin(hint) is tuple:
        inner = [of_type(one) for one in get_args(hint) if one is not Ellipsis]
        return st.lists(inner[0], max_size=3).map(tuple) if Ellipsis in get_args(hint) else st.tuples(*inner)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if hint in MADE:
        return MADE[hint]
    plain = {int: INTEGERS, str: st.text(max_size=5), bool: st.booleans()}
    return plain[hint] if hint in plain else recorded(hint)


def recorded(cls: Any) -> st.SearchStrategy[Any]:
    """Values of a frozen dataclass, as far as they are recorded."""
    hints = get_type_hints(cls)
    said = {one.name: of_type(hints[one.name]) for one in fields(cls) if one.metadata.get("part", "what")}
    return st.builds(cls, **said)


BODIES_OF_ALL_KINDS = st.one_of(
    [st.tuples(recorded(body), st.none() | st.integers(1)) for body in BODIES.values()]
).map(lambda both: replace(both[0], target=both[1]))


def through_json(parts: Parts, numbers: list[int]) -> Parts:
    """The parts written as JSON text and read again; all integers in it are noted."""

    def read(text: str) -> int:
        numbers.append(int(text))
        return numbers[-1]

    return Parts(**json.loads(json.dumps(parts._asdict()), parse_int=read))


@given(BODIES_OF_ALL_KINDS)
def test_every_kind_comes_back_as_it_was(body: Body) -> None:
    """Read from JSON text they are equal, and so is what is written then; greater numbers are texts there."""
    numbers: list[int] = []
    parts = through_json(encode(body), numbers)
    again = decode(body.kind, body.target, parts)

    assert (again, type(again)) == (body, type(body))
    assert encode(again) == parts
    assert all(abs(number) <= EXACT for number in numbers)


@pytest.mark.parametrize("kind", Kind)
def test_defaults_are_left_out(kind: Kind) -> None:
    """A body that says nothing is an empty record, and an empty record is that body."""
    empty = Parts({}, {}, {})

    assert encode(BODIES[kind]()) == empty
    assert decode(kind, None, empty) == BODIES[kind]()


def test_a_record_is_told_in_parts() -> None:
    """What everybody is told, what the result's readers are told, and how it was rolled."""
    rolled = Rolled(
        roller="evil", results=("7",), prev=0, before=(0, 1), draws=((2**60, 3),), source=Source.TRUE
    )
    cut = HistoryCut(target=5, days=90, frontier=("00", "01"), session=(2, 2**62))

    assert encode(rolled) == Parts(
        {},
        {"roller": "evil", "results": ["7"], "source": "true"},
        {"prev": 0, "before": [0, 1], "draws": [["1152921504606846976", 3]]},
    )
    assert encode(cut) == Parts(
        {"days": 90, "frontier": ["00", "01"], "session": [2, "4611686018427387904"]}, {}, {}
    )
    assert encode(RulesSet(after=Rules(pace=3))).what == {"after": {"pace": 3}}
    assert encode(CallOpened(text="1d20", terms=Terms(dc=11))).what == {"text": "1d20", "terms": {"dc": 11}}
    assert encode(RollerMade(roller="a", before=Roller("A", "", Remembers.TABLE, 3, last=9))).how == {
        "before": {"name": "A", "spec": "", "memory": "table", "epoch": 3},
    }


REFUSED: list[tuple[Kind, str, dict[str, Json]]] = [
    # Fields that are not known, or not of that part, or not of that kind.
    (Kind.ROLL, "what", {"later": 1}),
    (Kind.ROLL, "pub", {"results": ["7"]}),
    (Kind.ROLL, "how", {"results": ["7"]}),
    (Kind.ROLL, "what", {"draws": [[6, 1]]}),
    (Kind.UNDO, "what", {"results": ["7"]}),
    (Kind.UNDO, "pub", {"target": 1}),
    (Kind.ROLL, "what", {"kind": "roll"}),
    (Kind.ROLL, "how", {"after": [1]}),
    (Kind.MASTER, "what", {"master": {"kind": "user", "id": 1}}),
    (Kind.RULES, "what", {"after": {"later": 1}}),
    # Wrong types.
    (Kind.ROLL, "what", {"roller": 1}),
    (Kind.ROLL, "what", {"results": "77"}),
    (Kind.ROLL, "what", {"results": {"7": 1}}),
    (Kind.ROLL, "what", {"results": [7]}),
    (Kind.ROLL, "what", {"source": "stars"}),
    (Kind.ROLL, "what", {"source": ["true"]}),
    (Kind.ROLL, "what", {"practice": "yes"}),
    (Kind.ROLL, "what", {"practice": 1}),
    (Kind.ROLL, "what", {"plus": "1"}),
    (Kind.ROLL, "what", {"plus": 1.0}),
    (Kind.ROLL, "how", {"draws": [[6]]}),
    (Kind.ROLL, "how", {"draws": [[6, 1, 1]]}),
    (Kind.ROLL, "how", {"draws": [6, 1]}),
    (Kind.RULES, "what", {"after": 1}),
    (Kind.RULES, "what", {"after": {"pace": PACE_LIMIT + 1}}),
    (Kind.MAKE, "what", {"before": {"name": "a"}}),
    (Kind.MAKE, "what", {"before": {"name": "a", "spec": "", "memory": "table", "epoch": 1, "last": 1}}),
    (Kind.CUT, "how", {"rollers": [1]}),
    (Kind.CUT, "how", {"rollers": 1}),
    (Kind.CUT, "how", {"rollers": [{"memories": []}]}),
    (Kind.CUT, "pub", {"session": "x"}),
    # Booleans are no integers.
    (Kind.ROLL, "what", {"plus": True}),
    (Kind.ROLL, "what", {"prev": False}),
    (Kind.ROLL, "how", {"before": [True]}),
    (Kind.ROLL, "how", {"draws": [[6, True]]}),
    # An integer is written in one way.
    (Kind.ROLL, "what", {"plus": EXACT + 1}),
    (Kind.ROLL, "what", {"plus": str(EXACT)}),
    (Kind.ROLL, "what", {"plus": "12"}),
    (Kind.ROLL, "what", {"plus": f"0{EXACT + 1}"}),
    (Kind.ROLL, "what", {"plus": f"+{EXACT + 1}"}),
    (Kind.ROLL, "what", {"plus": f" {EXACT + 1}"}),
    (Kind.ROLL, "what", {"plus": f"{EXACT + 1}\n"}),
    (Kind.ROLL, "what", {"plus": f"{EXACT + 1:_}"}),
    (Kind.ROLL, "what", {"plus": "٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩٩"}),
    (Kind.ROLL, "what", {"plus": "9" * 5_000}),
    # One roll is of one thing.
    (Kind.ROLL, "what", {"text": "1d20", "part": "Longmarch"}),
    (Kind.ROLL, "what", {"spec": "{}", "d6_only": True}),
    # What is as by default is left out.
    (Kind.ROLL, "what", {"plus": 0}),
    (Kind.ROLL, "what", {"prev": None}),
    (Kind.ROLL, "what", {"practice": False}),
    (Kind.ROLL, "what", {"names": []}),
    (Kind.CALL, "what", {"terms": {}}),
    (Kind.CALL, "what", {"terms": {"form": "check", "dc": 1}}),
]


@pytest.mark.parametrize(("kind", "part", "said"), REFUSED)
def test_another_record_is_refused(kind: Kind, part: str, said: dict[str, Json]) -> None:
    """Unknown fields, wrong types and second ways to write a value are all damage."""
    empty: dict[str, dict[str, Json]] = {"pub": {}, "what": {}, "how": {}}
    with pytest.raises(Unreadable, match=f"the record of a {kind} is damaged|a {kind} has unknown fields"):
        decode(kind, None, Parts(**{**empty, part: said}))


@given(BODIES_OF_ALL_KINDS, st.data())
def test_a_spoilt_record_is_refused_or_is_another_body(body: Body, data: st.DataObject) -> None:
    """With any other value in one of its places it is Unreadable, or it is read exactly as it stands."""
    said = encode(body)._asdict()
    names = [one.name for one in (*fields(body), *fields(OfAccount))]
    part, name = data.draw(st.sampled_from([*said])), data.draw(st.sampled_from(names))
    said[part][name] = data.draw(VALUES)
    try:
        again = decode(body.kind, body.target, Parts(**said))
    except Unreadable:
        return

    assert encode(again)._asdict() == said


def test_every_recorded_field_has_a_default() -> None:
    """So a body can leave any of them out."""
    needed = [
        f"{body.__name__}.{one.name}"
        for body in BODIES.values()
        for one in fields(body)
        if one.default is MISSING and one.default_factory is MISSING
    ]

    assert needed == []
    assert BODIES.keys() == {*Kind}


@given(st.integers(-(10**90), 10**90))
def test_large_numbers_are_recorded_as_text(number: int) -> None:
    """A number is recorded as a number up to 2^53-1, as text from there on, and read back from either."""
    said = number_or_text(number)

    assert isinstance(said, int) is (abs(number) <= LARGEST_NUMBER)
    assert _decode_integer(said) == number
    assert canon(said)
