"""An evening: what lies between the event that begins it and the one that ends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.cuts import Beginning
from bot.campaign.events import Event


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
    cut: int | None = None
    """The number up to which its events were removed; None where all are there."""


def sessions(events: Iterable[Event], beginning: Beginning | None = None) -> list[Session]:
    """The evenings that these events mark, newest first; the events come newest first too.

    A start while another evening goes on ends that one; an end while none does says nothing. `beginning` is
    where the history begins, if it was cut and all marks of what is left are here: an evening that went on
    there is the oldest one.
    """
    found: list[Session] = []
    end: Event | None = None
    for event in events:
        if event.text == Mark.START:
            closed = (end.seq, end.time) if end else (None, None)
            found.append(Session(event.seq, event.time, *closed))
        end = event
    if beginning and beginning.cut.session and beginning.began is not None:
        closed = (end.seq, end.time) if end else (None, None)
        found.append(Session(beginning.cut.session[0], beginning.began, *closed, cut=beginning.cut.upto))
    return found
