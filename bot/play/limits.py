"""How fast somebody may do things."""

import time
from collections.abc import Callable


class Bucket:
    """Lets `rate` things a second through, and `burst` at once; time is by a clock that only goes forward."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = self._left = burst
        self._clock = clock
        self._at = clock()

    def take(self, count: float = 1) -> bool:
        """Take so many; return whether there were enough."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True
