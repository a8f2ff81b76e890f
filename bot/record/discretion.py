"""Redact exports: find the events whose memories or draws would reveal rolls hidden from the reader.

The record of a roll holds the memory after the roll before it, and its draws depend on that. After a hidden
roll such parts are closed, until a reset or an undo removes the dependence.
"""

from typing import TypeAlias

from bot.campaign.campaigns import Roller, remembers
from bot.campaign.events import (
    CardReturned,
    Event,
    HistoryCut,
    RegisterReset,
    Rolled,
    RollerChange,
    SessionMarked,
    Undone,
)
from bot.campaign.kinds import Mark
from bot.campaign.rolled import OfRoller
from bot.campaign.state import State, evolve, owner_of
from bot.dice.system import System

_Memory: TypeAlias = tuple[str, int, int | None]
"""A roller's casefolded name, an epoch and an owner; owner None is every erased player."""


class Redaction:
    """Follows a campaign's events in order, from number `start` + 1 on, for one reader.

    `memories`: the reader may see memories at all. `is_gm`: also those in a cut, which may depend on hidden
    events before the start.
    """

    def __init__(self, start: int = 0, *, memories: bool = True, is_gm: bool = False) -> None:
        self._start = start
        self._unknown_upto = 0 if is_gm else start
        self._evening = 0
        self._memories = memories
        self._is_gm = is_gm
        self._rollers: dict[str, Roller] = {}
        self._tainted: dict[_Memory, bool] = {}
        """Memory to whether it depends on a hidden roll."""
        self._before: dict[int, tuple[_Memory, bool]] = {}
        """Number of a roll that changed that to the memory, and its value before."""
        self._changes: dict[int, Event] = {}
        """Number to a change of a roller, for undo."""

    def reveals_hidden(self, event: Event, *, visible: bool) -> bool:
        """Return whether the event's part "how" reveals a hidden roll; `visible`: they may see its result."""
        match event.body:
            case HistoryCut():
                return not self._is_gm
            case Undone():
                self._undo(event)
            case SessionMarked(mark=Mark.START):
                self._evening = event.seq
            case (
                Rolled(prev=int(), of=OfRoller(system=System(has_state=True)))
                | RegisterReset()
                | CardReturned() as body
            ):
                return self._remember(event, body, visible=visible)
            case RollerChange() as body:
                if body.before is not None:
                    self._rollers[event.roller.casefold()] = body.before
                self._evolve(event)
                self._changes[event.seq] = event
            case _:
                pass
        return False

    def _remember(self, event: Event, body: Rolled | RegisterReset | CardReturned, *, visible: bool) -> bool:
        roller = self._roller(event)
        memory_kind = None if isinstance(body, RegisterReset) else body.whose
        memory = (event.roller.casefold(), roller.since(self._evening), owner_of(roller, event, memory_kind))
        tainted = self._tainted.get(memory, memory[1] <= self._unknown_upto and self._unknown_upto > 0)
        # A reset starts a register at a public value.
        self._tainted[memory] = not isinstance(body, RegisterReset) and (tainted or not visible)
        if self._tainted[memory] != tainted:
            self._before[event.seq] = memory, tainted
        # The place of a returned card identifies it.
        return tainted or not self._memories or (isinstance(body, CardReturned) and not visible)

    def _undo(self, event: Event) -> None:
        target = event.target or 0
        if target in self._before:
            memory, tainted = self._before.pop(target)
            self._tainted[memory] = tainted
        elif target in self._changes:
            self._evolve(event, self._changes.pop(target))

    def _evolve(self, event: Event, about: Event | None = None) -> None:
        state = State(roller=self._roller(event), event=about)
        after = evolve(state, event).roller
        if after is not None:
            self._rollers[event.roller.casefold()] = after

    def _roller(self, event: Event) -> Roller:
        """Return the event's roller; make it if its first roll does, as each player's own or the table's."""
        memory = remembers(event.roller)
        fresh = Roller(event.roller, "", memory, epoch=0 if self._start else event.seq)
        return self._rollers.setdefault(event.roller.casefold(), fresh)
