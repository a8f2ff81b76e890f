"""The simulated server's clock is the wall clock: ids and times agree with the real ones, never run back."""

import time
from datetime import UTC, datetime

from simcord._clock import Clock  # pyright: ignore[reportPrivateUsage]  # the type of `Backend.clock`


class WallClock(Clock):
    """Follows the machine's clock; simcord's own stands still until somebody moves it.

    Timers count on a clock that only goes forward, and `now` never returns an earlier time than before: an
    interaction's id holds its millisecond, and the database keys on that id.
    """

    def __init__(self) -> None:  # not the parent's: `elapsed` is computed here, there it is stored
        self._start = time.perf_counter()
        self._latest = datetime.now(UTC)

    @property
    def elapsed(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Seconds since the clock was made (`perf_counter`: simcord replaces `time.monotonic`)."""
        return time.perf_counter() - self._start

    def now(self) -> datetime:
        """The time of day in UTC."""
        self._latest = max(self._latest, datetime.now(UTC))
        return self._latest

    def advance(self, seconds: float) -> None:
        """Nothing: this clock moves by itself."""
