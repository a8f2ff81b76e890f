"""PostgreSQL stands still or breaks at any moment: what stands is told, and nobody is told what isn't so."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import cycle, islice

import pytest

from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.storage.transactions import Written
from tests.storage.asking import Storage, caller, opened
from tests.support.stalling import Line, Moment, line

CROWD, TABLES = 16, 3
STALLS = int(os.environ.get("STALLS", "3"))
"""How often in a row; `make faults` does it thirty times."""
STANDING_STILL = (Moment.BEFORE, Moment.AMID, Moment.ASKED, Moment.DONE)
NOT_WRITTEN = "The history can't be written now"
UNKNOWN = "may or may not be in the history"
STORED = "SELECT interaction_id FROM event WHERE kind = 'roll'"


class Told:
    """What people were told of their rolls, by their interactions."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.rolls: list[int] = []
        """Shown, at once or late."""
        self.refused: dict[int, str] = {}
        self.refusal = asyncio.Event()

    async def roll(self, count: int) -> None:
        """So many people roll at once; each reply that there is reaches Discord."""
        await asyncio.gather(*(self._one(n) for n in range(count)))

    async def rest(self) -> None:
        """People roll until nothing is told late at any table."""
        while any([await self._one(table) for table in range(TABLES)]):
            pass

    async def _one(self, number: int) -> bool:
        who = caller(channel=1 + number % TABLES, user=1 + number)
        try:
            written = await self._storage.writer.write(who, RollDice("2d6"))
        except Unavailable as error:
            self.refused[who.interaction_id or 0] = str(error)
            self.refusal.set()
            return False
        return self._show(written)

    def _show(self, written: Written) -> bool:
        self._storage.writer.delivered(written)
        self.rolls += [event.interaction_id or 0 for event in (written.event, *written.undelivered)]
        return bool(written.undelivered)

    async def play(self, number: int, ended: asyncio.Event) -> None:
        """Somebody rolls again and again."""
        while not ended.is_set():
            await self._one(number)

    async def hold(self) -> None:
        """Hold what people were told against the database."""
        stored = await self._storage.numbers(STORED)
        standing = {asked: said for asked, said in self.refused.items() if asked in stored}

        assert sorted(self.rolls) == sorted(stored)
        assert all(UNKNOWN in said for said in standing.values())
        assert all(UNKNOWN in said or NOT_WRITTEN in said for said in self.refused.values())


@asynccontextmanager
async def playing(url: str) -> AsyncGenerator[tuple[Line, Told]]:
    """People at three tables have rolled once, over a line that can stand still."""
    async with line(url) as (way, there), opened(there, idle_seconds=3_600) as storage:
        told = Told(storage)
        await told.roll(TABLES)
        yield way, told


@pytest.mark.parametrize("moment", Moment)
async def test_what_stands_after_a_stall_is_told(postgresql_url: str, moment: Moment) -> None:
    """Each roll is told as written, as not written, or as unknown; what stands is told late, and once."""
    async with playing(postgresql_url) as (way, told):
        way.stall(moment)
        await told.roll(CROWD)
        assert way.reached.is_set()
        # Who comes meanwhile is not answered before it is known what stands.
        await told.roll(2)
        way.move()
        await told.rest()

        await told.hold()


async def test_stalls_in_a_row_leave_nothing_untold(postgresql_url: str) -> None:
    """Sixteen people roll all the while, and the line stands still or breaks again and again."""
    ended = asyncio.Event()
    async with playing(postgresql_url) as (way, told):
        players = [asyncio.create_task(told.play(n, ended)) for n in range(CROWD)]
        for moment in islice(cycle(Moment), STALLS):
            told.refusal.clear()
            way.stall(moment)
            await way.reached.wait()
            if moment in STANDING_STILL:
                await told.refusal.wait()
            way.move()
        ended.set()
        await asyncio.gather(*players)
        await told.rest()

        await told.hold()
