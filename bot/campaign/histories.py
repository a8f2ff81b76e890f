"""The history as shown to a reader: its beginning, its sessions, its entries, and bursts."""

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
"""A burst is this many results of one player within this many seconds, which can exploit a memory."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of events by who and what, and by the number that they stand next to; None matches all."""

    user_id: int | None = None
    roller: str | None = None
    """Its name, in any case."""
    label: str | None = None
    """A part of the label, in any case; only events near the number are searched for it."""
    character: str | None = None
    """The whole name of the character whose rolls match, searched in the same events."""
    before: int | None = None
    """Only the nearest events below this number; by default the newest."""
    after: int | None = None
    """Only the nearest events above this number: the page that ends where the next one begins."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a history after a cut."""

    upto: int
    """The number of the last removed event."""
    cut: HistoryCut
    time: float
    """The time of the cut, in seconds since 1970."""

    @property
    def frontier(self) -> tuple[bytes, ...]:
        """Return the tree's frontier after the removed events."""
        return tuple(map(bytes.fromhex, self.cut.frontier))

    @property
    def session(self) -> tuple[int, float] | None:
        """Return the first event (number, time) of the session that the cut divided; None for none."""
        if not self.cut.session:
            return None
        number, interaction_id = self.cut.session
        return number, time_of(interaction_id)


def read_cut(event: Event) -> Beginning:
    """Return the beginning after a cut; ReplayError for other events, or an invalid cut."""
    if not isinstance(event.body, HistoryCut) or not 0 < (event.target or 0) < event.seq:
        raise ReplayError("#{number} is no cut.", number=event.seq)
    if len(event.body.session) not in {0, 2}:
        raise ReplayError("#{number} names no session as it should.", number=event.seq)
    upto, frontier = event.target or 0, event.body.frontier
    if len(frontier) != upto.bit_count() or any(len(root) != _HASH_DIGITS for root in frontier):
        raise ReplayError("#{number} does not name the frontier of #{upto}.", number=event.seq, upto=upto)
    return Beginning(upto, event.body, event.time)


@dataclass(frozen=True, slots=True)
class Session:
    """One session; `end` and `ended` are None while it is on."""

    start: int
    """The number of its first event."""
    began: float
    """Seconds since 1970; so is `ended`."""
    end: int | None = None
    ended: float | None = None
    cut: int | None = None
    """The number of its last removed event; None if it is complete."""


def sessions(events: Iterable[Event], beginning: Beginning | None = None) -> list[Session]:
    """Return the sessions that events mark, newest first; the events are in the same order.

    A start ends the session before it; an end without a session is ignored. `beginning` is the history's
    beginning, if it was cut and all later marks are among the events: it may add the oldest session.
    """
    marked: list[Session] = []
    end: tuple[int, float] | tuple[None, None] = None, None
    for event in events:
        if isinstance(event.body, SessionMarked) and event.body.mark is Mark.START:
            marked.append(Session(event.seq, event.time, *end))
        end = event.seq, event.time
    if beginning and beginning.session:
        marked.append(Session(*beginning.session, *end, cut=beginning.upto))
    return marked


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the history."""

    event: Event
    visible: bool
    """Whether the reader may see its result."""
    undone: bool
    """Whether a later event took it back."""
    burst: bool = False
    """Whether it is part of a burst."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of entries, newest first."""

    entries: tuple[Entry, ...]
    older: int | None
    """The next page has the events before this number; None on the last page."""
    newer: int | None
    """The previous page has the events after this number; None on the first page."""
    beginning: Beginning | None = None
    """The beginning after a cut, on the last page."""
    checkpoint: str = ""
    """The log's checkpoint in one line; "" for an empty history."""


def bursts(events: Iterable[Event]) -> set[int]:
    """Return the numbers of rolls that belong to a burst on rollers with memories.

    Each result of a roll counts. Rolls of erased people are left out.
    """
    numbers: set[int] = set()
    recent: dict[int, deque[Event]] = {}
    for event in sorted(events, key=lambda event: event.seq):
        if not touches_memory(event) or event.user_id is None:
            continue
        window = recent.setdefault(event.user_id, deque())
        window.append(event)
        while event.time - window[0].time > BURST_SECONDS:
            window.popleft()
        if sum(len(recent_event.roll.results) for recent_event in window) >= BURST_ROLLS:
            numbers.update(recent_event.seq for recent_event in window)
    return numbers


def touches_memory(event: Event) -> bool:
    """Return whether it is a roll on a memory."""
    return isinstance(event.body, Rolled) and event.body.whose is not None
