"""A streak as long as all that was rolled, of a die with many faces, is judged at once."""

import tracemalloc

import pytest

from bot.stats.best import streak_chance


def test_a_long_streak_takes_no_more_room_than_its_faces() -> None:
    """What a face began is kept only while it may become the streak."""
    weights, rolls = (10**6, *[1] * 99), 2_000
    streak_chance(weights, 2, 2)  # what it imports takes room too
    tracemalloc.start()
    try:
        chance = streak_chance(weights, rolls, rolls)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert chance == pytest.approx((weights[0] / sum(weights)) ** rolls, rel=1e-9)
    assert most < 100_000
