"""Turns shared by all processes and kept over restarts, such as asking a source."""

import time
from collections.abc import Callable

from bot.dice.errors import Unavailable
from bot.storage import turns
from bot.storage.engine import Database, work

_LEASE_SECONDS = 300
"""A source that was asked is left alone for so long if whoever asked it dies."""
_HORIZON_SECONDS = 2 * 86_400
_IDENTIFY_SECONDS = 5
_AGAIN_SECONDS = 60


class Turnbook:
    """The use case of taking turns; `clock` gives seconds since 1970."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def take(self, name: str) -> tuple[float, int]:
        """Take a source's turn: in how many seconds it may be asked, 0 for now, and its failures in a row."""
        now = self._clock()
        times = (_ms(now), _ms(now + _LEASE_SECONDS), _ms(now + _HORIZON_SECONDS))
        try:
            at, failures = await work(self._database, turns.take(f"source:{name}", *times))
        except Unavailable:
            return _AGAIN_SECONDS, 0
        return max(0.0, at / 1000 - now), failures

    async def give_back(self, name: str, seconds: float, failures: int) -> None:
        """Say in how many seconds a source may be asked again."""
        at = _ms(self._clock() + seconds)
        try:
            await work(self._database, turns.give_back(f"source:{name}", at, failures))
        except Unavailable:
            return  # it is left alone until the lease ends

    async def identify(self) -> float:
        """Queue up for a shard's identification; return for how many seconds it has to wait."""
        now = self._clock()
        step, horizon = _IDENTIFY_SECONDS * 1000, _ms(now + _HORIZON_SECONDS)
        at = await work(self._database, turns.queue_up("identify", _ms(now), step, horizon))
        return max(0.0, at / 1000 - now)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
