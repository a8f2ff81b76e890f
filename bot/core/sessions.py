"""An evening: what lies between the event that begins it and the one that ends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.core.events import Event


class Mark(StrEnum):
    """What an event about an evening says."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class Session:
    """One evening; `end` and `ended` are None while it goes on."""

    start: int
    """The number of the event that begins it."""
    began: float
    """Seconds since 1970."""
    end: int | None = None
    ended: float | None = None


def sessions(events: Iterable[Event]) -> list[Session]:
    """The evenings that these events mark, newest first; the events come newest first too.

    A start while another evening goes on ends that one; an end while none does says nothing.
    """
    found: list[Session] = []
    end: Event | None = None
    for event in events:
        if event.text == Mark.START:
            closed = (end.seq, end.time) if end else (None, None)
            found.append(Session(event.seq, event.time, *closed))
        end = event
    return found
