"""Counts what is stored about a person or a server."""

from dataclasses import dataclass

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
_HOME = select(
    func.count().label("campaigns"), func.coalesce(func.sum(schema.campaign.c.seq), 0).label("events")
).where(schema.campaign.c.home == bindparam("place"))


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many of each thing are stored about a person."""

    events: int
    campaigns: int
    labels: int
    """Events with words of their own."""
    first: int | None
    """The id of their first interaction, which holds its time; None if there is none."""
    saved: int
    """Rolls they saved under a name."""
    characters: int
    masters: int
    """Campaigns that name them as a game master."""
    counts: int = 0
    """Campaigns that count their results; these counts and their memories outlive a history that is cut."""
    memories: int = 0
    """Rollers' memories of their own."""


def of_person(user_id: int) -> Queries[Holdings]:
    """Return what is stored about a person, in all campaigns."""
    mine = {"user": user_id}
    (events,) = yield Query(_EVENTS, mine)
    counts: list[int] = []
    for statement in (_SAVED, _CHARACTERS, _MASTERS, _COUNTS, _MEMORIES):
        ((n,),) = yield Query(statement, mine)
        counts.append(n)
    return Holdings(events["events"], events["campaigns"], events["labels"], events["first"], *counts)


def of_home(home: int) -> Queries[tuple[int, int]]:
    """Return how many campaigns and events a server or a channel has."""
    (row,) = yield Query(_HOME, {"place": home})
    return int(row["campaigns"]), int(row["events"])
