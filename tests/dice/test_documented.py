"""What the six programs' own documentation and tests show, each line with a reading worked out by hand."""

import json
from pathlib import Path

import pytest

from bot.dice.dialects.dialect import OTHERS, Dialect
from bot.dice.errors import NotationError
from bot.dice.notation import parse, read_in, reads
from tests.support.dialects import fingerprints

_DATA = json.loads((Path(__file__).parents[1] / "data" / "documented.json").read_text(encoding="utf-8"))
LINES: dict[str, dict[str, str | None]] = {name: each["lines"] for name, each in _DATA.items()}
"""Each line's meaning in our notation; None where we have none."""


@pytest.mark.parametrize("dialect", OTHERS)
def test_nine_in_ten_are_read_and_none_with_another_law(dialect: Dialect) -> None:
    """Two derivations: the program's reader, and what a person wrote down from its documentation."""
    lines = LINES[dialect.value]
    read = {text: read_in(dialect, text) for text in lines if reads(text, dialect)}
    wrong = {
        text: str(roll)
        for text, roll in read.items()
        if (ours := lines[text]) is None or fingerprints(roll) != fingerprints(parse(ours))
    }

    assert wrong == {}
    assert len(read) >= 0.9 * len(lines)


@pytest.mark.parametrize("dialect", OTHERS)
def test_what_is_out_of_scope_has_a_reason(dialect: Dialect) -> None:
    """Sheets, fractions, and what a program's documents contradict themselves about."""
    assert all(_DATA[dialect.value]["out_of_scope"].values())
    assert _DATA[dialect.value]["source"]


def test_without_a_dialect_none_is_read_or_offered_with_a_law_that_it_has_nowhere() -> None:
    """A reading that is offered in a program's name has that program's law."""
    for dialect in OTHERS:
        for text, ours in LINES[dialect.value].items():
            try:
                parse(text)
            except NotationError as refused:
                for reading in refused.readings:
                    if dialect.program in reading.programs:
                        assert ours, text
                        assert fingerprints(parse(reading.text)) == fingerprints(parse(ours)), text
