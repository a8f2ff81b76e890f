"""Initiative: who goes before whom, and whose turn it is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.campaign.calls import CallEntry


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is: the entry's event and its place in it, and how often the turn has passed."""

    seq: int
    place: int
    passed: int
    """0 before the first turn; each `next` adds one, so that two people's presses count as one."""
    round: int


def order(entries: Iterable[CallEntry]) -> list[CallEntry]:
    """Return the highest total first; ties go by the lots drawn with the rolls, then by who rolled first."""
    counted = [entry for entry in entries if entry.total is not None]
    return sorted(counted, key=lambda e: (-(e.total or 0), -e.lot, e.event.seq, e.place))


def tied(entries: Iterable[CallEntry]) -> set[int]:
    """Return the totals that more than one has."""
    seen: set[int] = set()
    twice: set[int] = set()
    for entry in entries:
        if entry.total is not None:
            (twice if entry.total in seen else seen).add(entry.total)
    return twice


def following(ordered: Sequence[CallEntry], turn: Turn | None) -> Turn | None:
    """Whose turn is next; None where nobody is in the order.

    Who joins late takes their turn in the order; where who had the turn is gone, the first begins a round.
    """
    if not ordered:
        return None
    places = {(entry.event.seq, entry.place): n for n, entry in enumerate(ordered)}
    here = places.get((turn.seq, turn.place)) if turn else None
    passed, number = (turn.passed, turn.round) if turn else (0, 0)
    # A round begins with the first one, and wherever the turn can't go on from somebody.
    at = 0 if here is None else (here + 1) % len(ordered)
    entry = ordered[at]
    return Turn(entry.event.seq, entry.place, passed + 1, number + (at == 0))
