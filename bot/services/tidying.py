"""The daily round: what is too old is deleted, at a time that Discord confirms.

A clock that is wrong would delete histories that nobody meant to lose. So the round asks Discord for the time
and takes the earlier one of it and the clock; without an answer it deletes nothing and waits.
"""

import logging
import time
from collections.abc import Awaitable, Callable

from bot.dice.errors import Unavailable
from bot.services.departures import Departures, Presence
from bot.services.privacy import Privacy
from bot.services.retention import Retention
from bot.services.verifying import Verifying

_SAID_SECONDS = 3_600
"""A clock that differs by more is a fault that whoever runs the bot should mend."""

_log = logging.getLogger(__name__)


class Tidying:
    """The daily round; `clock` gives this machine's seconds since 1970."""

    def __init__(
        self,
        departures: Departures,
        privacy: Privacy,
        retention: Retention,
        verifying: Verifying,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._departures = departures
        self._privacy = privacy
        self._retention = retention
        self._verifying = verifying
        self._clock = clock

    async def run(self, presence: Presence, told: float | None) -> bool:
        """Do the round; whether all of it could be done. `told` is Discord's time, None if it gave none."""
        done = await _tried(lambda: self._departures.reconcile(presence))
        done &= await _tried(self._privacy.finish)
        await _tried(self._verifying.sample)
        if told is None:
            _log.warning("Discord does not tell the time, so nothing that is too old is deleted yet")
            return False
        clock = self._clock()
        if abs(told - clock) > _SAID_SECONDS:
            _log.error("This machine's clock is wrong by %.0f minutes: set it", (clock - told) / 60)
        earliest, latest = min(told, clock), max(told, clock)
        done &= await _tried(lambda: self._departures.delete(presence, earliest, latest))
        return await _tried(lambda: self._retention.tidy(earliest)) and done


async def _tried(part: Callable[[], Awaitable[object]]) -> bool:
    """Do a part of the round; one that fails keeps neither the others nor the next round from their work."""
    try:
        await part()
    except Unavailable as error:
        _log.error("The daily round has to wait: %s", error)
    except Exception:  # noqa: BLE001 (whatever it is, the rest is done)
        _log.exception("The daily round failed")
    else:
        return True
    return False
