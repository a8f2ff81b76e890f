"""A call's terms: which go together, and that a history keeps them as they were."""

import json
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.kinds import Visibility
from bot.campaign.rollers import Remembers
from bot.dice.bases import Json
from bot.dice.errors import SpecError
from bot.record.codec import Unreadable, decode_value, encode_value

plain = st.builds(
    Terms,
    st.sampled_from(Form),
    st.none() | st.integers(-1_000_000, 1_000_000),
    st.booleans(),
    st.just(Rule.EACH),
    st.integers(1, 1_000),
    st.integers(1, 20),
    st.none() | st.integers(0, 2**63),
    st.none() | st.sampled_from(Remembers),
    st.sampled_from(Visibility),
    st.booleans(),
)
terms = st.tuples(plain, st.sampled_from(Rule)).map(
    lambda both: both[0] if both[0].dc is None else replace(both[0], rule=both[1])
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


@given(terms)
def test_terms_come_back_as_they_were(terms: Terms) -> None:
    """Written as JSON text and read again they are equal."""
    assert decode_value(Terms, json.loads(json.dumps(encode_value(terms)))) == terms


@pytest.mark.parametrize("form", Form)
def test_what_is_usual_is_not_written(form: Form) -> None:
    """The record holds no more than what differs."""
    assert encode_value(Terms(form)) == ({} if form is Form.CHECK else {"form": form.value})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Terms(Form.CHECK, rule=Rule.HALF), "The rule half needs a DC"),
        (lambda: Terms(Form.CHECK, rule=Rule.ALL), "The rule all needs a DC"),
        (lambda: Terms(Form.CHECK, rule=Rule.ANY), "The rule any needs a DC"),
        (lambda: Terms(Form.CHECK, dc=1_000_001), "A DC is a number up to 1,000,000"),
        (lambda: Terms(Form.CHECK, dc=-1_000_001), "A DC is a number up to 1,000,000"),
        (lambda: Terms(Form.CHECK, needed=0), "1 to 1,000"),
        (lambda: Terms(Form.CHECK, needed=1_001), "1 to 1,000"),
        (lambda: Terms(Form.DEAL, cards=0), "dealt 1 to 20 cards, not 0"),
        (lambda: Terms(Form.DEAL, cards=21), "dealt 1 to 20 cards, not 21"),
    ],
)
def test_terms_that_make_no_sense_are_refused(make: Callable[[], Terms], words: str) -> None:
    """Each with its own sentence."""
    with pytest.raises(SpecError, match=words):
        make()


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        "check",
        {"form": None},
        {"form": 1},
        {"form": "party"},
        {"form": "check"},
        {"dc": "11"},
        {"dc": True},
        {"dc": 1.5},
        {"dc": 10**9},
        {"under": "no"},
        {"hold": 1},
        {"rule": "most"},
        {"rule": "half"},
        {"needed": None},
        {"needed": 0},
        {"form": "deal", "cards": 21},
        {"role": "gm"},
        {"whose": "mine"},
        {"visibility": "secret"},
        {"later": 1},
    ],
)
def test_a_damaged_record_is_the_record_s_fault(record: Json) -> None:
    """It is Unreadable: no sentence for a player, who asked for nothing wrong."""
    with pytest.raises(Unreadable, match=r"the record of terms is damaged"):
        decode_value(Terms, record)


def spoil(parts: tuple[str, Json, Terms]) -> Json:
    """Terms as JSON with another value in one place."""
    name, value, terms = parts
    said = encode_value(terms)
    assert isinstance(said, dict)
    return {**said, name: value}


spoilt = st.tuples(st.sampled_from([field.name for field in fields(Terms)]), values, plain).map(spoil)


@given(spoilt | values)
def test_any_record_is_read_or_damaged(record: Json) -> None:
    """Whatever stands in one of its places, it is read as it stands or is Unreadable, and nothing else."""
    try:
        read = decode_value(Terms, record)
    except Unreadable:
        return

    assert encode_value(read) == record


@pytest.mark.parametrize("visibility", Visibility)
def test_what_is_not_public_hides(visibility: Visibility) -> None:
    """Rolls are kept from the others at first unless they are public."""
    assert Terms(Form.CHECK, visibility=visibility).hides == (visibility is not Visibility.PUBLIC)
