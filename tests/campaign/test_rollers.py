"""Rollers as events keep them, and whose rolls they remember."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.rollers import TABLE, Remembers, Roller
from bot.dice.bases import Json
from bot.record.codec import Unreadable, decode_value, encode_value
from bot.systems.registry import print_spec
from tests.support.systems import make

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
    said = json.loads(json.dumps(encode_value(roller)))

    assert decode_value(Roller, said) == replace(roller, last=0)


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
