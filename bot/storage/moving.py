"""Copies a whole database into an empty one, or the campaigns of one server out of a backup into another.

Either engine will do. It goes table by table and some rows at a time; each history that is put back says so.
"""

from collections.abc import Callable
from typing import TypeAlias

from sqlalchemy import ColumnElement, Table, bindparam, func, insert, select, text, tuple_, update

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import HistoryRestored
from bot.dice.errors import Unavailable
from bot.storage import schema
from bot.storage.derived import Columns
from bot.storage.engine import Database, work
from bot.storage.faults import Fault, note, unsaved
from bot.storage.ledgers import end_keys, lock_ledger, proof_status
from bot.storage.queries import Connection, Control, Queries, Query, Reader, Values, execute
from bot.storage.rows import IN_USE, of_campaign
from bot.storage.saving import save_appended

CHUNK = 500
"""Rows at a time: none of them takes longer than an answer may."""
Say: TypeAlias = Callable[[str], object]
_campaign, _roller = schema.campaign.c.id, schema.roller.c.id
_OF_SERVER = select(_campaign).where(schema.campaign.c.home == bindparam("guild"), IN_USE).order_by(_campaign)
_TAKEN = select(_campaign)
_LAST_ROLLER = select(func.coalesce(func.max(_roller), 0))
_WHOLE = (schema.campaign, *schema.OF_CAMPAIGNS)
_e = schema.event.c
_SETTLE_ALL = update(schema.event).where(of_campaign(schema.event), _e.owed.is_not(None)).values(owed=None)
_ANYBODY = ""
"""The process that owes a word of it to whoever rolls next: none that runs."""


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


async def graft(source: Database, target: Database, guild_id: int) -> list[int]:
    """Copy a server's campaigns, of which the target has none; return their numbers there.

    They keep their numbers, which buttons in Discord name, unless another server has one of them now.
    """
    reader, there = Reader(source.reports), Reader(target.reports)
    wanted: list[int] = [row[0] for row in await reader.do(execute(_OF_SERVER, {"guild": guild_id}))]
    taken: set[int] = {row[0] for row in await there.do(execute(_TAKEN))}
    further = max(taken) if taken.intersection(wanted) else 0
    rollers: int = (await there.do(execute(_LAST_ROLLER)))[0][0]
    for campaign_id in wanted:
        for table in _WHOLE:
            last: Values | None = None
            while rows := await reader.do(some(table, last, of_campaign(table, campaign_id))):
                last = rows[-1]
                moved = [_moved(table, row, further, rollers) for row in rows]
                await work(target, keep(table, moved))
    return [campaign_id + further for campaign_id in wanted]


def _moved(table: Table, row: Columns, campaigns: int, rollers: int) -> dict[str, object]:
    """Return a row with the numbers that it has from now on."""
    further = {"campaign_id": campaigns, "roller_id": rollers}
    if table in {schema.campaign, schema.roller}:
        further["id"] = campaigns if table is schema.campaign else rollers
    return {name: value + further[name] if name in further else value for name, value in row.items()}


def note_restored(campaign_id: int, clock: int) -> Queries[None]:
    """Append the event that says so, at a time in milliseconds since 1970; end the keys of proof mode.

    Replies that are owed are dropped: since the backup was made each was given, or told under a later roll.
    """
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None:
        return
    proof = yield from proof_status(campaign_id)
    yield Query(_SETTLE_ALL, {"campaign": campaign_id})
    body = HistoryRestored(last=ledger.seq)
    appended = ledger.append(Caller.nobody(clock), OPEN, body, ledger.secret)
    yield from save_appended(appended, process=_ANYBODY)
    if proof:
        yield from end_keys(campaign_id)
