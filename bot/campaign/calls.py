"""A group call: its life as one table, and what its history tells of it.

Which event takes a call from one status to the next stands here and nowhere else; what the table does not
name is refused. A call takes rolls while it is open and its deadline has not passed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.accounts import SeenAccount
from bot.campaign.call_terms import Terms
from bot.campaign.events import (
    Body,
    CallCancelled,
    CallClosed,
    CallOpened,
    CallReopened,
    Event,
    Rolled,
)
from bot.dice.modifiers import Which


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

TIES = 1_000_000
"""How many lots there are to break a tie with."""


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One roll of a call: a player's, or one that the game master made for somebody of theirs."""

    event: Event
    place: int
    """Which of the event's rolls it is; only the game master's own have more than one."""
    name: str
    """Of the game master's own; "" for players."""
    faces: tuple[str, ...]
    total: int | None
    """None where the faces are no numbers."""
    lot: int
    """What a tie is broken with: the higher goes first."""
    account: SeenAccount | None = None
    """The luck account before it, as everybody may see it; None is as the roll has it."""

    @property
    def user_id(self) -> int | None:
        """Return whose it is; None for the game master's own, and for players who were erased."""
        return None if self.name else self.event.user_id

    @property
    def absent(self) -> bool:
        """Return whether the game master rolled for a player who had not."""
        return self.event.roll.absent


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


def entries(event: Event) -> tuple[CallEntry, ...]:
    """Return what a roll brings to a call: one entry, or one for each name that was rolled for."""
    body = event.roll
    lots = body.lots or (0,) * max(1, len(body.names))
    if not body.names:
        return (CallEntry(event, 0, "", body.results, _total(body, body.results), lots[0]),)
    return tuple(
        CallEntry(event, place, name, (face,), _total(body, (face,)), lot)
        for place, (name, face, lot) in enumerate(zip(body.names, body.results, lots, strict=False))
    )


def _total(body: Rolled, faces: tuple[str, ...]) -> int | None:
    try:
        numbers = [int(face) for face in faces]
    except ValueError:
        return None
    match body.keep:
        case Which.KEEP_HIGHEST:
            return max(numbers) + body.plus
        case Which.KEEP_LOWEST:
            return min(numbers) + body.plus
        case _:
            return numbers[0] + body.plus if len(numbers) == 1 else None
