"""A group call: its life as one table, what its history tells of it, and how it stands.

Which event takes a call from one status to the next stands here and nowhere else; what the table does not
name is refused. A call takes rolls while it is open and its deadline has not passed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.call_terms import Terms, Verdict, judge
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.events import Body, CallCancelled, CallClosed, CallOpened, CallReopened, Event
from bot.campaign.replay import CallEntry

TIES = 1_000_000
"""How many lots there are to break a tie with."""


class Status(StrEnum):
    """What a call's game master did with it last."""

    OPEN = "open"
    CLOSED = "closed"
    CANCELLED = "cancelled"


LIFE: Mapping[tuple[Status, type[Body]], Status] = {
    (Status.OPEN, CallClosed): Status.CLOSED,
    (Status.OPEN, CallReopened): Status.OPEN,  # once its deadline has passed
    (Status.OPEN, CallCancelled): Status.CANCELLED,
    (Status.CLOSED, CallReopened): Status.OPEN,
    (Status.CLOSED, CallCancelled): Status.CANCELLED,
    (Status.CANCELLED, CallReopened): Status.OPEN,
}
"""The status after an event, by the status before it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call and all that became of it, without undone rolls."""

    event: Event
    entries: tuple[CallEntry, ...] = ()
    status: Status = Status.OPEN
    deadline: int | None = None
    """Milliseconds since 1970; None after it was reopened."""
    revealed: bool = False

    @property
    def opened(self) -> CallOpened:
        """Return what was called for."""
        return opened(self.event)

    @property
    def terms(self) -> Terms:
        """Return its terms."""
        return self.opened.terms

    @property
    def dice(self) -> str:
        """Return the roller's name or the notation that is called for."""
        return self.opened.dice

    @property
    def account(self) -> str:
        """Return the luck account that counts the rolls; "" for none."""
        return self.opened.roller if self.opened.text else ""

    def is_open(self, time: float) -> bool:
        """Return whether rolls are taken at a time in seconds since 1970."""
        # Seconds can't hold a millisecond exactly, so the product may lie beside it.
        return self.status is Status.OPEN and (self.deadline is None or round(time * 1000) <= self.deadline)

    @property
    def shown(self) -> bool:
        """Return whether everybody may see the rolls."""
        return self.revealed or not self.terms.hides

    def of(self, user_id: int) -> CallEntry | None:
        """Return a player's own roll; None if they have not rolled."""
        return next((entry for entry in self.entries if entry.user_id == user_id), None)


def opened(event: Event) -> CallOpened:
    """Return the body of a call; TypeError for every other kind."""
    if not isinstance(event.body, CallOpened):
        raise TypeError(f"#{event.seq} is no call")
    return event.body


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


@dataclass(frozen=True, slots=True)
class Standing:
    """A call at one moment."""

    call: Call
    at: float
    """Seconds since 1970."""
    seats: frozenset[int] = frozenset()
    """The players who were named; for none of them it is not known who is missing."""
    turn: Turn | None = None
    """Whose turn an initiative has come to."""
    rules: Rules = USUAL
    """The campaign's."""

    @property
    def missing(self) -> tuple[int, ...]:
        """Return who was named and has not rolled."""
        return tuple(sorted(self.seats - {entry.user_id for entry in self.call.entries}))

    @property
    def complete(self) -> bool:
        """Return whether everybody who was named has rolled."""
        return bool(self.seats) and not self.missing

    @property
    def is_open(self) -> bool:
        """Return whether rolls are taken."""
        return self.call.is_open(self.at)

    @property
    def cancelled(self) -> bool:
        """Return whether it was called off."""
        return self.call.status is Status.CANCELLED

    @property
    def verdict(self) -> Verdict:
        """Return what the players' rolls come to so far; a game master's own have no part in it.

        Where there are none but those, they are judged by themselves.
        """
        own = [e for e in self.call.entries if not e.name] or self.call.entries
        return judge(self.call.terms, [e.total for e in own if e.total is not None])

    @property
    def order(self) -> list[CallEntry]:
        """Return the entries, the highest first."""
        return order(self.call.entries)

    @property
    def at_turn(self) -> CallEntry | None:
        """Whose turn it is; None before the first one, and where their roll was undone."""
        here = (self.turn.seq, self.turn.place) if self.turn else None
        return next((entry for entry in self.order if (entry.event.seq, entry.place) == here), None)
