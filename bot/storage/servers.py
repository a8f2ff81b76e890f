"""Which servers the bot is on, and which it has left: the data of those goes a while later.

Each function is done in a transaction of its own, but for `cancel_departures`, which is part of a batch.
"""

from collections.abc import Callable

from sqlalchemy import bindparam, delete, insert, select, update

from bot.storage import schema
from bot.storage.erasing import hide_home
from bot.storage.queries import Queries, Query, insert_or
from bot.storage.saving import cancel_departures

_UNTIMED = 0
"""The bot has left, and when is asked of somebody who can be trusted with the time."""

_server, _left = schema.server, schema.server.c.left_at
_here = _server.c.guild_id == bindparam("guild")
_keep = insert_or(_server)
_JOIN = _keep.values(left_at=None).on_conflict_do_update(index_elements=["guild_id"], set_={"left_at": None})
_LEAVE = _keep.on_conflict_do_update(
    index_elements=["guild_id"], set_={"left_at": _keep.excluded.left_at}, where=_left.is_(None)
)
_ALL = select(_server)
_PLAYED_ON = select(schema.campaign.c.guild_id).where(schema.campaign.c.guild_id.is_not(None)).distinct()
_ADD = insert(_server)
_STAMP = (
    update(_server).where((_left == _UNTIMED) | (_left > bindparam("at"))).values(left_at=bindparam("at"))
)
_due = (_left > _UNTIMED) & (_left <= bindparam("before"))
_DUE = select(_server.c.guild_id).where(_due).order_by(_server.c.guild_id)
_TAKE = delete(_server).where(_here, _due).returning(_server.c.guild_id)


def join(guild_id: int) -> Queries[None]:
    """Note that the bot is on a server."""
    yield Query(_JOIN, {"guild_id": guild_id})


def leave(guild_id: int) -> Queries[None]:
    """Note that the bot has left a server; the first time counts."""
    yield Query(_LEAVE, {"guild_id": guild_id, "left_at": _UNTIMED})


def reconcile(present: frozenset[int], ours: Callable[[int], bool]) -> Queries[list[int]]:
    """Compare what is noted with the servers that the bot is on; return those that it has left meanwhile.

    A server on which only the commands are installed is never told and so was never present: it is not
    taken for one that was left. `ours` says of which servers this process would be told.
    """
    noted: dict[int, int | None] = {row["guild_id"]: row["left_at"] for row in (yield Query(_ALL))}
    played: list[int] = [row["guild_id"] for row in (yield Query(_PLAYED_ON))]
    gone = [one for one, left in noted.items() if left is None and one not in present and ours(one)]
    back = [one for one, left in noted.items() if left is not None and one in present]
    new = [one for one in played if one in present and one not in noted]
    for guild_id in gone:
        yield from leave(guild_id)
    if back:
        yield from cancel_departures(back)
    if new:
        yield Query(_ADD, [{"guild_id": one, "left_at": None} for one in new])
    return gone


def stamp(at: int) -> Queries[None]:
    """Say when the servers were left of which that is not known, in milliseconds since 1970.

    A time that has not come yet was noted by a clock that was wrong, and is replaced.
    """
    yield Query(_STAMP, {"at": at})


def due(before: int) -> Queries[list[int]]:
    """Return the servers that were left before a moment."""
    return [row["guild_id"] for row in (yield Query(_DUE, {"before": before}))]


def hide_left(guild_id: int, before: int) -> Queries[int]:
    """Take the campaigns of a server out of use, to be deleted, if it is still one that was left by then."""
    if not (yield Query(_TAKE, {"guild": guild_id, "before": before})):
        return 0
    return (yield from hide_home(guild_id))
