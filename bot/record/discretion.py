"""What an export must not tell: a memory that holds a roll which is hidden from its reader betrays that roll.

The memory after a hidden roll stands in the next roll's record, and its draws follow from it. Such an event
is told in part, until a reset or an undo ends what hangs on the hidden roll.
"""

from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.events import Event, Kind
from bot.campaign.rollers import TABLE, Remembers, is_own
from bot.dice.bases import Json
from bot.record.known import Place, place_of
from bot.systems.registry import load_spec

_Memory: TypeAlias = tuple[Place, int, int | None]
"""A roller, an epoch and an owner; None stands for everybody who was erased."""


@dataclass(frozen=True, slots=True)
class _State:
    """What says which memory a roll of a roller uses."""

    epoch: int
    whose: Remembers


class Discretion:
    """Follows a campaign's events in order, from number `start` + 1 on, for one reader.

    `memories` is whether the reader may see memories at all, `is_gm` whether they may see what a cut has
    kept of the events before the start, of which some may have been hidden.
    """

    def __init__(self, start: int = 0, *, memories: bool = True, is_gm: bool = False) -> None:
        self._unknown_upto = 0 if is_gm else start
        self._memories = memories
        self._is_gm = is_gm
        self._states: dict[Place, _State] = {}
        self._tainted: dict[_Memory, bool] = {}
        """Whether a memory holds what is hidden."""
        self._steps: dict[int, tuple[Place, _State] | tuple[_Memory, bool]] = {}
        """What an undo of an event brings back."""

    def betrays(self, event: Event, *, visible: bool) -> bool:
        """Whether the event's record says more than its reader may know; `visible` is its result."""
        before = event.detail.get("before")
        match event.kind:
            case Kind.UNDO:
                self._undo(event.target or 0)
            case Kind.CUT:
                return not self._is_gm
            case Kind.ROLL | Kind.RESET if isinstance(before, list):
                return load_spec(event.spec).remembers and self._remembers(event, visible=visible)
            case Kind.MAKE | Kind.RESET if "prev" in event.detail:
                self._change(event, before)
            case _:
                pass
        return False

    def _remembers(self, event: Event, *, visible: bool) -> bool:
        memory = self._memory(event)
        tainted = self._tainted.get(memory, memory[1] <= self._unknown_upto and self._unknown_upto > 0)
        # One's own register begins anew with a reset, at a value that is no secret.
        after = event.kind is Kind.ROLL and (tainted or not visible)
        if after is not tainted:
            self._steps[event.seq] = (memory, tainted)
        self._tainted[memory] = after
        return tainted or not self._memories

    def _memory(self, event: Event) -> _Memory:
        place = place_of(event)
        state = self._states.get(place) or _first(event)
        whose = event.detail.get("whose", state.whose)
        return place, state.epoch, event.user_id if whose == Remembers.PLAYER else TABLE

    def _change(self, event: Event, before: Json) -> None:
        place = place_of(event)
        state = self._states.get(place) or _first(event)
        match before:
            case {"epoch": int(epoch), "memory": str(whose)}:
                state = _State(epoch, Remembers(whose))
            case _:
                pass
        self._steps[event.seq] = (place, state)
        if event.kind is Kind.RESET:
            state = _State(event.seq, state.whose)
        elif not (isinstance(before, dict) and before.get("spec")):
            # A roller that is there is tuned, and goes on with its memory; a new one begins.
            state = _State(event.seq, Remembers(str(event.detail.get("memory"))))
        self._states[place] = state

    def _undo(self, target: int) -> None:
        match self._steps.pop(target, None):
            case (key, _State() as state):
                self._states[key] = state
            case (memory, bool(tainted)):
                self._tainted[memory] = tainted
            case _:
                pass


def _first(event: Event) -> _State:
    """The state of a roller whose making is not there: what keeps a d100's rest is each player's own."""
    return _State(0, Remembers.PLAYER if is_own(event.roller) else Remembers.TABLE)
