"""Which hidden rolls a memory holds: it is shown to those who may see them all, or a face would follow."""

from collections.abc import Sequence

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.followups import may_see
from bot.services.access import Here
from bot.storage import reading
from bot.storage.asking import Piece
from bot.storage.rows import Row


def hidden_now(at: Here, roller: Roller, owner: int | None) -> Piece[list[Event]]:
    """Return the hidden rolls that a roller remembers of a player; `owner` is None for the table's memory."""
    if at.campaign_id is None:
        return []
    since = roller.since((yield from reading.evening(at.campaign_id)))
    rows = yield from reading.hidden_rolls(at.campaign_id, roller.name.casefold(), since)
    return [row.event for row in rows if _changed(row, owner) and not row.undone]


def hidden_before(at: Here, event: Event) -> Piece[list[Event]]:
    """Return the hidden rolls that the memory before a roll holds.

    A reset in between is not looked for: what it forgot is not shown either.
    """
    if at.campaign_id is None or not event.roll.before:
        return []
    owner = event.user_id if event.roll.whose is Remembers.PLAYER else None
    rows = yield from reading.hidden_rolls(at.campaign_id, event.roller.casefold(), 0)
    return [row.event for row in rows if row.event.seq < event.seq and _changed(row, owner)]


def sees_all(events: Sequence[Event], at: Here, caller: Caller) -> bool:
    """Return whether the caller may see all these rolls."""
    return all(may_see(event, caller.user_id, is_gm=at.is_gm) for event in events)


def _changed(row: Row, owner: int | None) -> bool:
    """Return whether a roll that is hidden still changed the owner's memory."""
    body = row.event.roll
    theirs = row.event.user_id if body.whose is Remembers.PLAYER else None
    return not row.revealed and bool(body.before) and theirs == owner
