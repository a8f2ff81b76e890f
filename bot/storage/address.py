"""A database's address: a SQLite file or a PostgreSQL server."""

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.dice.errors import Unavailable


def read_address(url: str) -> URL:
    """Return the address that a text means; Unavailable if it is neither a SQLite file nor PostgreSQL."""
    try:
        address = make_url(url)
    except ArgumentError:
        pass
    else:
        backend = address.drivername.partition("+")[0]
        in_memory = address.database in {None, "", ":memory:"}
        if backend == "postgresql" or (backend == "sqlite" and not in_memory):
            return address
    raise Unavailable("A database address begins with sqlite:/// and a file, or with postgresql://.")


def sqlite_file(address: URL) -> Path | None:
    """Return the file of a SQLite address, with links followed; None for PostgreSQL."""
    if not address.drivername.startswith("sqlite"):
        return None
    return Path(address.database or "").expanduser().resolve()
