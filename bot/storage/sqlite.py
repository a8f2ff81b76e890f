"""SQLite connections, which execute all queries of a generator in one trip to their thread."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite
from sqlalchemy.dialects import sqlite

from bot.storage.faults import Fault, Moved
from bot.storage.files import HEADER, files_of
from bot.storage.queries import Connections, Control, Queries, Query, Rows, compile_query

_T = TypeVar("_T")
_DIALECT = sqlite.dialect(paramstyle="qmark")
_STATEMENT_CACHE = 512
_BUSY_SECONDS = 1.0
"""Wait for another program's lock: an answer has three seconds, and a batch may begin twice."""
# A commit that returned survives a power cut. Source: spec "operations", 1.3.
_WRITING = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA application_id",  # reading anything opens the log
)
_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
_VACUUM_LIMIT = 64 << 20
"""A file of this size in bytes is rewritten in half a second, short enough for an answer to wait."""
_READING = ("PRAGMA query_only=ON",)


class SqliteConnection(aiosqlite.Connection):
    """A connection with its own thread."""

    async def do(self, queries: Queries[_T]) -> _T:
        """Execute queries on the thread; roll back the transaction on an error."""
        # aiosqlite's public methods take a trip to the thread for each statement, by this private one.
        return await self._execute(_drive, self._conn, queries)  # pyright: ignore[reportUnknownMemberType] (untyped)


@asynccontextmanager
async def open_sqlite(path: Path) -> AsyncGenerator[Connections]:
    """Open a file with one writing and two reading connections, so that long reports delay no answer."""
    async with AsyncExitStack() as stack:
        descriptor = os.open(path, os.O_RDONLY)
        stack.callback(os.close, descriptor)
        writer = await stack.enter_async_context(_connection(path, _WRITING))
        reader = await stack.enter_async_context(_connection(path, _READING))
        reports = await stack.enter_async_context(_connection(path, _READING))
        _, log, *_ = files_of(path)
        identity = file_identity(path, log, descriptor)
        write_lock = asyncio.Lock()

        @asynccontextmanager
        async def writing() -> AsyncGenerator[SqliteConnection]:
            async with write_lock:
                if file_identity(path, log, descriptor) != identity:
                    raise Moved
                try:
                    yield writer
                finally:
                    if writer.in_transaction:
                        await writer.rollback()

        yield Connections(writing, reader, reports)


@asynccontextmanager
async def _connection(path: Path, pragmas: tuple[str, ...]) -> AsyncGenerator[SqliteConnection]:
    connection = SqliteConnection(partial(_connect, path, pragmas), iter_chunk_size=64)
    async with connection:
        yield connection


def _connect(path: Path, pragmas: tuple[str, ...]) -> sqlite3.Connection:
    # Python's own transaction handling would begin a transaction too late, at the first write.
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, cached_statements=_STATEMENT_CACHE
    )
    connection.row_factory = sqlite3.Row
    # SQLite's own function knows only the letters A to Z, so no search would find a capital Ä.
    connection.create_function("lower", 1, _lower, deterministic=True)
    for pragma in pragmas:
        connection.execute(pragma)
    return connection


def _lower(text: str | None) -> str | None:
    return text and text.lower()


def _drive(connection: sqlite3.Connection, queries: Queries[_T]) -> _T:
    try:
        query = next(queries)
        while True:
            query = queries.send(_execute(connection, query))
    except StopIteration as done:
        return done.value
    except BaseException as error:
        # A full disk may have ended the transaction already.
        if connection.in_transaction:
            connection.rollback()
        if isinstance(error, sqlite3.Error):
            raise Fault(str(error)) from error
        raise


def _execute(connection: sqlite3.Connection, query: Query | Control) -> Rows:
    if isinstance(query, Control):
        if query is Control.SCRUB:
            return _scrub(connection)
        # SQLite has one writer at a time: a transaction begun without the lock may fail to get it later.
        return connection.execute("BEGIN IMMEDIATE" if query is Control.BEGIN else query.value).fetchall()
    sql, sets = compile_query(_DIALECT, query)
    if len(sets) == 1:
        return connection.execute(sql, sets[0]).fetchall()
    if sets:
        connection.executemany(sql, sets)
    return ()


def _scrub(connection: sqlite3.Connection) -> Rows:
    # No waiting: a reader such as a backup may take minutes, and all writes would wait for it.
    connection.execute("PRAGMA busy_timeout=0")
    try:
        rows = connection.execute(Control.SCRUB.value).fetchall()
        if rows[0][0] or connection.execute(_SIZE).fetchone()[0] > _VACUUM_LIMIT:
            return rows
        # The unused parts of pages still contain bytes of rows that were moved.
        connection.execute("VACUUM")
        return connection.execute(Control.SCRUB.value).fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000:.0f}")


def file_identity(file: Path, log: Path, descriptor: int) -> tuple[object, ...] | None:
    """Return a value that stays equal while the paths still are the open database and log; None if missing.

    `descriptor` is the database file's. Close it after SQLite's own: closing drops all locks of the process.
    """
    try:
        stats = [path.stat() for path in (file, log)]
        os.lseek(descriptor, HEADER.start, os.SEEK_SET)
        return os.read(descriptor, 4), *((stat.st_dev, stat.st_ino) for stat in stats)
    except OSError:
        return None
