"""What the command line takes for a roller: dice notation, a game's words, or a spec as JSON."""

from bot.dice.bases import read_base
from bot.dice.system import System
from bot.services.shelf import asked_game
from bot.systems.game import game_roll
from bot.systems.plain import PlainDice
from bot.systems.registry import load_spec


def read_roller(text: str) -> System:
    """Read a system; DiceError says what is wrong with it."""
    if text.lstrip().startswith("{"):
        return load_spec(text)
    asked = asked_game(text, None)
    return game_roll(asked) if asked else PlainDice(read_base(text))
