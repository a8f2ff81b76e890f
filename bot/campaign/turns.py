"""The turn order of an initiative: next turn, delayed turns, entries taken out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.campaign.replay import CallEntry
from bot.dice.errors import DiceError


class EntryAt(NamedTuple):
    """The key of an entry: its event's number and its index there."""

    seq: int
    place: int


NOBODYS = EntryAt(0, 0)
"""The key before the first turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The current turn and the changes to the order."""

    at: EntryAt = NOBODYS
    passed: int = 0
    """The number of turn changes, 0 before the first turn; detects two people's simultaneous presses."""
    round: int = 0
    moved: tuple[EntryAt, ...] = ()
    """The complete order after somebody delayed; () if nobody did."""
    out: tuple[EntryAt, ...] = ()
    """The entries that are out of the order."""


def entry_at(entry: CallEntry) -> EntryAt:
    """Return the key of an entry."""
    return EntryAt(entry.event.seq, entry.place)


def order(entries: Iterable[CallEntry], turn: Turn | None = None) -> list[CallEntry]:
    """Return the entries by descending total; ties by the lots drawn with the rolls, then by roll number.

    Delayed entries keep their positions; later entries are inserted before the first lower one.
    """
    ranked = sorted((entry for entry in entries if entry.total is not None), key=_by_total)
    if turn is None or not turn.moved:
        return ranked
    waiting = {entry_at(entry): entry for entry in ranked}
    ordered = [waiting.pop(at) for at in turn.moved if at in waiting]
    for entry in waiting.values():
        lower = (n for n, other in enumerate(ordered) if _by_total(other) > _by_total(entry))
        ordered.insert(next(lower, len(ordered)), entry)
    return ordered


def _by_total(entry: CallEntry) -> tuple[int, int, int, int]:
    return -(entry.total or 0), -entry.lot, entry.event.seq, entry.place


def tied(entries: Iterable[CallEntry]) -> set[int]:
    """Return the totals that several entries have."""
    totals = Counter(entry.total for entry in entries if entry.total is not None)
    return {total for total, count in totals.items() if count > 1}


def next_turn(ordered: Sequence[CallEntry], turn: Turn | None) -> Turn:
    """Return the next turn; DiceError if nobody is in the order.

    If the current entry no longer exists, the first entry begins a new round.
    """
    turn = turn or Turn()
    places = [entry_at(entry) for entry in ordered]
    current = places.index(turn.at) if turn.at in places else -1
    for place in range(current + 1, current + 1 + len(places)):
        at = places[place % len(places)]
        if at not in turn.out:
            begins = current < 0 or place >= len(places)
            return replace(turn, at=at, passed=turn.passed + 1, round=turn.round + begins)
    if places:
        raise DiceError("Everybody is out. A game master puts somebody back: *GM…*, then *Order…*.")
    raise DiceError("Nobody has rolled yet.")


def delay_turn(ordered: Sequence[CallEntry], turn: Turn | None) -> Turn:
    """Return the next turn, with the current entry moved after it; DiceError if there is no other."""
    after = next_turn(ordered, turn)
    if turn is None or after.at == turn.at:
        raise DiceError("Nobody else is in the order.")
    places = [entry_at(entry) for entry in ordered if entry_at(entry) != turn.at]
    places.insert(places.index(after.at) + 1, turn.at)
    return replace(after, moved=tuple(places))


def set_turn(turn: Turn | None, at: EntryAt) -> Turn:
    """Return an entry's turn in this round; an entry that is out comes back in."""
    turn = turn or Turn()
    out = tuple(position for position in turn.out if position != at)
    return replace(turn, at=at, passed=turn.passed + 1, round=max(turn.round, 1), out=out)


def toggle_out(ordered: Sequence[CallEntry], turn: Turn | None, at: EntryAt) -> Turn:
    """Return the turn with an entry taken out, or back in; its own turn passes to the next one."""
    turn = turn or Turn()
    if at in turn.out:
        return replace(turn, out=tuple(position for position in turn.out if position != at))
    turn = replace(turn, out=(*turn.out, at))
    others = any(entry_at(entry) not in turn.out for entry in ordered)
    return next_turn(ordered, turn) if turn.at == at and others else turn
