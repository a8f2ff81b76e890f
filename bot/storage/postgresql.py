"""PostgreSQL: a pool of asyncpg's connections to read with, and one connection to write with."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import asyncpg
from sqlalchemy import URL
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from bot.storage.faults import Doubtful, Fault, Lost, Outdated, gone, hopeless
from bot.storage.migrating import IN_USE
from bot.storage.queries import Connection, Connections, Control, Queries, Query, Rows, compile_query

if TYPE_CHECKING:
    from types import CoroutineType

    from asyncpg.pool import PoolConnectionProxy

_T = TypeVar("_T")
_Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
_Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"

log = logging.getLogger(__name__)

_DIALECT = dialect()
_READERS = 4
"""How many queries run at once; more connections would only wait for each other."""
_ANSWER_SECONDS = 1.4
"""How long all queries of one reading or one transaction may take, the wait for a connection included.

Discord waits three seconds, and a connection that was lost is made anew once.
"""
_PATIENT_SECONDS = 60
"""The same for what nobody waits three seconds for: reports, and the start."""
_CLOSE_SECONDS = 2
_ABANDONED_SECONDS = 10
"""How long the server waits amid a transaction for a bot that the network has cut off; it holds locks."""
_SETTINGS = {"application_name": "evenhand", "synchronous_commit": "on"}
_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)


async def connect(address: URL) -> "asyncpg.Connection[asyncpg.Record]":
    """Open a lone connection."""
    return await asyncpg.connect(_dsn(address), timeout=_PATIENT_SECONDS, server_settings=_SETTINGS)


@asynccontextmanager
async def open_postgresql(
    address: URL, revision: str, outdated: asyncio.Event, *, patient: bool = False
) -> AsyncGenerator[Connections]:
    """Open a server's database whose tables are at a revision; `outdated` is set once they no longer are.

    While the connection that writes lasts, nobody changes the tables, so only a new one looks at them: one is
    made at once. If it is `patient`, a transaction may take any time.
    """

    async def share(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        await connection.execute(f"SELECT pg_advisory_lock_shared({IN_USE:d})")
        if await connection.fetchval("SELECT version_num FROM alembic_version") != revision:
            outdated.set()
            raise Outdated

    seconds = None if patient else _ANSWER_SECONDS
    async with open_pool(address, 1, share) as writer, open_pool(address, _READERS) as readers:
        async with writer.acquire():
            pass

        @asynccontextmanager
        async def writing() -> AsyncGenerator[Connection]:
            async with _connection(writer, seconds) as (connection, deadline):
                yield PostgresqlConnection(connection, deadline)

        reader, reports = (PooledConnection(readers, time) for time in (_ANSWER_SECONDS, _PATIENT_SECONDS))
        yield Connections(writing, reader, reports)


@asynccontextmanager
async def _connection(pool: _Pool, seconds: float | None) -> AsyncGenerator[tuple[_Connection, float | None]]:
    """Take a connection for at most `seconds`, and tell by which time of the loop it has to be given back.

    One on which something hangs is closed: its server may never say that it has stopped. What else is open
    is rolled back.
    """
    deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds
    try:
        connection = await pool.acquire(timeout=seconds)
    except _FAILURES as error:
        raise _fault(error) from error
    try:
        yield connection, deadline
    except BaseException as error:
        cause = error.__cause__ or error
        # One that is closed already belongs to the pool again, and refuses all of this.
        with suppress(*_FAILURES):
            if isinstance(error, Lost) or isinstance(cause, TimeoutError | asyncio.CancelledError):
                connection.terminate()
            elif connection.is_in_transaction():
                # The pool would roll it back as well, and call that an error in the log.
                async with asyncio.timeout_at(deadline):
                    await connection.execute(Control.ROLLBACK.value)
        raise
    finally:
        # What is committed stays so, whatever becomes of the connection; one that fails here is closed.
        with suppress(*_FAILURES):
            await pool.release(connection)


@asynccontextmanager
async def open_pool(
    address: URL,
    size: int,
    begin: "Callable[[asyncpg.Connection[asyncpg.Record]], CoroutineType[Any, Any, None]] | None" = None,
) -> AsyncGenerator[_Pool]:
    """Open a pool of at most `size` connections, each of which begins with `begin`."""
    pool = await asyncpg.create_pool(
        _dsn(address),
        min_size=0,
        max_size=size,
        init=begin,
        reset=_keep_settings,
        server_settings={**_SETTINGS, "idle_in_transaction_session_timeout": str(_ABANDONED_SECONDS * 1000)},
    )
    try:
        yield pool
    finally:
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await pool.close()
        except (TimeoutError, *_FAILURES) as error:
            log.warning("PostgreSQL's connections were cut off: %r", error)


class PostgresqlConnection:
    """Sends queries to a connection, up to a time of the loop."""

    def __init__(self, driver: _Connection, deadline: float | None = None) -> None:
        self._driver = driver
        self._deadline = deadline

    async def do(self, queries: Queries[_T]) -> _T:
        """Drive queries to its end; a transaction that it left open is its caller's to end."""
        return await _drive(queries, self.answer)

    async def answer(self, query: Query | Control) -> Rows:
        """Return the rows of one query; Fault where the database fails, or it took too long."""
        try:
            async with asyncio.timeout_at(self._deadline):
                return await self._ask(query)
        except _FAILURES as error:
            raise _fault(error, query) from error

    async def _ask(self, query: Query | Control) -> Rows:
        if isinstance(query, Control):
            if query is not Control.SCRUB:
                await self._driver.execute(query.value)
            return ()
        sql, sets = compile_query(_DIALECT, query)
        if len(sets) == 1:
            return await self._driver.fetch(sql, *sets[0])
        if sets:
            await self._driver.executemany(sql, sets)
        return ()


class PooledConnection:
    """Only reads, on any connection of a pool, for at most `seconds`."""

    def __init__(self, pool: _Pool, seconds: float) -> None:
        self._pool = pool
        self._seconds = seconds

    async def do(self, queries: Queries[_T]) -> _T:
        """Drive queries to its end; what a dead connection did not answer is asked once more."""
        return await _drive(queries, self._answer)

    async def _answer(self, query: Query | Control) -> Rows:
        try:
            return await self._ask(query)
        except Fault as error:
            # That a connection died while nobody used it is known only now.
            if not gone(error) or hopeless(error):
                raise
            return await self._ask(query)

    async def _ask(self, query: Query | Control) -> Rows:
        async with _connection(self._pool, self._seconds) as (connection, deadline):
            return await PostgresqlConnection(connection, deadline).answer(query)


async def _drive(queries: Queries[_T], answer: Callable[[Query | Control], Awaitable[Rows]]) -> _T:
    try:
        query = next(queries)
        while True:
            query = queries.send(await answer(query))
    except StopIteration as done:
        return done.value


async def _keep_settings(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Do nothing when a connection is given back: asyncpg would ask for a reset, which costs a trip."""


def _fault(error: Exception, query: Query | Control | None = None) -> Fault:
    # What the driver says of values that it can't send is no fault of the connection.
    lost = isinstance(error, asyncpg.InterfaceError | asyncpg.InternalClientError)
    kind = Lost if lost and not isinstance(error, ValueError) else Fault
    # Only the message: the detail behind it quotes what is stored.
    return (Doubtful if query is Control.COMMIT else kind)(str(error.args[0] if error.args else error))


def _dsn(address: URL) -> str:
    return address.set(drivername="postgresql").render_as_string(hide_password=False)
