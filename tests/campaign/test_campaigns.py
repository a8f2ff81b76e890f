"""What is set about a campaign, its rollers, and how both are kept."""

import pytest

from bot.campaign.campaigns import (
    HAND_LIMIT,
    PACE_LIMIT,
    TABLE,
    USUAL,
    Remembers,
    Roller,
    Rules,
)
from bot.campaign.kinds import LONGEST_RETENTION, SHORTEST_RETENTION
from bot.dice.errors import SpecError
from bot.record.codec import decode_value
from bot.systems.registry import print_spec
from tests.support.systems import make


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
