"""Questions to the history; they wait for no lock and take none, so they see what is committed."""

from collections.abc import Sequence

from sqlalchemy import Executable, RowMapping, bindparam, case, func, select
from sqlalchemy.exc import SQLAlchemyError

from bot.campaign.events import Kind
from bot.campaign.rollers import Roller
from bot.dice.labels import Label
from bot.dice.system import Memory
from bot.storage import schema
from bot.storage.engine import Database
from bot.storage.faults import unread
from bot.storage.loading import ROLLERS, read_memory, read_roller
from bot.storage.rows import EVENTS, ROWS, Row, is_storable, read_event, read_row

_LOOK_BACK = 50
"""As many of a person's newest events are searched for plain dice."""

_CAMPAIGN = select(schema.channel.c.campaign_id).where(schema.channel.c.channel_id == bindparam("channel"))
_HERE = ROLLERS.where(schema.roller.c.campaign_id == bindparam("campaign"))
_ROLLERS = _HERE.where(schema.roller.c.spec_id.is_not(None)).order_by(schema.roller.c.key)
_ROLLER = _HERE.where(schema.roller.c.key == bindparam("key"))
_MEMORY = select(schema.memory.c.value).where(
    schema.memory.c.roller_id == bindparam("roller"),
    schema.memory.c.epoch == bindparam("epoch"),
    schema.memory.c.owner_id == bindparam("owner"),
)
_EVENT = ROWS.where(
    schema.event.c.campaign_id == bindparam("campaign"), schema.event.c.seq == bindparam("number")
)
_IN_CAMPAIGN = ROWS.where(schema.event.c.campaign_id == bindparam("campaign")).limit(bindparam("limit"))
_OLDER = _IN_CAMPAIGN.where(schema.event.c.seq < bindparam("place")).order_by(schema.event.c.seq.desc())
_NEWER = _IN_CAMPAIGN.where(schema.event.c.seq > bindparam("place")).order_by(schema.event.c.seq)
_BY_USER = schema.event.c.user_id == bindparam("user")
_BY_ROLLER = schema.event.c.roller_key == bindparam("key")
_PAGES = {
    (newer, by_user, by_roller): (_NEWER if newer else _OLDER).where(
        *[_BY_USER] * by_user, *[_BY_ROLLER] * by_roller
    )
    for newer in (False, True)
    for by_user in (False, True)
    for by_roller in (False, True)
}
_FOLLOWING = ROWS.where(
    schema.event.c.campaign_id == bindparam("campaign"), schema.event.c.target == bindparam("number")
).order_by(schema.event.c.seq)
_newest = select(schema.campaign.c.seq).where(schema.campaign.c.id == bindparam("campaign")).scalar_subquery()
_place = bindparam("place", type_=schema.ID)
_SAYS = func.lower(schema.event.c.label).like(bindparam("label"), escape="\\")
_LABELLED = {
    False: (
        _SAYS,
        schema.event.c.seq > case((_place > _newest, _newest + 1), else_=_place) - bindparam("searched"),
    ),
    True: (_SAYS, schema.event.c.seq < _place + bindparam("searched")),
}
_LATEST = (
    EVENTS.where(
        schema.event.c.user_id == bindparam("user"),
        schema.event.c.kind == Kind.ROLL.value,
        schema.event.c.roller_key == "",
    )
    .order_by(schema.event.c.interaction_id.desc())
    .limit(_LOOK_BACK)
)
# Walks back from the newest event to the first one that is too old, and no further.
_TOO_OLD = (
    select(schema.event.c.seq)
    .where(schema.event.c.campaign_id == bindparam("campaign"))
    .where(schema.event.c.interaction_id < bindparam("since"))
    .order_by(schema.event.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
_LABELS = select(
    *(func.count().filter(schema.event.c.source == label).label(label) for label in Label)
).where(
    schema.event.c.campaign_id == bindparam("campaign"),
    schema.event.c.seq > func.coalesce(_TOO_OLD, 0),
    schema.event.c.kind == Kind.ROLL,
)
_AFTER_ALL = 2**63 - 1


class Reader:
    """Reads an open database; every method raises Unavailable where that fails."""

    def __init__(self, database: Database) -> None:
        self._engine = database.reader

    async def rollers(self, campaign_id: int) -> list[Roller]:
        """Return a campaign's rollers by name, without removed ones; the d100 register is one of them."""
        return [read_roller(row) for row in await self.read(_ROLLERS, campaign=campaign_id)]

    async def roller(self, campaign_id: int, key: str, user_id: int) -> tuple[Roller | None, Memory | None]:
        """Return a roller, by its casefolded name, and its memory of the player or the table."""
        rows = await self.read(_ROLLER, campaign=campaign_id, key=key) if is_storable(key) else ()
        if not rows:
            return None, None
        roller = read_roller(rows[0])
        owner = roller.memory.owner(user_id)
        memories = await self.read(_MEMORY, roller=rows[0]["id"], epoch=roller.epoch, owner=owner)
        return roller, read_memory(memories[0]["value"]) if memories else None

    async def event(self, campaign_id: int, seq: int) -> Row | None:
        """The event of that number, and what later ones did to it; None if there is none."""
        if not 0 < seq <= _AFTER_ALL:
            return None
        rows = await self.read(_EVENT, campaign=campaign_id, number=seq)
        return read_row(rows[0]) if rows else None

    async def following(self, campaign_id: int, seq: int) -> list[Row]:
        """What has the event of that number as its target, the oldest first."""
        rows = await self.read(_FOLLOWING, campaign=campaign_id, number=seq)
        return [read_row(row) for row in rows]

    async def page(
        self,
        campaign_id: int,
        *,
        before: int | None = None,
        after: int | None = None,
        limit: int = 10,
        user_id: int | None = None,
        roller: str | None = None,
        label: str | None = None,
        searched: int = 1_000,
    ) -> list[Row]:
        """Events, newest first: all, a player's, a roller's; the newest, or those next to a number.

        `before` gives the nearest ones below that number, `after` the nearest ones above it: the page
        on either side of a page that ends there. A roller's name is compared casefolded. A label is looked
        for in any case, and only among the `searched` events next to the place.
        """
        if not is_storable((roller or "") + (label or "")):
            return []
        parameters: dict[str, int | str] = {"campaign": campaign_id, "limit": limit}
        parameters["place"] = after if after is not None else _AFTER_ALL if before is None else before
        if user_id is not None:
            parameters["user"] = user_id
        if roller is not None:
            parameters["key"] = roller.casefold()
        statement = _PAGES[after is not None, user_id is not None, roller is not None]
        if label is not None:
            statement = statement.where(*_LABELLED[after is not None])
            parameters |= {"label": f"%{_escaped(label.lower())}%", "searched": searched}
        rows = [read_row(row) for row in await self.read(statement, **parameters)]
        return rows[::-1] if after is not None else rows

    async def recent_rolls(self, user_id: int, channel_id: int, limit: int) -> list[str]:
        """The plain dice that a player last rolled in a channel, newest first, each once."""
        events = [read_event(row) for row in await self.read(_LATEST, user=user_id)]
        texts = [event.roll.text for event in events if event.channel_id == channel_id]
        return list(dict.fromkeys(texts))[:limit]

    async def labels(self, campaign_id: int, since: int) -> dict[Label, int]:
        """How many rolls had which label, after the last event that is older than the interaction `since`."""
        rows = await self.read(_LABELS, campaign=campaign_id, since=since)
        return {label: rows[0][label] for label in Label}

    async def read(
        self, statement: Executable, **parameters: int | str | Sequence[int]
    ) -> Sequence[RowMapping]:
        """The rows of a statement, for questions that are asked elsewhere."""
        try:
            async with self._engine.connect() as connection:
                return (await connection.execute(statement, parameters)).mappings().all()
        except (SQLAlchemyError, OSError) as error:
            raise unread(error) from error


def _escaped(text: str) -> str:
    """The text for LIKE, which takes no sign of it for a wildcard."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
