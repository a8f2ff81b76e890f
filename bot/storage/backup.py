"""Back up a SQLite database while the bot uses it, and restore it.

A restored file is written and checked beside the old one, then replaces it in one step, so that the old one
stays if anything goes wrong; the replaced database stays under another name, with its log.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.dice.errors import LocalizedError, SpecError, Unavailable
from bot.storage import schema
from bot.storage.faults import is_full, reason
from bot.storage.files import (
    UNOPENED,
    check_own,
    drop_unfinished,
    files_of,
    keep_owner,
    lock_of,
    make_file,
    make_folder,
    read_address,
    read_own_number,
    sole_use,
    sqlite_file,
    stamp,
    trial_of,
)
from bot.storage.migrating import newest

_LAST_CAMPAIGN = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'campaign'"


def back_up(url: str, path: Path) -> None:
    """Write a copy of the database at `url` to a new file, synced to the disk on return.

    It needs no lock and may run beside the bot, in any process. It blocks: use a thread on the event loop.
    Raise SpecError if the file exists or the database is PostgreSQL (use pg_dump), Unavailable if there is no
    database or the disk is full.
    """
    source = _find_source(url)
    if path.is_dir():
        raise SpecError("{path} is a folder. Name a new file in it.", path=path)
    if path.exists():
        raise SpecError("There is a file {path} already. A backup never overwrites one.", path=path)
    # Written under another name first, so that an interrupted copy is never mistaken for a backup.
    part = path.with_name(path.name + ".part")
    try:
        with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as connection:
            _require_own(connection, source)
            make_folder(path.parent)
            part.unlink(missing_ok=True)
            # Created here with its permissions, so that nobody else can read it while it is written.
            make_file(part)
            # As bytes: a name that is no UTF-8 is none of a text.
            connection.execute("VACUUM INTO CAST(? AS TEXT)", (os.fsencode(part),))
        stamp(part, UNOPENED)
        with part.open("rb") as copy:
            os.fsync(copy.fileno())
        part.rename(path)
        _sync(path.parent)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) or is_full(error):
            raise Unavailable(
                "The backup {path} could not be made: {why}.", path=path, why=_describe(error)
            ) from error
        raise Unavailable(
            "The backup {path} could not be made: the database {source} can't be copied, because {reason}.",
            path=path,
            source=source,
            reason=reason(error),
        ) from error


def _find_source(url: str) -> Path:
    source = sqlite_file(read_address(url))
    if source is None:
        raise SpecError("Evenhand backs up SQLite files only. For PostgreSQL, use its own pg_dump.")
    if not source.is_file():
        raise Unavailable("There is no database {source}.", source=source)
    check_own(source)
    return source


def _describe(error: sqlite3.Error | OSError) -> str | LocalizedError:
    return (error.strerror or str(error)) if isinstance(error, OSError) else reason(error)


def restore(url: str, backup: Path, check: Callable[[str], None]) -> Path | None:
    """Restore a backup; return the new path of the replaced database, None if there was none.

    `check` raises an error if the database at an address is wrong. Raise SpecError for PostgreSQL,
    Unavailable if the bot runs, the backup is damaged or the disk is full.
    """
    file = sqlite_file(read_address(url))
    if file is None:
        raise SpecError("Evenhand restores SQLite files only. For PostgreSQL, use its own pg_restore.")
    make_folder(file.parent)
    trial = trial_of(file)
    with sole_use(file):
        drop_unfinished(file)
        aside = file.with_name(f"{file.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        try:
            take_copy(backup, trial)
            check(f"sqlite:///{trial}")
            _number_on(trial, _last_campaign(file))
            stamp(trial, UNOPENED)
            keep_owner(trial, file)
            _keep_aside(file, aside)
            _sync(file.parent)
            trial.replace(file)
        except (sqlite3.Error, OSError) as error:
            _delete(files_of(aside))
            raise Unavailable(
                "The backup could not be restored: {why}. Nothing was changed.", why=_describe(error)
            ) from error
        finally:
            _delete((*files_of(trial), lock_of(trial)))
        _sync(file.parent)
        # Until the old log is deleted, the old number beside it keeps it from being read into the new file.
        _delete(files_of(file)[1:])
    return aside if aside.exists() else None


def take_copy(backup: Path, copy: Path) -> None:
    """Copy a database, with the log that a killed process left beside it, and check that it is whole.

    Raise Unavailable if the copy can't be made, or for the reasons of `check_whole`.
    """
    files = files_of(backup.resolve())
    file, log, index, _, number = files
    check_own(file)
    try:
        # SQLite makes the log's index anew, and the copy was never opened.
        left_out = {index, number}
        if read_own_number(file) == UNOPENED:
            left_out.add(log)  # it is another file's: a log is begun after a number is written
        for old, new in zip(files, files_of(copy), strict=True):
            if old not in left_out:
                _copy(old, new)
    except OSError as error:
        raise Unavailable(
            "The backup {backup} can't be copied into {folder}: {why}.",
            backup=backup,
            folder=copy.parent,
            why=error.strerror or error,
        ) from error
    # What a killed process left beside it has to be written into it first.
    check_whole(copy, name=backup, mode="rw")


def check_whole(file: Path, *, name: Path, mode: str = "ro") -> None:
    """Raise Unavailable, with this name, if a file is not Evenhand's, or its parts do not agree."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode={mode}", uri=True)) as connection:
            report = [row[0] for row in connection.execute("PRAGMA integrity_check(1)")]
            _require_own(connection, name)
            is_whole = report == ["ok"] and _is_complete(connection)
    except (sqlite3.Error, UnicodeError) as error:
        raise Unavailable(
            "The database {file} can't be checked, because {reason}.", file=name, reason=reason(error)
        ) from error
    if not is_whole:
        raise Unavailable("The database {file} is damaged. Take another backup.", file=name)


def _is_complete(connection: sqlite3.Connection) -> bool:
    """Return whether all tables of this version exist, and the campaigns of all rows."""
    revisions = {row[0] for row in connection.execute("SELECT version_num FROM alembic_version")}
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    # Other missing parents are derived anew from the events.
    missing = {parent for _, _, parent, _ in connection.execute("PRAGMA foreign_key_check")}
    is_current = revisions == {newest()}
    return schema.campaign.name not in missing and (not is_current or tables >= schema.metadata.tables.keys())


def _require_own(connection: sqlite3.Connection, file: Path) -> None:
    """Raise Unavailable for another program's database or an emptied file."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'").fetchall():
        raise Unavailable("The database {file} is not Evenhand's, or it has been emptied.", file=file)


def _last_campaign(file: Path) -> int:
    """Return the last number that a campaign of a database ever had; 0 if none had, or it can't be read."""
    try:
        check_own(file)
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(_LAST_CAMPAIGN).fetchone()[0] or 0
    except (sqlite3.Error, OSError, Unavailable):
        return 0


def _number_on(file: Path, last: int) -> None:
    """Give no new campaign of a database a number up to `last`: buttons of those stay in Discord."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        if (connection.execute(_LAST_CAMPAIGN).fetchone()[0] or 0) < last:
            connection.execute("DELETE FROM sqlite_sequence WHERE name = 'campaign'")
            connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('campaign', ?)", (last,))


def _copy(backup: Path, trial: Path) -> None:
    """Copy a file if it is there, and no link, which could lead to one that only root may read."""
    if not backup.exists() or backup.is_symlink():
        return
    shutil.copyfile(backup, trial)
    trial.chmod(0o600)
    keep_owner(trial)
    with trial.open("rb") as copy:
        os.fsync(copy.fileno())


def _keep_aside(file: Path, aside: Path) -> None:
    """Give a database a second name, with copies of its log and number under that name."""
    with suppress(OSError):  # some file systems have no hard links: there it is copied
        aside.hardlink_to(file)
    for old, new in zip(files_of(file), files_of(aside), strict=True):
        if not new.exists():
            _copy(old, new)


def _delete(files: Iterable[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
