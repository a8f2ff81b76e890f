"""Erases a person from every history, and deletes a server's data; the chains of what stays hold.

Each step is a transaction of its own on the connection that writes, between two batches.
"""

import os
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, delete, insert, select, update

# PostgreSQL's INSERT .. ON CONFLICT reads the same in SQLite, and SQLAlchemy compiles it for both.
from sqlalchemy.dialects.postgresql import insert as insert_or

from bot.campaign.caller import Caller
from bot.campaign.campaigns import MasterKind
from bot.campaign.command import OPEN
from bot.campaign.events import Event, Kind, PersonErased
from bot.record.ledger import Ledger
from bot.storage import schema
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
_ERASE = update(schema.event).where(_mine).values(user_id=None, label=None, salt=None)
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
_HIDDEN = select(schema.campaign.c.id).where(
    schema.campaign.c.key >= _GONE, schema.campaign.c.key < _GONE[:-1] + ";"
)
_NEXT = (
    select(schema.event.c.seq)
    .where(schema.event.c.campaign_id == bindparam("campaign"))
    .order_by(schema.event.c.seq)
    .limit(1)
    .offset(CHUNK)
)
_ABOUT = (schema.channel, schema.master, schema.saved, schema.tally, schema.seat, schema.board)
_insert_departure = insert_or(schema.departure)
_DEPART = _insert_departure.on_conflict_do_nothing(index_elements=["guild_id"])
_RETURN = delete(schema.departure).where(schema.departure.c.guild_id == bindparam("guild"))
_DUE = select(schema.departure.c.guild_id).where(schema.departure.c.at <= bindparam("before"))


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure came to."""

    events: int
    campaigns: int


def erase_person(connection: Connection, user_id: int, interaction_id: int) -> Erased:
    """Take a person out of every history; each that had them gets an event that says so, but not who."""
    mine = {"user": user_id}
    rows = connection.execute(_CONCERNED, mine).mappings().all()
    connection.execute(_FORGET_MEMORIES, mine)
    count = connection.execute(_ERASE, mine).rowcount
    for statement in (_DISMISS, _UNSAVE, _UNSEAT):
        connection.execute(statement, mine)
    forget_tallies(connection, user_id)
    for n, row in enumerate(rows, start=1):
        connection.execute(_UNSALT_CUTS, {"ledger": row["id"]})
        ledger = Ledger(row["id"], row["seq"], row["head"])
        caller = Caller(interaction_id, row["guild_id"], 0, user_id, part=n)
        ledger, event = ledger.append(caller, OPEN, PersonErased(), os.urandom(SALT_BYTES))
        connection.execute(_KEEP_EVENT, write_event(_nobody(event)))
        moved = {"ledger": ledger.campaign_id, "seq": ledger.seq, "head": ledger.head}
        connection.execute(_MOVE_LEDGER, moved)
    connection.commit()
    return Erased(count, len(rows))


def hide_home(connection: Connection, home: int) -> int:
    """Take all campaigns of a server or a channel out of use, to be deleted; how many there were.

    A roll that comes meanwhile begins a new campaign.
    """
    campaigns = connection.execute(_AT_HOME, {"place": home}).scalars().all()
    for campaign_id in campaigns:
        for table in _ABOUT:
            connection.execute(delete(table).where(table.c.campaign_id == campaign_id))
        connection.execute(_HIDE, {"campaign": campaign_id, "new_key": f"{_GONE}{campaign_id}"})
    connection.commit()
    return len(campaigns)


def delete_some(connection: Connection) -> bool:
    """Delete some of what is out of use; whether there is more."""
    campaign_id = connection.execute(_HIDDEN.limit(1)).scalar()
    if campaign_id is None:
        connection.rollback()
        return False
    upto = connection.execute(_NEXT, {"campaign": campaign_id}).scalar()
    for table in (schema.outbox, schema.event):
        rest = table.c.campaign_id == campaign_id
        connection.execute(delete(table).where(rest if upto is None else rest & (table.c.seq < upto)))
    if upto is None:
        rollers = select(schema.roller.c.id).where(schema.roller.c.campaign_id == campaign_id)
        connection.execute(delete(schema.memory).where(schema.memory.c.roller_id.in_(rollers)))
        for table in (*_ABOUT, schema.roller):
            connection.execute(delete(table).where(table.c.campaign_id == campaign_id))
        connection.execute(delete(schema.campaign).where(schema.campaign.c.id == campaign_id))
    connection.commit()
    return True


def depart(connection: Connection, guild_id: int, at: int) -> None:
    """Note when the bot left a server, in milliseconds since 1970; the first time counts."""
    connection.execute(_DEPART, {"guild_id": guild_id, "at": at})
    connection.commit()


def come_back(connection: Connection, guild_id: int) -> None:
    """The bot is on the server again."""
    connection.execute(_RETURN, {"guild": guild_id})
    connection.commit()


def departed(connection: Connection, before: int) -> list[int]:
    """Servers that the bot left before a moment."""
    guilds = list(connection.execute(_DUE, {"before": before}).scalars())
    connection.rollback()
    return guilds


def _nobody(event: Event) -> Event:
    """The event without the person; its seal holds, for it has only their hash."""
    return replace(event, user_id=None, label=None, seal=replace(event.seal, salt=None))
