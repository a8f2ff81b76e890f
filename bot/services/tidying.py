"""Data about people and servers: shown, erased when asked for, deleted when it is too old.

Once a day goes what is too old, at a time that Discord's clock confirms.

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

from bot.campaign.command import Caller
from bot.dice.errors import NotAllowed, Unavailable
from bot.services.retention import Retention
from bot.services.verifying import Verifying
from bot.storage import holdings, servers
from bot.storage.asking import Reader
from bot.storage.engine import Database, scrub, work
from bot.storage.erasing import (
    Erased,
    begin_erasure,
    delete_some,
    erase_some,
    erased,
    hide_home,
    unfinished_erasure,
)
from bot.storage.holdings import Holdings

GRACE_DAYS = 7
"""So long is the data of a server kept that the bot has left."""
_DAY = 86_400
_SAID_SECONDS = 3_600
"""A clock that differs by more is a fault that whoever runs the bot should mend."""

_log = logging.getLogger(__name__)


class Privacy:
    """The use cases of personal data."""

    def __init__(self, database: Database, reader: Reader) -> None:
        self._reader = reader
        self._database = database

    async def show(self, caller: Caller) -> Holdings:
        """Return what is stored about a person."""
        return await self._reader.do(holdings.of_person(caller.user_id))

    async def forget(self, caller: Caller) -> Erased:
        """Erase who asks from every history; the trees hold, and each says that somebody was erased.

        Delivered twice, it is answered alike.
        """
        await work(self._database, begin_erasure(caller))
        await self._go_on(caller.user_id)
        return await self._reader.do(erased(caller.interaction_id or 0))

    async def size(self, caller: Caller) -> tuple[int, int]:
        """Return how many campaigns and events this server has, for people who manage it."""
        _must_manage(caller)
        return await self._reader.do(holdings.of_home(caller.home))

    async def delete_home(self, caller: Caller) -> int:
        """Delete all that is stored of this server, or of this conversation; how many campaigns it was."""
        _must_manage(caller)
        count = await work(self._database, hide_home(caller.home))
        await self.sweep()
        return count

    async def finish(self) -> None:
        """Finish the deletions and erasures that a stop has cut short."""
        await self.sweep()
        while (user_id := await self._reader.do(unfinished_erasure())) is not None:
            await self._go_on(user_id)

    async def _go_on(self, user_id: int) -> None:
        while await work(self._database, erase_some(user_id)):
            pass  # rolls that wait get their turn in between
        await scrub(self._database)

    async def sweep(self) -> None:
        """Delete what is out of use, a little at a time, from the disk too."""
        deleted = False
        while await work(self._database, delete_some()):
            deleted = True  # rolls that wait get their turn in between
        if deleted:
            await scrub(self._database)


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


def _must_manage(caller: Caller) -> None:
    if not caller.manages:
        raise NotAllowed("Deleting a server's data is for people with Manage Server here.")
