"""What is set about a campaign, its rollers, and how both are kept."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.campaigns import (
    HAND_LIMIT,
    PACE_LIMIT,
    TABLE,
    USUAL,
    Footer,
    Remembers,
    RightHolder,
    Roller,
    Rules,
)
from bot.campaign.kinds import FOREVER, LONGEST_RETENTION, SHORTEST_RETENTION, Visibility
from bot.dice.errors import SpecError
from bot.dice.system import Json
from bot.record.codec import Unreadable, decode_value, encode_value
from bot.systems.registry import print_spec
from tests.support.systems import make

RULES = st.builds(
    Rules,
    visibility=st.sampled_from(Visibility),
    makers=st.sampled_from(RightHolder),
    called_only=st.booleans(),
    by_hand=st.booleans(),
    d6_only=st.booleans(),
    d100_zero=st.booleans(),
    hand=st.integers(0, HAND_LIMIT),
    odds=st.sampled_from(RightHolder),
    pace=st.integers(0, PACE_LIMIT),
    footer=st.sampled_from(Footer),
    retention=st.just(FOREVER) | st.integers(SHORTEST_RETENTION, LONGEST_RETENTION),
)


@given(RULES)
def test_rules_are_kept_and_read_back(rules: Rules) -> None:
    """What was set comes back, and nothing is kept of what is as usual."""
    assert decode_value(Rules, encode_value(rules)) == rules
    assert (encode_value(rules) == {}) is (rules == USUAL)


@pytest.mark.parametrize("record", [{"pace": 3, "later": 1}, {"pace": "3"}, {"pace": PACE_LIMIT + 1}, None])
def test_rules_that_can_not_be_set_are_not_read(record: Json) -> None:
    """One that is not known, damaged or out of range is the record's fault."""
    with pytest.raises(Unreadable, match="the record of rules is damaged"):
        decode_value(Rules, record)


def test_rules_have_limits() -> None:
    """What is out of range is refused with a sentence."""
    assert decode_value(Rules, {}) == USUAL
    assert decode_value(Rules, {"pace": PACE_LIMIT}) == Rules(pace=PACE_LIMIT)
    with pytest.raises(SpecError, match="rolls in five seconds"):
        Rules(pace=PACE_LIMIT + 1)
    with pytest.raises(SpecError, match="0 to 20 cards, not 21"):
        Rules(hand=HAND_LIMIT + 1)


def test_a_history_is_kept_for_the_shorter_time() -> None:
    """The campaign's own or everybody's, where 0 is for ever; less than 30 days make no sense."""
    table = {(own, limit): Rules(retention=own).kept_days(limit) for own in (0, 90) for limit in (0, 30, 365)}

    assert table == {(0, 0): 0, (0, 30): 30, (0, 365): 365, (90, 0): 90, (90, 30): 30, (90, 365): 90}
    for days in (-1, 1, SHORTEST_RETENTION - 1, LONGEST_RETENTION + 1):
        with pytest.raises(SpecError, match="A history can be kept"):
            Rules(retention=days)


SPECS = [print_spec(make("dice")), print_spec(make("fair", tightness="1.5")), ""]
ROLLERS = st.builds(
    Roller,
    st.text(min_size=1),
    st.sampled_from(SPECS),
    st.sampled_from(Remembers),
    st.integers(1),
    st.integers(0),
)


@given(ROLLERS)
def test_a_roller_comes_back_from_its_record(roller: Roller) -> None:
    """A roller kept in an event comes back whole, through JSON too, but for its newest event."""
    record = json.loads(json.dumps(encode_value(roller)))

    assert decode_value(Roller, record) == replace(roller, last=0)


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        "evil",
        {},
        {"spec": "", "memory": "table", "epoch": 1},
        {"name": "a", "spec": 1, "memory": "table", "epoch": 1},
        {"name": "a", "spec": None, "memory": "table", "epoch": 1},
        {"name": "a", "spec": "", "memory": "nobody", "epoch": 1},
        {"name": "a", "spec": "", "memory": "table", "epoch": "1"},
        {"name": "a", "spec": "", "memory": "table", "epoch": 1, "last": 3},
    ],
)
def test_a_damaged_record_is_refused(record: Json) -> None:
    """What no roller left behind is no roller."""
    with pytest.raises(Unreadable, match="the record of roller is damaged"):
        decode_value(Roller, record)


def test_a_record_without_a_field_is_refused_in_our_words() -> None:
    """What is wrong is told of the record, never of a class of ours."""
    with pytest.raises(Unreadable, match="the record of roller is damaged: missing fields"):
        decode_value(Roller, {"name": "a"})


def test_a_removed_roller_has_no_system() -> None:
    """The system is read from its record; a removed roller has none."""
    assert [Roller("a", spec, Remembers.TABLE, 1).system for spec in SPECS] == [
        make("dice"),
        make("fair", tightness="1.5"),
        None,
    ]


def test_memory_has_an_owner() -> None:
    """The table shares one memory, or each player has their own."""
    assert Remembers.TABLE.owner(42) == TABLE
    assert Remembers.PLAYER.owner(42) == 42
