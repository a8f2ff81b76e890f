"""How SQLite goes about the statements that a test has the storage run."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import DBAPICursor, ExecutionContext


class Plans:
    """Notes the statements of engines, and asks SQLite for its plan of each."""

    def __init__(self) -> None:
        self._asked: list[tuple[str, Sequence[object]]] = []

    def watch(self, engine: Engine) -> None:
        """Note what is run on an engine from now on."""
        event.listen(engine, "before_cursor_execute", self._note)

    def steps(self, file: Path) -> list[tuple[str, str]]:
        """Each step of each plan on a database, and the statement it belongs to."""
        with closing(sqlite3.connect(file)) as connection:
            return [
                (row[3], statement)
                for statement, parameters in self._asked
                if not statement.startswith("BEGIN")
                for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            ]

    def _note(
        self,
        connection: Connection,  # noqa: ARG002
        cursor: DBAPICursor,  # noqa: ARG002
        statement: str,
        parameters: Sequence[object],
        context: ExecutionContext,  # noqa: ARG002
        executemany: bool,  # noqa: FBT001
    ) -> None:
        self._asked.append((statement, parameters[0] if executemany else parameters))  # pyright: ignore[reportArgumentType]
