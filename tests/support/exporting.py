"""A history written out as `/export` does it."""

from collections.abc import Sequence

from bot.core.audit.audit import Item
from bot.core.audit.exchange import END, Heading, print_heading, print_items
from bot.core.chain import START
from bot.core.events import Event


def export_text(events: Sequence[Event], items: Sequence[Item] | None = None, start: int = 0) -> str:
    """The JSON of events, or of the items that stand for them, after number `start`; the name is "Test"."""
    last = events[-1]
    before = events[start - 1].head if start else START
    heading = Heading("Test", last.seq, last.head, start + 1, before, {})
    return print_heading(heading) + ",\n".join(print_items(events[start:] if items is None else items)) + END
