"""Opens the database: SQLite with one writing connection in one process, or PostgreSQL shared by many.

SQLite runs in WAL with synchronous=FULL: a commit that returned survives a power cut. Source: docs/limits.md,
"Durability".
"""

import logging
import sqlite3
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.dice.errors import Unavailable
from bot.storage.address import read_address, sqlite_file
from bot.storage.faults import reason
from bot.storage.lockfile import sole_use
from bot.storage.migrating import migrate
from bot.storage.threaded import ThreadedEngine, WritingEngine

log = logging.getLogger(__name__)

SAFE_SQLITE = (3, 51, 3)
"""From this version on SQLite is free of the WAL-reset bug (https://www.sqlite.org/wal.html#walresetbug)."""

_CONNECT_SECONDS = 5
_COMMAND_SECONDS = 10
_READERS = 4
"""As many questions are answered at once; more connections would only wait for each other."""
_WRITING = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
_READING = ("PRAGMA query_only=ON",)


@dataclass(frozen=True, slots=True)
class Database:
    """An open database: `writer` begins transactions that lock, `reader` only reads, without transactions."""

    writer: WritingEngine
    reader: AsyncEngine
    alone: bool
    """Whether no other process writes: then what another process left open, it left by dying."""
    process: str = field(default_factory=lambda: uuid4().hex)
    """This opening's own name, which no other process and no earlier one has."""


@asynccontextmanager
async def open_database(url: str) -> AsyncGenerator[Database]:
    """The database at `sqlite:///<file>` or `postgresql://...`, its tables up to date; closed at the end.

    A missing SQLite file is made, and its folder. Raises Unavailable, with a sentence for whoever runs the
    bot: another process has the file, it can't be opened, the server refuses, a newer version made it.
    """
    address = read_address(url)
    path = sqlite_file(address)
    if path is None:
        async with _opened(_postgresql(address), address.render_as_string()) as database:
            yield database
        return
    _make_folder(path.parent)
    with sole_use(path):
        async with _opened(_sqlite(path), str(path)) as database:
            yield database


@asynccontextmanager
async def _opened(database: Database, name: str) -> AsyncGenerator[Database]:
    try:
        try:
            async with database.writer.connect() as connection:
                await connection.run_sync(migrate)
        except Unavailable:
            raise
        except Exception as error:
            raise Unavailable(f"The database {name} can't be opened, because {reason(error)}.") from error
        yield database
    finally:
        await database.reader.dispose()
        await database.writer.dispose()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"The folder {folder} can't be made: {error.strerror or error}.") from error


def _sqlite(path: Path) -> Database:
    log.info("SQLite %s at %s", sqlite3.sqlite_version, path)
    if sqlite3.sqlite_version_info < SAFE_SQLITE:
        log.warning(
            "SQLite %s is older than %s: never open the file with another program while Evenhand runs",
            sqlite3.sqlite_version,
            ".".join(map(str, SAFE_SQLITE)),
        )
    writer = create_engine(
        URL.create("sqlite", database=str(path)), hide_parameters=True, pool_size=1, max_overflow=0
    )
    reader = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        hide_parameters=True,
        pool_size=_READERS,
        max_overflow=0,
        isolation_level="AUTOCOMMIT",
    )
    event.listen(writer, "connect", _run(*_WRITING))
    event.listen(writer, "begin", _begin_immediate)
    event.listen(reader.sync_engine, "connect", _run(*_READING))
    return Database(ThreadedEngine(writer), reader, alone=True)


def _postgresql(address: URL) -> Database:
    url = address.set(drivername="postgresql+asyncpg")
    settings = {"application_name": "evenhand", "synchronous_commit": "on"}
    limits = {"timeout": _CONNECT_SECONDS, "command_timeout": _COMMAND_SECONDS}
    arguments = {**limits, "server_settings": settings}
    try:
        # The writer redoes what fails on a connection that died while it was not used; reading asks first.
        writer = create_async_engine(
            url, hide_parameters=True, connect_args=arguments, pool_size=1, max_overflow=0
        )
        reader = create_async_engine(
            url,
            hide_parameters=True,
            connect_args=arguments,
            pool_size=_READERS,
            pool_pre_ping=True,
            isolation_level="AUTOCOMMIT",
        )
    except ModuleNotFoundError as error:
        raise Unavailable("PostgreSQL needs the package asyncpg: pip install asyncpg.") from error
    return Database(writer, reader, alone=False)


def _run(*pragmas: str) -> Callable[[DBAPIConnection, ConnectionPoolEntry], None]:
    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        # Python's own way of beginning transactions would begin them too late, with the first write.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    return prepare


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
