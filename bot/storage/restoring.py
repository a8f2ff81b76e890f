"""Put a backup back: take the campaigns of one server out of it, and note in each that it was put back."""

from sqlalchemy import Table, bindparam, func, select, update

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import HistoryRestored
from bot.storage import schema
from bot.storage.derived import Columns
from bot.storage.engine import Database, work
from bot.storage.ledgers import end_keys, lock_ledger, standing
from bot.storage.moving import keep, some
from bot.storage.queries import Queries, Query, Reader, Rows, insert_or, one
from bot.storage.rows import IN_USE, of_campaign
from bot.storage.saving import save_appended

_campaign, _roller = schema.campaign.c.id, schema.roller.c.id
_OF_SERVER = select(_campaign).where(schema.campaign.c.home == bindparam("guild"), IN_USE).order_by(_campaign)
_TAKEN = select(_campaign)
_LAST_ROLLER = select(func.coalesce(func.max(_roller), 0))
_SPECS = select(schema.spec).where(schema.spec.c.id.in_(bindparam("ids")))
_KEEP_SPECS = insert_or(schema.spec).on_conflict_do_nothing(index_elements=["id"])
_WHOLE = (schema.campaign, *schema.OF_CAMPAIGNS)
_e = schema.event.c
_SETTLE_ALL = update(schema.event).where(of_campaign(schema.event), _e.owed.is_not(None)).values(owed=None)
_ANYBODY = ""
"""The process that owes a word of it to whoever rolls next: none that runs."""


async def graft(source: Database, target: Database, guild_id: int) -> list[int]:
    """Copy a server's campaigns, of which the target has none; return their numbers there.

    They keep their numbers, which buttons in Discord name, unless another server has one of them now.
    """
    reader, there = Reader(source.reports), Reader(target.reports)
    wanted: list[int] = [row[0] for row in await reader.do(one(_OF_SERVER, {"guild": guild_id}))]
    taken: set[int] = {row[0] for row in await there.do(one(_TAKEN))}
    further = max(taken) if taken.intersection(wanted) else 0
    rollers: int = (await there.do(one(_LAST_ROLLER)))[0][0]
    for campaign_id in wanted:
        for table in _WHOLE:
            last: Columns | None = None
            while rows := await reader.do(some(table, last, of_campaign(table, campaign_id))):
                last = rows[-1]
                rules = sorted({str(row["spec_id"]) for row in rows if row.get("spec_id")})
                specs = await reader.do(one(_SPECS, {"ids": rules})) if rules else ()
                moved = [_moved(table, row, further, rollers) for row in rows]
                await work(target, _keep(table, moved, specs))
    return [campaign_id + further for campaign_id in wanted]


def _moved(table: Table, row: Columns, campaigns: int, rollers: int) -> dict[str, object]:
    """Return a row with the numbers that it has from now on."""
    further = {"campaign_id": campaigns, "roller_id": rollers}
    if table in {schema.campaign, schema.roller}:
        further["id"] = campaigns if table is schema.campaign else rollers
    return {name: value + further[name] if name in further else value for name, value in row.items()}


def _keep(table: Table, rows: list[dict[str, object]], specs: Rows) -> Queries[None]:
    if specs:
        yield Query(_KEEP_SPECS, [{"id": spec["id"], "body": spec["body"]} for spec in specs])
    yield from keep(table, rows)


def note_restored(campaign_id: int, clock: int) -> Queries[None]:
    """Append the event that says so, at a time in milliseconds since 1970; end the keys of proof mode.

    Replies that are owed are dropped: since the backup was made each was given, or told under a later roll.
    """
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None:
        return
    proof = yield from standing(campaign_id)
    yield Query(_SETTLE_ALL, {"campaign": campaign_id})
    body = HistoryRestored(last=ledger.seq)
    appended = ledger.append(Caller.nobody(clock), OPEN, body, ledger.secret)
    yield from save_appended(appended, process=_ANYBODY)
    if proof:
        yield from end_keys(campaign_id)
