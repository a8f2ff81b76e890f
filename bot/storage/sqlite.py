"""SQLite connections that run all queries of a piece of work in one trip to their thread."""

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

from bot.storage.faults import Fault
from bot.storage.files import HEADER, log_of
from bot.storage.queries import Connections, Control, Queries, Query, Rows, compile_query

_T = TypeVar("_T")
_DIALECT = sqlite.dialect(paramstyle="qmark")
_STATEMENTS_KEPT = 512
_BUSY_SECONDS = 1.0
"""How long another program may hold the file: an answer has three seconds, a batch begins twice."""
# A commit that returned survives a power cut. Source: spec "operations", 1.3.
_WRITING = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA application_id",  # to read anything opens the log
)
_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
_REWRITTEN_BYTES = 64 << 20
"""A file of this size is rewritten in half a second, which an answer can wait for."""
_READING = ("PRAGMA query_only=ON",)


class SqliteConnection(aiosqlite.Connection):
    """A connection on a thread of its own."""

    async def do(self, queries: Queries[_T]) -> _T:
        """Drive queries on the thread; if it fails, its transaction is rolled back."""
        # In public aiosqlite goes to its thread and back for each statement, with this method of its own.
        return await self._execute(_drive, self._conn, queries)  # pyright: ignore[reportUnknownMemberType] (untyped)


@asynccontextmanager
async def open_sqlite(path: Path) -> AsyncGenerator[Connections]:
    """Open a file for one that writes and two that read, so that a long report delays nobody's press."""
    async with AsyncExitStack() as stack:
        descriptor = os.open(path, os.O_RDONLY)
        stack.callback(os.close, descriptor)
        writer = await stack.enter_async_context(_connection(path, _WRITING))
        reader = await stack.enter_async_context(_connection(path, _READING))
        reports = await stack.enter_async_context(_connection(path, _READING))
        log = log_of(path)
        opened = file_identity(path, log, descriptor)
        turn = asyncio.Lock()

        @asynccontextmanager
        async def writing() -> AsyncGenerator[SqliteConnection]:
            async with turn:
                if file_identity(path, log, descriptor) != opened:
                    raise _moved()
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


def _moved() -> Fault:
    """Return the fault that SQLite has a name for, and raises without a log alone; with one it writes on."""
    error = sqlite3.OperationalError()
    error.sqlite_errorname = "SQLITE_READONLY_DBMOVED"
    fault = Fault()
    fault.__cause__ = error
    return fault


def _connect(path: Path, pragmas: tuple[str, ...]) -> sqlite3.Connection:
    # Python's own way of beginning transactions would begin them too late, with the first write.
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, cached_statements=_STATEMENTS_KEPT
    )
    connection.row_factory = sqlite3.Row
    for pragma in pragmas:
        connection.execute(pragma)
    return connection


def _drive(connection: sqlite3.Connection, queries: Queries[_T]) -> _T:
    try:
        query = next(queries)
        while True:
            query = queries.send(_answer(connection, query))
    except StopIteration as done:
        return done.value
    except BaseException as error:
        # A full disk may have ended the transaction already.
        if connection.in_transaction:
            connection.rollback()
        if isinstance(error, sqlite3.Error):
            raise Fault(str(error)) from error
        raise


def _answer(connection: sqlite3.Connection, query: Query | Control) -> Rows:
    if isinstance(query, Control):
        if query is Control.SCRUB:
            return _scrub(connection)
        # SQLite has one writer at a time: who begins without the lock may be refused it half-way.
        return connection.execute("BEGIN IMMEDIATE" if query is Control.BEGIN else query.value).fetchall()
    sql, sets = compile_query(_DIALECT, query)
    if len(sets) == 1:
        return connection.execute(sql, sets[0]).fetchall()
    if sets:
        connection.executemany(sql, sets)
    return ()


def _scrub(connection: sqlite3.Connection) -> Rows:
    # Nothing is written while it waits for a reader, such as a backup, which may read for minutes.
    connection.execute("PRAGMA busy_timeout=0")
    try:
        held = connection.execute(Control.SCRUB.value).fetchall()
        if held[0][0] or connection.execute(_SIZE).fetchone()[0] > _REWRITTEN_BYTES:
            return held
        # Where rows were moved from, in the unused part of pages, their bytes still stand.
        connection.execute("VACUUM")
        return connection.execute(Control.SCRUB.value).fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000:.0f}")


def file_identity(file: Path, log: Path, descriptor: int) -> tuple[object, ...] | None:
    """Return what stays the same while an open database and its log lie where they were; None if they do not.

    `descriptor` is the file's. It must be closed after SQLite's own: that drops all locks of the process.
    """
    try:
        there = [path.stat() for path in (file, log)]
        os.lseek(descriptor, HEADER.start, os.SEEK_SET)
        return os.read(descriptor, 4), *((one.st_dev, one.st_ino) for one in there)
    except OSError:
        return None
