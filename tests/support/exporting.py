"""A history written out as `/export` does it."""

from collections.abc import Sequence

from bot.campaign.events import Event
from bot.record.audit import Item
from bot.record.chain import START
from bot.record.exchange import END, Heading, print_heading, print_items


def export_text(events: Sequence[Event], items: Sequence[Item] | None = None, start: int = 0) -> str:
    """The JSON of events, or of the items that stand for them, after number `start`; the name is "Test"."""
    last = events[-1]
    before = events[start - 1].seal.head if start else START
    heading = Heading("Test", last.seq, last.seal.head, start + 1, before, {})
    return print_heading(heading) + ",\n".join(print_items(events[start:] if items is None else items)) + END
