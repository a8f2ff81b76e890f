"""A group call: its life as one table, what its history tells of it, and how it stands.

Which event takes a call from one status to the next stands here and nowhere else; what the table does not
name is refused. A call takes rolls while it is open and its deadline has not passed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.campaign.call_terms import Form, Terms, Verdict, judge
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.events import Body, CallCancelled, CallClosed, CallOpened, CallReopened, Event
from bot.campaign.replay import CallEntry
from bot.campaign.turns import EntryAt, Turn, entry_at, order
from bot.dice.naming import as_typed, asked

REMINDER_SECONDS = 300
"""Missing players are reminded when a quarter of the time is left; at most these seconds before the end."""
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
    def numbers(self) -> tuple[str, ...]:
        """Return the names of numbers in its dice, of which each player has their own."""
        return asked(self.typed) if "{" in self.typed else ()

    @property
    def asks(self) -> bool:
        """Return whether a roll may take numbers of whoever rolls: those in its dice, or their initiative."""
        return bool(self.numbers) or self.terms.form is Form.INITIATIVE

    @property
    def typed(self) -> str:
        """Return its dice with these names in braces, or as they were typed; "" where neither is known."""
        return self.event.words.typed if self.event.words else ""

    @property
    def dice(self) -> str:
        """Return the roller's name or the notation that is called for, with the names of numbers."""
        return as_typed(self.typed) if self.numbers else self.opened.dice

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


def reminder(event: Event) -> int | None:
    """Return when those who are missing are reminded, in milliseconds since 1970; None for never."""
    due = opened(event).deadline
    return None if due is None else due - min((due - event.milliseconds) // 4, REMINDER_SECONDS * 1000)


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
    notes: Mapping[EntryAt, str] = field(default_factory=dict[EntryAt, str])
    """What game masters noted beside entries of an initiative."""
    rules: Rules = USUAL
    """The campaign's."""
    language: str = ""
    """The code of its message's language; "" is English."""

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
        """Return the entries, the highest first, but for those who were moved."""
        return order(self.call.entries, self.turn)

    @property
    def at_turn(self) -> CallEntry | None:
        """Whose turn it is; None before the first one, and where their roll was undone."""
        here = self.turn.at if self.turn else None
        return next((entry for entry in self.order if entry_at(entry) == here), None)
