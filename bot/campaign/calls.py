"""A call as its history has it: the event that opened it, and those that followed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.call_terms import Terms
from bot.campaign.events import Event, Kind
from bot.dice.bases import Json
from bot.dice.terms import Which

TIES = 1_000_000
"""How many lots there are to break a tie with."""


class Status(StrEnum):
    """What a call's game master did with it last."""

    OPEN = "open"
    CLOSED = "closed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Entry:
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

    @property
    def user_id(self) -> int | None:
        """Whose it is; None for the game master's own, and for players who were erased."""
        return None if self.name else self.event.user_id

    @property
    def absent(self) -> bool:
        """Whether the game master rolled for a player who had not."""
        return self.event.detail.get("absent") is True


@dataclass(frozen=True, slots=True)
class Call:
    """A call, and all that became of it; an undone roll is no part of it."""

    event: Event
    terms: Terms
    entries: tuple[Entry, ...] = ()
    status: Status = Status.OPEN
    deadline: int | None = None
    """Milliseconds since 1970."""
    revealed: bool = False

    @property
    def dice(self) -> str:
        """What is called for: a roller's name, or notation."""
        return self.event.roller or self.event.text

    def is_open(self, time: float) -> bool:
        """Whether rolls are taken at a time, in seconds since 1970."""
        # Seconds can't hold a millisecond exactly, so the product may lie beside it.
        return self.status is Status.OPEN and (self.deadline is None or round(time * 1000) <= self.deadline)

    @property
    def shown(self) -> bool:
        """Whether everybody may see the rolls."""
        return self.revealed or not self.terms.hides

    def of(self, user_id: int) -> Entry | None:
        """A player's own roll; None if they have not rolled."""
        return next((entry for entry in self.entries if entry.user_id == user_id), None)


def read_call(event: Event, following: Iterable[Event]) -> Call:
    """The call that an event opened, and the events that have it as their target, but for undone rolls.

    ValueError where the record is damaged.
    """
    terms = Terms.from_json(event.detail.get("call"))
    found: list[Entry] = []
    status, deadline, revealed = Status.OPEN, _deadline(event), False
    for follower in sorted(following, key=lambda follower: follower.seq):
        match follower.kind:
            case Kind.ROLL:
                found += entries(follower)
            case Kind.CLOSE:
                status = Status.CLOSED
            case Kind.REOPEN:
                status, deadline = Status.OPEN, None
            case Kind.CANCEL:
                status = Status.CANCELLED
            case Kind.REVEAL:
                revealed = True
            case _:
                pass
    return Call(event, terms, tuple(found), status, deadline, revealed)


def entries(event: Event) -> list[Entry]:
    """What a roll brings to a call, or to a list of names: one entry, or one for each name."""
    names, lots = event.detail.get("names"), event.detail.get("lots")
    lots = lots if isinstance(lots, list) else []
    if isinstance(names, list):
        faces = [(face,) for face in event.results]
    else:
        names, faces = [""], [event.results]
    drawn = [lot if isinstance(lot, int) else 0 for lot in lots] + [0] * len(names)
    return [
        Entry(event, place, str(name), own, _total(own, event.detail), lot)
        for place, (name, own, lot) in enumerate(zip(names, faces, drawn, strict=False))
    ]


def _total(faces: tuple[str, ...], detail: Mapping[str, Json]) -> int | None:
    try:
        numbers = [int(face) for face in faces]
    except ValueError:
        return None
    plus = detail.get("plus", 0)
    plus = plus if isinstance(plus, int) else 0
    match detail.get("keep"):
        case Which.KEEP_HIGHEST:
            return max(numbers) + plus
        case Which.KEEP_LOWEST:
            return min(numbers) + plus
        case _:
            return numbers[0] + plus if len(numbers) == 1 else None


def _deadline(event: Event) -> int | None:
    deadline = event.detail.get("deadline")
    return deadline if isinstance(deadline, int) else None
