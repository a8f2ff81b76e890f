"""Exports of histories, as `/export` writes them."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.campaign.events import Event, HistoryCut
from bot.campaign.histories import read_cut
from bot.record.audit import Audit
from bot.record.exchange import (
    EVERY,
    Heading,
    Reading,
    print_about,
    print_checkpoint,
    print_heading,
)
from bot.record.hashing import Tree, canon
from bot.record.ledger import write_line
from bot.record.lines import EventRecord, read_record
from tests.support.parts import Line
from tests.support.play import KEYS, LOG


def lines_of(events: Sequence[Event]) -> list[Line]:
    """Return the export's lines for events, with all parts open."""
    return [json.loads(write_line(event, KEYS.keys(event.user_id))) for event in events]


def export_of(events: Sequence[Event], lines: Sequence[Line] | None = None) -> bytes:
    """Return the export of events, or of the lines in their place, under the name "Test".

    The events may begin after a cut that they hold.
    """
    begun = events[0].seq - 1
    cut = next((e for e in events if isinstance(e.body, HistoryCut) and e.target == begun), None)
    tree = Tree(begun, read_cut(cut).frontier) if cut else Tree()
    text = [print_heading(Heading("Test", LOG, tree, events[-1].seq)), print_about({"rollers": []})]
    for event, line in zip(events, lines_of(events) if lines is None else lines, strict=True):
        tree = tree.append(event.seal.leaf).tree
        text.append(canon(line) + b"\n")
        if tree.size % EVERY == 0 or event is events[-1]:
            text.append(print_checkpoint(LOG, tree))
    return b"".join(text)


def audit_of(files: Iterable[Path]) -> Audit:
    """Return the audit of an export's files, which begin with #1 or after a cut that they hold."""
    reading = Reading()
    for path in files:
        with path.open("rb") as stream:
            reading.read(stream.readline(), stream)
    assert reading.audit
    assert reading.audit.begun
    return reading.audit


def told_in(files: Iterable[Path]) -> list[EventRecord]:
    """Return the events of an export's files."""
    lines = [line for path in files for line in path.read_text("utf-8").split("\n")]
    return [read_record(line) for line in lines if line.startswith(('{"channel"', '{"leaf"'))]
