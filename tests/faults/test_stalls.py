"""PostgreSQL stands still or breaks at any moment: what stands is told, and nobody is told what isn't so."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from sqlalchemy import text

from bot.campaign.checks import RollCheck
from bot.campaign.command import RollOptions
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.record.codec import Unreadable
from bot.services.rolling import Rolling
from bot.services.saved import Saved
from bot.services.targets import Targets
from bot.storage.faults import Doubtful, Fault, Lost, reason
from bot.storage.postgresql import PostgresqlConnection
from bot.storage.queries import Control, Queries, Reader, execute
from bot.storage.transactions import PATIENCE_SECONDS, Written
from bot.systems.checks import CheckTerms
from bot.systems.registry import read_spec
from tests.storage.asking import Storage, caller, gm, opened
from tests.support.databases import sqlite_url
from tests.support.stalling import Line, Moment, line

_T = TypeVar("_T")
CROWD, TABLES = 16, 3
STALLS = int(os.environ.get("STALLS", "3"))
"""How often in a row; `make faults` does it fifteen times."""
STANDING_STILL = (Moment.BEFORE, Moment.AMID, Moment.ASKED, Moment.DONE)
NOT_WRITTEN = "I can't write the history now"
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


async def test_who_is_cut_off_amid_a_transaction_does_not_hold_it_for_ever(postgresql_url: str) -> None:
    """The server ends it, so that others get at the campaign, and at what stands in it."""
    async with opened(postgresql_url) as storage, storage.database.writing() as connection:
        (row,) = await connection.do(execute(text("SHOW idle_in_transaction_session_timeout")))

    assert row[0] == "10s"


@pytest.mark.parametrize("shown", [True, False])
async def test_a_roll_that_another_process_answered_for_is_owed_unless_shown(
    postgresql_url: str, *, shown: bool
) -> None:
    """That may have been the same roll, or a refusal since its database did not answer just then."""
    async with opened(postgresql_url) as one_of_them, opened(postgresql_url) as other:
        press = caller(ago=PATIENCE_SECONDS + 1)
        written = await one_of_them.writer.write(press, RollDice("2d6"))
        again = await other.writer.write(press, RollDice("2d6"))
        if shown:
            other.writer.delivered(again)
        one_of_them.writer.answered_elsewhere(written)
        late: list[int] = []
        for storage in (other, one_of_them, other):
            after = await storage.writer.write(caller(), RollDice("2d6"))
            storage.writer.delivered(after)
            late += [event.seq for event in after.undelivered]

    assert late == ([] if shown else [written.event.seq])


async def test_what_a_reply_would_have_told_late_waits_for_the_next(tmp_path: Path) -> None:
    """Another delivery was answered first, and shows the roll alone."""
    async with opened(sqlite_url(tmp_path)) as storage:
        lost = await storage.writer.write(caller(), RollDice("2d6"))
        storage.writer.lost(lost)
        second = await storage.writer.write(caller(), RollDice("2d6"))
        storage.writer.answered_elsewhere(second)
        third = await storage.writer.write(caller(), RollDice("2d6"))

    assert [event.seq for event in third.undelivered] == [lost.event.seq]


class Failing:
    """A connection that reads nothing."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def do(self, queries: Queries[_T]) -> _T:
        """Fail before anything is asked."""
        queries.close()
        raise self._error from TimeoutError()


@pytest.mark.parametrize(
    ("error", "raised", "said"),
    [
        (Fault(), Unavailable, r"Your roll stands \(#2\), but I can't read the history"),
        (Unreadable("is damaged"), Unreadable, "is damaged"),
    ],
)
async def test_a_roll_that_can_not_be_shown_whole_is_told_late(
    tmp_path: Path, error: Exception, raised: type[Exception], said: str
) -> None:
    """It stands, and its account can't be read: nobody is told to try again, and the next roll tells it."""
    async with opened(sqlite_url(tmp_path)) as storage:
        saved = Saved(storage)
        await storage.writer.write(gm(), MakeRoller("Luck", read_spec({"system": "luck", "tightness": "1"})))
        failing = replace(storage, reader=Reader(Failing(error)))
        with pytest.raises(raised, match=said):
            await Rolling(failing, saved, Targets(failing, saved)).ask(
                caller(), RollCheck("1d20", CheckTerms(11), "luck", RollOptions(called=True))
            )
        after = await Rolling(storage, saved, Targets(storage, saved)).roll(caller(), "2d6")

    assert [event.seq for event in after.showing.late] == [2]


class Confused:
    """A connection of which asyncpg does not know in what state it is."""

    async def fetch(self, *_: object) -> None:
        """Fail as asyncpg does."""
        raise asyncpg.InternalClientError

    execute = fetch


async def test_a_connection_in_no_known_state_is_lost() -> None:
    """It is a fault of the database, a commit on it is doubtful, and another connection may do."""
    driver: Any = Confused()
    asked: list[tuple[Queries[Any], type[Fault]]] = [(execute(text("SELECT 1")), Lost), (commit(), Doubtful)]
    for piece, kind in asked:
        with pytest.raises(kind) as raised:
            await PostgresqlConnection(driver).do(piece)

        assert str(reason(raised.value)) == "it does not answer"


def commit() -> Queries[None]:
    """Ask for nothing else."""
    yield Control.COMMIT
