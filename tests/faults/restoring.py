"""What tests of restoring share: a data directory, commands beside the test's own loop, and files."""

from pathlib import Path

import pytest

from bot.campaign.rolls import RollDice
from tests.storage.asking import Storage, caller, fair, opened
from tests.support.databases import sqlite_url


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data directory."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def read(file: Path) -> bytes:
    """Return what a file holds."""
    return file.read_bytes()


def write(file: Path, data: bytes) -> None:
    """Have a file hold that."""
    file.write_bytes(data)


def remove(file: Path) -> None:
    """Delete a file."""
    file.unlink()


def names(folder: Path, pattern: str) -> list[str]:
    """Return the names of the files in a folder that match."""
    return [path.name for path in folder.glob(pattern)]


async def play(data: Path, count: int) -> list[int]:
    """Roll `count` times more, and return the numbers of all events."""
    async with opened(sqlite_url(data)) as storage:
        await roll(storage, count)
        return await storage.numbers("SELECT seq FROM event ORDER BY seq")


async def roll(storage: Storage, count: int) -> None:
    """So many rolls of a roller with a memory."""
    await storage.writer.write(caller(), fair(f"evil {caller().interaction_id}"))
    for _ in range(count - 1):
        await storage.writer.write(caller(), RollDice("2d6"))
