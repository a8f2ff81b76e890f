"""Faults of a game's file, and sample rolls of it, for authors of games."""

import json
import re
from contextlib import suppress

from bot.dice.errors import SpecError
from bot.dice.system import is_object
from bot.rulebooks.book import Game, NamedRoll, read_game
from bot.rulebooks.options import GameOption
from bot.rulebooks.rules import FAR
from bot.rulebooks.words import GameRequest, understand

_ENTRY = re.compile(r"(\w+)\[(\d+)\]")
_SMALL = 3


def faults(text: str) -> list[str]:
    """Return why a file can't be read: its first fault, and the first one of each roll."""
    messages, rolls = [_fault_of(text)], {}
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        rolls = dict(json.loads(text)["rolls"])
    for name, roll in rolls.items():
        # Pushes and chosen dice name a second roll, which is missing here.
        follows = {"push", "choose"}
        alone = {key: part for key, part in roll.items() if key not in follows} if is_object(roll) else roll
        game = {"key": "x", "name": "x", "help": "x", "rolls": {name: alone}}
        messages.append(_fault_of(json.dumps(game)))
    return [*filter(None, dict.fromkeys(messages))]


def _fault_of(text: str) -> str:
    """Return the first fault of a file; "" for none."""
    try:
        read_game(text)
    except SpecError as error:
        return str(error)
    return ""


def line_of(text: str, fault: str) -> int:
    """Return the line number of the path that a fault starts with, `rolls.dare.classes.hurt: ...`, or 1."""
    position = 0
    for part in fault.partition(":")[0].split("."):
        entry = _ENTRY.match(part)
        names = (entry[1] if entry else part, part.partition(" ")[0])
        positions = (text.find(f'"{name}"{colon}', position) for name in names for colon in (":", " :"))
        position = next((index for index in positions if index >= 0), position)
        for _ in range(int(entry[2]) + 1 if entry else 0):
            position = max(text.find("{", position) + 1, position)
    return text.count("\n", 0, position) + 1


def examples(game: Game, roll: NamedRoll) -> list[GameRequest]:
    """Return the game's buttons for a roll, or else the roll with small numbers."""
    requests = [understand(words, {game.key: game}, None) for words in game.buttons]
    matching = [request for request in requests if request and request.roll is roll]
    return matching or [_with_numbers(game, roll, _SMALL, None)]


def extremes(game: Game, roll: NamedRoll) -> list[GameRequest]:
    """Return the roll with the lowest and the highest numbers, of all options and of the required ones."""
    ends = -FAR, FAR
    return [_with_numbers(game, roll, limit, optional) for limit in ends for optional in (None, limit)]


def _with_numbers(game: Game, roll: NamedRoll, required: int, optional: int | None) -> GameRequest:
    """Return the roll with its options clamped to these numbers; None leaves the optional ones out."""

    def clamp(option: GameOption) -> int:
        if option.usual is not None and optional is None:
            return option.usual
        target = required if option.usual is None or optional is None else optional
        return min(max(target, option.low), option.high)

    return GameRequest(game, roll, tuple((option.name, clamp(option)) for option in roll.options))
