"""No text of 200 signs holds anybody up: each is read, or refused, in time that grows with its length."""

import pytest

from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import NotationError
from tests.support.bounded import run_bounded

SECONDS = 60
"""Of processor time. A reading that doubles its time with each sign takes longer than any machine lasts."""


def test_hostile_texts_are_read_in_every_way() -> None:
    """As dice of every program, games' words, additions, degrees, cards, charts; ended after a minute.

    In a process of its own, which can be ended: a regular expression holds the whole interpreter.
    """
    script = (
        "from contextlib import suppress\n"
        "from bot.dice.errors import DiceError\n"
        "from tests.support.hostile import ENDLESS, hostile, readings\n"
        "for text in (*ENDLESS, *hostile(500, seed=1)):\n"
        "    for read in readings(text):\n"
        "        with suppress(DiceError):\n"
        "            read()\n"
    )

    run_bounded(script, seconds=SECONDS)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("{", "}"), ("min(", ")"), ("floor(", ")")])
def test_brackets_in_brackets_are_refused_as_any_text(opening: str, closing: str, dialect: Dialect) -> None:
    """As deep as a text is long, they end in a sentence."""
    depth = 199 // len(opening + closing)
    with pytest.raises(NotationError):
        notation.parse(f"{opening * depth}1d6{closing * depth}"[:200], dialect)


@pytest.mark.parametrize("text", ["(1d4)d6kh2d1", "(1d4)d6k2dl1", "(1d4)d6 adv2", "(2d4)d6adv1"])
def test_modifiers_of_a_thrown_number_of_dice_are_refused(text: str) -> None:
    """No program's reading breaks where it needs the number of dice and that is thrown."""
    with pytest.raises(NotationError):
        notation.parse(text)
