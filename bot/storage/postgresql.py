"""PostgreSQL: a pool of asyncpg's connections to read with, and one connection to write with."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import asyncpg
from sqlalchemy import URL
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from bot.storage.asking import Ask, Control, Piece, Rows, Station, Stations, compile_ask
from bot.storage.faults import Fault, gone

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

_T = TypeVar("_T")
_Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
_Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"

log = logging.getLogger(__name__)

_DIALECT = dialect()
_READERS = 4
"""As many questions are answered at once; more connections would only wait for each other."""
_CONNECT_SECONDS = 5
_COMMAND_SECONDS = 10
_CLOSE_SECONDS = 2
_SETTINGS = {"application_name": "evenhand", "synchronous_commit": "on"}
_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)


async def connect(address: URL) -> "asyncpg.Connection[asyncpg.Record]":
    """Open a lone connection."""
    return await asyncpg.connect(
        _dsn(address), timeout=_CONNECT_SECONDS, command_timeout=_COMMAND_SECONDS, server_settings=_SETTINGS
    )


@asynccontextmanager
async def open_postgresql(address: URL) -> AsyncGenerator[Stations]:
    """Open a server's database; no connection is made before the first question."""
    async with open_pool(address, 1) as writer, open_pool(address, _READERS) as readers:

        @asynccontextmanager
        async def writing() -> AsyncGenerator[Station]:
            try:
                connection = await writer.acquire()
            except _FAILURES as error:
                raise _fault(error) from error
            try:
                yield PostgresqlStation(connection)
            finally:
                # What is open is rolled back.
                await writer.release(connection)

        reader = PostgresqlStation(readers, reads_only=True)
        yield Stations(writing, reader, reader)


@asynccontextmanager
async def open_pool(address: URL, size: int) -> AsyncGenerator[_Pool]:
    """Open a pool of so many connections at most."""
    pool = await asyncpg.create_pool(
        _dsn(address),
        min_size=0,
        max_size=size,
        reset=_keep_settings,
        timeout=_CONNECT_SECONDS,
        command_timeout=_COMMAND_SECONDS,
        server_settings=_SETTINGS,
    )
    try:
        yield pool
    finally:
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await pool.close()
        except (TimeoutError, *_FAILURES) as error:
            log.warning("PostgreSQL's connections were cut off: %r", error)


class PostgresqlStation:
    """Puts the questions of pieces to a connection, or each to any connection of a pool.

    Where it only reads, what a dead connection did not answer is asked once more.
    """

    def __init__(self, driver: "_Connection | _Pool", *, reads_only: bool = False) -> None:
        self._driver = driver
        self._reads_only = reads_only

    async def do(self, piece: Piece[_T]) -> _T:
        """Drive a piece to its end; a transaction that it left open is its caller's to end."""
        try:
            question = next(piece)
            while True:
                question = piece.send(await self._answer(question))
        except StopIteration as done:
            return done.value
        except _FAILURES as error:
            raise _fault(error) from error

    async def _answer(self, question: Ask | Control) -> Rows:
        try:
            return await self._ask(question)
        except _FAILURES as error:
            # That a connection died while nobody used it is known only now.
            if not (self._reads_only and gone(error)):
                raise
            return await self._ask(question)

    async def _ask(self, question: Ask | Control) -> Rows:
        if isinstance(question, Control):
            if question is not Control.SCRUB:
                await self._driver.execute(question.value)
            return ()
        sql, sets = compile_ask(_DIALECT, question)
        if len(sets) == 1:
            return await self._driver.fetch(sql, *sets[0])
        await self._driver.executemany(sql, sets)
        return ()


async def _keep_settings(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Do nothing when a connection is given back: asyncpg would ask for a reset, which costs a trip."""


def _fault(error: Exception) -> Fault:
    # Only the message: the detail behind it quotes what is stored.
    return Fault(str(error.args[0] if error.args else error))


def _dsn(address: URL) -> str:
    return address.set(drivername="postgresql").render_as_string(hide_password=False)
