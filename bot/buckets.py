"""Token buckets: how often somebody may do something."""

import time
from collections.abc import Callable, Hashable

from bot.newest import Newest

_MOST = 10_000
"""Most buckets that are remembered. Whoever used theirs longest ago has a full one again."""


class Buckets:
    """The buckets of everybody, by any key; `clock` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._levels = Newest[Hashable, tuple[float, float]](_MOST)

    def take(self, key: Hashable, size: float, rate: float, count: float = 1) -> float:
        """Take `count` tokens and return 0, or take none and return the seconds until there are enough.

        A bucket holds `size` tokens, and `rate` flow in each second.
        """
        now = self._clock()
        level, at = self._levels.get(key, (size, now))
        level = min(size, level + (now - at) * rate)
        missing = count - level
        self._levels[key] = level if missing > 0 else -missing, now
        return max(0.0, missing / rate)
