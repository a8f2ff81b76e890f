"""A bonus alone is on the dice that are usual in the game that is played, and asked about elsewhere."""

from pathlib import Path

import pytest

import bot
from bot.dice.errors import SpecError
from bot.dice.notation import parse
from bot.rulebooks.book import read_game
from bot.rulebooks.words import on_usual
from bot.services.parsing import shipped


@pytest.mark.parametrize(("text", "key", "ours"), [("+7", "dnd5", "1d20+7"), (" - 2 ", "traveller", "2d6-2")])
def test_a_bonus_alone_is_on_the_usual_dice(text: str, key: str, ours: str) -> None:
    """Of the game that is played."""
    assert str(parse(on_usual(text, shipped()[key]))) == ours


@pytest.mark.parametrize("text", ["2d6", "d20+7", "7", "+7+1d4", "attack +7"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    """Also where the game says what is usual."""
    assert on_usual(text, shipped()["dnd5"]) == text
    assert on_usual("+7", None) == on_usual("+7", shipped()["wod"]) == "+7"


def test_every_game_that_says_so_says_dice() -> None:
    """What else stands there is refused."""
    assert {game.usual for game in shipped().values()} == {"", "d20", "2d6"}
    blades = (Path(bot.__file__).parent / "games" / "blades.json").read_text(encoding="utf-8")
    with pytest.raises(SpecError, match="usual is dice"):
        read_game(blades.replace('"rolls"', '"usual": "two dice", "rolls"', 1))
