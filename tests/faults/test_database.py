"""A database that is held, frozen or damaged: whoever waits is refused in words, within three seconds."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.storage import postgresql, reading, sqlite
from bot.storage.backup import back_up
from bot.storage.faults import is_persistent, note, reason
from tests.storage.asking import Storage, caller, opened
from tests.support.databases import sqlite_url

CROWD = 40
PAGE = 4_096


@contextmanager
def held(file: Path) -> Generator[None]:
    """Another program writes to the file, and does not come to an end."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def rolls(storage: Storage, count: int = CROWD) -> list[object]:
    """What so many rolls at once come to."""
    asked = (storage.writer.write(caller(user=n + 1), RollDice("2d6")) for n in range(count))
    return await asyncio.gather(*asked, return_exceptions=True)


def said(results: list[object], words: str) -> list[bool]:
    """Whether each was refused with these words."""
    return [isinstance(one, Unavailable) and words in str(one) for one in results]


def test_all_waits_together_are_shorter_than_discords() -> None:
    """A batch is begun twice at most: the second time on a new connection, or after making a campaign."""
    assert 2 * sqlite._BUSY_SECONDS < 2.5
    assert 2 * postgresql._ANSWER_SECONDS < 3


async def test_a_file_that_is_held_costs_one_wait_for_all(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not one for each roll that waits; and when it is let go, rolling goes on."""
    async with opened(sqlite_url(tmp_path)) as storage:
        await rolls(storage, 1)
        with held(tmp_path / "evenhand.db"):
            refused = await rolls(storage)
        after = await rolls(storage, 1)

    assert said(refused, "because another program holds it") == [True] * CROWD
    assert caplog.text.count("The database failed") == 1
    assert not isinstance(after[0], Exception)


@pytest.mark.parametrize("wrong", ["moved", "replaced", "copied over", "without its log"])
async def test_a_file_that_is_gone_takes_no_more_rolls(tmp_path: Path, wrong: str) -> None:
    """SQLite would write on where nobody looks again; the file put back, rolling goes on."""
    file, log, aside = tmp_path / "evenhand.db", tmp_path / "evenhand.db-wal", tmp_path / "aside"
    async with opened(sqlite_url(tmp_path)) as storage:
        await rolls(storage, 1)
        back_up(sqlite_url(tmp_path), tmp_path / "backup.db")
        as_it_was = file.read_bytes()
        match wrong:
            case "moved":
                file.rename(aside)
            case "replaced":
                aside.hardlink_to(file)
                (tmp_path / "backup.db").replace(file)
            case "copied over":
                file.write_bytes((tmp_path / "backup.db").read_bytes())
            case _:
                log.rename(aside)
        refused = await rolls(storage, 3)
        if wrong == "copied over":
            file.write_bytes(as_it_was)
        else:
            aside.rename(log if wrong == "without its log" else file)
        after = await rolls(storage, 1)

    assert said(refused, "its file was moved, replaced or deleted") == [True] * 3
    assert not isinstance(after[0], Exception)


@contextmanager
def frozen(pids: list[int]) -> Generator[None]:
    """PostgreSQL's processes stand still."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
CUT_OFF = BACKENDS.replace("pid", "count(pg_terminate_backend(pid))", 1)
OWN = "SELECT pg_backend_pid()"


async def test_a_frozen_server_refuses_everybody(postgresql_url: str) -> None:
    """Who rolls and who reads is told that it does not answer; thawed, it goes on where it was."""
    async with opened(postgresql_url) as storage:
        await rolls(storage, 1)
        pids = await storage.numbers(BACKENDS) + await storage.numbers(OWN)
        with frozen(pids):
            results, read = await asyncio.gather(
                rolls(storage),
                asyncio.gather(storage.reader.do(reading.page(1)), return_exceptions=True),
            )
        after = await rolls(storage, 3)
        count = (await storage.numbers("SELECT count(*) FROM event"))[0]

    assert said(results, "because it does not answer") == [True] * CROWD
    assert said(list(read), "can't read the history now, because it does not answer") == [True]
    assert [isinstance(one, Exception) for one in after] == [False] * 3
    assert count == 4


async def test_a_server_that_cuts_everybody_off_loses_nothing(postgresql_url: str) -> None:
    """Under load its connections are closed again and again: a roll is stored, or refused and not stored."""
    async with opened(postgresql_url) as storage:
        await rolls(storage, 1)
        results: list[object] = []
        for _ in range(5):
            some, _cut = await asyncio.gather(rolls(storage), storage.numbers(CUT_OFF))
            results += some
        stored = (await storage.numbers("SELECT count(*) FROM event"))[0]

    answered = sum(not isinstance(one, Exception) for one in results)
    refused = [one for one in results if isinstance(one, Exception)]
    assert stored == 1 + answered
    assert all(isinstance(one, Unavailable) for one in refused)


async def test_a_damaged_page_is_said_and_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Rolls and questions that need it are refused, and the log says that it is damaged."""
    url, file = sqlite_url(tmp_path), tmp_path / "evenhand.db"
    async with opened(url) as storage:
        for _ in range(10):
            await rolls(storage)
    data = file.read_bytes()
    # All but the first pages, which hold the tables' names.
    file.write_bytes(data[: 60 * PAGE] + b"\x55" * (len(data) - 60 * PAGE))
    async with opened(url) as storage:
        refused = await rolls(storage, 3)
        with pytest.raises(Unavailable, match="its file is damaged"):
            await storage.reader.do(reading.page(1, limit=400))

    assert said(refused, "because its file is damaged") == [True] * 3
    assert "SQLITE_CORRUPT" in caplog.text


def test_the_log_has_the_place_of_an_unexpected_fault(caplog: pytest.LogCaptureFixture) -> None:
    """What the asker is told to be in the log is there, without any of the words in it."""
    with pytest.raises(ValueError, match="secret") as raised:
        int("Ann's secret words")
    note(raised.value)
    told = str(reason(raised.value))

    assert "which is in the log" in told
    assert "ValueError" in caplog.text
    assert "test_the_log_has_the_place" in caplog.text
    assert "invalid literal" not in caplog.text


class _Coded(Exception):
    """A driver's error."""

    def __init__(self, **code: str) -> None:
        super().__init__()
        self.__dict__.update(code)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (_Coded(sqlite_errorname="SQLITE_BUSY_SNAPSHOT"), True),
        (_Coded(sqlite_errorname="SQLITE_FULL"), True),
        (_Coded(sqlite_errorname="SQLITE_READONLY_DBMOVED"), True),
        (_Coded(sqlite_errorname="SQLITE_CORRUPT_INDEX"), True),
        (_Coded(sqlite_errorname="SQLITE_TOOBIG"), False),
        (_Coded(sqlite_errorname="SQLITE_CONSTRAINT_UNIQUE"), False),
        (_Coded(sqlstate="53100"), True),
        (_Coded(sqlstate="25006"), True),
        (_Coded(sqlstate="40001"), False),
        (TimeoutError(), True),
        (ConnectionResetError(), False),
    ],
)
def test_what_is_hopeless(error: Exception, expected: bool) -> None:  # noqa: FBT001 (a parameter)
    """What the next request would run into as well; a lost connection is made anew."""
    assert is_persistent(error) is expected
