"""SQLite on threads of its own, which take whole pieces of work instead of one statement at a time.

An asyncio driver for SQLite hops to its thread and back four times for each statement; a batch here hops
twice in all, and a question once. The shape is that of SQLAlchemy's AsyncEngine.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection, Engine, Executable, Result

_T = TypeVar("_T")
_P = ParamSpec("_P")


class WritingConnection(Protocol):
    """A connection that does pieces of work; SQLAlchemy's AsyncConnection is one."""

    async def run_sync(
        self, fn: Callable[Concatenate[Connection, _P], _T], /, *arg: _P.args, **kw: _P.kwargs
    ) -> _T:
        """What the function returns, given the connection and the arguments."""
        ...


class ReadingConnection(WritingConnection, Protocol):
    """A connection that answers questions; SQLAlchemy's AsyncConnection is one."""

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | None = None, /
    ) -> Result[Any]:
        """The statement's rows, all of them fetched."""
        ...


class WritingEngine(Protocol):
    """Where writing connections come from; SQLAlchemy's AsyncEngine is one."""

    @property
    def sync_engine(self) -> Engine:
        """The engine underneath, whose events can be listened to."""
        ...

    def connect(self) -> AbstractAsyncContextManager[WritingConnection]:
        """A connection; what it has not committed when it is given back is rolled back."""
        ...

    async def dispose(self) -> None:
        """Close everything."""
        ...


class ReadingEngine(Protocol):
    """Where reading connections come from; SQLAlchemy's AsyncEngine is one."""

    @property
    def sync_engine(self) -> Engine:
        """The engine underneath, whose events can be listened to."""
        ...

    def connect(self) -> AbstractAsyncContextManager[ReadingConnection]:
        """A connection."""
        ...

    async def dispose(self) -> None:
        """Close everything."""
        ...


class ThreadedEngine:
    """A synchronous engine that is used on threads of its own, each for one connection after another.

    Its pool must hold as many connections as there are threads.
    """

    def __init__(self, engine: Engine, threads: int = 1) -> None:
        self._engine = engine
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix="sqlite") for _ in range(threads)]
        # The last one freed comes first: where little is asked, one thread does it all. A second user's work
        # on one thread would wait there for a connection that only the thread can free.
        self._free: asyncio.LifoQueue[ThreadPoolExecutor] = asyncio.LifoQueue()
        for thread in self._threads:
            self._free.put_nowait(thread)

    @property
    def sync_engine(self) -> Engine:
        """The engine underneath."""
        return self._engine

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator["ThreadedConnection"]:
        """A connection, once a thread is free; what is not committed is rolled back."""
        thread = await self._free.get()
        connection = ThreadedConnection(self._engine, thread)
        try:
            yield connection
        finally:
            # Nobody waits for this: whatever comes next on the thread comes after it.
            thread.submit(connection.close)
            self._free.put_nowait(thread)

    async def dispose(self) -> None:
        """Finish the work that waits, close the connections and end the threads."""
        loop = asyncio.get_running_loop()
        for thread in self._threads:
            await loop.run_in_executor(thread, lambda: None)
        await loop.run_in_executor(self._threads[0], self._engine.dispose)
        for thread in self._threads:
            thread.shutdown()


class ThreadedConnection:
    """One use of the connection."""

    def __init__(self, engine: Engine, thread: ThreadPoolExecutor) -> None:
        self._engine = engine
        self._thread = thread
        self._connection: Connection | None = None

    async def run_sync(
        self, fn: Callable[Concatenate[Connection, _P], _T], /, *arg: _P.args, **kw: _P.kwargs
    ) -> _T:
        """What the function returns, called on the thread with the connection and the arguments."""

        def work() -> _T:
            if self._connection is None:
                self._connection = self._engine.connect()
            return fn(self._connection, *arg, **kw)

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | None = None, /
    ) -> Result[Any]:
        """The statement's rows, all of them fetched."""
        return await self.run_sync(lambda connection: connection.execute(statement, parameters).freeze()())

    def close(self) -> None:
        """Give the connection back; on the thread."""
        if self._connection is not None:
            self._connection.close()
