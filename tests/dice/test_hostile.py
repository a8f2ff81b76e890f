"""No text of 200 signs holds anybody up: each is read, or refused, in time that grows with its length."""

import subprocess
import sys

import pytest

SECONDS = 10
"""A reading that doubles its time with each sign takes longer than any machine lasts."""


@pytest.mark.parametrize(
    "text",
    ["1234567890" * 3 + "x", "1d6+" * 40 + "1d6x", "1" * 199 + "x", "((((" * 40 + "1d6", " " * 199 + "x"],
    ids=["digits", "sums", "more digits", "brackets", "blanks"],
)
def test_a_text_that_fails_at_its_end_is_refused_at_once(text: str) -> None:
    """In a process of its own, which can be ended: a regular expression holds the whole interpreter."""
    script = (
        "import sys\n"
        "from bot.dice import notation\n"
        "from bot.dice.dialects.dialect import Dialect\n"
        "from bot.dice.errors import NotationError\n"
        "for dialect in Dialect:\n"
        "    try:\n"
        "        notation.parse(sys.argv[1], dialect)\n"
        "    except NotationError:\n"
        "        pass\n"
    )

    subprocess.run([sys.executable, "-c", script, text], check=True, timeout=SECONDS)
