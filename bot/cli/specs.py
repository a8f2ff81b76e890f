"""What the command line takes for a roller: dice notation, or a spec as JSON."""

from bot.dice.bases import read_base
from bot.dice.system import System
from bot.systems.plain import PlainDice
from bot.systems.registry import load_spec


def read_roller(text: str) -> System:
    """Read a system; DiceError says what is wrong with it."""
    return load_spec(text) if text.lstrip().startswith("{") else PlainDice(read_base(text))
