"""How SQLite goes about the statements that a test has the storage run."""

import sqlite3
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from sqlalchemy.dialects import sqlite

from bot.storage.asking import Ask, Piece, Station, compile_ask
from bot.storage.engine import Database

_T = TypeVar("_T")
_DIALECT = sqlite.dialect(paramstyle="qmark")


class Plans:
    """Notes the statements of a database, and asks SQLite for its plan of each."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Sequence[object]]] = []

    def watch(self, database: Database) -> Database:
        """The same database, whose statements are noted."""

        @asynccontextmanager
        async def writing() -> AsyncGenerator[Station]:
            async with database.writing() as station:
                yield _Watched(station, self)

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
    """A station whose statements are noted."""

    station: Station
    plans: Plans

    async def do(self, piece: Piece[_T]) -> _T:
        """Drive a piece and note its questions."""
        return await self.station.do(self._noted(piece))

    def _noted(self, piece: Piece[_T]) -> Piece[_T]:
        try:
            question = next(piece)
            while True:
                if isinstance(question, Ask):
                    sql, sets = compile_ask(_DIALECT, question)
                    self.plans.asked.append((sql, sets[0]))
                question = piece.send((yield question))
        except StopIteration as done:
            return done.value
