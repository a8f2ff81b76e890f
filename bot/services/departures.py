"""Servers that the bot has left: their data goes a week later, unless somebody plays there again.

Discord says that the bot was removed only while it listens. So what is noted is compared with the servers
that Discord tells when all shards are ready, and again before anything is deleted.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from bot.services.privacy import Privacy
from bot.storage import servers
from bot.storage.engine import Database, work

GRACE_DAYS = 7
"""So long is the data of a server kept that the bot has left."""
_DAY = 86_400

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Presence:
    """The servers that the bot is on, as Discord tells those shards that this process has."""

    present: frozenset[int]
    ours: Callable[[int], bool]
    """Says of a server's id whether this process would be told of it."""


class Departures:
    """The use cases of coming and going."""

    def __init__(self, database: Database, privacy: Privacy) -> None:
        self._database = database
        self._privacy = privacy

    async def left(self, guild_id: int) -> None:
        """Note that the bot has left a server: its data goes in a week, unless it comes back."""
        await work(self._database, servers.leave(guild_id))

    async def joined(self, guild_id: int) -> None:
        """Note that the bot is on a server."""
        await work(self._database, servers.join(guild_id))

    async def reconcile(self, presence: Presence) -> None:
        """Note who removed the bot, or invited it back, while it did not listen."""
        gone = await work(self._database, servers.reconcile(presence.present, presence.ours))
        if gone:
            _log.info("The bot was removed from %d servers while it did not listen", len(gone))

    async def delete(self, presence: Presence, earliest: float, latest: float) -> int:
        """Delete the data of servers that were left a week ago and are left still; how many they were.

        The time is between `earliest` and `latest`, in seconds since 1970: a server is left at the latest
        and deleted by the earliest of them.
        """
        await work(self._database, servers.stamp(int(latest * 1000)))
        before = int((earliest - GRACE_DAYS * _DAY) * 1000)
        deleted = 0
        for guild_id in await work(self._database, servers.due(before)):
            if presence.ours(guild_id) and guild_id not in presence.present:
                await work(self._database, servers.hide_left(guild_id, before))
                deleted += 1
        await self._privacy.sweep()
        return deleted
