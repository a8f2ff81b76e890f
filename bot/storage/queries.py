"""Questions to the database as values, and the text that each becomes on SQLite and on PostgreSQL.

Reading and writing are generators of queries: ``rows = yield Query(STATEMENT, {"id": 1})``. They do
no input or output itself; a connection of either engine drives it from its first query to its result.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeGuard, TypeVar, cast

from sqlalchemy import Dialect, Executable, Table, Update, bindparam, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.sql import ClauseElement

from bot.storage.faults import Fault, note, unread

_T = TypeVar("_T")
insert_or = postgresql.insert
"""Makes an INSERT .. ON CONFLICT: it reads the same in SQLite, and SQLAlchemy compiles it for both."""
Values: TypeAlias = Mapping[str, object]
_pairs = re.compile(r"IN \(VALUES ((?:\((?:\?, )*+\?\)(?:, )?)+)\)")
"""As they are compiled for SQLite."""
_NOTHING: Values = MappingProxyType({})


def replacing(table: Table, *columns: str) -> Insert:
    """Return the INSERT that replaces these columns where there is a row of that key."""
    row = insert_or(table)
    changed = {name: row.excluded[name] for name in columns}
    return row.on_conflict_do_update(index_elements=table.primary_key, set_=changed)


@lru_cache(maxsize=64)
def changing(table: Table, *columns: str) -> Update:
    """Return the UPDATE of these columns in one row; the parameters of its key are called `at_<column>`."""
    row = [column == bindparam(f"at_{column.name}") for column in table.primary_key]
    return update(table).where(*row).values({name: bindparam(name) for name in columns})


class Query(NamedTuple):
    """A statement and its parameters; with several sets of them it is run for each, and gives no rows.

    With a list of none it is not run.
    """

    statement: Executable
    parameters: Values | Sequence[Values] = _NOTHING
    """A value that is a list stands for the members of an ``IN``."""


class Control(Enum):
    """Begin and end of a transaction; and what comes after an erasure, between two of them."""

    BEGIN = "BEGIN"
    COMMIT = "COMMIT"
    ROLLBACK = "ROLLBACK"
    SCRUB = "PRAGMA wal_checkpoint(TRUNCATE)"
    """Let go of the journal, in which erased bytes still stand: SQLite's own; elsewhere nothing.

    It waits for nobody who reads what stands there.
    """


class Record(Protocol):
    """A row of a result; those of both drivers are."""

    def __getitem__(self, key: Any, /) -> Any:  # noqa: ANN401 (a column is of any type)
        """Return a column by its name or its place."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the columns' values."""
        ...


Rows: TypeAlias = Sequence[Record]
Queries: TypeAlias = Generator[Query | Control, Rows, _T]


class Connection(Protocol):
    """Runs generators of queries, one after another or several at once."""

    async def do(self, queries: Queries[_T]) -> _T:
        """Drive queries to its end and return its result; Fault where the database fails."""
        ...


@dataclass(frozen=True, slots=True)
class Connections:
    """The connections of an open database."""

    writing: Callable[[], AbstractAsyncContextManager[Connection]]
    """Gives the only connection that writes to one user after another; what stays open is rolled back."""
    reader: Connection
    """Only reads, and sees what is committed."""
    reports: Connection
    """The same for what takes long."""


def one(statement: Executable, parameters: Values = _NOTHING) -> Queries[Rows]:
    """Return the rows of a lone statement."""
    return (yield Query(statement, parameters))


def compile_query(dialect: Dialect, query: Query) -> tuple[str, list[list[object]]]:
    """Return a query's text, and the values for its placeholders once for each set of parameters."""
    parameters = query.parameters
    sets = [parameters] if isinstance(parameters, Mapping) else parameters
    if not sets:
        return "", []
    values = sets[0].items()
    lists = {name: _List(cast("list[object]", value)) for name, value in values if isinstance(value, list)}
    shapes = tuple((name, members.length, members.width) for name, members in lists.items())
    text = _compile(dialect, query.statement, tuple(sets[0]), shapes)
    flat: dict[str, object] = {}
    for name, members in lists.items():
        flat.update(zip(text.members[name], members.values, strict=True))
    return text.sql, [text.fill({**given, **flat} if flat else given) for given in sets]


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


class _List:
    """The members of an ``IN``."""

    def __init__(self, members: list[object]) -> None:
        # Padded to a power of two with the last one, so that a statement has a few texts, not hundreds.
        self.length = 1 << (len(members) - 1).bit_length() if members else 0
        self.values = members + members[-1:] * (self.length - len(members))
        self.width = len(members[0]) if members and _is_tuple(members[0]) else 0
        """How many values each member is made of; 0 is a plain value."""
        if self.width:
            self.values = [*chain.from_iterable(filter(_is_tuple, self.values))]


@dataclass(frozen=True, slots=True)
class _Text:
    """A compiled statement."""

    sql: str
    order: Sequence[str]
    """The names of the parameters in the order of the placeholders."""
    constants: Values
    """Parameters that the statement brings along."""
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
    ours = {*names, *chain.from_iterable(members.values())}
    constants = {name: value for name, value in state.parameters.items() if name not in ours}
    # SQLite looks pairs up by an index only in a SELECT; for a list of VALUES it reads all rows.
    sql = _pairs.sub(r"IN (SELECT * FROM (VALUES \1))", state.statement)
    return _Text(sql, tuple(state.positiontup or ()), constants, members)


class Reader:
    """Runs queries that only read, each generator in one trip."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def do(self, queries: Queries[_T]) -> _T:
        """Return the result of queries; Unavailable where the database fails."""
        try:
            return await self._connection.do(queries)
        except Fault as error:
            note(error)
            raise unread(error) from error
