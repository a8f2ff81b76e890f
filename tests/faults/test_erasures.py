"""Wherever the erasure of a person or of a server stops: the file holds, and a backup of it comes back."""

import asyncio
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.services.privacy import Privacy
from bot.services.verifying import Verifying
from bot.storage.backup import back_up
from bot.storage.erasing import CHUNK
from tests.faults.leaving import play, steps
from tests.faults.restoring import data
from tests.faults.test_moving import move
from tests.storage.asking import opened
from tests.support.cli import run_beside
from tests.support.databases import sqlite_url
from tests.support.forked import forked

__all__ = ["data"]

PLACES = 5
KILLS = int(os.environ.get("KILLS", "2"))
"""How often a process is killed amid it; `make faults` does it forty times, with as many events as below."""
EVENTS = 8_000 if KILLS > PLACES else 3 * CHUNK
CAMPAIGNS = 4


LEFT = (
    "SELECT count(*) FROM erasure",
    "SELECT count(*) FROM event WHERE user_id = 1 AND roller_key = 'own'",
    "SELECT count(*) FROM campaign WHERE key LIKE 'gone:%'",
)
"""What a database has of those who leave."""


def left(data: Path) -> list[int]:
    """What the restored database has of them."""
    with closing(sqlite3.connect(data / "evenhand.db")) as connection:
        return [connection.execute(sql).fetchone()[0] for sql in LEFT]


async def good(*arguments: str) -> None:
    """Run a command, which has to end well."""
    done = await run_beside(*arguments)
    assert done.exit_code == 0, (arguments, done.output)


@pytest.mark.parametrize("who", ["person", "server"])
async def test_a_backup_of_each_moment_comes_back(
    data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, who: str
) -> None:
    """Whoever leaves bars nobody: it is checked and restored, and nothing of them comes back with it."""
    copies: list[Path] = []
    async with opened(sqlite_url(data)) as storage:
        for channel in range(CAMPAIGNS):
            await play(storage, channel + 1, CHUNK + 100 if not channel else 6)
        async for _ in steps(storage, who):
            copies.append(tmp_path / f"{len(copies)}.db")
            await asyncio.to_thread(back_up, sqlite_url(data), copies[-1])
            await Verifying(storage.reader).sample(99)
            if len(copies) == PLACES:
                break
    for copy in copies:
        await good("check", str(copy))
        await good("restore", str(copy))
        assert left(data) == [0, 0, 0]

    assert "does not hold" not in caplog.text
    assert len(copies) == PLACES


async def test_a_move_amid_an_erasure_arrives(
    data: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is leaving goes on leaving there."""
    async with opened(sqlite_url(data)) as storage:
        await play(storage, 1, CHUNK + 100)
        async for _ in steps(storage, "person"):
            if await storage.numbers("SELECT count(*) FROM erasure WHERE events > 0") == [1]:
                break
    moved = await move(monkeypatch, sqlite_url(data), postgresql_url)
    async with opened(postgresql_url) as storage:
        await Privacy(storage.database, storage.reader).finish()
        counted = [await storage.numbers(sql) for sql in LEFT]

    assert moved.exit_code == 0, moved.output
    assert counted == [[0], [0], [0]]


@pytest.mark.parametrize("kill", range(KILLS))
async def test_a_kill_amid_it_bars_nobody(data: Path, tmp_path: Path, kill: int) -> None:
    """Each time at another step: the file holds, so does a backup of it, and the next start finishes."""
    async with opened(sqlite_url(data)) as storage:
        await play(storage, 1, EVENTS)
        await play(storage, 2, 6)
    leaving = await forked(
        ["-m", "tests.faults.leaving", sqlite_url(data), ("person", "server")[kill % 2]], {}
    )
    for _ in range(1 + kill // 2 % (EVENTS // CHUNK)):
        assert await leaving.stderr.readline() == b"step\n"
    leaving.send_signal(signal.SIGKILL)
    await leaving.said()
    copy = tmp_path / "copy.db"
    await asyncio.to_thread(back_up, sqlite_url(data), copy)
    await good("check")
    await good("check", str(copy))
    await good("restore", str(copy))

    assert left(data) == [0, 0, 0]
