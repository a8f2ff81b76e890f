"""A copy of a SQLite database while the bot uses it: whole, compact, and never in anybody's way."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.dice.errors import SpecError, Unavailable
from bot.storage.address import read_address, sqlite_file
from bot.storage.faults import reason
from bot.storage.identity import NOBODYS, stamp


def backup(url: str, path: Path) -> None:
    """Write a copy of the database at `url` to a new file; the copy is on the disk when this returns.

    It needs no lock and may run beside the bot, in any process. It blocks: off the event loop, use a
    thread. Raises SpecError: a file in the way. Unavailable: PostgreSQL (pg_dump does that), no database, a
    full disk.
    """
    source = _source(url)
    if path.exists():
        raise SpecError(f"There is a file {path} already. A backup never overwrites one.")
    # Written under another name first: a copy that was cut short is never taken for a backup.
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        # Made by us, so that nobody else can read what is being written.
        part.touch(mode=0o600)
        with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        stamp(part, NOBODYS)
        with part.open("rb") as copy:
            os.fsync(copy.fileno())
        part.rename(path)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise Unavailable(f"The backup {path} could not be made: {_why(error)}.") from error


def _source(url: str) -> Path:
    source = sqlite_file(read_address(url))
    if source is None:
        raise Unavailable("Evenhand backs up SQLite files only. For PostgreSQL, use its own pg_dump.")
    if not source.is_file():
        raise Unavailable(f"There is no database {source}.")
    return source


def _why(error: sqlite3.Error | OSError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else reason(error)
