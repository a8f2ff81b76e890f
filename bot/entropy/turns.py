"""When may a source be asked next? Values and arithmetic only; the time is an argument."""

from dataclasses import dataclass

_LONGEST_BACKOFF = 3600.0
_LONGEST_WAIT = 86_400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """A service's manners, in seconds."""

    interval: float
    """The least time between two answers."""
    retry: float
    """The least time after a failure; it doubles with every further one, up to an hour."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Where a source stands: when it may be asked, and how often it has failed in a row."""

    next_try: float = float("-inf")
    failures: int = 0

    def ready(self, now: float) -> bool:
        """Return whether it may be asked now."""
        return now >= self.next_try

    def succeeded(self, now: float, limits: Limits, wait: float | None = None) -> "Turns":
        """After an answer: the interval, or longer if the service said `wait`."""
        return Turns(now + max(limits.interval, _bounded(wait)))

    def failed(self, now: float, limits: Limits, wait: float | None = None, jitter: float = 0.0) -> "Turns":
        """After a failure: a wait that doubles from `retry`, or longer if the service said `wait`.

        `jitter` (0 to 1) adds up to half of it. Nobody is believed beyond a day.
        """
        # 2^12 seconds are beyond the longest back-off, whatever the retry.
        doubled = limits.retry * 2 ** min(self.failures, 12)
        backoff = max(limits.retry, min(doubled, _LONGEST_BACKOFF)) * (1 + jitter / 2)
        return Turns(now + max(backoff, _bounded(wait)), self.failures + 1)


def _bounded(wait: float | None) -> float:
    return min(wait or 0.0, _LONGEST_WAIT)
