"""The history as one reader sees it: where it begins, its sessions and its entries."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from bot.campaign.events import Event, HistoryCut, Rolled, SessionMarked
from bot.campaign.kinds import Mark
from bot.dice.draws import ReplayError
from bot.times import time_of

_HASH_DIGITS = 64
BURST_ROLLS = 8
BURST_SECONDS = 20
"""A burst is this many results of one player within this many seconds: that is how luck is burnt."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a history after a cut."""

    upto: int
    """The number of the last event that was removed."""
    cut: HistoryCut
    time: float
    """When it was cut, in seconds since 1970."""

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """Return the tree's frontier after the events that were removed."""
        return tuple(map(bytes.fromhex, self.cut.frontier))

    @property
    def session(self) -> tuple[int, float] | None:
        """Return the session that the cut went through: its first event's number and time; None for none."""
        if not self.cut.session:
            return None
        number, interaction_id = self.cut.session
        return number, time_of(interaction_id)


def read_cut(event: Event) -> Beginning:
    """Return the beginning that a cut makes; ReplayError for other events, or for a cut of later ones."""
    if not isinstance(event.body, HistoryCut) or not 0 < (event.target or 0) < event.seq:
        raise ReplayError("#{number} is no cut.", number=event.seq)
    if len(event.body.session) not in {0, 2}:
        raise ReplayError("#{number} names no session as it should.", number=event.seq)
    upto, frontier = event.target or 0, event.body.frontier
    if len(frontier) != upto.bit_count() or any(len(one) != _HASH_DIGITS for one in frontier):
        raise ReplayError("#{number} does not name the frontier of #{upto}.", number=event.seq, upto=upto)
    return Beginning(upto, event.body, event.time)


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


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the history."""

    event: Event
    visible: bool
    """Whether the reader may see its result."""
    undone: bool
    """Whether a later event took it back."""
    burst: bool = False
    """Whether it is one of many rolls that one player made with a memory in a short time."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries, the newest first."""

    entries: tuple[Entry, ...]
    older: int | None
    """The number before which the next page lies; None on the last page."""
    newer: int | None
    """The number after which the previous page lies; None on the first page."""
    beginning: Beginning | None = None
    """On the last page, where the history begins if its first events were removed."""
    checkpoint: str = ""
    """The log's checkpoint in one line; "" where nothing happened yet."""


def bursts(events: Iterable[Event]) -> set[int]:
    """Return the numbers of rolls that belong to a burst: they touch a memory, and are many in a short time.

    A roll of several results counts as that many. Rolls of people who were erased are left out.
    """
    found: set[int] = set()
    recent: dict[int, deque[Event]] = {}
    for event in sorted(events, key=lambda event: event.seq):
        if not touches_memory(event) or event.user_id is None:
            continue
        window = recent.setdefault(event.user_id, deque())
        window.append(event)
        while event.time - window[0].time > BURST_SECONDS:
            window.popleft()
        if sum(len(one.roll.results) for one in window) >= BURST_ROLLS:
            found.update(one.seq for one in window)
    return found


def touches_memory(event: Event) -> bool:
    """Return whether it is a roll that a roller remembers."""
    return isinstance(event.body, Rolled) and bool(event.body.before)
