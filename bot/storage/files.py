"""A database's address, and the file permissions, lock and version number of a SQLite file.

One process holds the lock beside the file, so that a second one is refused; the system drops it when its
holder dies, however it dies: who has it knows that no other process lives.

SQLite takes any log that lies beside a file for the file's own, and would mix a restored copy with what
another one has left. So each opening writes a new number into the file's header and, when it is safe there,
into a small file beside it; a backup has no number. Source: https://www.sqlite.org/fileformat.html, 1.3.
"""

import os
import re
import secrets
import sqlite3
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from glob import escape
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.dice.errors import SpecError, Unavailable

HEADER = slice(68, 72)
NOBODYS = 0
"""The number of a file that no bot has opened yet."""


def read_address(url: str) -> URL:
    """Return the address that a text means; SpecError if it is neither a SQLite file nor PostgreSQL."""
    url = re.sub(r"^postgres(?=://)", "postgresql", url)  # the old name of the same; some hosts give it
    try:
        # A file's name may have a question mark, behind which options would follow.
        file = url.removeprefix("sqlite:///")
        address = make_url(url) if file == url else URL.create("sqlite", database=file)
    except ArgumentError:
        pass
    else:
        backend = address.drivername.partition("+")[0]
        in_memory = address.database in {None, "", ":memory:"}
        if backend == "postgresql" or (backend == "sqlite" and not in_memory):
            return address
    raise SpecError("A database address begins with sqlite:/// and a file, or with postgresql://.")


def sqlite_file(address: URL) -> Path | None:
    """Return the file of a SQLite address, with links followed; None for PostgreSQL."""
    if not address.drivername.startswith("sqlite"):
        return None
    return Path(os.path.expanduser(address.database or "")).resolve()  # noqa: PTH111 (never fails)


def make_folder(folder: Path) -> None:
    """Make a folder that nobody else can read; one that is there keeps its rights, for others may use it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def files_of(file: Path) -> list[Path]:
    """Return the places of the files that make up a database, the file itself first, its number last."""
    return [file.with_name(f"{file.name}{ending}") for ending in ("", "-wal", "-shm", ".id")]


def drop_second_names(file: Path) -> None:
    """Drop the name that a restore gave a database before it was cut short: under each it has another log."""
    if file.exists():
        for other in file.parent.glob(f"{escape(file.name)}.before-*"):
            if other.samefile(file):
                for path in reversed(files_of(other)):
                    path.unlink(missing_ok=True)


def close_to_others(file: Path) -> None:
    """Have nobody else read a database; what SQLite puts beside it later gets the same rights."""
    for path in files_of(file):
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
    """Hold the lock beside a database file; Unavailable where another process has it or it can't be made."""
    path = database.with_name(database.name + ".lock")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(
            "The database {database} can't be used: {why}.", database=database, why=error.strerror or error
        ) from error
    try:
        try:
            _lock(descriptor)
        except OSError as error:
            raise Unavailable(
                "Another Evenhand is using {database}. Stop it, or give this one a database of its own.",
                database=database,
            ) from error
        yield
    finally:
        os.close(descriptor)


def check_own(file: Path) -> None:
    """Raise Unavailable where a file was emptied, or the log beside it is of another one."""
    known = _known(file)
    if known is None or not file.exists():
        return
    if not file.stat().st_size:
        raise Unavailable(
            "The database {file} has been emptied. Restore a backup with `evenhand restore`, or "
            "delete the file to begin anew.",
            file=file,
        )
    log = log_of(file)
    if log.exists() and log.stat().st_size and _number(file) != known:
        raise Unavailable(
            "The database {file} was replaced, and the log {name} beside it is of the one before. "
            "Restore a copy with `evenhand restore`, or move that log away.",
            file=file,
            name=log.name,
        )


def log_of(file: Path) -> Path:
    """Return where a database's log lies."""
    return file.with_name(f"{file.name}-wal")


def stamp(file: Path, number: int | None = None) -> None:
    """Give a file that nobody else has open a number, a new one unless it is given, on the disk too."""
    given = secrets.randbelow(2**31 - 1) + 1 if number is None else number
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {given:d}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if number is None:
        _beside(file).touch(mode=0o600)
        with _beside(file).open("w", encoding="ascii") as kept:
            kept.write(f"{given}\n")
            kept.flush()
            os.fsync(kept.fileno())


def _known(file: Path) -> int | None:
    try:
        return int(_beside(file).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _number(file: Path) -> int:
    with file.open("rb") as opened:
        return int.from_bytes(opened.read(HEADER.stop)[HEADER])


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.id")
