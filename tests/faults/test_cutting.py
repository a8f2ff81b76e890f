"""A restore that is cut short at any step leaves one whole database, and can be begun again."""

import asyncio
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.campaign.rolls import RollDice
from bot.dice.errors import Unavailable
from bot.storage.backup import back_up, restore
from bot.storage.engine import open_database
from bot.storage.files import check_own
from tests.faults.cutting import KILLED, ON, ONCE, check
from tests.storage.asking import caller, opened
from tests.support.databases import sqlite_url
from tests.support.forked import forked

BEFORE, NEW, NOW = 2, 3, 5
"""How many events the backup has, what is restored from it, and the database with its log."""
STEPS = 40
"""More than a restore takes."""


@pytest.fixture
async def killed(tmp_path: Path) -> Path:
    """The folder that a killed bot has left; its last events are in the log alone."""
    async with opened(sqlite_url(tmp_path / "data")) as storage:
        for seq in range(1, NOW + 1):
            await storage.writer.write(caller(), RollDice("2d6"))
            if seq == BEFORE:
                back_up(sqlite_url(tmp_path / "data"), tmp_path / "copy.db")
        shutil.copytree(tmp_path / "data", tmp_path / "killed")
    return tmp_path / "killed"


@pytest.mark.parametrize("how", [KILLED, ONCE, ON])
async def test_a_restore_is_done_or_not_begun(killed: Path, tmp_path: Path, how: str) -> None:
    """The bot opens the old database with all of its log, or the new one, or says to restore."""
    copy, found = tmp_path / "copy.db", list[int | None]()
    folders = [shutil.copytree(killed, tmp_path / f"cut-{step:02}") for step in range(1, STEPS + 1)]
    child = await forked(["-m", "tests.faults.cutting", how, str(copy), *map(str, folders)], {})
    assert await child.said() == ""
    for folder in folders:
        said = (folder / "said").read_text(encoding="utf-8") if (folder / "said").exists() else ""
        second = _backed_up(folder)
        there = await _opened(folder)
        aside = _aside(folder)
        await asyncio.to_thread(restore, sqlite_url(folder), copy, check)
        found.append(there)

        assert second == there
        assert there in {NEW, NOW, None}
        assert ("Nothing was changed" in said) <= (there == NOW)
        assert aside == ([] if there == NOW else [NOW])
        assert await _opened(folder) == NEW
        assert NOW in _aside(folder)

    assert (found[0], found[-1]) == (NOW, NEW)
    assert None in found
    assert (folders[-1] / "said").read_text(encoding="utf-8") == "Done."


def _backed_up(folder: Path) -> int | None:
    """How many events a backup has that is made now; None where it is said to restore one first."""
    with _refusing():
        back_up(sqlite_url(folder), folder / "second.db")
        return _events(folder / "second.db")
    return None


async def _opened(folder: Path) -> int | None:
    """How many events the bot finds; None likewise."""
    with _refusing():
        async with open_database(sqlite_url(folder)):
            pass
        return _events(folder / "evenhand.db")
    return None


def _aside(folder: Path) -> list[int | None]:
    """How many events each database has that was there before a restore; None likewise."""
    return [_events(file) for file in folder.glob("*.before-*[0-9]")]


def _events(file: Path) -> int | None:
    """How many events a file has that is sound; None likewise."""
    with _refusing():
        check_own(file)
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            return connection.execute("SELECT count(*) FROM event").fetchone()[0]
    return None


@contextmanager
def _refusing() -> Generator[None]:
    """Go on where it is said that a file has the log of another one."""
    try:
        yield
    except Unavailable as error:
        if "Restore a copy" not in str(error):
            raise
