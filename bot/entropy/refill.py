"""Keep one lane of random bytes filled in the background; no roll waits for it.

One source of a lane is asked at a time, the first choice first. A later one steps in when those before it
fail, or when the lane is dry while they rest: so nobody is asked more than is needed.
"""

from collections.abc import Callable, Sequence

from bot.entropy.feed import Feed
from bot.entropy.supply import Lane
from bot.entropy.web import Clock

LOW_WATER = 8 * 8192
"""A lane with fewer bits is refilled: 8 KiB, which is about 15,000 rolls of a d20."""

_LOOK_AGAIN = 5.0


class Refill:
    """The refilling of a lane from its feeds; `alarm` is called when a block fails its tests."""

    def __init__(self, lane: Lane, feeds: Sequence[Feed], clock: Clock, alarm: Callable[[], None]) -> None:
        self._lane = lane
        self._feeds = feeds
        self._clock = clock
        self._alarm = alarm

    async def run(self) -> None:
        """Refill until cancelled."""
        while True:
            await self._clock.sleep(0.0 if await self.step() else _LOOK_AGAIN)

    async def step(self) -> bool:
        """Ask one source if the lane is low and one is due; whether one was asked."""
        feed = self._due()
        if feed is None:
            return False
        outcome = await feed.ask()
        if outcome.alarm:
            self._lane.drop(feed.source.name)
            self._alarm()
        if outcome.block is not None:
            self._lane.add(outcome.block, feed.source.name)
        return True

    def _due(self) -> Feed | None:
        if self._lane.bits >= LOW_WATER:
            return None
        for feed in self._feeds:
            if feed.ready:
                return feed
            if feed.well and self._lane.fed:
                return None
        return None
