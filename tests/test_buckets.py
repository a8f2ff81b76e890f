"""Token buckets, on a clock of the test's own."""

import pytest

from bot.buckets import Buckets


def test_a_bucket_empties_and_fills() -> None:
    """What is too much is not taken; it says how long to wait, and later there is enough."""
    now = 5.0
    buckets = Buckets(lambda: now)

    assert buckets.take("a", 4, 2, count=3) == 0
    assert buckets.take("a", 4, 2, count=3) == 1
    assert buckets.take("a", 4, 2) == 0
    assert buckets.take("b", 4, 2, count=4) == 0
    now += 1.5
    assert buckets.take("a", 4, 2, count=3) == 0


def test_only_the_newest_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are; whoever came first has a full bucket again."""
    monkeypatch.setattr("bot.buckets._MOST", 2)
    buckets = Buckets(lambda: 0.0)
    for key in "abc":
        assert not buckets.take(key, 1, 1)

    assert [bool(buckets.take(key, 1, 1)) for key in "cba"] == [True, True, False]
