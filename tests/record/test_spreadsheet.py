"""The history as CSV: it reads back, and runs no formula."""

import csv

import pytest

from bot.campaign.histories import Entry
from bot.campaign.kinds import Visibility
from bot.record.spreadsheet import HEADER, lines, safe
from tests.support.play import rolled


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+A1", "'+A1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\0=1", "'\0=1"),
        ("-1", "-1"),
        ("+1", "+1"),
        ("2d6+3", "2d6+3"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(cell: str, shown: str) -> None:
    """What a spreadsheet would run is shown as text; numbers stay numbers."""
    assert safe(cell) == shown


def test_a_line_reads_back() -> None:
    """Commas, quotes and line breaks in what people typed stay inside their cells."""
    event = rolled("1dF[a]", 1, label='=x,"y"', visibility=Visibility.GM).event
    roll = event.roll
    text = HEADER + lines(
        [Entry(event, visible=True, undone=True), Entry(event, visible=False, undone=False)]
    )
    first, second = csv.DictReader(text.splitlines())

    assert None not in {*first, *first.values()}
    assert (first["label"], first["results"], first["dice"]) == ('\'=x,"y"', roll.results[0], roll.text)
    assert (first["undone"], first["seen by"]) == ("undone", "gm")
    assert (second["results"], second["dice"], second["undone"]) == ("hidden", "", "")
