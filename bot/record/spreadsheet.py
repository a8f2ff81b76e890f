"""Write a history as CSV that a spreadsheet opens as text and numbers, and never runs as formulas.

Source: docs/limits.md, "Files" (OWASP ASVS 1.2.10, CWE-1236).
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from bot.campaign.events import CallOpened, Event, RegisterReset, Rolled
from bot.campaign.histories import Entry

HEADER = "number,time (UTC),player,what,roller,dice,label,seen by,results,bits,about,undone,leaf\r\n"
"""The first line."""
_NUMBER = re.compile(r"[+-]?\d{1,15}", re.ASCII)
_ACTIVE = ("=", "+", "-", "@", "\t", "\r", "\0")


def lines(entries: Iterable[Entry]) -> str:
    """Return a line per entry; a roll that is hidden from the reader has no result and no dice."""
    text = io.StringIO()
    csv.writer(text).writerows([safe(cell) for cell in _cells(entry)] for entry in entries)
    return text.getvalue()


def safe(cell: str) -> str:
    """Return the cell, with an apostrophe in front if a spreadsheet would read it as a formula."""
    return f"'{cell}" if cell.startswith(_ACTIVE) and not _NUMBER.fullmatch(cell) else cell


def _cells(entry: Entry) -> Sequence[str]:
    event, body = entry.event, entry.event.body
    roll = body if isinstance(body, Rolled) else None
    is_shown = entry.visible or roll is None
    source = body.source if isinstance(body, Rolled | RegisterReset) else None
    return (
        str(event.seq),
        datetime.fromtimestamp(event.time, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        # As text, since a spreadsheet rounds numbers as long as Discord's ids.
        _person(event),
        event.kind.value,
        event.roller if is_shown else "",
        body.text if isinstance(body, Rolled | CallOpened) and is_shown else "",
        (event.label or "") if is_shown else "",
        event.visibility.value,
        " ".join(roll.results if roll else ()) if is_shown else "hidden",
        source.value if source else "",
        "" if event.target is None else str(event.target),
        "undone" if entry.undone else "",
        event.seal.leaf.hex(),
    )


def _person(event: Event) -> str:
    if event.interaction_id is None:
        return "Evenhand"
    return "erased" if event.user_id is None else f"id {event.user_id}"
