"""Questions about campaigns: which one a channel plays, its name, its game masters, its evenings."""

from sqlalchemy import bindparam, select, text

from bot.campaign.campaigns import Found, Master, MasterKind
from bot.campaign.events import Event
from bot.campaign.histories import Session, sessions
from bot.storage import schema
from bot.storage.asking import Piece, Record, ask
from bot.storage.cutting import beginning
from bot.storage.loading import read_campaign
from bot.storage.rows import EVENTS, read_event

_PLAYED = select(schema.channel.c.channel_id, schema.channel.c.campaign_id).where(
    schema.channel.c.channel_id.in_(bindparam("channels", expanding=True))
)
_CAMPAIGN = select(schema.campaign).where(schema.campaign.c.id == bindparam("campaign"))
_NAMED = (
    select(schema.campaign)
    .where(schema.campaign.c.home == bindparam("home"), schema.campaign.c.name_key.is_not(None))
    .order_by(schema.campaign.c.name_key)
)
_MASTERS = select(schema.master).where(schema.master.c.campaign_id == bindparam("campaign"))
_CHANNELS = (
    select(schema.channel.c.channel_id)
    .where(schema.channel.c.campaign_id == bindparam("campaign"), schema.channel.c.follows.is_(None))
    .order_by(schema.channel.c.channel_id)
)
_EVENTS = EVENTS.where(
    schema.event.c.campaign_id == bindparam("campaign"),
    schema.event.c.interaction_id == bindparam("interaction"),
).order_by(schema.event.c.part)


def played(channel_id: int, parent_id: int | None = None) -> Piece[int | None]:
    """Return the number of the campaign that is played in a channel; None where nothing happened yet.

    A thread that chose none for itself plays that of its parent.
    """
    root = parent_id or channel_id
    rows = yield ask(_PLAYED, {"channels": [channel_id, root]})
    found: dict[int, int] = {row["channel_id"]: row["campaign_id"] for row in rows}
    return found.get(channel_id) or found.get(root)


def campaign(campaign_id: int) -> Piece[Found | None]:
    """Return the campaign of that number; None if there is none."""
    rows = yield ask(_CAMPAIGN, {"campaign": campaign_id})
    return _found(rows[0]) if rows else None


def played_campaign(channel_id: int, parent_id: int | None = None) -> Piece[Found | None]:
    """Return the campaign that is played in a channel; None where nothing happened yet."""
    campaign_id = yield from played(channel_id, parent_id)
    return None if campaign_id is None else (yield from campaign(campaign_id))


def named(home: int) -> Piece[list[Found]]:
    """Return the campaigns of a home that have a name, by name; archived ones too."""
    return [_found(row) for row in (yield ask(_NAMED, {"home": home}))]


def masters(campaign_id: int) -> Piece[frozenset[Master]]:
    """Return who was named a game master of a campaign."""
    rows = yield ask(_MASTERS, {"campaign": campaign_id})
    return frozenset(Master(MasterKind(row["kind"]), row["id"]) for row in rows)


def channels(campaign_id: int) -> Piece[list[int]]:
    """Return the channels that play a campaign, without the threads that follow them."""
    return [row["channel_id"] for row in (yield ask(_CHANNELS, {"campaign": campaign_id}))]


def events_of(campaign_id: int, interaction_id: int) -> Piece[list[Event]]:
    """Return a campaign's events of one interaction, by their part."""
    rows = yield ask(_EVENTS, {"campaign": campaign_id, "interaction": interaction_id})
    return [read_event(row) for row in rows]


def _found(row: Record) -> Found:
    return Found(row["id"], read_campaign(row), row["seq"])


KEPT_IN_SIGHT = 50
"""As many marks are looked through."""

# Word for word as the index says it: with a parameter in its place the index would not be used.
_MARKS = (
    EVENTS.where(schema.event.c.campaign_id == bindparam("campaign"), text("event.kind = 'session'"))
    .order_by(schema.event.c.seq.desc())
    .limit(KEPT_IN_SIGHT)
)


def latest(campaign_id: int) -> Piece[list[Session]]:
    """Return a campaign's latest evenings, newest first."""
    rows = yield ask(_MARKS, {"campaign": campaign_id})
    all_seen = len(rows) < KEPT_IN_SIGHT
    start = (yield from beginning(campaign_id)) if all_seen else None
    # While old events are being removed, some of them are still there.
    upto = start.upto if start else 0
    return sessions((read_event(row) for row in rows if row["seq"] > upto), start)
