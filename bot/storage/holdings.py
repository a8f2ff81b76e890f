"""Counts what is stored about a person or a server."""

from dataclasses import dataclass

from sqlalchemy import bindparam, func, select

from bot.campaign.campaigns import MasterKind
from bot.storage import schema
from bot.storage.reading import Reader

_e = schema.event.c
_EVENTS = select(
    func.count().label("events"),
    func.count(_e.campaign_id.distinct()).label("campaigns"),
    func.count(func.nullif(_e.label, "")).label("labels"),
    func.min(_e.interaction_id).label("first"),
).where(_e.user_id == bindparam("user"))
_SAVED = (
    select(func.count().label("n"))
    .select_from(schema.saved)
    .where(schema.saved.c.user_id == bindparam("user"))
)
_MASTERS = (
    select(func.count().label("n"))
    .select_from(schema.master)
    .where(schema.master.c.id == bindparam("user"), schema.master.c.kind == MasterKind.USER.value)
)
_COUNTS = select(func.count(schema.tally.c.campaign_id.distinct()).label("n")).where(
    schema.tally.c.user_id == bindparam("user")
)
_MEMORIES = (
    select(func.count().label("n"))
    .select_from(schema.memory)
    .where(schema.memory.c.owner_id == bindparam("user"))
)
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
    masters: int
    """Campaigns that name them as a game master."""
    counts: int = 0
    """Campaigns that count their results; these counts and their memories outlive a history that is cut."""
    memories: int = 0
    """Rollers' memories of their own."""


class HoldingsReader:
    """Asks through a reader; every method raises Unavailable where that fails."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def of_person(self, user_id: int) -> Holdings:
        """What is stored about a person, in all campaigns."""
        events, *counted = [
            (await self._reader.read(statement, user=user_id))[0]
            for statement in (_EVENTS, _SAVED, _MASTERS, _COUNTS, _MEMORIES)
        ]
        saved, masters, counts, memories = [row["n"] for row in counted]
        return Holdings(
            events["events"],
            events["campaigns"],
            events["labels"],
            events["first"],
            saved,
            masters,
            counts,
            memories,
        )

    async def of_home(self, home: int) -> tuple[int, int]:
        """How many campaigns and events a server or a channel has."""
        row = (await self._reader.read(_HOME, place=home))[0]
        return int(row["campaigns"]), int(row["events"])
