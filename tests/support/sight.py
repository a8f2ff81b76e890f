"""The parts of a history that a reader may see, and a check that they follow from these alone."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.campaign.events import Event, RegisterReset, Rolled, Undone
from bot.campaign.followups import may_see, may_see_typed
from bot.campaign.state import State, evolve
from bot.record.discretion import Redaction
from bot.record.ledger import closed_parts, write_line
from bot.record.lines import EventRecord, read_record
from bot.systems.registry import load_spec
from tests.support.play import KEYS

_NOBODY = -1
"""The owner for everybody who was erased."""
_UNKNOWN = (-1,)
"""A memory that no system has."""


def told(
    events: Sequence[Event],
    user: int,
    *,
    is_gm: bool = False,
    memories: bool = True,
    revealed: frozenset[int] = frozenset(),
) -> list[EventRecord]:
    """Return the events as a person may see them."""
    discretion = Redaction(events[0].seq - 1, memories=memories, is_gm=is_gm)
    items: list[EventRecord] = []
    for event in events:
        visible = event.seq in revealed or may_see(event, user, is_gm=is_gm)
        reveals_hidden = discretion.reveals_hidden(event, visible=visible)
        typed = may_see_typed(event, user, is_gm=is_gm)
        closed = closed_parts(visible=visible, typed=typed, reveals_hidden=reveals_hidden)
        items.append(read_record(write_line(event, KEYS.keys(event.user_id), *closed)))
    return items


def whole(items: Sequence[EventRecord]) -> list[int]:
    """Numbers of the events with all parts open, except for erased people."""
    return [item.seq for item in items if not item.closed & {"what", "how"}]


def partial(items: Sequence[EventRecord]) -> list[int]:
    """Numbers of the events whose part "how" is closed."""
    return [item.seq for item in items if "how" in item.closed and "what" not in item.closed]


def hidden(items: Sequence[EventRecord]) -> list[int]:
    """Numbers of the withheld events."""
    return [item.seq for item in items if "what" in item.closed]


def surprises(events: Sequence[Event], hidden: Collection[int], partial: Collection[int]) -> list[int]:
    """Return the numbers of fully told events whose memory does not follow from earlier ones.

    The reader's rollers are folded from what they are told whole, and hidden rolls leave no trace in them; an
    undo puts back the roller as it was before what it undoes.
    """
    rollers: dict[str, State] = {}
    before: dict[int, dict[str, State]] = {}
    numbers: list[int] = []
    for event in events:
        before[event.seq] = dict(rollers)
        if event.seq in hidden:
            continue
        key, body = event.roller.casefold(), event.body
        old = rollers.get(key, State())
        if isinstance(body, Undone):
            rollers[key] = before[event.target or 0].get(key, State())
            continue
        if event.seq in partial and isinstance(body, Rolled):
            # What a register is reset to is told with the event, and what a roll leaves is not.
            visible_event = replace(event, body=replace(body, after=_UNKNOWN))
        else:
            visible_event = event
        new = evolve(replace(old, memories={}), _of_somebody(visible_event))
        if isinstance(body, Rolled | RegisterReset) and new.memories:
            [slot] = new.memories
            memory = old.memories.get(slot, load_spec(body.spec).start())
            if event.seq not in partial and body.before != memory:
                numbers.append(event.seq)
        rollers[key] = replace(new, memories={**old.memories, **new.memories})
    return numbers


def _of_somebody(event: Event) -> Event:
    return replace(event, user_id=_NOBODY) if event.user_id is None else event
