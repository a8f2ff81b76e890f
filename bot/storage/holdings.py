"""Counts what is stored about a person or a server."""

from sqlalchemy import bindparam, func, select

from bot.campaign.campaigns import MasterKind
from bot.campaign.privacy import Holdings
from bot.storage import schema
from bot.storage.reading import Reader

_e = schema.event.c
_EVENTS = select(
    func.count().label("events"),
    func.count(_e.campaign_id.distinct()).label("campaigns"),
    func.count(func.nullif(_e.label, "")).label("labels"),
    func.min(func.abs(_e.interaction_id)).label("first"),
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
