"""Back up a SQLite database while the bot uses it, and restore it.

A backup is made and checked beside the old file before it takes its place, so that whatever goes wrong the
old one stays; what was there is moved aside, with its log.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.dice.errors import Said, SpecError, Unavailable
from bot.storage.faults import reason
from bot.storage.files import NOBODYS, make_private, read_address, sole_use, sqlite_file, stamp

BESIDE = ("", "-wal", "-shm", ".id")
"""The endings of the files that make up a database."""


def backup(url: str, path: Path) -> None:
    """Write a copy of the database at `url` to a new file; the copy is on the disk when this returns.

    It needs no lock and may run beside the bot, in any process. It blocks: off the event loop, use a
    thread. Raises SpecError: a file in the way, PostgreSQL (pg_dump does that). Unavailable: no database, a
    full disk.
    """
    source = _source(url)
    if path.exists():
        raise SpecError("There is a file {path} already. A backup never overwrites one.", path=path)
    # Written under another name first: a copy that was cut short is never taken for a backup.
    part = path.with_name(path.name + ".part")
    try:
        with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as connection:
            _must_be_ours(connection, source)
            path.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            # Made by us, so that nobody else can read what is being written.
            part.touch(mode=0o600)
            connection.execute("VACUUM INTO ?", (str(part),))
        stamp(part, NOBODYS)
        with part.open("rb") as copy:
            os.fsync(copy.fileno())
        part.rename(path)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise Unavailable(
            "The backup {path} could not be made: {why}.", path=path, why=_why(error)
        ) from error


def _source(url: str) -> Path:
    source = sqlite_file(read_address(url))
    if source is None:
        raise SpecError("Evenhand backs up SQLite files only. For PostgreSQL, use its own pg_dump.")
    if not source.is_file():
        raise Unavailable("There is no database {source}.", source=source)
    return source


def _why(error: sqlite3.Error | OSError) -> str | Said:
    return (error.strerror or str(error)) if isinstance(error, OSError) else reason(error)


def restore(url: str, backup: Path, check: Callable[[str], None]) -> Path | None:
    """Restore a backup; return where what was there is now, None where nothing was.

    `check` raises what is wrong with the database at an address. Raises SpecError: PostgreSQL. Unavailable:
    the bot runs, a damaged backup, a full disk.
    """
    file = sqlite_file(read_address(url))
    if file is None:
        raise SpecError("Evenhand restores SQLite files only. For PostgreSQL, use its own pg_restore.")
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
            raise Unavailable(
                "The backup could not be restored: {why}. Nothing was changed.", why=_why(error)
            ) from error
        finally:
            for ending in (*BESIDE, ".lock"):
                trial.with_name(f"{trial.name}{ending}").unlink(missing_ok=True)
    return aside


def check_whole(file: Path) -> None:
    """Raise Unavailable where a file is not ours, or its pages, indexes and rows do not agree."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
            _must_be_ours(connection, file)
    except (sqlite3.Error, UnicodeError) as error:
        raise Unavailable(
            "The database {file} can't be checked, because {reason}.", file=file, reason=reason(error)
        ) from error
    if found != ["ok"]:
        raise Unavailable("The database {file} is damaged. Take another backup.", file=file)


def _must_be_ours(connection: sqlite3.Connection, file: Path) -> None:
    """Raise Unavailable for another program's database, and for a file that was cut to nothing."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'").fetchall():
        raise Unavailable("The database {file} is not Evenhand's, or it has been emptied.", file=file)


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
