"""Copy a whole database into an empty one, or one server's campaigns from a backup into another database.

Between any two engines, table by table, in chunks of rows. A restored history gets an event that says so.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

from sqlalchemy import ColumnElement, Table, bindparam, func, select, text, tuple_, update

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import HistoryRestored
from bot.dice.errors import Unavailable
from bot.storage import schema
from bot.storage.derived import Columns
from bot.storage.engine import Database, transact
from bot.storage.faults import Fault, note, unsaved
from bot.storage.ledgers import end_keys, lock_ledger, proof_status
from bot.storage.migrating import IN_USE as IN_USE_LOCK
from bot.storage.queries import (
    Connection,
    Control,
    Queries,
    Query,
    Reader,
    Values,
    execute,
    execute_all,
    inserting,
)
from bot.storage.rows import IN_USE, of_campaign
from bot.storage.saving import save_appended

CHUNK = 500
"""Rows per transaction, few enough that other requests do not time out."""
Say: TypeAlias = Callable[[str], object]
_campaign, _roller = schema.campaign.c.id, schema.roller.c.id
_OF_SERVER = select(_campaign).where(schema.campaign.c.home == bindparam("guild"), IN_USE).order_by(_campaign)
_IDS = select(_campaign)
# A number of a deleted campaign is never given again, for its buttons in Discord stay.
_LAST_CAMPAIGN = {
    True: text("SELECT max(seq) FROM sqlite_sequence WHERE name = 'campaign'"),
    False: text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence('campaign', 'id') AS regclass))"),
}
"""The last number of a campaign, or NULL, by whether the database is a file."""
_SET_LAST_CAMPAIGN = {
    True: (
        text("DELETE FROM sqlite_sequence WHERE name = 'campaign' AND seq < :last"),
        text(
            "INSERT INTO sqlite_sequence (name, seq) SELECT 'campaign', :last "
            "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'campaign')"
        ),
    ),
    False: (text("SELECT setval(pg_get_serial_sequence('campaign', 'id'), CAST(:last AS bigint))"),),
}
_LARGEST = select(func.coalesce(func.max(_campaign), 0))
_LAST_ROLLER = select(func.coalesce(func.max(_roller), 0))
_TABLES = (schema.campaign, *schema.OF_CAMPAIGNS)
_e = schema.event.c
_SETTLE_ALL = update(schema.event).where(of_campaign(schema.event), _e.owed.is_not(None)).values(owed=None)
_ANYBODY = ""
"""A process id of no running process: any process may show the note with its next roll."""


_TAKE = text(f"SELECT pg_try_advisory_lock({IN_USE_LOCK:d})")


@asynccontextmanager
async def used_alone(database: Database, name: object) -> AsyncGenerator[None]:
    """Keep other processes from writing to a database during the block; they wait at their start.

    Raise Unavailable, with this name of it, if one writes there. A SQLite file has its own lock.
    """
    async with database.writing() as connection:
        if not database.alone and not (await connection.do(execute(_TAKE)))[0][0]:
            raise Unavailable("Another Evenhand is using {database}. Stop it first.", database=name)
        yield


async def copy_all(source: Database, target: Database, say: Say) -> None:
    """Copy every row in one transaction, so that an interrupted copy leaves nothing behind.

    Nobody may write to either database meanwhile. Raise Unavailable if the target is not empty or fails, or
    if rows are missing at the end.
    """
    try:
        async with target.writing() as connection:
            await _copy(Reader(source.reports), connection, say)
            await _number_on(source, connection, alone=target.alone)
            await connection.do(_send(Control.COMMIT))
    except Fault as error:
        note(error)
        raise unsaved(error) from error


async def _copy(reader: Reader, target: Connection, say: Say) -> None:
    await target.do(_send(Control.BEGIN))
    tables = schema.metadata.sorted_tables
    for table in tables:
        if await target.do(_count(table)):
            raise Unavailable(
                "The database to move to is not empty: its table {name} has rows, and no move "
                "that was cut short left them. Take another one.",
                name=table.name,
            )
    for table in tables:
        total, done = await reader.do(_count(table)), 0
        last: Values | None = None
        while rows := await reader.do(next_rows(table, last)):
            await target.do(execute(inserting(table), rows))
            last, done = rows[-1], done + len(rows)
            say(f"{table.name}: {done:,} of {total:,}")
        if await target.do(_count(table)) != total:
            raise Unavailable(
                "Not all rows of the table {name} arrived. Was anybody writing meanwhile?", name=table.name
            )


async def _number_on(source: Database, target: Connection, *, alone: bool) -> None:
    """Let the numbers of new campaigns and rollers go on from the source's; `alone` is for a target file."""
    last = await Reader(source.reports).do(last_campaign(alone=source.alone))
    if last:
        await target.do(execute_all(_SET_LAST_CAMPAIGN[alone], {"last": last}))
    if not alone:
        await target.do(_advance_sequence(schema.roller))


def last_campaign(*, alone: bool) -> Queries[int]:
    """Return the last number that a campaign ever had, deleted ones too; 0 if there was none."""
    largest: int = (yield Query(_LARGEST))[0][0]
    last: int | None = (yield Query(_LAST_CAMPAIGN[alone]))[0][0]
    return max(largest, last or 0)


def _send(query: Control) -> Queries[None]:
    yield query


def _count(table: Table) -> Queries[int]:
    return (yield Query(select(func.count()).select_from(table)))[0][0]


def next_rows(
    table: Table, last: Values | None, *only: ColumnElement[bool]
) -> Queries[list[dict[str, object]]]:
    """Return the next rows after the row `last`, in the order of the primary key, that meet a condition."""
    key = list(table.primary_key)
    statement = select(table).where(*only).order_by(*key).limit(CHUNK)
    values: dict[str, object] = {}
    if last is not None:
        values = {f"after_{column.name}": last[column.name] for column in key}
        after = [bindparam(name, type_=column.type) for name, column in zip(values, key, strict=True)]
        statement = statement.where(tuple_(*key) > tuple_(*after))
    rows = yield Query(statement, values)
    return [{column.name: row[column.name] for column in table.c} for row in rows]


def _advance_sequence(table: Table) -> Queries[None]:
    """Set PostgreSQL's sequence of ids behind the largest used one."""
    largest = (yield Query(select(func.coalesce(func.max(table.c.id), 0))))[0][0]
    sequence = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :next, false)")
    yield Query(sequence, {"name": table.name, "next": largest + 1})


async def graft(source: Database, target: Database, guild_id: int) -> list[int]:
    """Copy the campaigns of a server that has none in the target; return their ids there.

    They keep their ids, which buttons in Discord contain, unless a campaign in the target has one of them.
    """
    reader, target_reader = Reader(source.reports), Reader(target.reports)
    campaigns: list[int] = [row[0] for row in await reader.do(execute(_OF_SERVER, {"guild": guild_id}))]
    used: set[int] = {row[0] for row in await target_reader.do(execute(_IDS))}
    last_number: int = await target_reader.do(last_campaign(alone=target.alone))
    campaign_offset = last_number if used.intersection(campaigns) else 0
    roller_offset: int = (await target_reader.do(execute(_LAST_ROLLER)))[0][0]
    for campaign_id in campaigns:
        for table in _TABLES:
            last: Values | None = None
            while rows := await reader.do(next_rows(table, last, of_campaign(table, campaign_id))):
                last = rows[-1]
                new_rows = [_renumber(table, row, campaign_offset, roller_offset) for row in rows]
                await transact(target, execute(inserting(table), new_rows))
    return [campaign_id + campaign_offset for campaign_id in campaigns]


def _renumber(table: Table, row: Columns, campaign_offset: int, roller_offset: int) -> dict[str, object]:
    """Return a row with offsets added to its ids."""
    offsets = {"campaign_id": campaign_offset, "roller_id": roller_offset}
    if table in {schema.campaign, schema.roller}:
        offsets["id"] = campaign_offset if table is schema.campaign else roller_offset
    return {name: value + offsets[name] if name in offsets else value for name, value in row.items()}


def note_restored(campaign_id: int, clock: int) -> Queries[None]:
    """Append the event of a restored backup, at a time in ms since 1970, and end the keys of proof mode.

    Owed replies are dropped: since the backup each was sent, or its roll shown with a later one.
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
