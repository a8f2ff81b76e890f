"""Questions to the history; they wait for no lock and take none, so they see what is committed."""

from itertools import product
from typing import TypeVar

from sqlalchemy import bindparam, case, func, select, union_all

from bot.campaign.kinds import Kind, Visibility
from bot.campaign.rollers import Roller
from bot.dice.system import Memory
from bot.storage import schema
from bot.storage.asking import Piece, Station, ask
from bot.storage.faults import Fault, note, unread
from bot.storage.loading import ROLLERS, read_memory, read_roller
from bot.storage.rows import EVENTS, LEAVING, ROWS, Row, is_storable, read_event, read_row

_T = TypeVar("_T")
_LOOK_BACK = 50
"""As many of a person's newest rolls of plain dice are looked at."""

_HERE = ROLLERS.where(schema.roller.c.campaign_id == bindparam("campaign"))
_ROLLERS = _HERE.where(schema.roller.c.spec_id.is_not(None)).order_by(schema.roller.c.key)
_ROLLER = _HERE.where(schema.roller.c.key == bindparam("key"))
_MEMORY = select(schema.memory.c.value).where(
    schema.memory.c.roller_id == bindparam("roller"),
    schema.memory.c.epoch == bindparam("epoch"),
    schema.memory.c.owner_id == bindparam("owner"),
)
_EVENING = select(schema.campaign.c.evening).where(schema.campaign.c.id == bindparam("campaign"))
_EVENT = ROWS.where(
    schema.event.c.campaign_id == bindparam("campaign"), schema.event.c.seq == bindparam("number")
)
_IN_CAMPAIGN = ROWS.where(schema.event.c.campaign_id == bindparam("campaign")).limit(bindparam("limit"))
_OLDER = _IN_CAMPAIGN.where(schema.event.c.seq < bindparam("place")).order_by(schema.event.c.seq.desc())
_NEWER = _IN_CAMPAIGN.where(schema.event.c.seq > bindparam("place")).order_by(schema.event.c.seq)
_BY_USER = (schema.event.c.user_id == bindparam("user")) & ~LEAVING
_BY_ROLLER = schema.event.c.roller_key == bindparam("key")
_HIDDEN = ROWS.where(
    schema.event.c.campaign_id == bindparam("campaign"),
    schema.event.c.roller_key == bindparam("key"),
    schema.event.c.seq > bindparam("since"),
    schema.event.c.visibility != Visibility.PUBLIC.value,
    schema.event.c.kind == Kind.ROLL.value,
)
WITH_FOLLOWING = union_all(
    _EVENT,
    ROWS.where(
        schema.event.c.campaign_id == bindparam("campaign"), schema.event.c.target == bindparam("number")
    ),
)
_newest = select(schema.campaign.c.seq).where(schema.campaign.c.id == bindparam("campaign")).scalar_subquery()
_place = bindparam("place", type_=schema.ID)
_SAYS = func.lower(schema.event.c.label).like(bindparam("label"), escape="\\") & ~LEAVING
_LABELLED = {
    False: (
        _SAYS,
        schema.event.c.seq > case((_place > _newest, _newest + 1), else_=_place) - bindparam("searched"),
    ),
    True: (_SAYS, schema.event.c.seq < _place + bindparam("searched")),
}
_PAGES = {
    (newer, by_user, by_roller, by_label): (_NEWER if newer else _OLDER).where(
        *[_BY_USER] * by_user, *[_BY_ROLLER] * by_roller, *_LABELLED[newer] * by_label
    )
    for newer, by_user, by_roller, by_label in product((False, True), repeat=4)
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
_AFTER_ALL = 2**63 - 1


class Reader:
    """Does pieces that only read, each in one trip."""

    def __init__(self, station: Station) -> None:
        self._station = station

    async def do(self, piece: Piece[_T]) -> _T:
        """Return what a piece comes to; Unavailable where the database fails."""
        try:
            return await self._station.do(piece)
        except Fault as error:
            note(error)
            raise unread(error) from error


def rollers(campaign_id: int) -> Piece[list[Roller]]:
    """Return a campaign's rollers by name, without removed ones; the d100 register is one of them."""
    return [read_roller(row) for row in (yield ask(_ROLLERS, {"campaign": campaign_id}))]


def roller(campaign_id: int, key: str, user_id: int) -> Piece[tuple[Roller | None, Memory | None]]:
    """Return a roller, by its casefolded name, and its memory of the player or the table."""
    rows = (yield ask(_ROLLER, {"campaign": campaign_id, "key": key})) if is_storable(key) else ()
    if not rows:
        return None, None
    found = read_roller(rows[0])
    since = found.since((yield from evening(campaign_id)))
    at = {"roller": rows[0]["id"], "epoch": since, "owner": found.memory.owner(user_id)}
    memories = yield ask(_MEMORY, at)
    return found, read_memory(memories[0]["value"]) if memories else None


def hidden_rolls(campaign_id: int, key: str, since: int) -> Piece[list[Row]]:
    """Return a roller's rolls after a number that were hidden, also those that were revealed or undone."""
    rows = yield ask(_HIDDEN, {"campaign": campaign_id, "key": key, "since": since})
    return [read_row(row) for row in rows]


def evening(campaign_id: int) -> Piece[int]:
    """Return the number of the event that began a campaign's newest session; 0 for none."""
    ((number,),) = yield ask(_EVENING, {"campaign": campaign_id})
    return int(number)


def event(campaign_id: int, seq: int) -> Piece[Row | None]:
    """Return the event of that number, and what later ones did to it; None if there is none."""
    if not 0 < seq <= _AFTER_ALL:
        return None
    rows = yield ask(_EVENT, {"campaign": campaign_id, "number": seq})
    return read_row(rows[0]) if rows else None


def with_following(campaign_id: int, seq: int) -> Piece[list[Row]]:
    """Return the event of that number and then those about it, the oldest first; none if it is not there."""
    if not 0 < seq <= _AFTER_ALL:
        return []
    rows = yield ask(WITH_FOLLOWING, {"campaign": campaign_id, "number": seq})
    return sorted(map(read_row, rows), key=lambda row: row.event.seq)


def page(
    campaign_id: int,
    *,
    before: int | None = None,
    after: int | None = None,
    limit: int = 10,
    user_id: int | None = None,
    roller: str | None = None,
    label: str | None = None,
    searched: int = 1_000,
) -> Piece[list[Row]]:
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
    if label is not None:
        parameters |= {"label": f"%{_escaped(label.lower())}%", "searched": searched}
    statement = _PAGES[after is not None, user_id is not None, roller is not None, label is not None]
    rows = [read_row(row) for row in (yield ask(statement, parameters))]
    return rows[::-1] if after is not None else rows


def recent_rolls(user_id: int, channel_id: int, limit: int) -> Piece[list[str]]:
    """Return the plain dice that a player last rolled in a channel, newest first, each once."""
    events = [read_event(row) for row in (yield ask(_LATEST, {"user": user_id}))]
    texts = [found.roll.text for found in events if found.channel_id == channel_id]
    return list(dict.fromkeys(texts))[:limit]


def _escaped(text: str) -> str:
    """Return the text for LIKE, which takes no sign of it for a wildcard."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
