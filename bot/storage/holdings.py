"""Count the stored rows of a person or a server."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, select

from bot.storage import schema
from bot.storage.queries import Queries, Query
from bot.storage.rows import IS_MASTER, of_user

_e = schema.event.c
_EVENTS = select(
    func.count().label("events"),
    func.count(_e.campaign_id.distinct()).label("campaigns"),
    func.count(func.nullif(_e.label + _e.typed + _e.character, "")).label("labels"),
    func.min(_e.interaction_id).label("first"),
).where(of_user(schema.event))
_SAVED = select(func.count(schema.saved.c.user_id)).where(of_user(schema.saved))
_CHARACTERS = select(func.count(schema.character.c.user_id)).where(of_user(schema.character))
_MASTERS = select(func.count(schema.master.c.id)).where(IS_MASTER)
_COUNTS = select(func.count(schema.tally.c.campaign_id.distinct())).where(of_user(schema.tally))
_MEMORIES = select(func.count(schema.memory.c.owner_id)).where(schema.memory.c.owner_id == bindparam("user"))
_CALLS = select(func.count(schema.seat.c.user_id)).where(of_user(schema.seat))
_KEYS = select(func.count(schema.person.c.user_id)).where(of_user(schema.person))
_HOSTED = select(func.count(schema.epoch.c.host)).where(schema.epoch.c.host == bindparam("user"))
ASKED = (_EVENTS, _SAVED, _CHARACTERS, _MASTERS, _COUNTS, _MEMORIES, _CALLS, _KEYS, _HOSTED)
_HOME = select(
    func.count().label("campaigns"), func.coalesce(func.sum(schema.campaign.c.seq), 0).label("events")
).where(schema.campaign.c.home == bindparam("place"))


@dataclass(frozen=True, slots=True)
class Holdings:
    """Numbers of stored rows about a person, by kind."""

    events: int
    campaigns: int
    labels: int
    """Events with their own words."""
    first: int | None
    """Id of their first interaction, which contains its time; None if there is none."""
    saved: int
    """Saved rolls."""
    characters: int
    masters: int
    """Campaigns in which they are a game master."""
    counts: int = 0
    """Campaigns with face counts of theirs; these and their memories outlive a cut of the history."""
    memories: int = 0
    """Their own memories in rollers."""
    calls: int = 0
    """Calls that name them."""
    keys: int = 0
    """Campaigns with their key, stored since their first event, character or note there."""
    hosted: int = 0
    """Campaigns in proof mode with them as the host of the bot."""


def of_person(user_id: int) -> Queries[Holdings]:
    """Count what is stored about a person in all campaigns."""
    numbers: list[Any] = []  # counts, and the id of an interaction
    for statement in ASKED:
        (row,) = yield Query(statement, {"user": user_id})
        numbers += row
    return Holdings(*numbers)


def of_home(home: int) -> Queries[tuple[int, int]]:
    """Return the number of campaigns and of events of a server or a channel."""
    (row,) = yield Query(_HOME, {"place": home})
    return int(row["campaigns"]), int(row["events"])
