"""`backup` copies the database into a file of its own, and says in a sentence what stands in the way."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage.engine import open_database
from tests.support.cli import evenhand


@pytest.fixture
async def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory with a database in it."""
    monkeypatch.setenv("EVENHAND_DATA", str(tmp_path))
    async with open_database(f"sqlite:///{tmp_path / 'evenhand.db'}"):
        pass
    return tmp_path


def test_the_copy_is_a_database(data: Path) -> None:
    """It holds the same tables."""
    copy = data / "copy.db"

    done = evenhand("backup", str(copy))

    assert done.exit_code == 0, done.output
    with closing(sqlite3.connect(copy)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    assert {"campaign", "event", "memory"} <= tables


def test_a_file_is_never_overwritten(data: Path) -> None:
    """What is there stays, and the reason is said."""
    copy = data / "copy.db"
    copy.write_text("precious", encoding="ascii")

    done = evenhand("backup", str(copy))

    assert done.exit_code == 2
    assert "never overwrites" in done.stderr
    assert copy.read_text(encoding="ascii") == "precious"
