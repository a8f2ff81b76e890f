"""Remove the old part of a history: append the cut event first, then delete events in small steps.

Each step is a transaction of its own on the writing connection, between two batches.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Delete, Table, bindparam, delete, func, select, tuple_

from bot.campaign.campaigns import Rules
from bot.campaign.command import OPEN, Caller
from bot.campaign.events import HistoryCut, RulesSet
from bot.campaign.histories import Beginning, read_cut
from bot.campaign.kinds import Kind
from bot.dice.errors import Unavailable
from bot.record.ledger import UNASKED
from bot.storage import schema
from bot.storage.erasing import NEXT
from bot.storage.ledgers import end_keys, forget_tiles, lock_ledger, proof_status
from bot.storage.queries import Queries, Query, execute_all
from bot.storage.rows import EVENTS, IN_USE, MOMENT, of_campaign, read_event, read_rules
from bot.storage.saving import save_appended

CAMPAIGNS = 500
"""Campaigns per query."""

_c, _e, _m, _r = schema.campaign.c, schema.event.c, schema.memory.c, schema.roller.c
_of_events = of_campaign(schema.event)
_IN_ORDER = select(_e.seq).where(_of_events).order_by(_e.seq).limit(1)
_cut = schema.event.alias("cut").c
_of_its = _e.campaign_id == _c.id
_first = select(_e.seq).where(_of_its).order_by(_e.seq).limit(1).correlate(schema.campaign).scalar_subquery()
# While the events of a cut are being removed, the first event left has a number up to the cut's target.
_cuts = (_cut.campaign_id == _c.id) & (_cut.kind == Kind.CUT.value) & (_cut.target >= _first - 1)
_last_cut = select(_cut.seq).where(_cuts).order_by(_cut.target).limit(1).correlate(schema.campaign)
_of_cut = select(_c.id, _last_cut.scalar_subquery()).where(_c.id.in_(bindparam("campaigns")), _first > 1)
_CUTS = EVENTS.where(tuple_(_e.campaign_id, _e.seq).in_(_of_cut))
_oldest = select(MOMENT).where(_of_its).order_by(_e.seq).limit(1).correlate(schema.campaign)
_CAMPAIGNS = (
    select(_c.id, _c.seq, _c.rules, _oldest.scalar_subquery().label("oldest"))
    .where(_c.id > bindparam("after"), IN_USE)
    .order_by(_c.id)
    .limit(CAMPAIGNS)
)
_FIRST_SINCE = _IN_ORDER.where(bindparam("since") <= MOMENT)
_before = select(_e.seq).where(_of_events, bindparam("since") > MOMENT).order_by(_e.seq.desc()).limit(1)
_is_recent = _e.seq > func.coalesce(_before.scalar_subquery(), 0)
_RECENT_RULES = EVENTS.where(_of_events, _is_recent, _e.kind == Kind.RULES.value)
_of_kinds = _e.kind.in_(bindparam("kinds"))
_SINCE = select(_e.seq).where(_of_events, _e.seq > bindparam("seen"), _of_kinds).limit(1)
_UNDOS = select(_e.roller_key).where(_of_events, _e.target <= bindparam("upto"), _e.kind == Kind.UNDO.value)
_roller_id = select(_r.id).where(_r.campaign_id == bindparam("its_campaign"), _r.key == bindparam("its_key"))
_DROP_EPOCHS = delete(schema.memory).where(
    _m.roller_id == _roller_id.scalar_subquery(),
    _m.epoch <= bindparam("upto"),
    _m.epoch != bindparam("kept"),
)


def _delete_old(table: Table) -> Delete:
    return delete(table).where(of_campaign(table), table.c.seq < bindparam("bound"))


_REMOVE_RELATED = tuple(map(_delete_old, (schema.seat, schema.board, schema.hand, schema.keyhash)))
_REMOVE = _delete_old(schema.event).returning(_e.seq)


@dataclass(frozen=True, slots=True)
class CampaignAge:
    """A campaign with the time of its oldest event, as a Discord id."""

    campaign_id: int
    seq: int
    rules: Rules
    oldest: int


def first_event(campaign_id: int) -> Queries[int]:
    """Return the number of the first stored event; 1 for an empty history."""
    rows = yield Query(_IN_ORDER, {"campaign": campaign_id})
    return int(rows[0]["seq"]) if rows else 1


def beginning(campaign_id: int) -> Queries[Beginning | None]:
    """Return the beginning of a campaign's history; None if it begins with #1."""
    return (yield from beginnings([campaign_id])).get(campaign_id)


def beginnings(campaigns: Collection[int]) -> Queries[dict[int, Beginning]]:
    """Return the beginnings of the histories that do not begin with #1, by campaign id."""
    rows = (yield Query(_CUTS, {"campaigns": sorted(campaigns)})) if campaigns else ()
    return {row["campaign_id"]: read_cut(read_event(row)) for row in rows}


def check_kept(cut: Beginning | None, number: int) -> None:
    """Raise Unavailable if the event after a number was removed while somebody read the history."""
    if cut and cut.upto > number:
        raise Unavailable("I am just removing old entries. Try again in a minute.")


def next_campaigns(after: int) -> Queries[list[CampaignAge]]:
    """Return the next campaigns with an id above `after`."""
    rows = yield Query(_CAMPAIGNS, {"after": after})
    return [CampaignAge(row["id"], row["seq"], read_rules(row["rules"]), row["oldest"] or 0) for row in rows]


def last_older(campaign: CampaignAge, since: int) -> Queries[int]:
    """Return the number of the event before the first one that is not older than the id `since`."""
    rows = yield Query(_FIRST_SINCE, {"campaign": campaign.campaign_id, "since": since})
    return int(rows[0]["seq"]) - 1 if rows else campaign.seq


def retention_changed_since(campaign_id: int, since: int) -> Queries[bool]:
    """Return whether the retention rule was changed after the id `since`."""
    rows = yield Query(_RECENT_RULES, {"campaign": campaign_id, "since": since})
    changes = (body for row in rows if isinstance(body := read_event(row).body, RulesSet))
    return any(change.before.retention != change.after.retention for change in changes)


def append_cut(campaign: CampaignAge, first: int, cut: HistoryCut, clock: int) -> Queries[bool]:
    """Append the cut of a history that begins with #`first`; return whether it was appended.

    It is not if another process was faster, or if a person was erased or rules were set since the campaign
    was read.
    """
    campaign_id = campaign.campaign_id
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None or (yield from happened_since(campaign_id, campaign.seq, Kind.ERASE, Kind.RULES)):
        return False
    if (yield from first_event(campaign_id)) != first:
        return False
    status = yield from proof_status(campaign_id)
    if status and ledger.unasked >= UNASKED:
        return False  # it would move the next roll of proof mode
    yield from save_appended(ledger.append(Caller.nobody(clock), OPEN, cut, ledger.secret))
    if status and status[0].keys and (cut.target or 0) >= status[0].keys[0].begun:
        yield from end_keys(campaign_id)
    return True


def happened_since(campaign_id: int, seq: int, *kinds: Kind) -> Queries[bool]:
    """Return whether there is an event of these kinds after the event number `seq`."""
    parameters = {"campaign": campaign_id, "seen": seq, "kinds": [kind.value for kind in kinds]}
    return bool((yield Query(_SINCE, parameters)))


def remove_some(campaign_id: int, upto: int) -> Queries[int]:
    """Remove some of the events up to a number, with their related rows; return the number of events."""
    upper = yield Query(NEXT, {"campaign": campaign_id})
    bound = min(upper[0]["seq"], upto + 1) if upper else upto + 1
    old = {"campaign": campaign_id, "bound": bound}
    yield from execute_all(_REMOVE_RELATED, old)
    return len((yield Query(_REMOVE, old)))


def drop_loose_ends(campaign_id: int, upto: int, epochs: dict[str, int]) -> Queries[None]:
    """Drop rows that nothing needs any more: memories from before a reset that can't be undone, tile hashes.

    `epochs` are those of the rollers after the event `upto`, by casefolded name.
    """
    undos = yield Query(_UNDOS, {"campaign": campaign_id, "upto": upto})
    undone = {row["roller_key"] for row in undos}
    rows = [
        {"its_campaign": campaign_id, "its_key": key, "upto": upto, "kept": epoch}
        for key, epoch in sorted(epochs.items())
        if key not in undone
    ]
    yield Query(_DROP_EPOCHS, rows)
    yield from forget_tiles(campaign_id, upto)
