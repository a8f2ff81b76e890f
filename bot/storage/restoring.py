"""Puts a backup in the place of a SQLite database; what was there is moved aside, with its log.

The copy is made and checked beside the old file first, so that whatever goes wrong the old one stays.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bot.dice.errors import Unavailable
from bot.storage.address import read_address, sqlite_file
from bot.storage.faults import reason
from bot.storage.identity import NOBODYS, stamp
from bot.storage.lockfile import sole_use
from bot.storage.private import make_private

BESIDE = ("", "-wal", "-shm", ".id")
"""The endings of the files that make up a database."""


def restore(url: str, backup: Path, check: Callable[[str], None]) -> Path | None:
    """Restore a backup; return where what was there is now, None where nothing was.

    `check` raises what is wrong with the database at an address. Raises Unavailable: the bot runs, no SQLite,
    a damaged backup, a full disk.
    """
    file = sqlite_file(read_address(url))
    if file is None:
        raise Unavailable("Evenhand restores SQLite files only. For PostgreSQL, use its own pg_restore.")
    check_whole(backup)
    make_private(file.parent)
    trial = file.with_name(f"{file.name}.restoring")
    with sole_use(file):
        try:
            _copy(backup, trial)
            check(f"sqlite:///{trial}")
            stamp(trial, NOBODYS)
            aside = _move_aside(file)
            trial.rename(file)
            _sync(file.parent)
        except (sqlite3.Error, OSError) as error:
            why = (error.strerror or str(error)) if isinstance(error, OSError) else reason(error)
            raise Unavailable(f"The backup could not be restored: {why}. Nothing was changed.") from error
        finally:
            for ending in (*BESIDE, ".lock"):
                trial.with_name(f"{trial.name}{ending}").unlink(missing_ok=True)
    return aside


def check_whole(file: Path) -> None:
    """Raise Unavailable where a file's pages, indexes and rows do not agree with each other."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
    except sqlite3.Error as error:
        raise Unavailable(f"The database {file} can't be checked, because {reason(error)}.") from error
    if found != ["ok"]:
        raise Unavailable(f"The database {file} is damaged. Take another backup.")


def _copy(backup: Path, trial: Path) -> None:
    shutil.copyfile(backup, trial)
    trial.chmod(0o600)
    with trial.open("rb") as copy:
        os.fsync(copy.fileno())


def _move_aside(file: Path) -> Path | None:
    """Move a database's files aside under one new name, so that they stay one database."""
    if not file.exists():
        return None
    aside = file.with_name(f"{file.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    # The file itself goes last: until then it is there with its log, or the log is safe already.
    for ending in reversed(BESIDE):
        one = file.with_name(f"{file.name}{ending}")
        if one.exists():
            one.rename(aside.with_name(f"{aside.name}{ending}"))
    return aside


def _sync(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
