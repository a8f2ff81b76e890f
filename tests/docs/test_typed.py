"""Dice that the pages show as typed are read: docs/notation.md and docs/dialects.md."""

import re

import pytest

from bot.dice.notation import reads
from tests.docs.test_shown_commands import ROOT

PARTS = ("2d6 {}", "4d6{}", "d20+5 {}")
"""Where a part of a roll, such as `kh3` or `dc 15`, may stand."""


def typed(name: str, heading: str) -> list[str]:
    """Return the spans in the first column of the table under a heading."""
    section = (ROOT / "docs" / name).read_text("utf-8").partition(f"# {heading}\n")[2].partition("\n#")[0]
    return re.findall(r"`([^`]*\w[^`]*)`", " ".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)))


@pytest.mark.parametrize(
    "text", [*typed("notation.md", "Notation"), *typed("dialects.md", "What people type every evening")]
)
def test_what_is_shown_is_read(text: str) -> None:
    """By itself, or as a part of a roll."""
    assert any(reads(part.format(text)) for part in ("{}", *PARTS))
