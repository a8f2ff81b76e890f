"""The order of an initiative: whose turn it is, who comes next, who waits, and who is out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.campaign.replay import CallEntry
from bot.dice.errors import DiceError


class EntryAt(NamedTuple):
    """An entry's event, and its place in it."""

    seq: int
    place: int


NOBODYS = EntryAt(0, 0)
"""Before the first turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, how often the turn has passed, and what was changed about the order."""

    at: EntryAt = NOBODYS
    passed: int = 0
    """0 before the first turn; each change of it adds one, so that two people's presses count as one."""
    round: int = 0
    moved: tuple[EntryAt, ...] = ()
    """The whole order as it was when somebody waited; () where nobody did."""
    out: tuple[EntryAt, ...] = ()
    """Who is taken out."""


def entry_at(entry: CallEntry) -> EntryAt:
    """Return where an entry stands in the history."""
    return EntryAt(entry.event.seq, entry.place)


def order(entries: Iterable[CallEntry], turn: Turn | None = None) -> list[CallEntry]:
    """Return the highest total first; ties go by the lots drawn with the rolls, then by who rolled first.

    Who waited stays where they went, and newcomers come before the first one with less.
    """
    ranked = sorted((entry for entry in entries if entry.total is not None), key=_by_total)
    if turn is None or not turn.moved:
        return ranked
    places = {each: n for n, each in enumerate(turn.moved)}
    kept = sorted((e for e in ranked if entry_at(e) in places), key=lambda entry: places[entry_at(entry)])
    for entry in ranked:
        if entry_at(entry) not in places:
            lower = (n for n, other in enumerate(kept) if _by_total(other) > _by_total(entry))
            kept.insert(next(lower, len(kept)), entry)
    return kept


def _by_total(entry: CallEntry) -> tuple[int, int, int, int]:
    return -(entry.total or 0), -entry.lot, entry.event.seq, entry.place


def tied(entries: Iterable[CallEntry]) -> set[int]:
    """Return the totals that more than one has."""
    totals = Counter(entry.total for entry in entries if entry.total is not None)
    return {total for total, often in totals.items() if often > 1}


def following(ordered: Sequence[CallEntry], turn: Turn | None) -> Turn:
    """Return whose turn is next; DiceError where nobody is in the order.

    Who joins late takes their turn in the order; where who had the turn is gone, the first begins a round.
    """
    turn = turn or Turn()
    places = [entry_at(entry) for entry in ordered]
    here = places.index(turn.at) if turn.at in places else -1
    for place in range(here + 1, here + 1 + len(places)):
        at = places[place % len(places)]
        if at not in turn.out:
            begins = here < 0 or place >= len(places)
            return replace(turn, at=at, passed=turn.passed + 1, round=turn.round + begins)
    raise DiceError("Nobody has rolled yet.")


def delayed(ordered: Sequence[CallEntry], turn: Turn | None) -> Turn:
    """Return the turn of the next one, and whoever is at turn behind it; DiceError without another."""
    after = following(ordered, turn)
    if turn is None or after.at == turn.at:
        raise DiceError("Nobody else is in the order.")
    places = [entry_at(entry) for entry in ordered if entry_at(entry) != turn.at]
    places.insert(places.index(after.at) + 1, turn.at)
    return replace(after, moved=tuple(places))


def set_turn(turn: Turn | None, at: EntryAt) -> Turn:
    """Return somebody's turn, in this round; who is out is in again."""
    turn = turn or Turn()
    out = tuple(each for each in turn.out if each != at)
    return replace(turn, at=at, passed=turn.passed + 1, round=max(turn.round, 1), out=out)


def taken_out(ordered: Sequence[CallEntry], turn: Turn | None, at: EntryAt) -> Turn:
    """Return the turn with somebody taken out, or back in; if it is theirs, the next one has it."""
    turn = turn or Turn()
    if at in turn.out:
        return replace(turn, out=tuple(each for each in turn.out if each != at))
    turn = replace(turn, out=(*turn.out, at))
    others = any(entry_at(entry) not in turn.out for entry in ordered)
    return following(ordered, turn) if turn.at == at and others else turn
