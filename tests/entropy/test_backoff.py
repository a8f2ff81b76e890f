"""When a source may be asked next, as arithmetic."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from bot.entropy.service import Backoff, Limits

LIMITS = Limits(interval=600.0, retry=60.0)
waits = st.none() | st.floats(0, 1e9)
jitters = st.floats(0, 1, exclude_max=True)
histories = st.lists(st.tuples(st.booleans(), waits, jitters), max_size=40)


def played(history: Sequence[tuple[bool, float | None, float]], limits: Limits = LIMITS) -> Backoff:
    """The back-off after these outcomes, all of them at time 0."""
    backoff = Backoff()
    for good, wait, jitter in history:
        backoff = backoff.succeeded(0.0, limits, wait) if good else backoff.failed(0.0, limits, wait, jitter)
    return backoff


def test_a_new_source_may_be_asked_at_once() -> None:
    """Whatever the clock says, the first request waits for nothing."""
    assert Backoff().ready(-1e9)


def test_the_back_off_doubles_up_to_an_hour() -> None:
    """60, 120, 240 seconds and so on, and never more than an hour by itself."""
    waits = [played([(False, None, 0.0)] * n).next_try for n in range(1, 10)]

    assert waits == [60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 3600.0, 3600.0, 3600.0]


def test_one_good_answer_forgives_all_failures() -> None:
    """After it the interval counts, and the next failure begins at the shortest back-off."""
    after = played([(False, None, 0.5)] * 7 + [(True, None, 0.0)])

    assert (after.next_try, after.failures) == (600.0, 0)
    assert after.failed(0.0, LIMITS).next_try == 60.0


@given(histories, waits, jitters)
def test_no_wait_is_shorter_than_asked_or_longer_than_a_day(
    history: list[tuple[bool, float | None, float]], wait: float | None, jitter: float
) -> None:
    """After any history: at least the service's own wait and our manners, at most a day."""
    backoff = played(history)
    good = backoff.succeeded(0.0, LIMITS, wait).next_try
    bad = backoff.failed(0.0, LIMITS, wait, jitter).next_try

    assert max(600.0, min(wait or 0.0, 86_400.0)) == good
    assert max(60.0, min(wait or 0.0, 86_400.0)) <= bad <= 86_400.0


@given(st.integers(0, 40), jitters)
def test_jitter_only_lengthens_by_up_to_half(failures: int, jitter: float) -> None:
    """So that a thousand bots do not come back in the same second."""
    plain = played([(False, None, 0.0)] * failures).failed(0.0, LIMITS).next_try
    spread = played([(False, None, 0.0)] * failures).failed(0.0, LIMITS, jitter=jitter).next_try

    assert plain <= spread <= plain * 1.5
