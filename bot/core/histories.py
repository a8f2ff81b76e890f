"""The history as one reader sees it."""

from dataclasses import dataclass

from bot.core.events import Event


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the history."""

    event: Event
    visible: bool
    """Whether the reader may see its result."""
    undone: bool
    """Whether a later event took it back."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries, the newest first."""

    entries: tuple[Entry, ...]
    older: int | None
    """The number before which the next page lies; None on the last page."""
    newer: int | None
    """The number after which the previous page lies; None on the first page."""
