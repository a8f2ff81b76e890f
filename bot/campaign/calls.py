"""Group calls: their status transitions, their history, and their state at one moment.

`LIFE` is the only table of status transitions; any other one is refused. A call takes rolls while it is open
and its deadline has not passed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from bot.campaign.call_terms import Form, Terms, Verdict, judge
from bot.campaign.campaigns import USUAL, Rules
from bot.campaign.events import Body, CallCancelled, CallClosed, CallOpened, CallReopened, Event
from bot.campaign.replay import CallEntry
from bot.campaign.turns import EntryAt, Turn, entry_at, order
from bot.dice.naming import as_typed, number_names
from bot.systems.game import GameRoll

REMINDER_SECONDS = 300
"""Remind missing players when a quarter of the time remains, but at most this long before the end."""
TIES = 1_000_000
"""The number of possible tie-breaking lots."""


class Status(StrEnum):
    """The status of a call."""

    OPEN = "open"
    CLOSED = "closed"
    CANCELLED = "cancelled"


LIFE: Mapping[tuple[Status, type[Body]], Status] = {
    (Status.OPEN, CallClosed): Status.CLOSED,
    (Status.OPEN, CallReopened): Status.OPEN,  # after its deadline
    (Status.OPEN, CallCancelled): Status.CANCELLED,
    (Status.CLOSED, CallReopened): Status.OPEN,
    (Status.CLOSED, CallCancelled): Status.CANCELLED,
    (Status.CANCELLED, CallReopened): Status.OPEN,
}
"""(Status, event class) to the next status."""


@dataclass(frozen=True)
class Call:
    """A call with its entries and status; undone rolls are left out."""

    event: Event
    entries: tuple[CallEntry, ...] = ()
    status: Status = Status.OPEN
    deadline: int | None = None
    """Milliseconds since 1970; None after it was reopened."""
    revealed: bool = False

    @cached_property
    def opened(self) -> CallOpened:
        """Return the body of its event."""
        return opened(self.event)

    @property
    def terms(self) -> Terms:
        """Return its terms."""
        return self.opened.terms

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the names of characters' numbers in its dice, which differ by player."""
        return number_names(self.typed) if "{" in self.typed else ()

    @property
    def asks(self) -> bool:
        """Return whether rolls use numbers of the player's character: those in its dice, or initiative."""
        return bool(self.numbers) or self.terms.form is Form.INITIATIVE

    @property
    def typed(self) -> str:
        """Return its dice with names of numbers in braces, or as typed; "" if neither is known."""
        return self.event.words.typed if self.event.words else ""

    @property
    def dice(self) -> str:
        """Return the roller's name or the notation, with names of numbers."""
        return as_typed(self.typed) if self.numbers else self.opened.dice

    @property
    def account(self) -> str:
        """Return the name of the luck account that counts the rolls; "" for none."""
        return self.opened.roller if self.opened.text else ""

    def is_open(self, time: float) -> bool:
        """Return whether it takes rolls at a time, in seconds since 1970."""
        # A float of seconds can't hold milliseconds exactly, so round the product.
        return self.status is Status.OPEN and (self.deadline is None or round(time * 1000) <= self.deadline)

    @property
    def is_visible(self) -> bool:
        """Return whether everybody may see the rolls."""
        return self.revealed or not self.terms.hides

    def of(self, user_id: int) -> CallEntry | None:
        """Return a player's entry; None if they have not rolled."""
        return next((entry for entry in self.entries if entry.user_id == user_id), None)


def opened(event: Event) -> CallOpened:
    """Return the body of a call; TypeError for every other kind."""
    return event.body_of(CallOpened)


def reminder_time(event: Event) -> int | None:
    """Return the time to remind missing players, in milliseconds since 1970; None for never."""
    due = opened(event).deadline
    return None if due is None else due - min((due - event.milliseconds) // 4, REMINDER_SECONDS * 1000)


@dataclass(frozen=True, slots=True)
class Standing:
    """A call at one moment."""

    call: Call
    at: float
    """Seconds since 1970."""
    seats: frozenset[int] = frozenset()
    """The named players; if empty, it is not known who is missing."""
    turn: Turn | None = None
    """The current turn of an initiative."""
    notes: Mapping[EntryAt, str] = field(default_factory=dict[EntryAt, str])
    """Game masters' notes on entries of an initiative."""
    rules: Rules = USUAL
    """The campaign's rules."""
    language: str = ""
    """The language code of its message; "" for English."""

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the named players who have not rolled."""
        return tuple(sorted(self.seats - {entry.user_id for entry in self.call.entries}))

    @property
    def complete(self) -> bool:
        """Return whether all who were called have rolled; never with a role, for nobody knows who has it."""
        return self.can_complete and not self.missing

    @property
    def can_complete(self) -> bool:
        """Return whether it is known who is called."""
        return bool(self.seats) and self.call.terms.role is None

    @property
    def is_open(self) -> bool:
        """Return whether it takes rolls."""
        return self.call.is_open(self.at)

    @property
    def cancelled(self) -> bool:
        """Return whether it was cancelled."""
        return self.call.status is Status.CANCELLED

    @property
    def verdict(self) -> Verdict:
        """Return the result of the players' rolls so far.

        A game master's named rolls are judged only if there are no others.
        """
        entries = [entry for entry in self.call.entries if not entry.name] or self.call.entries
        if classes := self.classes:
            ranks = [classes.index(face) for entry in entries for face in entry.faces if face in classes]
            return judge(self.call.terms, ranks)
        return judge(self.call.terms, [entry.total for entry in entries if entry.total is not None])

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the outcomes that the verdict ranks, the worst first; () if it is on numbers."""
        systems = [entry.event.roll.of.system for entry in self.call.entries if self.call.terms.ranks]
        rules = [system.rule for system in systems if isinstance(system, GameRoll)]
        return tuple(name for name, _ in rules[0].classes) if rules else ()

    @property
    def order(self) -> list[CallEntry]:
        """Return the entries, highest total first, except those that were moved."""
        return order(self.call.entries, self.turn)

    @property
    def at_turn(self) -> CallEntry | None:
        """Return the entry whose turn it is; None before the first turn, and if it is out or undone."""
        turn = self.turn
        if turn is None or turn.at in turn.out:
            return None
        return next((entry for entry in self.order if entry_at(entry) == turn.at), None)
