"""What the command line takes for a roller: dice notation, a game's words, or a spec as JSON."""

import re

from bot.dice.bases import read_base
from bot.dice.system import System
from bot.services.shelf import asked_game
from bot.systems.game import game_roll
from bot.systems.plain import PlainDice
from bot.systems.registry import load_spec

# A group of dice begins with a bracket too.
_JSON = re.compile(r"\s*\{\s*(?:[\"}]|$)")


def read_roller(text: str) -> System:
    """Read a system; DiceError says what is wrong with it."""
    if _JSON.match(text):
        return load_spec(text)
    asked = asked_game(text, None)
    return game_roll(asked) if asked else PlainDice(read_base(text))
