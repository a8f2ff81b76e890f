"""Loads what a batch needs, in a number of statements that does not depend on the number of jobs."""

import json
from collections.abc import Iterable, Sequence
from typing import cast

from sqlalchemy import bindparam, exists, or_, select, tuple_

from bot.campaign.campaigns import Campaign
from bot.campaign.events import DISCORD_EPOCH, Event
from bot.campaign.kinds import Kind
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rules import Rules
from bot.dice.system import Memory
from bot.record.codec import decode_value
from bot.storage import schema
from bot.storage.asking import Piece, Record, ask
from bot.storage.batch import Asking, Batch, EventAt, Job, Lack, MemoryAt, RollerAt
from bot.storage.epochs import OF_CAMPAIGN, read_epoch, read_proof
from bot.storage.ledgers import load_people, read_ledger
from bot.storage.places import Joined, NameAt, channels_of
from bot.storage.rows import EVENTS, ROWS, read_event, read_row

ROLLERS = select(*schema.roller.c, schema.spec.c.body).select_from(schema.roller.outerjoin(schema.spec))
"""Whole rollers, for `read_roller`."""

_OWED_AT_ONCE = 200
_owed_elsewhere = exists().where(
    schema.outbox.c.campaign_id == schema.campaign.c.id, schema.outbox.c.process != bindparam("process")
)
_CHANNELS = select(schema.channel).where(
    schema.channel.c.channel_id.in_(bindparam("channels", expanding=True))
)
_LEDGERS = (
    select(*schema.campaign.c, *OF_CAMPAIGN, _owed_elsewhere.label("owed"))
    .select_from(schema.campaign.outerjoin(schema.epoch))
    .where(
        or_(
            schema.campaign.c.id.in_(bindparam("ids", expanding=True)),
            schema.campaign.c.key.in_(bindparam("keys", expanding=True)),
        )
    )
    .order_by(schema.campaign.c.id)
    .with_for_update(of=schema.campaign)
)
_ANSWERED = EVENTS.where(schema.event.c.interaction_id.in_(bindparam("interactions", expanding=True)))
_ROLLERS = ROLLERS.where(
    tuple_(schema.roller.c.campaign_id, schema.roller.c.key).in_(bindparam("rollers", expanding=True))
)
_MEMORIES = select(schema.memory).where(
    tuple_(schema.memory.c.roller_id, schema.memory.c.epoch, schema.memory.c.owner_id).in_(
        bindparam("memories", expanding=True)
    )
)
_EVENTS = ROWS.where(
    tuple_(schema.event.c.campaign_id, schema.event.c.seq).in_(bindparam("events", expanding=True))
)
_FOLLOWING = ROWS.where(
    tuple_(schema.event.c.campaign_id, schema.event.c.target).in_(bindparam("targets", expanding=True)),
    # SQLite must be told that the index of targets has them all.
    schema.event.c.target.is_not(None),
).order_by(schema.event.c.seq)
_OWN = _FOLLOWING.where(
    (schema.event.c.kind != Kind.ROLL.value) | schema.event.c.user_id.in_(bindparam("users", expanding=True))
)
_NAMES = select(schema.campaign.c.home, schema.campaign.c.name_key, schema.campaign.c.id).where(
    tuple_(schema.campaign.c.home, schema.campaign.c.name_key).in_(bindparam("names", expanding=True))
)
_OWED = (
    EVENTS.join_from(schema.event, schema.outbox)
    .where(
        schema.outbox.c.campaign_id.in_(bindparam("campaigns", expanding=True)),
        schema.outbox.c.process != bindparam("process"),
        schema.event.c.interaction_id < bindparam("before"),
    )
    .order_by(schema.outbox.c.campaign_id, schema.outbox.c.seq)
    .limit(_OWED_AT_ONCE)
)


def load_ledgers(batch: Batch, jobs: Sequence[Job], process: str) -> Piece[set[int]]:
    """Lock and load the jobs' campaigns; returns those to which another process owes a reply.

    The rows are locked in the order of their numbers, so that two processes can't wait for each other.
    Campaigns that are not there are left out of the batch.
    """
    places = batch.places
    channels = {"channels": channels_of(job.caller for job in jobs)}
    for row in (yield ask(_CHANNELS, channels)):
        places.channels[row["channel_id"]] = Joined(row["campaign_id"], row["follows"])
    ids = {joined.campaign_id for joined in places.channels.values()}
    ids.update(job.needs.campaign for job in jobs if job.needs.campaign is not None)
    keys = {key for job in jobs if (key := places.key(job.caller, job.needs))}
    owed: set[int] = set()
    parameters = {"ids": sorted(ids), "keys": sorted(keys), "process": process}
    for row in (yield ask(_LEDGERS, parameters)):
        places.keys[row["key"]] = row["id"]
        places.states[row["id"]] = read_campaign(row)
        batch.ledgers[row["id"]] = read_ledger(row, read_epoch(row))
        batch.proofs[row["id"]] = read_proof(row)
        if row["owed"]:
            owed.add(row["id"])
    return owed


def load_answered(batch: Batch, jobs: Sequence[Job]) -> Piece[None]:
    """Load the events that interactions were answered with; only after the ledgers are locked."""
    interactions = sorted({job.asking.interaction_id for job in jobs if job.asking})
    for row in (yield ask(_ANSWERED, {"interactions": interactions})):
        batch.answered[Asking(row["interaction_id"], row["part"])] = read_event(row)


def load_lack(batch: Batch, lack: Lack) -> Piece[None]:
    """Load what a batch lacks; what is not there is None from then on."""
    if lack.people:
        batch.people.update(dict.fromkeys(lack.people))
        batch.people.update((yield from load_people(lack.people)))
    if lack.rollers:
        yield from _load_rollers(batch, lack.rollers)
    if lack.memories:
        yield from _load_memories(batch, lack.memories)
    if lack.events:
        yield from _load_events(batch, lack.events)
    if lack.following:
        yield from _load_following(batch, lack.following)
    if lack.own:
        yield from _load_own(batch, lack.own)
    if lack.names:
        yield from _load_names(batch, lack.names)


def load_owed(campaigns: Iterable[int], process: str, before: float) -> Piece[dict[int, list[Event]]]:
    """Rolls asked for before that time (seconds since 1970) whose reply another process owes, 200 at most."""
    parameters = {
        "campaigns": sorted(campaigns),
        "process": process,
        "before": int(before * 1000) - DISCORD_EPOCH << 22,
    }
    owed: dict[int, list[Event]] = {}
    for row in (yield ask(_OWED, parameters)):
        owed.setdefault(row["campaign_id"], []).append(read_event(row))
    return owed


def read_campaign(row: Record) -> Campaign:
    """Return what a row of `campaign` says to people."""
    return Campaign(
        row["name"],
        row["home"],
        own=row["key"].startswith("channel:"),
        archived=bool(row["archived"]),
        rules=decode_value(Rules, json.loads(row["rules"])),
    )


def read_roller(row: Record) -> Roller:
    """Return the roller of a row that `ROLLERS` gave."""
    return Roller(row["name"], row["body"] or "", Remembers(row["memory"]), row["epoch"], row["last"])


def read_memory(text: str) -> Memory:
    """Return the memory that a row holds."""
    return tuple(cast("list[int]", json.loads(text)))


def _load_rollers(batch: Batch, wanted: Iterable[RollerAt]) -> Piece[None]:
    wanted = sorted(wanted)
    batch.rollers.update(dict.fromkeys(wanted))
    for row in (yield ask(_ROLLERS, {"rollers": wanted})):
        at = RollerAt(row["campaign_id"], row["key"])
        batch.rollers[at] = read_roller(row)
        batch.ids[at] = row["id"]


def _load_memories(batch: Batch, wanted: Iterable[MemoryAt]) -> Piece[None]:
    batch.memories.update(dict.fromkeys(wanted))
    by_row = {(batch.ids[at.roller], at.epoch, at.owner_id): at for at in wanted if at.roller in batch.ids}
    if by_row:
        for row in (yield ask(_MEMORIES, {"memories": list(by_row)})):
            at = by_row[row["roller_id"], row["epoch"], row["owner_id"]]
            batch.memories[at] = read_memory(row["value"])


def _load_events(batch: Batch, wanted: Iterable[EventAt]) -> Piece[None]:
    wanted = sorted(wanted)
    batch.events.update(dict.fromkeys(wanted))
    for row in (yield ask(_EVENTS, {"events": wanted})):
        batch.events[EventAt(row["campaign_id"], row["seq"])] = read_row(row)


def _load_following(batch: Batch, wanted: Iterable[EventAt]) -> Piece[None]:
    wanted = sorted(wanted)
    batch.followed.update(wanted)
    for at in wanted:
        batch.following.setdefault(at, {})
    for row in (yield ask(_FOLLOWING, {"targets": wanted})):
        follower = read_row(row)
        at = EventAt(row["campaign_id"], row["target"])
        batch.following[at].setdefault(follower.event.seq, follower)


def _load_own(batch: Batch, wanted: Iterable[tuple[EventAt, int]]) -> Piece[None]:
    wanted = sorted(wanted)
    batch.asked.update(wanted)
    targets = sorted({at for at, _ in wanted})
    for at in targets:
        batch.following.setdefault(at, {})
    parameters = {"targets": targets, "users": sorted({user_id for _, user_id in wanted})}
    for row in (yield ask(_OWN, parameters)):
        follower = read_row(row)
        batch.following[EventAt(row["campaign_id"], row["target"])].setdefault(follower.event.seq, follower)


def _load_names(batch: Batch, wanted: Iterable[NameAt]) -> Piece[None]:
    wanted = sorted(wanted)
    batch.places.names.update(dict.fromkeys(wanted))
    for row in (yield ask(_NAMES, {"names": wanted})):
        batch.places.names[NameAt(row["home"], row["name_key"])] = row["id"]
