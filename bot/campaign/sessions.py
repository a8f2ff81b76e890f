"""A session: what lies between the event that begins it and the one that ends it."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.campaign.cuts import Beginning
from bot.campaign.events import Event, SessionMarked
from bot.campaign.kinds import Mark


@dataclass(frozen=True, slots=True)
class Session:
    """One session; `end` and `ended` are None while it goes on."""

    start: int
    """The number of the event that begins it."""
    began: float
    """Seconds since 1970."""
    end: int | None = None
    ended: float | None = None
    cut: int | None = None
    """The number up to which its events were removed; None where all are there."""


def sessions(events: Iterable[Event], beginning: Beginning | None = None) -> list[Session]:
    """Return the sessions that these events mark, newest first; the events come newest first too.

    A start while another session goes on ends that one; an end while none does says nothing. `beginning` is
    where the history begins, if it was cut and all marks of what is left are here: a session that went on
    there is the oldest one.
    """
    found: list[Session] = []
    end: Event | None = None
    for event in events:
        if isinstance(event.body, SessionMarked) and event.body.mark is Mark.START:
            found.append(Session(event.seq, event.time, *_closed(end)))
        end = event
    if beginning and beginning.session:
        found.append(Session(*beginning.session, *_closed(end), cut=beginning.upto))
    return found


def _closed(end: Event | None) -> tuple[int | None, float | None]:
    return (end.seq, end.time) if end else (None, None)
