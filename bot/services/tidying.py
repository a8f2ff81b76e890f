"""Tidying: once a day, what is too old is deleted, at a time that Discord confirms.

A clock that is wrong would delete histories that nobody meant to lose. So the round asks Discord for the time
and takes the earlier one of it and the clock; without an answer it deletes nothing and waits.

The data of a server that the bot has left goes a week later, unless somebody plays there again. Discord says
that the bot was removed only while it listens. So what is noted is compared with the servers that Discord
tells when all shards are ready, and again before anything is deleted.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.dice.errors import Unavailable
from bot.services.privacy import Privacy
from bot.services.retention import Retention
from bot.services.rigging import Rigging
from bot.services.verifying import Verifying
from bot.storage import servers
from bot.storage.engine import Database, work
from bot.storage.leases import Leases
from bot.times import DAY

GRACE_DAYS = 7
"""How long the data of a server is kept that the bot has left."""
_SAID_SECONDS = 3_600
"""A clock that differs by more is a fault that whoever runs the bot should mend."""
_ROUND, _FREE_SECONDS = "daily round", 22 * 3_600
"""The lease of all processes, and for how long nobody takes it once the round is done."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Presence:
    """The servers that the bot is on, as Discord tells those shards that this process has."""

    present: frozenset[int]
    ours: Callable[[int], bool]
    """Return whether the server of that id belongs to a shard of this process."""


@dataclass(frozen=True, slots=True)
class Tidying:
    """The daily round; `clock` gives this machine's seconds since 1970."""

    database: Database
    privacy: Privacy
    retention: Retention
    verifying: Verifying
    rigging: Rigging
    leases: Leases
    clock: Callable[[], float] = time.time

    async def left(self, guild_id: int) -> None:
        """Note that the bot has left a server: its data goes in a week, unless it comes back."""
        await work(self.database, servers.leave(guild_id))

    async def joined(self, guild_id: int) -> None:
        """Note that the bot is on a server."""
        await work(self.database, servers.join(guild_id))

    async def run(self, presence: Presence, told: float | None) -> bool:
        """Do the round; whether all of it could be done. `told` is Discord's time, None if it gave none."""
        done = await _tried(lambda: self._reconcile(presence))
        done &= await _tried(self.privacy.finish)
        # Every process tidies after the servers of its shards; what is about all campaigns one does for all.
        ours = not (await self.leases.take(_ROUND))[0]
        if ours:
            await _tried(self.verifying.sample)
            done &= await _tried(self.rigging.carry_all)
            done &= await _tried(self.leases.tidy)
        if told is None:
            _log.warning("Discord does not tell the time, so no old data is deleted yet")
            if ours:
                await self.leases.give_back(_ROUND, 0, 0)
            return False
        clock = self.clock()
        if abs(told - clock) > _SAID_SECONDS:
            _log.error("This machine's clock is wrong by %.0f minutes: set it", (clock - told) / 60)
        earliest, latest = min(told, clock), max(told, clock)
        done &= await _tried(lambda: self._delete_left(presence, earliest, latest))
        if not ours:
            return False  # whoever has the lease may die amid the round: an hour later this is known
        done &= await _tried(lambda: self.retention.tidy(earliest))
        await self.leases.give_back(_ROUND, _FREE_SECONDS if done else 0, 0)
        return done

    async def _reconcile(self, presence: Presence) -> None:
        """Note who removed the bot, or invited it back, while it did not listen."""
        gone = await work(self.database, servers.reconcile(presence.present, presence.ours))
        if gone:
            _log.info("While the bot was away, it was removed from %d servers", len(gone))

    async def _delete_left(self, presence: Presence, earliest: float, latest: float) -> int:
        """Delete the data of servers that were left a week ago and are left still; how many they were.

        The time is between `earliest` and `latest`, in seconds since 1970: a server is left at the latest
        and deleted by the earliest of them.
        """
        await work(self.database, servers.stamp(int(latest * 1000)))
        before = int((earliest - GRACE_DAYS * DAY) * 1000)
        deleted = 0
        for guild_id in await work(self.database, servers.due(before)):
            if presence.ours(guild_id) and guild_id not in presence.present:
                await work(self.database, servers.hide_left(guild_id, before))
                deleted += 1
        await self.privacy.sweep()
        return deleted


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
