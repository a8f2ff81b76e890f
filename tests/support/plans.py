"""SQLite's query plans of the statements that a test has the storage run."""

import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from sqlalchemy.dialects import sqlite

from bot.storage.engine import Database
from bot.storage.queries import Connection, Queries, Query, compile_query

_T = TypeVar("_T")
_DIALECT = sqlite.dialect(paramstyle="qmark")


class Plans:
    """Notes the statements of a database, and asks SQLite for its plan of each."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Sequence[object]]] = []

    def watch(self, database: Database) -> Database:
        """Return the same database, whose statements are noted."""

        @asynccontextmanager
        async def writing() -> AsyncGenerator[Connection]:
            async with database.writing() as connection:
                yield _Watched(connection, self)

        return replace(database, writing=writing, reader=_Watched(database.reader, self))

    def steps(self, file: Path) -> list[tuple[str, str]]:
        """Each step of each plan on a database, and the statement it belongs to."""
        with closing(sqlite3.connect(file)) as connection:
            return [
                (row[3], statement)
                for statement, parameters in self.asked
                for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            ]


@dataclass(frozen=True, slots=True)
class _Watched:
    """A connection whose statements are noted."""

    connection: Connection
    plans: Plans

    async def do(self, queries: Queries[_T]) -> _T:
        """Drive queries and note its queries."""
        return await self.connection.do(self._noted(queries))

    def _noted(self, queries: Queries[_T]) -> Queries[_T]:
        try:
            query = next(queries)
            while True:
                if isinstance(query, Query):
                    sql, sets = compile_query(_DIALECT, query)
                    self.plans.asked += [(sql, values) for values in sets[:1]]
                query = queries.send((yield query))
        except StopIteration as done:
            return done.value
