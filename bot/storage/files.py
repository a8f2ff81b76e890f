"""A database's address, and the file permissions, lock and version number of a SQLite file.

One process holds the lock beside the file and a second one is refused; the system drops the lock when its
holder dies, so its owner knows that no other process runs.

SQLite applies any log beside a file as the file's own, and would mix a restored copy with the log of another
file. So each opening writes a new number into the file's header and, once that is on the disk, into a small
file beside it; a backup has no number. Source: https://www.sqlite.org/fileformat.html, 1.3.
"""

import errno
import os
import re
import secrets
import sqlite3
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from glob import escape
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.dice.errors import SpecError, Unavailable

HEADER = slice(68, 72)
UNOPENED = 0
"""The number of a file that was never opened by a bot."""
_MOVED = ".moved-"
_NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
"""Opens no symbolic link: the bot's user could have laid one to a file that only root may change."""


def read_address(url: str) -> URL:
    """Parse a database address; raise SpecError unless it is a SQLite file or PostgreSQL."""
    url = re.sub(r"^postgres(?=://)", "postgresql", url)  # the old scheme, which some hosts still use
    try:
        # A question mark in a file's name would begin the options of a URL.
        file = url.removeprefix("sqlite:///")
        address = make_url(url) if file == url else URL.create("sqlite", database=file)
    except (ArgumentError, ValueError):  # of a port that is no number, such as part of a password
        pass
    else:
        backend = address.drivername.partition("+")[0]
        in_memory = address.database in {None, "", ":memory:"}
        is_server = backend == "postgresql" and "@" not in (address.host or "")
        if is_server or (backend == "sqlite" and not in_memory):
            return address
    raise SpecError(
        "A database address begins with sqlite:/// and a file, or with postgresql://. "
        "In a password, @ is written %40."
    )


def sqlite_file(address: URL) -> Path | None:
    """Return the file of a SQLite address with links resolved; None for PostgreSQL."""
    if not address.drivername.startswith("sqlite"):
        return None
    return Path(os.path.expanduser(address.database or "")).resolve()  # noqa: PTH111 (never fails)


def make_folder(folder: Path) -> None:
    """Create a private folder and its parents; an existing one keeps its permissions: others may use it."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    keep_owner(folder)


def make_file(file: Path) -> None:
    """Create a private file; raise PermissionError for an existing one that this user may not use."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        os.utime(file)
    else:
        keep_owner(file)


def check_usable(file: Path) -> None:
    """Raise PermissionError for an existing file that `make_file` would refuse, and change nothing."""
    is_own = sys.platform != "win32" and file.stat().st_uid == os.geteuid()
    if not is_own and not os.access(file, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))


def keep_owner(path: Path, replaced: Path | None = None) -> None:
    """Give what root has made to the owner of the file that it replaces, else of its folder.

    A command that was run as root must not lock out the bot's own user.
    """
    if sys.platform != "win32" and not os.geteuid():
        model = replaced if replaced and replaced.exists() else path.parent
        with suppress(OSError):  # root of a container may be nobody outside
            os.chown(path, model.stat().st_uid, model.stat().st_gid, follow_symlinks=False)


def files_of(file: Path) -> tuple[Path, ...]:
    """Return the paths of a database's files: itself, its log, the log's index, its journal, its number.

    SQLite rolls back whatever file lies beside the journal of a process that was killed.
    """
    return file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal", ".id"))


def trial_of(file: Path) -> Path:
    """Return the path at which a backup is checked before it replaces a database."""
    return file.with_name(f"{file.name}.restoring")


def drop_unfinished(file: Path) -> None:
    """Delete what a killed restore left: its copy, and a second name of the database, which has its own log.

    The copy holds as much of people as a backup, and nobody would miss it.
    """
    trial = trial_of(file)
    for path in (*files_of(trial), lock_of(trial)):
        path.unlink(missing_ok=True)
    if file.exists():
        for other in file.parent.glob(f"{escape(file.name)}.before-*"):
            if other.samefile(file):
                for path in reversed(files_of(other)):
                    path.unlink(missing_ok=True)


def move_aside(file: Path) -> Path:
    """Rename a database that was moved elsewhere, so that no start goes on from it; return its path."""
    moved = file.with_name(f"{file.name}{_MOVED}{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    with sole_use(file):
        for old, new in zip(files_of(file), files_of(moved), strict=True):
            if old.exists():
                old.rename(new)
    return moved


def check_not_moved(file: Path) -> None:
    """Raise Unavailable if a database is not there because it was moved elsewhere."""
    if not file.exists() and any(file.parent.glob(f"{escape(file.name)}{_MOVED}*")):
        raise Unavailable(
            "The database {file} was moved elsewhere. Set EVENHAND_DATABASE to its new address. To begin "
            "anew here, take the {file}.moved-… files out of this folder.",
            file=file,
        )


def close_to_others(file: Path) -> None:
    """Make a database private to its user; files that SQLite adds later get the same permissions."""
    for path in files_of(file):
        if not path.is_symlink():
            with suppress(OSError):
                path.chmod(0o600)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def sole_use(database: Path) -> Generator[None]:
    """Hold the lock beside a database file; raise Unavailable if another process has it or it fails."""
    path = lock_of(database)
    try:
        is_new = not path.exists()
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o600)
        if is_new:
            keep_owner(path, database)
    except OSError as error:
        raise Unavailable(
            "The database {database} can't be used: {why}.", database=database, why=error.strerror or error
        ) from error
    try:
        try:
            _lock(descriptor)
        except OSError as error:
            raise Unavailable(
                "Another Evenhand is using {database}. Stop it first.", database=database
            ) from error
        yield
    finally:
        os.close(descriptor)


def is_in_use(database: Path) -> bool:
    """Return whether another process holds the lock beside a database file, and change nothing.

    Raise OSError if this user may not use the lock.
    """
    try:
        descriptor = os.open(lock_of(database), os.O_RDWR | _NO_LINK)
    except FileNotFoundError:
        return False
    try:
        _lock(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def lock_of(database: Path) -> Path:
    """Return the path of the lock beside a database file."""
    return database.with_name(database.name + ".lock")


def check_own(file: Path) -> bool:
    """Return whether a database is the one that was opened here last.

    Raise Unavailable if it is gone or was emptied, or the log or journal beside it is of another file.
    """
    _, log, _, journal, beside = files_of(file)
    remains = [path.name for path in (log, journal, beside) if path.exists() and path.stat().st_size]
    if not file.exists():
        if remains:
            # SQLite would delete a log without its file, and what it holds.
            raise Unavailable(
                "The database {file} is gone, but {remains} is still there. Put the file back, or restore a "
                "backup with `evenhand restore`. To begin anew, move that away.",
                file=file,
                remains=", ".join(remains),
            )
        return True
    number = _read_number_beside(file)
    if number is None:
        return True
    if not file.stat().st_size:
        raise Unavailable(
            "The database {file} has been emptied. Restore a backup with `evenhand restore`. To begin anew, "
            "move it away, with {remains}.",
            file=file,
            remains=", ".join(remains),
        )
    if read_own_number(file) == number:
        return True
    if logs := [name for name in remains if name != beside.name]:
        raise Unavailable(
            "The database {file} was replaced, and the log {name} beside it is of the one before. "
            "Restore a copy with `evenhand restore`, or move that log away.",
            file=file,
            name=logs[0],
        )
    return False


def stamp(file: Path, number: int | None = None) -> None:
    """Write a number, by default a new one, to a file that nobody else has open, and sync it to the disk."""
    new = secrets.randbelow(2**31 - 1) + 1 if number is None else number
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {new:d}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if number is None:
        *_, beside = files_of(file)
        beside.unlink(missing_ok=True)  # it may be a link, as for `_NO_LINK`
        make_file(beside)
        with beside.open("w", encoding="ascii") as output:
            output.write(f"{new}\n")
            output.flush()
            os.fsync(output.fileno())


def _read_number_beside(file: Path) -> int | None:
    try:
        return int(files_of(file)[-1].read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def read_own_number(file: Path) -> int:
    """Return the number in a file's header; UNOPENED for an empty file."""
    with file.open("rb") as opened:
        return int.from_bytes(opened.read(HEADER.stop)[HEADER])
