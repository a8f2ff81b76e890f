"""Erases a person from every history, and deletes a server's data; the chains of what stays hold.

Each step is a transaction of its own on the station that writes, between two batches.
"""

import os
from dataclasses import dataclass, replace

from sqlalchemy import Delete, Table, bindparam, delete, insert, select, update

# PostgreSQL's INSERT .. ON CONFLICT reads the same in SQLite, and SQLAlchemy compiles it for both.
from sqlalchemy.dialects.postgresql import insert as insert_or

from bot.campaign.caller import Caller
from bot.campaign.campaigns import MasterKind
from bot.campaign.command import OPEN
from bot.campaign.events import Event, PersonErased
from bot.campaign.kinds import Kind
from bot.record.ledger import Ledger
from bot.storage import schema
from bot.storage.asking import Piece, ask
from bot.storage.batch import SALT_BYTES
from bot.storage.rows import write_event
from bot.storage.tallies import forget_tallies

CHUNK = 500
"""As many events are deleted in one transaction, so that rolls never wait for long."""

_mine = schema.event.c.user_id == bindparam("user")
# Where the history was cut off, a memory may be older than all that is left of it.
_REMEMBER = (
    select(schema.roller.c.campaign_id)
    .join_from(schema.memory, schema.roller)
    .where(schema.memory.c.owner_id == bindparam("user"))
)
_CONCERNED = (
    select(schema.campaign)
    .where(
        schema.campaign.c.id.in_(select(schema.event.c.campaign_id).where(_mine))
        | schema.campaign.c.id.in_(_REMEMBER)
    )
    .order_by(schema.campaign.c.id)
    .with_for_update()
)
_ERASE = (
    update(schema.event)
    .where(_mine)
    .values(user_id=None, label=None, salt=None)
    .returning(schema.event.c.seq)
)
_FORGET_MEMORIES = delete(schema.memory).where(schema.memory.c.owner_id == bindparam("user"))
# Without its salt, what a cut says of players' memories can't be tied to anybody.
_UNSALT_CUTS = (
    update(schema.event)
    .where(
        schema.event.c.campaign_id == bindparam("ledger"),
        schema.event.c.target.is_not(None),
        schema.event.c.kind == Kind.CUT.value,
    )
    .values(salt=None)
)
_DISMISS = delete(schema.master).where(
    schema.master.c.id == bindparam("user"), schema.master.c.kind == MasterKind.USER.value
)
_UNSAVE = delete(schema.saved).where(schema.saved.c.user_id == bindparam("user"))
_UNSEAT = delete(schema.seat).where(schema.seat.c.user_id == bindparam("user"))
_KEEP_EVENT = insert(schema.event)
_MOVE_LEDGER = (
    update(schema.campaign)
    .where(schema.campaign.c.id == bindparam("ledger"))
    .values(seq=bindparam("seq"), head=bindparam("head"))
)

_GONE = "gone:"
_AT_HOME = (
    select(schema.campaign.c.id)
    .where(schema.campaign.c.home == bindparam("place"), schema.campaign.c.key.not_like(f"{_GONE}%"))
    .order_by(schema.campaign.c.id)
    .with_for_update()
)
_HIDE = (
    update(schema.campaign)
    .where(schema.campaign.c.id == bindparam("campaign"))
    .values(key=bindparam("new_key"), name=None, name_key=None, rules="{}")
)
_HIDDEN = (
    select(schema.campaign.c.id)
    .where(schema.campaign.c.key >= _GONE, schema.campaign.c.key < _GONE[:-1] + ";")
    .limit(1)
)
_NEXT = (
    select(schema.event.c.seq)
    .where(schema.event.c.campaign_id == bindparam("campaign"))
    .order_by(schema.event.c.seq)
    .limit(1)
    .offset(CHUNK)
)


def _whole(table: Table) -> Delete:
    return delete(table).where(table.c.campaign_id == bindparam("campaign"))


_ABOUT = (schema.channel, schema.master, schema.saved, schema.tally, schema.seat, schema.board)
_FORGET_ABOUT = tuple(map(_whole, _ABOUT))
_DELETE_BELOW = tuple(
    _whole(table).where(table.c.seq < bindparam("upto")) for table in (schema.outbox, schema.event)
)
_DELETE_ALL = (
    *map(_whole, (schema.outbox, schema.event)),
    delete(schema.memory).where(
        schema.memory.c.roller_id.in_(
            select(schema.roller.c.id).where(schema.roller.c.campaign_id == bindparam("campaign"))
        )
    ),
    *_FORGET_ABOUT,
    _whole(schema.roller),
    delete(schema.campaign).where(schema.campaign.c.id == bindparam("campaign")),
)
_insert_departure = insert_or(schema.departure)
_DEPART = _insert_departure.on_conflict_do_nothing(index_elements=["guild_id"])
_RETURN = delete(schema.departure).where(schema.departure.c.guild_id == bindparam("guild"))
_DUE = select(schema.departure.c.guild_id).where(schema.departure.c.at <= bindparam("before"))


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure came to."""

    events: int
    campaigns: int


def erase_person(caller: Caller) -> Piece[Erased]:
    """Take the caller out of every history; each that had them gets an event that says so, but not who."""
    mine = {"user": caller.user_id}
    concerned = yield ask(_CONCERNED, mine)
    yield ask(_FORGET_MEMORIES, mine)
    events = yield ask(_ERASE, mine)
    for statement in (_DISMISS, _UNSAVE, _UNSEAT):
        yield ask(statement, mine)
    yield from forget_tallies(caller.user_id)
    for n, row in enumerate(concerned, start=1):
        yield ask(_UNSALT_CUTS, {"ledger": row["id"]})
        ledger = Ledger(row["id"], row["seq"], row["head"])
        ledger, event = ledger.append(
            replace(caller, part=n, channel_id=0), OPEN, PersonErased(), os.urandom(SALT_BYTES)
        )
        yield ask(_KEEP_EVENT, write_event(_nobody(event)))
        yield ask(_MOVE_LEDGER, {"ledger": ledger.campaign_id, "seq": ledger.seq, "head": ledger.head})
    return Erased(len(events), len(concerned))


def hide_home(home: int) -> Piece[int]:
    """Take all campaigns of a server or a channel out of use, to be deleted; how many there were.

    A roll that comes meanwhile begins a new campaign.
    """
    campaigns: list[int] = [row["id"] for row in (yield ask(_AT_HOME, {"place": home}))]
    for campaign_id in campaigns:
        for statement in _FORGET_ABOUT:
            yield ask(statement, {"campaign": campaign_id})
        yield ask(_HIDE, {"campaign": campaign_id, "new_key": f"{_GONE}{campaign_id}"})
    return len(campaigns)


def delete_some() -> Piece[bool]:
    """Delete some of what is out of use; whether there is more."""
    hidden = yield ask(_HIDDEN)
    if not hidden:
        return False
    here = {"campaign": hidden[0]["id"]}
    upto = yield ask(_NEXT, here)
    if upto:
        for statement in _DELETE_BELOW:
            yield ask(statement, {**here, "upto": upto[0]["seq"]})
    else:
        for statement in _DELETE_ALL:
            yield ask(statement, here)
    return True


def depart(guild_id: int, at: int) -> Piece[None]:
    """Note when the bot left a server, in milliseconds since 1970; the first time counts."""
    yield ask(_DEPART, {"guild_id": guild_id, "at": at})


def come_back(guild_id: int) -> Piece[None]:
    """Note that the bot is on the server again."""
    yield ask(_RETURN, {"guild": guild_id})


def departed(before: int) -> Piece[list[int]]:
    """Servers that the bot left before a moment."""
    return [row["guild_id"] for row in (yield ask(_DUE, {"before": before}))]


def _nobody(event: Event) -> Event:
    """Return the event without the person; its seal holds, for it has only their hash."""
    return replace(event, user_id=None, label=None, seal=replace(event.seal, salt=None))
