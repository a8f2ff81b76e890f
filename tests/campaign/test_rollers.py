import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.rollers import TABLE, Remembers, Roller
from bot.dice.bases import Json
from tests.support.systems import make

ROLLERS = st.builds(
    Roller,
    st.text(min_size=1),
    st.none() | st.sampled_from([make("dice"), make("fair", tightness="1.5"), make("deck", "d6", size=2)]),
    st.sampled_from(Remembers),
    st.integers(1),
    st.integers(0),
)


@given(ROLLERS)
def test_a_roller_comes_back_from_its_record(roller: Roller) -> None:
    """A roller kept in an event's detail comes back whole, through JSON too."""
    assert Roller.from_json(json.loads(json.dumps(roller.as_json())), roller.last) == roller


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        "evil",
        {},
        {"spec": None, "memory": "table", "epoch": 1},
        {"name": "a", "spec": 1, "memory": "table", "epoch": 1},
        {"name": "a", "spec": None, "memory": "nobody", "epoch": 1},
        {"name": "a", "spec": None, "memory": "table", "epoch": "1"},
    ],
)
def test_a_damaged_record_is_refused(record: Json) -> None:
    """What no roller left behind is no roller."""
    with pytest.raises(ValueError, match=r"damaged|nobody"):
        Roller.from_json(record, 0)


def test_memory_has_an_owner() -> None:
    """The table shares one memory, or each player has their own."""
    assert Roller("a", None, Remembers.TABLE, 1).owner(42) == TABLE
    assert Roller("a", None, Remembers.PLAYER, 1).owner(42) == 42
