"""Personal data: shown, and erased when asked for; and a server's data, deleted when asked for."""

from dataclasses import dataclass

from bot.campaign.command import Caller
from bot.dice.errors import NotAllowed
from bot.storage import holdings
from bot.storage.engine import Database, scrub, scrub_again, work
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
from bot.storage.queries import Reader


@dataclass(frozen=True, slots=True)
class Privacy:
    """The use cases of personal data."""

    database: Database
    reader: Reader

    async def show(self, caller: Caller) -> Holdings:
        """Return what is stored about a person."""
        return await self.reader.do(holdings.of_person(caller.user_id))

    async def forget(self, caller: Caller) -> Erased:
        """Erase who asks from every history; the trees hold, and each says that somebody was erased.

        Delivered twice, it is answered alike.
        """
        await work(self.database, begin_erasure(caller))
        await self.sweep()
        await self._go_on(caller.user_id)
        return await self.reader.do(erased(caller.interaction_id or 0))

    async def size(self, caller: Caller) -> tuple[int, int]:
        """Return how many campaigns and events this server has, for people who manage it."""
        _must_manage(caller)
        return await self.reader.do(holdings.of_home(caller.home))

    async def delete_home(self, caller: Caller) -> int:
        """Delete all that is stored of this server, or of this conversation; how many campaigns it was."""
        _must_manage(caller)
        count = await work(self.database, hide_home(caller.home))
        await self.sweep()
        return count

    async def finish(self) -> None:
        """Finish the deletions and erasures that a stop has cut short, or a reader of the journal."""
        await self.sweep()
        while (user_id := await self.reader.do(unfinished_erasure())) is not None:
            await self._go_on(user_id)
        await scrub_again(self.database)

    async def _go_on(self, user_id: int) -> None:
        while await work(self.database, erase_some(user_id)):
            pass  # rolls that wait get their turn in between
        await scrub(self.database)

    async def sweep(self) -> None:
        """Delete what is out of use, a little at a time, from the disk too."""
        deleted = False
        while await work(self.database, delete_some()):
            deleted = True  # rolls that wait get their turn in between
        if deleted:
            await scrub(self.database)


def _must_manage(caller: Caller) -> None:
    if not caller.manages:
        raise NotAllowed("Only people with Manage Server can delete a server's data.")
