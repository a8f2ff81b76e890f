"""Tells whether a SQLite file and the log beside it belong together.

SQLite takes any log that lies beside a file for the file's own, and would mix a restored copy with what
another one has left. So each opening writes a new number into the file's header and, when it is safe there,
into a small file beside it; a backup has no number. Source: https://www.sqlite.org/fileformat.html, 1.3.
"""

import os
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.dice.errors import Unavailable

_HEADER = slice(68, 72)
NOBODYS = 0
"""The number of a file that no bot has opened yet."""


def check_own(file: Path) -> None:
    """Raise Unavailable where a file was emptied, or the log beside it is of another one."""
    known = _known(file)
    if known is None or not file.exists():
        return
    if not file.stat().st_size:
        raise Unavailable(
            f"The database {file} has been emptied. Restore a backup with `evenhand restore`, or delete the "
            "file to begin anew."
        )
    log = file.with_name(f"{file.name}-wal")
    if log.exists() and log.stat().st_size and _number(file) != known:
        raise Unavailable(
            f"The database {file} was replaced, and the log {log.name} beside it is of the one before. "
            "Restore a copy with `evenhand restore`, or move that log away."
        )


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
        return int.from_bytes(opened.read(_HEADER.stop)[_HEADER])


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.id")
