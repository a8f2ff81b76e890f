"""The daily round: delete old data, at a time that Discord confirms.

A wrong clock would delete histories by mistake. So the round uses the earlier of Discord's time and the
clock, and deletes nothing if Discord does not answer.

A server's data is deleted a week after the bot left, unless it is used again. Discord reports a removal only
while the bot listens. So the stored servers are compared with Discord's when all shards are ready, and again
before each deletion.
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
from bot.storage.engine import Database, transact
from bot.storage.leases import Leases
from bot.times import DAY

GRACE_DAYS = 7
"""Days to keep a server's data after the bot left."""
_CLOCK_TOLERANCE = 3_600
"""Seconds by which the clock may differ before it is reported to the host."""
_ROUND, _FREE_SECONDS = "daily round", 22 * 3_600
"""The lease among all processes, and the seconds it stays taken after a finished round."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Presence:
    """The servers that the bot is on, among those of this process's shards."""

    present: frozenset[int]
    owns: Callable[[int], bool]
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

    async def leave_server(self, guild_id: int) -> None:
        """Note that the bot has left a server, whose data is deleted in a week unless it returns."""
        await transact(self.database, servers.leave(guild_id))

    async def join_server(self, guild_id: int) -> None:
        """Note that the bot is on a server."""
        await transact(self.database, servers.join(guild_id))

    async def run(self, presence: Presence, discord_time: float | None) -> bool:
        """Do the round; return whether all of it succeeded.

        `discord_time` is in seconds since 1970, None if Discord gave none.
        """
        done = await _attempt(lambda: self._reconcile(presence))
        done &= await _attempt(self.privacy.finish)
        # Each process handles the servers of its shards; one of them does the work on all campaigns.
        has_lease = not (await self.leases.take(_ROUND))[0]
        if has_lease:
            await _attempt(self.verifying.sample)
            done &= await _attempt(self.rigging.advance_all)
            done &= await _attempt(self.leases.tidy)
        if discord_time is None:
            _log.warning("Discord does not tell the time, so no old data is deleted yet")
            if has_lease:
                await self.leases.give_back(_ROUND, 0, 0)
            return False
        clock = self.clock()
        if abs(discord_time - clock) > _CLOCK_TOLERANCE:
            _log.error("This machine's clock is wrong by %.0f minutes: set it", (clock - discord_time) / 60)
        earliest, latest = min(discord_time, clock), max(discord_time, clock)
        done &= await _attempt(lambda: self._delete_left(presence, earliest, latest))
        if not has_lease:
            return False  # the lease holder may die in mid-round: an hour later this is known
        done &= await _attempt(lambda: self.retention.tidy(earliest))
        await self.leases.give_back(_ROUND, _FREE_SECONDS if done else 0, 0)
        return done

    async def _reconcile(self, presence: Presence) -> None:
        """Record the servers that removed the bot, or invited it back, while it was offline."""
        guild_ids = await transact(self.database, servers.reconcile(presence.present, presence.owns))
        if guild_ids:
            _log.info("While the bot was away, it was removed from %d servers", len(guild_ids))

    async def _delete_left(self, presence: Presence, earliest: float, latest: float) -> None:
        """Delete the data of servers left a week ago and not rejoined.

        The true time is between `earliest` and `latest`, in seconds since 1970: departures are stamped with
        the latest and deletions decided by the earliest.
        """
        await transact(self.database, servers.stamp(int(latest * 1000)))
        before = int((earliest - GRACE_DAYS * DAY) * 1000)
        for guild_id in await transact(self.database, servers.due(before)):
            if presence.owns(guild_id) and guild_id not in presence.present:
                await transact(self.database, servers.hide_left(guild_id, before))
        await self.privacy.sweep()


async def _attempt(part: Callable[[], Awaitable[object]]) -> bool:
    """Do a part of the round and return whether it succeeded; log its errors."""
    try:
        await part()
    except Unavailable as error:
        _log.error("The daily round has to wait: %s", error)
    except Exception:  # noqa: BLE001 (the other parts and the next round go on)
        _log.exception("The daily round failed")
    else:
        return True
    return False
