"""Copies a whole database into an empty one, of either engine, table by table and some rows at a time."""

from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy import ColumnElement, Table, bindparam, func, insert, select, text, tuple_

from bot.dice.errors import Unavailable
from bot.storage import schema
from bot.storage.engine import Database
from bot.storage.faults import Fault, note, unsaved
from bot.storage.queries import Connection, Control, Queries, Query, Reader, Values

CHUNK = 500
"""Rows at a time: none of them takes longer than an answer may."""
Say: TypeAlias = Callable[[str], object]


async def copy_all(source: Database, target: Database, say: Say) -> None:
    """Copy every row in one transaction, so that a copy that is cut short leaves nothing.

    Nobody may write to either meanwhile. Unavailable where the target is not empty or fails, or rows are
    missing at the end.
    """
    try:
        async with target.writing() as there:
            await _copy(Reader(source.reports), there, say, alone=target.alone)
    except Fault as error:
        note(error)
        raise unsaved(error) from error


async def _copy(reader: Reader, there: Connection, say: Say, *, alone: bool) -> None:
    await there.do(_control(Control.BEGIN))
    tables = schema.metadata.sorted_tables
    for table in tables:
        if await there.do(_count(table)):
            raise Unavailable(
                "The database to move to is not empty: its table {name} has rows, and no move "
                "that was cut short left them. Take another one.",
                name=table.name,
            )
    for table in tables:
        total, done = await reader.do(_count(table)), 0
        last: Values | None = None
        while rows := await reader.do(some(table, last)):
            await there.do(keep(table, rows))
            last, done = rows[-1], done + len(rows)
            say(f"{table.name}: {done:,} of {total:,}")
        if await there.do(_count(table)) != total:
            raise Unavailable(
                "Not all rows of the table {name} arrived. Was anybody writing meanwhile?", name=table.name
            )
    if not alone:
        for table in (schema.campaign, schema.roller):
            await there.do(_number_on(table))
    await there.do(_control(Control.COMMIT))


def _control(query: Control) -> Queries[None]:
    yield query


def _count(table: Table) -> Queries[int]:
    return (yield Query(select(func.count()).select_from(table)))[0][0]


def some(table: Table, last: Values | None, *only: ColumnElement[bool]) -> Queries[list[dict[str, object]]]:
    """Return the rows after one, in the order of the primary key, for which a condition holds."""
    key = list(table.primary_key)
    statement = select(table).where(*only).order_by(*key).limit(CHUNK)
    values: dict[str, object] = {}
    if last is not None:
        values = {f"after_{column.name}": last[column.name] for column in key}
        after = [bindparam(name, type_=column.type) for name, column in zip(values, key, strict=True)]
        statement = statement.where(tuple_(*key) > tuple_(*after))
    rows = yield Query(statement, values)
    return [{column.name: row[column.name] for column in table.c} for row in rows]


def keep(table: Table, rows: list[dict[str, object]]) -> Queries[None]:
    """Insert rows."""
    yield Query(insert(table), rows)


def _number_on(table: Table) -> Queries[None]:
    """Have PostgreSQL count on from the largest number that is taken."""
    largest = (yield Query(select(func.coalesce(func.max(table.c.id), 0))))[0][0]
    sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :next, false)")
    yield Query(sequence, {"name": table.name, "next": largest + 1})
