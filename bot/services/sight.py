"""Hide a memory from whoever may not see each hidden roll in it: the rolls could be worked out.

A reset is not looked for where the memory before a roll is asked for: what it forgot is not shown either.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.command import Caller
from bot.campaign.events import Event, Rolled
from bot.campaign.followups import may_see
from bot.campaign.kinds import Visibility
from bot.campaign.replay import RollResult
from bot.d100.ways import OneToN
from bot.dice.errors import NotAllowed
from bot.dice.system import Outcome
from bot.services.access import CampaignAccess
from bot.storage import reading
from bot.storage.queries import Queries
from bot.storage.rows import Row


def hidden_now(at: CampaignAccess, roller: Roller, owner: int | None) -> Queries[list[Event]]:
    """Return the hidden rolls that a roller remembers of a player; `owner` is None for the table's memory."""
    if at.campaign_id is None:
        return []
    since = roller.since((yield from reading.evening(at.campaign_id)))
    rows = yield from reading.hidden_rolls(at.campaign_id, roller.name.casefold(), since, owner)
    return [row.event for row in rows if _changed(row, owner) and not row.undone]


def hidden_before(event: Event) -> Queries[list[Event]]:
    """Return the hidden rolls that the memory before a roll holds."""
    if not event.roll.before:
        return []
    owner = _owner(event)
    rows = yield from reading.hidden_rolls(event.campaign_id, event.roller.casefold(), 0, owner)
    return [row.event for row in rows if row.event.seq < event.seq and _changed(row, owner)]


def unknown_before(rows: Sequence[Row], *, ever: bool = False) -> Queries[list[Row]]:
    """Return these rows, each roll without the memory before it where that holds a hidden roll.

    With `ever` also one that was revealed: what counts must not depend on that.
    """
    first: dict[tuple[str, int | None], int] = {}
    for key in {row.event.roller.casefold() for row in rows if _remembers(row.event)}:
        for row in (yield from reading.hidden_rolls(rows[0].event.campaign_id, key, 0)):
            if (ever or not row.revealed) and _remembers(row.event):
                memory = key, _owner(row.event)
                first[memory] = min(first.get(memory, row.event.seq), row.event.seq)
    return [_forgetting(row) if _holds(row.event, first) else row for row in rows]


def sees(row: Row, at: CampaignAccess, caller: Caller) -> bool:
    """Return whether the caller may see what came of an event."""
    return row.revealed or may_see(row.event, caller.user_id, is_gm=at.is_gm)


def must_see(row: Row, at: CampaignAccess, caller: Caller) -> None:
    """Raise NotAllowed where an event is hidden from the caller."""
    if not sees(row, at, caller):
        raise NotAllowed("#{seq} is hidden from you. Who may see it can reveal it.", seq=row.event.seq)


def sees_all(events: Iterable[Event], at: CampaignAccess, caller: Caller) -> bool:
    """Return whether the caller may see all these rolls."""
    return all(may_see(event, caller.user_id, is_gm=at.is_gm) for event in events)


def as_shown(rolled: RollResult) -> Queries[RollResult]:
    """Return a roll without dice from which, with its result, a hidden roll follows for who sees it."""
    if not shows_memory(rolled):
        return rolled
    event = rolled.event
    hidden = yield from hidden_before(event)
    openly = event.visibility is Visibility.PUBLIC
    told = any(openly or not may_see(one, event.user_id or 0, is_gm=False) for one in hidden)
    return without_dice(rolled) if told else rolled


def shows_memory(rolled: RollResult) -> bool:
    """Return whether the memory before a roll follows from its dice and its result: of a d100's registers."""
    system = rolled.roll.of.system
    return isinstance(system, OneToN) and system.has_state


def without_dice(rolled: RollResult) -> RollResult:
    """Return a roll without its dice where its memory follows from them."""
    if not shows_memory(rolled):
        return rolled
    return replace(rolled, outcomes=tuple([Outcome(one.face, None) for one in rolled.outcomes]))


def _holds(event: Event, first: Mapping[tuple[str, int | None], int]) -> bool:
    """Return whether the memory before a roll holds a hidden one; `first` has the first of each memory."""
    return _remembers(event) and event.seq > first.get((event.roller.casefold(), _owner(event)), event.seq)


def _forgetting(row: Row) -> Row:
    return replace(row, event=replace(row.event, body=replace(row.event.roll, before=None)))


def _remembers(event: Event) -> bool:
    return isinstance(event.body, Rolled) and bool(event.body.before)


def _owner(event: Event) -> int | None:
    """Return whose memory a roll used; None is the table's."""
    return event.user_id if event.roll.whose is Remembers.PLAYER else None


def _changed(row: Row, owner: int | None) -> bool:
    """Return whether a roll that is hidden still changed the owner's memory."""
    return not row.revealed and _remembers(row.event) and _owner(row.event) == owner
