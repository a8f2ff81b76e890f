"""Visibility of rolls and memories: a memory with a hidden roll is hidden, as the roll follows from it.

That ends at a reset, but for lists, which hide more. An undone hidden roll still hides the memories before
the rolls after it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.command import NOBODY, Caller
from bot.campaign.events import Event, RegisterReset
from bot.campaign.followups import EVERYBODY, Viewer, may_see
from bot.campaign.histories import touches_memory
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult
from bot.d100.ways import OneToN
from bot.dice.errors import NotAllowed
from bot.dice.system import Outcome
from bot.services.access import CampaignAccess
from bot.storage import reading
from bot.storage.queries import Queries
from bot.storage.rows import LARGEST_ID, Row


def memory_hides(access: CampaignAccess, roller: Roller, owner: int | None, viewer: Viewer) -> Queries[bool]:
    """Return whether a roller's memory holds a roll hidden from a person; `owner` None is the table's."""
    since = roller.since((yield from reading.evening(access.campaign_id)))
    return (yield from _hides(access.campaign_id, roller.name, owner, viewer, since=since, undone=False))


def memory_before_hides(event: Event, viewer: Viewer) -> Queries[bool]:
    """Return whether the memory before a roll holds one hidden from a person."""
    if not event.roll.before:
        return False
    owner = _memory_owner(event)
    return (yield from _hides(event.campaign_id, event.roller, owner, viewer, before=event.seq))


def _hides(
    campaign_id: int, name: str, owner: int | None, viewer: Viewer, *,
    since: int = 0, before: int = LARGEST_ID, undone: bool = True,
) -> Queries[bool]:  # fmt: skip
    """Return whether a memory holds a hidden roll that it has not forgotten before a number.

    With `undone`, rolls that were undone count too.
    """
    key = name.casefold()
    newest = yield from reading.find_hidden(
        campaign_id, key, viewer, lambda row: _changed_memory(row, owner) and (undone or not row.undone),
        owner=owner, since=since, before=before,
    )  # fmt: skip
    if newest is None:
        return False
    return not any(
        newest.event.seq < reset.seq < before
        for reset in (yield from reading.resets(campaign_id, key))
        if not isinstance(reset.body, RegisterReset) or reset.user_id == owner
    )


def without_hidden_memories(rows: Sequence[Row], *, ever: bool = False) -> Queries[list[Row]]:
    """Return these rows, without the memories before rolls that contain a hidden roll.

    With `ever` revealed ones count as hidden too: what is counted must not depend on a reveal.
    """
    first: dict[tuple[str, int | None], int] = {}
    for key in {row.event.roller.casefold() for row in rows if touches_memory(row.event)}:
        for row in (yield from reading.hidden_rolls(rows[0].event.campaign_id, key)):
            if (ever or not row.revealed) and touches_memory(row.event):
                memory = key, _memory_owner(row.event)
                first[memory] = min(first.get(memory, row.event.seq), row.event.seq)
    return [_without_memory(row) if _holds_hidden(row.event, first) else row for row in rows]


def sees(row: Row, access: CampaignAccess, caller: Caller) -> bool:
    """Return whether the caller may see the result of an event."""
    return row.revealed or may_see(row.event, caller.user_id, is_gm=access.is_gm)


def must_see(row: Row, access: CampaignAccess, caller: Caller) -> None:
    """Raise NotAllowed if an event is hidden from the caller."""
    if not sees(row, access, caller):
        raise NotAllowed("#{seq} is hidden from you. Who may see it can reveal it.", seq=row.event.seq)


def hide_revealing_dice(rolled: RollResult) -> Queries[RollResult]:
    """Return a roll, without its dice if they would reveal a hidden roll to those who see it."""
    if not shows_memory(rolled):
        return rolled
    event = rolled.event
    is_public = event.visibility is Visibility.PUBLIC
    viewer = EVERYBODY if is_public else Viewer(event.user_id or NOBODY)
    return without_dice(rolled) if (yield from memory_before_hides(event, viewer)) else rolled


def shows_memory(rolled: RollResult) -> bool:
    """Return whether a roll's dice and result reveal the memory before it, as with a d100's registers."""
    system = rolled.roll.of.system
    return isinstance(system, OneToN) and system.has_state


def without_dice(rolled: RollResult) -> RollResult:
    """Return a roll, without its dice if they reveal its memory."""
    if not shows_memory(rolled):
        return rolled
    return replace(rolled, outcomes=tuple([Outcome(outcome.face, None) for outcome in rolled.outcomes]))


def _holds_hidden(event: Event, first: Mapping[tuple[str, int | None], int]) -> bool:
    """Return whether the memory before a roll holds a hidden one.

    `first` maps each memory to the number of its first hidden roll.
    """
    if not touches_memory(event):
        return False
    memory = event.roller.casefold(), _memory_owner(event)
    return event.seq > first.get(memory, event.seq)


def _without_memory(row: Row) -> Row:
    return replace(row, event=replace(row.event, body=replace(row.event.roll, before=None)))


def _memory_owner(event: Event) -> int | None:
    """Return the owner of the memory that a roll used; None is the table."""
    return event.user_id if event.roll.whose is Remembers.PLAYER else None


def _changed_memory(row: Row, owner: int | None) -> bool:
    """Return whether a still hidden roll changed the owner's memory."""
    return not row.revealed and touches_memory(row.event) and _memory_owner(row.event) == owner
