"""The history as one reader sees it."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from bot.campaign.cuts import Beginning
from bot.campaign.events import Event, Rolled

BURST_ROLLS = 8
BURST_SECONDS = 20
"""So many results of one player within so many seconds are a burst: that is how luck is burnt."""


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
    return isinstance(event.body, Rolled) and event.body.before is not None
