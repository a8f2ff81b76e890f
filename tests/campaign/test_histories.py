"""Bursts: many rolls with a memory in a short time."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.campaign.histories import BURST_ROLLS, BURST_SECONDS, bursts
from tests.support.play import rolled, rolled_with
from tests.support.systems import make


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
