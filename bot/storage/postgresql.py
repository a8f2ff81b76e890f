"""PostgreSQL connections: a pool of asyncpg's for reading, and one for writing."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import asyncpg
from sqlalchemy import URL
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from bot.storage.faults import Doubtful, Fault, Lost, Outdated, WrongAddress, is_disconnected, is_persistent
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
"""Reading connections; more of them would only wait for each other."""
_ANSWER_SECONDS = 1.4
"""Time limit of a read or a transaction, including the wait for a connection.

Discord waits three seconds, and a lost connection is replaced once.
"""
_PATIENT_SECONDS = 60
"""Time limit of reports and of the start, for which no interaction waits."""
_CLOSE_SECONDS = 2
_ABANDONED_SECONDS = 10
"""Time after which the server drops an idle transaction of a disconnected bot, which holds locks."""
_SETTINGS = {"application_name": "evenhand", "synchronous_commit": "on"}
_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
# What follows a question mark in an address is of the driver, or a setting of the server.
_MISADDRESSED = (
    ValueError,
    asyncpg.UndefinedObjectError,
    asyncpg.CantChangeRuntimeParamError,
    asyncpg.InvalidParameterValueError,
)


async def connect(address: URL) -> "asyncpg.Connection[asyncpg.Record]":
    """Open a single connection; raise WrongAddress if the driver or the server can't use the address."""
    try:
        return await asyncpg.connect(_dsn(address), timeout=_PATIENT_SECONDS, server_settings=_SETTINGS)
    except _MISADDRESSED as error:
        raise WrongAddress(str(error)) from error


@asynccontextmanager
async def open_postgresql(
    address: URL, revision: str, outdated: asyncio.Event, *, patient: bool = False
) -> AsyncGenerator[Connections]:
    """Open a server's database with tables at a revision; `outdated` is set once they are not any more.

    While the writing connection is open, nobody can change the tables, so the revision is checked only when
    that connection is opened, the first time at once. With `patient`, a transaction may take any time.
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
            async with _acquire(writer, seconds) as (connection, deadline):
                yield PostgresqlConnection(connection, deadline)

        reader, reports = (PooledConnection(readers, limit) for limit in (_ANSWER_SECONDS, _PATIENT_SECONDS))
        yield Connections(writing, reader, reports)


@asynccontextmanager
async def _acquire(pool: _Pool, seconds: float | None) -> AsyncGenerator[tuple[_Connection, float | None]]:
    """Acquire a connection for at most `seconds`; yield it with its deadline on the loop's clock.

    A connection that hangs is terminated, for its server may never answer; otherwise an open transaction is
    rolled back.
    """
    deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds
    try:
        connection = await pool.acquire(timeout=seconds)
    except _FAILURES as error:
        raise _to_fault(error) from error
    try:
        yield connection, deadline
    except BaseException as error:
        cause = error.__cause__ or error
        # A closed connection belongs to the pool again, and raises on any of this.
        with suppress(*_FAILURES):
            if isinstance(error, Lost) or isinstance(cause, TimeoutError | asyncio.CancelledError):
                connection.terminate()
            elif connection.is_in_transaction():
                # The pool would roll it back too, but log that as an error.
                async with asyncio.timeout_at(deadline):
                    await connection.execute(Control.ROLLBACK.value)
        raise
    finally:
        # A commit is durable whatever happens to the connection; one that fails here is closed.
        with suppress(*_FAILURES):
            await pool.release(connection)


@asynccontextmanager
async def open_pool(
    address: URL,
    size: int,
    begin: "Callable[[asyncpg.Connection[asyncpg.Record]], CoroutineType[Any, Any, None]] | None" = None,
) -> AsyncGenerator[_Pool]:
    """Open a pool of at most `size` connections, each initialised by `begin`."""
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
    """Executes queries on a connection until a deadline on the loop's clock."""

    def __init__(self, driver: _Connection, deadline: float | None = None) -> None:
        self._driver = driver
        self._deadline = deadline

    async def do(self, queries: Queries[_T]) -> _T:
        """Execute queries; the caller has to end a transaction that they leave open."""
        return await _drive(queries, self.answer)

    async def answer(self, query: Query | Control) -> Rows:
        """Return the rows of one query; raise Fault if the database fails or takes too long."""
        try:
            async with asyncio.timeout_at(self._deadline):
                return await self._execute(query)
        except _FAILURES as error:
            raise _to_fault(error, query) from error

    async def _execute(self, query: Query | Control) -> Rows:
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
    """Executes read-only queries on any connection of a pool, each for at most `seconds`."""

    def __init__(self, pool: _Pool, seconds: float) -> None:
        self._pool = pool
        self._seconds = seconds

    async def do(self, queries: Queries[_T]) -> _T:
        """Execute queries; one that failed on a lost connection is retried once."""
        return await _drive(queries, self._answer)

    async def _answer(self, query: Query | Control) -> Rows:
        try:
            return await self._execute(query)
        except Fault as error:
            # A connection that was lost while idle is noticed only now.
            if not is_disconnected(error) or is_persistent(error):
                raise
            return await self._execute(query)

    async def _execute(self, query: Query | Control) -> Rows:
        async with _acquire(self._pool, self._seconds) as (connection, deadline):
            return await PostgresqlConnection(connection, deadline).answer(query)


async def _drive(queries: Queries[_T], answer: Callable[[Query | Control], Awaitable[Rows]]) -> _T:
    try:
        query = next(queries)
        while True:
            query = queries.send(await answer(query))
    except StopIteration as done:
        return done.value


async def _keep_settings(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Do nothing on release: asyncpg would send a reset query, which costs a round trip."""


def _to_fault(error: Exception, query: Query | Control | None = None) -> Fault:
    # The driver's error about a value that it can't send is no fault of the connection.
    is_lost = isinstance(error, asyncpg.InterfaceError | asyncpg.InternalClientError)
    kind = Lost if is_lost and not isinstance(error, ValueError) else Fault
    # Only the message: the detail behind it quotes stored values.
    return (Doubtful if query is Control.COMMIT else kind)(str(error.args[0] if error.args else error))


def _dsn(address: URL) -> str:
    return address.set(drivername="postgresql").render_as_string(hide_password=False)
