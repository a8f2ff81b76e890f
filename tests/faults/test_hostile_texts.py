"""Texts and files that nobody types in earnest are refused with a sentence, at once."""

import json

import pytest

from bot.campaign.sheets import read_sheet
from bot.dice import notation
from bot.dice.errors import NotationError, SpecError
from bot.rulebooks.book import read_game
from bot.stats.fitting import read_lengths

_DIGITS = "9" * 5_000
"""More than Python makes a number of."""


@pytest.mark.parametrize("text", [f"choose {_DIGITS} a, b", f"choose {_DIGITS} of a, b", f"{_DIGITS}d6"])
def test_a_number_without_end_is_no_number_of_dice(text: str) -> None:
    """The text is too long, whatever it begins with."""
    with pytest.raises(NotationError, match="At most 200 characters"):
        notation.parse(text)


def test_nothing_is_looked_for_in_a_text_that_is_too_long() -> None:
    """Whatever it might mean could not be typed either, and looking takes longer than it is long."""
    assert notation.meanings("2d6 drop 1")
    assert notation.meanings(f"2d6 drop 1{' ' * 200}") == ()


@pytest.mark.parametrize("text", ["str --5", "str +-5, dex 3", f'{{"str": {_DIGITS}}}'])
def test_a_sheet_with_a_number_that_is_none(text: str) -> None:
    """Two signs are no number, and a file may hold one that is too long to be read."""
    with pytest.raises(SpecError, match="I can't read"):
        read_sheet(text)


def test_a_game_with_a_number_without_end() -> None:
    """It is out of bounds like any other, and the sentence says where it stands."""
    game = {"key": "x", "name": "x", "help": "x", "rolls": {"r": {"help": "x", "options": {"n": [0, 1, 2]}}}}
    with pytest.raises(SpecError, match=r"rolls.r.options.n\[1\] is an integer"):
        read_game(json.dumps(game).replace("[0, 1, 2]", f"[0, {_DIGITS}]"))


def test_an_evening_without_end() -> None:
    """So many rolls has none."""
    with pytest.raises(SpecError, match="Tuning is for 1 to 200 samples"):
        read_lengths(_DIGITS)
