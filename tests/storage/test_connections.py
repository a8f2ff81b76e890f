"""Pieces are done in one trip, whole or not at all, on both engines."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import bindparam, insert, select, text, tuple_

from bot.dice.errors import Unavailable
from bot.storage import schema
from bot.storage.engine import Database, in_transaction, open_database, transact
from bot.storage.faults import Fault
from bot.storage.queries import Control, Queries, Query, Reader, execute
from tests.support.databases import sqlite_url

_d = schema.server.c
_DEPART = insert(schema.server)
_ALL = select(_d.guild_id, _d.left_at).order_by(_d.guild_id)
_SOME = _ALL.where(_d.guild_id.in_(bindparam("guilds", expanding=True)))
_PAIRS = _ALL.where(tuple_(_d.guild_id, _d.left_at).in_(bindparam("pairs", expanding=True)))
_WRONG = text("SELECT nothing FROM server")


def depart(*guilds: int) -> Queries[None]:
    """Note that the bot left these servers, each at its own number."""
    yield Query(_DEPART, [{"guild_id": guild, "left_at": guild} for guild in guilds])


def depart_and_fail(guild: int) -> Queries[None]:
    """Note it, and then ask for what there is not."""
    yield from depart(guild)
    yield Query(_WRONG)


async def guilds(database: Database) -> list[int]:
    """The servers that were left."""
    return [row["guild_id"] for row in await database.reader.do(execute(_ALL))]


async def test_a_piece_is_one_trip_to_the_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many statements it has; aiosqlite's `_execute`, which is not public, carries it there."""
    carry: Any = aiosqlite.Connection.__dict__["_execute"]
    trips: list[object] = []

    def twice() -> Queries[list[int]]:
        first, second = (yield Query(_ALL)), (yield Query(_ALL))
        return [row["left_at"] for row in (*first, *second)]

    def noted(*arguments: object) -> Any:
        trips.append(arguments)
        return carry(*arguments)

    async with open_database(sqlite_url(tmp_path)) as database:
        await transact(database, depart(1, 2))
        monkeypatch.setattr(aiosqlite.Connection, "_execute", noted)
        found = await database.reader.do(twice())
        monkeypatch.undo()

    assert found == [1, 2, 1, 2]
    assert len(trips) == 1


async def test_lists_of_any_length_are_asked_for(database_url: str) -> None:
    """None, one, and numbers that are no power of two; plain values and pairs."""
    async with open_database(database_url) as database:
        await transact(database, depart(*range(1, 301)))
        for wanted in ([], [7], [1, 5, 9], [*range(100, 300)]):
            some = await database.reader.do(execute(_SOME, {"guilds": [*wanted, 999]}))
            pairs = await database.reader.do(execute(_PAIRS, {"pairs": [(guild, guild) for guild in wanted]}))

            assert [row["guild_id"] for row in some] == [row["guild_id"] for row in pairs] == wanted


async def test_a_piece_that_fails_leaves_nothing(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    """What it did before is taken back, and the next queries go on as if it had never been."""
    async with open_database(database_url) as database:
        with pytest.raises(Unavailable, match="can't write the history now"):
            await transact(database, depart_and_fail(1))
        with pytest.raises(Unavailable, match="can't read the history now"):
            await Reader(database.reader).do(execute(_WRONG))
        await transact(database, depart(2))

        assert await guilds(database) == [2]
        assert [record.message for record in caplog.records if record.name == "asyncio"] == []


async def test_a_transaction_that_is_left_open_is_taken_back(database_url: str) -> None:
    """Whoever ends their turn without a commit has written nothing, whether they meant to or not."""

    def begin() -> Queries[None]:
        yield Control.BEGIN
        yield from depart(1)

    async def fail(database: Database) -> None:
        async with database.writing() as connection:
            await connection.do(begin())
            raise ZeroDivisionError

    async with open_database(database_url) as database:
        async with database.writing() as connection:
            await connection.do(begin())
        with pytest.raises(ZeroDivisionError):
            await fail(database)
        await transact(database, depart(2))

        assert await guilds(database) == [2]


async def test_who_goes_away_leaves_a_whole_piece_or_none(database_url: str) -> None:
    """A caller who is cancelled at any moment of their queries keeps nobody from writing."""
    async with open_database(database_url) as database:
        for turns in range(12):
            task = asyncio.create_task(transact(database, depart(2 * turns, 2 * turns + 1)))
            for _ in range(turns):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await transact(database, depart(99))
        found = await guilds(database)

    assert found[-1] == 99
    assert all((n ^ 1) in found for n in found[:-1])


async def test_a_piece_that_fails_when_its_caller_is_gone_leaves_nothing(tmp_path: Path) -> None:
    """It waited for the thread when it was given up, and fails only afterwards."""
    go_on = threading.Event()

    def wait() -> Queries[None]:
        go_on.wait(60)  # no transaction is open yet: its end would wait for the thread as well
        yield from in_transaction(depart(1))

    async def given_up(database: Database, queries: Queries[None]) -> None:
        async with database.writing() as connection:
            task = asyncio.create_task(connection.do(queries))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async with open_database(sqlite_url(tmp_path)) as database:
        await given_up(database, wait())
        await given_up(database, in_transaction(depart_and_fail(2)))
        go_on.set()
        await transact(database, depart(3))

        assert await guilds(database) == [1, 3]


async def test_a_long_report_delays_no_reading(tmp_path: Path) -> None:
    """Reports have a thread of their own."""
    go_on = threading.Event()

    def wait() -> Queries[bool]:
        yield Query(_ALL)
        return go_on.wait(60)

    async with open_database(sqlite_url(tmp_path)) as database:
        report = asyncio.create_task(database.reports.do(wait()))
        await transact(database, depart(1))
        found = await guilds(database)
        go_on.set()

        assert await report
        assert found == [1]


async def test_reading_asks_again_on_a_new_connection(postgresql_url: str) -> None:
    """A connection that dies costs no answer; what fails for another reason fails at once."""
    dies_once = "SELECT CASE nextval('times') WHEN 1 THEN pg_terminate_backend(pg_backend_pid()) END"
    async with open_database(postgresql_url) as database:
        await transact(database, execute(text("CREATE SEQUENCE times")))
        await database.reader.do(execute(text(dies_once)))
        ((times,),) = await database.reader.do(execute(text("SELECT last_value FROM times")))
        with pytest.raises(Fault, match="nothing"):
            await database.reader.do(execute(text("SELECT nextval('times'), nothing")))

    assert times == 2
