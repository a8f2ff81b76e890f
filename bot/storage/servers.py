"""The servers that the bot is on, and those that it has left, whose data is deleted a while later.

Each function needs a transaction of its own.
"""

from collections.abc import Callable

from sqlalchemy import bindparam, delete, select, update

from bot.storage import schema
from bot.storage.erasing import hide_home
from bot.storage.queries import Queries, Query, adding, insert_or
from bot.storage.saving import cancel_departures

_UNKNOWN_TIME = 0
"""The bot has left, at a time to be set by a trusted clock."""

_server, _left_at = schema.server, schema.server.c.left_at
_is_server = _server.c.guild_id == bindparam("guild")
_insertion = insert_or(_server)
_JOIN = _insertion.values(left_at=None).on_conflict_do_update(
    index_elements=["guild_id"], set_={"left_at": None}
)
_LEAVE = _insertion.on_conflict_do_update(
    index_elements=["guild_id"], set_={"left_at": _insertion.excluded.left_at}, where=_left_at.is_(None)
)
_ALL = select(_server)
_PLAYED_ON = select(schema.campaign.c.guild_id).where(schema.campaign.c.guild_id.is_not(None)).distinct()
_STAMP = (
    update(_server)
    .where((_left_at == _UNKNOWN_TIME) | (_left_at > bindparam("at")))
    .values(left_at=bindparam("at"))
)
_is_due = (_left_at > _UNKNOWN_TIME) & (_left_at <= bindparam("before"))
_DUE = select(_server.c.guild_id).where(_is_due).order_by(_server.c.guild_id)
_TAKE = delete(_server).where(_is_server, _is_due).returning(_server.c.guild_id)


def join(guild_id: int) -> Queries[None]:
    """Store that the bot is on a server."""
    yield Query(_JOIN, {"guild_id": guild_id})


def leave(guild_id: int) -> Queries[None]:
    """Store that the bot has left a server, unless that is stored already."""
    yield Query(_LEAVE, {"guild_id": guild_id, "left_at": _UNKNOWN_TIME})


def reconcile(present: frozenset[int], is_ours: Callable[[int], bool]) -> Queries[list[int]]:
    """Update the stored servers by those that the bot is on; return the servers that it left meanwhile.

    A server with only the commands installed was never present, so it does not count as left. `is_ours` tells
    whether this process receives the events of a server.
    """
    stored: dict[int, int | None] = {row["guild_id"]: row["left_at"] for row in (yield Query(_ALL))}
    played: set[int] = {row["guild_id"] for row in (yield Query(_PLAYED_ON))}
    left_servers = {guild_id for guild_id, left_at in stored.items() if left_at is not None}
    departed = sorted(filter(is_ours, stored.keys() - left_servers - present))
    for guild_id in departed:
        yield from leave(guild_id)
    if rejoined := left_servers & present:
        yield from cancel_departures(rejoined)
    new = sorted((present & played) - stored.keys())
    rows = [{"guild_id": guild_id, "left_at": None} for guild_id in new]
    yield Query(adding(_server), rows)
    return departed


def stamp(at: int) -> Queries[None]:
    """Set the time, in ms since 1970, at which servers without a known time were left.

    A time in the future was stored by a wrong clock, and is replaced.
    """
    yield Query(_STAMP, {"at": at})


def due(before: int) -> Queries[list[int]]:
    """Return the servers that were left before a time."""
    return [row["guild_id"] for row in (yield Query(_DUE, {"before": before}))]


def hide_left(guild_id: int, before: int) -> Queries[None]:
    """Mark the campaigns of a server for deletion, if it is still stored as left before a time."""
    if (yield Query(_TAKE, {"guild": guild_id, "before": before})):
        yield from hide_home(guild_id)
