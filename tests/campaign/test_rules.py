"""A campaign's rules as they are kept, and bursts of rolls."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.events import Visibility
from bot.campaign.histories import BURST_ROLLS, BURST_SECONDS, bursts
from bot.campaign.rules import FOREVER, LONGEST_RETENTION, PACE_LIMIT, SHORTEST_RETENTION, USUAL, Rules, Whose
from bot.dice.errors import SpecError
from tests.support.play import rolled, rolled_with
from tests.support.systems import make

RULES = st.builds(
    Rules,
    visibility=st.sampled_from(Visibility),
    makers=st.sampled_from(Whose),
    called_only=st.booleans(),
    odds=st.sampled_from(Whose),
    pace=st.integers(0, PACE_LIMIT),
    retention=st.just(FOREVER) | st.integers(SHORTEST_RETENTION, LONGEST_RETENTION),
)


@given(RULES)
def test_rules_are_kept_and_read_back(rules: Rules) -> None:
    """What was set comes back, and nothing is kept of what is as usual."""
    assert Rules.from_json(rules.as_json()) == rules
    assert (rules.as_json() == {}) is (rules == USUAL)


def test_rules_of_another_version_are_read_as_far_as_they_are_known() -> None:
    """A rule that is not known is left out; one that is damaged is an error."""
    assert Rules.from_json({"pace": 3, "later": 1}) == Rules(pace=3)
    assert Rules.from_json(None) == USUAL
    with pytest.raises(ValueError, match="pace is damaged"):
        Rules.from_json({"pace": "3"})
    with pytest.raises(SpecError, match="rolls in five seconds"):
        Rules(pace=PACE_LIMIT + 1)


def test_a_history_is_kept_for_the_shorter_time() -> None:
    """The campaign's own or everybody's, where 0 is for ever; less than 30 days make no sense."""
    table = {(own, limit): Rules(retention=own).kept_days(limit) for own in (0, 90) for limit in (0, 30, 365)}

    assert table == {(0, 0): 0, (0, 30): 30, (0, 365): 365, (90, 0): 90, (90, 30): 30, (90, 365): 90}
    for days in (-1, 1, SHORTEST_RETENTION - 1, LONGEST_RETENTION + 1):
        with pytest.raises(SpecError, match="A history can be kept"):
            Rules(retention=days)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40))
def test_a_burst_is_many_rolls_in_a_short_time(pauses: list[int]) -> None:
    """A roll is marked exactly if some window of that time around it holds that many."""
    event = rolled_with(make("deck", "1d6")).event
    times: list[int] = []
    for pause in pauses:
        times.append((times[-1] if times else 0) + pause)
    events = [replace(event, seq=n, interaction_id=at * 1000 << 22) for n, at in enumerate(times, 1)]
    windows = [
        {n for n, at in enumerate(times, 1) if end - BURST_SECONDS <= at <= end and n <= last}
        for last, end in enumerate(times, 1)
    ]

    assert bursts(events) == set().union(*(w for w in windows if len(w) >= BURST_ROLLS))


def test_only_rolls_that_a_memory_counts_are_a_burst() -> None:
    """Plain dice, however many, are none; nor are those of somebody erased; several at once count each."""
    dice = rolled("1d6").event
    cards = rolled_with(make("deck", "1d6"), BURST_ROLLS).event

    assert bursts([replace(dice, seq=n) for n in range(1, 99)]) == set()
    assert bursts([replace(cards, user_id=None)]) == set()
    assert bursts([cards]) == {cards.seq}
