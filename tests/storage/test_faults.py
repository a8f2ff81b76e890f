import asyncio
import os
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from bot.campaign.command import RollOptions
from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.storage import reading
from bot.storage.faults import UNKNOWN, is_disconnected, reason
from bot.storage.queries import execute
from bot.storage.transactions import Written
from tests.storage.asking import Storage, caller, opened
from tests.support.databases import administer, sqlite_url
from tests.support.forked import SMALL_FILES, forked

EVENTS = "SELECT count(*) FROM event"
CUT_OFF = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
)


async def command(storage: Storage, statement: str) -> None:
    """Change a setting of the writing connection, outside of its transactions."""
    async with storage.database.writing() as connection:
        await connection.do(execute(text(statement)))


async def roll_until_refused(storage: Storage) -> tuple[int, str]:
    """How many rolls were answered before the database refused one, and in which words."""
    answered, wordy = 0, RollOptions("x" * 80)
    while True:
        results = await asyncio.gather(
            *(storage.writer.write(caller(), RollDice("20d6", options=wordy)) for _ in range(16)),
            return_exceptions=True,
        )
        answered += sum(isinstance(result, Written) for result in results)
        for result in results:
            if isinstance(result, Unavailable):
                return answered, str(result)


async def test_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    """When SQLite has no room left, what was answered is stored and no more; with room it goes on."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await storage.writer.write(caller(), RollDice("2d6"))
        await command(storage, "PRAGMA max_page_count = 60")
        answered, sentence = await roll_until_refused(storage)

        assert "because its disk is full" in sentence
        assert await storage.numbers(EVENTS) == [1 + answered]

        await command(storage, "PRAGMA max_page_count = 1000000")
        after = await storage.writer.write(caller(), RollDice("2d6"))

        assert after.event.seq == 2 + answered


@pytest.mark.skipif(os.name != "posix", reason="The system limits the size of files.")
async def test_a_file_that_may_not_grow_says_that_there_may_be_no_room(tmp_path: Path) -> None:
    """SQLite calls it a fault of the disk, as it does where the room ends while the file is opened."""
    child = await forked(("-c", SMALL_FILES, "migrate"), {}, tmp_path)
    said = await child.said()

    assert child.returncode == 1
    assert said.endswith("evenhand.db can't be opened, because its disk is full or fails.\n")


async def test_a_confirmation_that_can_not_be_saved_waits(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said once, without a traceback, and what is written next takes it along."""
    async with opened(sqlite_url(tmp_path), idle_seconds=0) as storage:
        written = await storage.writer.write(caller(), RollDice("2d6"))
        await command(storage, "PRAGMA query_only = ON")
        storage.writer.delivered(written)
        async with asyncio.timeout(10):
            while "still has them in memory" not in caplog.text:  # noqa: ASYNC110 (the log wakes nobody)
                await asyncio.sleep(0)
        await command(storage, "PRAGMA query_only = OFF")
        await storage.writer.write(caller(), RollDice("2d6"))
        owed = await storage.numbers("SELECT seq FROM event WHERE owed IS NOT NULL")

    assert caplog.text.count("still has them in memory") == 1
    assert "Traceback" not in caplog.text
    assert owed == [2]


@pytest.mark.parametrize(
    ("engine", "forbid", "allow"),
    [
        ("sqlite", "PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
        (
            "postgresql",
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
        ),
    ],
)
async def test_read_only_database_refuses_and_recovers(
    storage: Storage, database_url: str, engine: str, forbid: str, allow: str
) -> None:
    """A database that can only be read refuses rolls in words, keeps none of them, and can still be read."""
    if not database_url.startswith(engine):
        return
    await storage.writer.write(caller(), RollDice("2d6"))
    await command(storage, forbid)
    answered, sentence = await roll_until_refused(storage)

    assert "because it can only be read" in sentence
    assert answered == 0
    assert len(await storage.reader.do(reading.page(1))) == 1

    await command(storage, allow)
    after = await storage.writer.write(caller(), RollDice("2d6"))

    assert after.event.seq == 2


async def test_lost_connection_is_made_anew(postgresql_url: str) -> None:
    """A connection that the server closed while it was idle costs no roll and no answer."""
    async with opened(postgresql_url) as storage:
        await storage.writer.write(caller(), RollDice("2d6"))
        await storage.numbers(CUT_OFF)
        results = await asyncio.gather(*(storage.writer.write(caller(), RollDice("2d6")) for _ in range(3)))

    assert sorted(written.event.seq for written in results) == [2, 3, 4]


async def test_server_that_is_gone_refuses_all_at_once(postgresql_url: str) -> None:
    """Where no connection can be made, everybody who waits is told so, and rolls go on once it is back."""
    async with opened(postgresql_url) as storage:
        await storage.writer.write(caller(), RollDice("2d6"))
        await storage.numbers(EVENTS)
        name = make_url(postgresql_url).database
        await administer(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await storage.numbers(CUT_OFF)
        results = await asyncio.gather(
            *(storage.writer.write(caller(), RollDice("2d6")) for _ in range(3)), return_exceptions=True
        )
        await administer(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        after = await storage.writer.write(caller(), RollDice("2d6"))

    assert ["takes no connections" in str(result) for result in results] == [True] * 3
    assert after.event.seq == 2


def test_reason_never_quotes_the_database() -> None:
    """An error of an unknown kind is described in words of ours, a silent server as silent."""
    assert reason(ValueError("INSERT of Ann's secret")) is UNKNOWN
    assert str(reason(ConnectionRefusedError(111, "to 10.0.0.1"))) == "it does not answer"
    assert is_disconnected(TimeoutError())
    assert not is_disconnected(ValueError())
