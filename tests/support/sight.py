"""What a reader is told of a history, and whether it follows from nothing else that they were told."""

from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.events import Event, RegisterReset, Rolled, Undone
from bot.campaign.evolve import evolve
from bot.campaign.reveals import may_see
from bot.campaign.state import State
from bot.record.audit import Item, Partial, Sealed
from bot.record.discretion import Discretion
from bot.systems.registry import load_spec

_NOBODY = -1
"""Stands for everybody who was erased."""
_UNKNOWN = (-1,)
"""A memory that no system has."""


def told(
    events: Sequence[Event],
    user: int,
    *,
    is_gm: bool = False,
    memories: bool = True,
    revealed: frozenset[int] = frozenset(),
) -> list[Item]:
    """What a person is told."""
    discretion = Discretion(events[0].seq - 1, memories=memories, is_gm=is_gm)
    items: list[Item] = []
    for event in events:
        visible = event.seq in revealed or may_see(event, user, is_gm=is_gm)
        betrays = discretion.betrays(event, visible=visible)
        whole = Partial(event) if betrays else event
        items.append(whole if visible else Sealed(event.seq, event.seal.head))
    return items


def surprises(items: Sequence[Item]) -> list[int]:
    """The numbers of what is told whole with a memory that does not follow from what was told before.

    The reader's rollers are folded from what they are told whole, and hidden rolls leave no trace in them; an
    undo puts back the roller as it was before what it undoes.
    """
    rollers: dict[str, State] = {}
    before: dict[int, dict[str, State]] = {}
    found: list[int] = []
    for item in items:
        before[item.seq] = dict(rollers)
        if isinstance(item, Sealed):
            continue
        event = item.event if isinstance(item, Partial) else item
        key, body = event.roller.casefold(), event.body
        old = rollers.get(key, State())
        if isinstance(body, Undone):
            rollers[key] = before[event.target or 0].get(key, State())
            continue
        if isinstance(item, Partial) and isinstance(body, Rolled):
            # What a register is reset to is told with the event, and what a roll leaves is not.
            event = replace(event, body=replace(body, after=_UNKNOWN))
        new = evolve(replace(old, memories={}), _of_somebody(event))
        if isinstance(body, Rolled | RegisterReset) and new.memories:
            [slot] = new.memories
            known = old.memories.get(slot, load_spec(body.spec).start())
            if isinstance(item, Event) and body.before != known:
                found.append(item.seq)
        rollers[key] = replace(new, memories={**old.memories, **new.memories})
    return found


def _of_somebody(event: Event) -> Event:
    return replace(event, user_id=_NOBODY) if event.user_id is None else event
