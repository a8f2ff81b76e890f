"""Show and erase personal data, and delete a server's data, on request."""

from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice.errors import NotAllowed
from bot.storage.engine import Database, scrub, scrub_again, transact
from bot.storage.erasing import (
    Erased,
    Holdings,
    begin_erasure,
    count_of_home,
    count_of_person,
    delete_some,
    erase_some,
    erased,
    hide_home,
    unfinished_erasure,
)
from bot.storage.queries import Reader


@dataclass(frozen=True, slots=True)
class Privacy:
    """The use cases of personal data."""

    database: Database
    reader: Reader

    async def show(self, caller: Caller) -> Holdings:
        """Return the caller's stored data."""
        return await self.reader.do(count_of_person(caller.user_id))

    async def forget(self, caller: Caller) -> Erased:
        """Erase the caller from every history; the trees stay valid, and record that a person was erased.

        A second delivery gets the same answer.
        """
        await transact(self.database, begin_erasure(caller))
        await self.sweep()
        await self._erase_events(caller.user_id)
        return await self.reader.do(erased(caller.interaction_id or 0))

    async def size(self, caller: Caller) -> tuple[int, int]:
        """Return the numbers of campaigns and events of this server; for people who manage it."""
        _must_manage(caller)
        return await self.reader.do(count_of_home(caller.home))

    async def delete_home(self, caller: Caller) -> None:
        """Delete all data of this server or conversation."""
        _must_manage(caller)
        await transact(self.database, hide_home(caller.home))
        await self.sweep()

    async def finish(self) -> None:
        """Finish deletions and erasures that a stop, or a reader of the journal, has interrupted."""
        await self.sweep()
        while (user_id := await self.reader.do(unfinished_erasure())) is not None:
            await self._erase_events(user_id)
        await scrub_again(self.database)

    async def _erase_events(self, user_id: int) -> None:
        while await transact(self.database, erase_some(user_id)):
            pass  # waiting rolls are written in between
        await scrub(self.database)

    async def sweep(self) -> None:
        """Delete hidden data in small steps, from the disk too."""
        deleted = False
        while await transact(self.database, delete_some()):
            deleted = True  # waiting rolls are written in between
        if deleted:
            await scrub(self.database)


def _must_manage(caller: Caller) -> None:
    caller.must_manage(NotAllowed("Only people with Manage Server can delete a server's data."))
