"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

from bot.entropy.web import Clock


class FakeClock(Clock):
    """Starts on a fixed evening; `advance` wakes whoever sleeps, in order."""

    def __init__(self, start: datetime = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)) -> None:
        self._start = start
        self._now = 1000.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        """Seconds since no particular time."""
        return self._now

    def utc(self) -> datetime:
        """Return the evening's time."""
        return self._start + timedelta(seconds=self._now - 1000.0)

    async def sleep(self, seconds: float) -> None:
        """Wait until the test has advanced so far."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), woken))
        await woken

    async def advance(self, seconds: float) -> None:
        """Move on by that much and let everybody do what is due."""
        end = self._now + seconds
        if not self._sleepers:
            # Whoever has just been started gets as far as its first sleep.
            await _settle()
        while self._sleepers and self._sleepers[0][0] <= end:
            self._now, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)
            await _settle()
        self._now = end


async def _settle() -> None:
    # Tasks that wait for nothing but each other's turns are done after a few of them.
    for _ in range(6):
        await asyncio.sleep(0)
