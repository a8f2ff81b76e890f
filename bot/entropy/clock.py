"""The time as the entropy room sees it: one object, so that a test can bring its own."""

import asyncio
import time
from datetime import UTC, datetime


class Clock:
    """The real time."""

    def now(self) -> float:
        """Seconds on a clock that only goes forward; its zero means nothing."""
        return time.monotonic()

    def utc(self) -> datetime:
        """Return the calendar's time."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await asyncio.sleep(seconds)
