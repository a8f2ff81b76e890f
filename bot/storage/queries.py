"""Database queries as values, and their SQL text for SQLite and for PostgreSQL.

Storage functions are generators of queries: ``rows = yield Query(STATEMENT, {"id": 1})``. They do no input
or output themselves; a connection of either engine drives the generator and returns its result.
"""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar, cast

from sqlalchemy import Dialect, Executable, Table, Update, bindparam, insert, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.sql import ClauseElement

from bot.storage.faults import Fault, note, unread

_T = TypeVar("_T")
insert_or = postgresql.insert
"""Make an INSERT .. ON CONFLICT: SQLite has the same syntax, and SQLAlchemy compiles it for both."""
Values: TypeAlias = Mapping[str, object]
_PAIRS = re.compile(r"IN \(VALUES ((?:\((?:\?, )*+\?\)(?:, )?)+)\)")
"""A list of tuples in a statement compiled for SQLite."""
_NOTHING: Values = MappingProxyType({})


inserting = lru_cache(maxsize=64)(insert)
"""Return an INSERT into a table, for whole rows."""


@lru_cache(maxsize=64)
def adding(table: Table) -> Insert:
    """Return an INSERT that leaves out the rows whose key exists."""
    return insert_or(table).on_conflict_do_nothing(index_elements=table.primary_key)


@lru_cache(maxsize=64)
def replacing(table: Table, *columns: str) -> Insert:
    """Return an INSERT that replaces these columns if a row with that key exists."""
    statement = insert_or(table)
    changes = {name: statement.excluded[name] for name in columns}
    return statement.on_conflict_do_update(index_elements=table.primary_key, set_=changes)


@lru_cache(maxsize=64)
def changing(table: Table, *columns: str) -> Update:
    """Return an UPDATE of these columns in one row; the parameters of its key are called `at_<column>`."""
    key = [column == bindparam(f"at_{column.name}") for column in table.primary_key]
    return update(table).where(*key).values({name: bindparam(name) for name in columns})


class Query(NamedTuple):
    """A statement and its parameters.

    With a list of parameter sets it is executed once for each and returns no rows; with an empty list it is
    not executed.
    """

    statement: Executable
    parameters: Values | Sequence[Values] = _NOTHING
    """A value that is a list holds the members of an ``IN``."""


class Control(Enum):
    """Transaction control, and the clean-up after an erasure, which runs outside of transactions."""

    BEGIN = "BEGIN"
    COMMIT = "COMMIT"
    ROLLBACK = "ROLLBACK"
    SCRUB = "PRAGMA wal_checkpoint(TRUNCATE)"
    """Empty SQLite's journal, which still holds erased bytes; no-op on PostgreSQL.

    It does not wait for readers of the journal.
    """


class Record(Protocol):
    """A row of a result, as both drivers return it."""

    def __getitem__(self, key: Any, /) -> Any:  # noqa: ANN401 (a column is of any type)
        """Return a column by its name or index."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the columns' values."""
        ...


Rows: TypeAlias = Sequence[Record]
Queries: TypeAlias = Generator[Query | Control, Rows, _T]


class Connection(Protocol):
    """Executes generators of queries, one after another or several at once."""

    async def do(self, queries: Queries[_T]) -> _T:
        """Execute queries and return their result; raise Fault if the database fails."""
        ...


@dataclass(frozen=True, slots=True)
class Connections:
    """The connections of an open database."""

    writing: Callable[[], AbstractAsyncContextManager[Connection]]
    """Acquire the only writing connection; a transaction left open is rolled back on release."""
    reader: Connection
    """A read-only connection, which sees committed rows."""
    reports: Connection
    """A read-only connection for long reports."""


def execute(statement: Executable, parameters: Values | Sequence[Values] = _NOTHING) -> Queries[Rows]:
    """Return the rows of a single statement."""
    return (yield Query(statement, parameters))


def find_one(statement: Executable, parameters: Values, read: Callable[[Record], _T]) -> Queries[_T | None]:
    """Return what `read` makes of the only row; None if there is none."""
    rows = yield Query(statement, parameters)
    return read(rows[0]) if rows else None


def execute_all(statements: Iterable[Executable], parameters: Values) -> Queries[None]:
    """Execute statements one after another, with the same parameters."""
    for statement in statements:
        yield Query(statement, parameters)


def compile_query(dialect: Dialect, query: Query) -> tuple[str, list[list[object]]]:
    """Return a query's SQL, and the values of its placeholders for each set of parameters."""
    parameters = query.parameters
    sets = [parameters] if isinstance(parameters, Mapping) else parameters
    if not sets:
        return "", []
    first = sets[0].items()
    lists = {name: _pad(cast("list[object]", value)) for name, value in first if isinstance(value, list)}
    shapes = tuple((name, len(members), _width(members)) for name, members in lists.items())
    text = _compile(dialect, query.statement, tuple(sets[0]), shapes)
    flat: dict[str, object] = {}
    for name, members in lists.items():
        values = chain.from_iterable(filter(_is_tuple, members)) if _width(members) else members
        flat.update(zip(text.members[name], values, strict=True))
    return text.sql, [text.fill({**values, **flat} if flat else values) for values in sets]


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


def _pad(members: list[object]) -> list[object]:
    """Return the members of an ``IN``, padded with the last one to a power of two.

    So a statement has a few texts, not hundreds.
    """
    length = 1 << (len(members) - 1).bit_length() if members else 0
    return members + members[-1:] * (length - len(members))


def _width(members: list[object]) -> int:
    """Return the number of values in each member; 0 for plain values."""
    return len(members[0]) if members and _is_tuple(members[0]) else 0


@dataclass(frozen=True, slots=True)
class _Text:
    """A compiled statement."""

    sql: str
    order: Sequence[str]
    """The names of the parameters in the order of the placeholders."""
    constants: Values
    """Parameters with a value in the statement itself."""
    members: Mapping[str, Sequence[str]]
    """The names of each list's members."""

    def fill(self, parameters: Values) -> list[object]:
        """Return the values in the order of the placeholders."""
        constants = self.constants
        return [parameters[name] if name in parameters else constants[name] for name in self.order]


@lru_cache(maxsize=2_048)
def _compile(
    dialect: Dialect,
    statement: ClauseElement,
    names: tuple[str, ...],
    shapes: tuple[tuple[str, int, int], ...],
) -> _Text:
    compiled = dialect.statement_compiler(dialect, statement, column_keys=list(names))
    sample: dict[str, object] = {**dict.fromkeys(names)}
    sample.update({name: [(None,) * width if width else None] * length for name, length, width in shapes})
    state = compiled.construct_expanded_state(sample)
    members = state.parameter_expansion
    variables = {*names, *chain.from_iterable(members.values())}
    constants = {name: value for name, value in state.parameters.items() if name not in variables}
    # SQLite uses an index for tuples only in a SELECT; for a list of VALUES it reads all rows.
    sql = _PAIRS.sub(r"IN (SELECT * FROM (VALUES \1))", state.statement)
    return _Text(sql, tuple(state.positiontup or ()), constants, members)


class Reader:
    """Executes read-only queries, each generator in one trip."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def do(self, queries: Queries[_T]) -> _T:
        """Return the result of queries; raise Unavailable if the database fails."""
        try:
            return await self._connection.do(queries)
        except Fault as error:
            note(error)
            raise unread(error) from error
