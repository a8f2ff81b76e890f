"""What is wrong with a game's file, and rolls of it to try: for whoever writes one."""

import json
import re

from bot.dice.errors import SpecError
from bot.dice.system import is_object
from bot.rulebooks.book import Game, GameOption, NamedRoll, read_game
from bot.rulebooks.rules import FAR
from bot.rulebooks.words import Asked, understand

_ENTRY = re.compile(r"(\w+)\[(\d+)\]")
_FEW = 3


def faults(text: str) -> list[str]:
    """Return what keeps a file from being read: the first fault of it, and the first of each roll."""
    found: dict[str, None] = {}
    try:
        read_game(text)
    except SpecError as error:
        found[str(error)] = None
    try:
        value = json.loads(text)
        rolls = dict(value["rolls"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return [*found]
    for name, roll in rolls.items():
        # A push, or dice that are chosen, may name a second roll, which is left out here.
        follows = {"push", "choose"}
        alone = {key: part for key, part in roll.items() if key not in follows} if is_object(roll) else roll
        try:
            read_game(json.dumps({"key": "x", "name": "x", "help": "x", "rolls": {name: alone}}))
        except SpecError as error:
            found[str(error)] = None
    return [*found]


def line_of(text: str, fault: str) -> int:
    """Return the line of a file that a fault begins with, `rolls.dare.classes.hurt: ...`; 1 if none."""
    place = 0
    for part in fault.partition(":")[0].split("."):
        entry = _ENTRY.match(part)
        names = (entry[1] if entry else part, part.partition(" ")[0])
        found = (text.find(f'"{name}"{colon}', place) for name in names for colon in (":", " :"))
        place = next((at for at in found if at >= 0), place)
        for _ in range(int(entry[2]) + 1 if entry else 0):
            place = max(text.find("{", place) + 1, place)
    return text.count("\n", 0, place) + 1


def examples(game: Game, roll: NamedRoll) -> list[Asked]:
    """Return what the game's buttons roll of it, or else it with small numbers."""
    asked = [understand(words, {game.key: game}, None) for words in game.buttons]
    return [one for one in asked if one and one.roll is roll] or [_with(game, roll, _FEW, None)]


def extremes(game: Game, roll: NamedRoll) -> list[Asked]:
    """Return the roll with all numbers, and with only those that it needs, as low and as high as they go."""
    ends = -FAR, FAR
    return [_with(game, roll, end, others) for end in ends for others in (None, end)]


def _with(game: Game, roll: NamedRoll, needed: int, others: int | None) -> Asked:
    """Return the roll with its options as near to these numbers as they can be; None leaves them out."""

    def near(option: GameOption) -> int:
        if option.usual is not None and others is None:
            return option.usual
        wanted = needed if option.usual is None or others is None else others
        return min(max(wanted, option.low), option.high)

    return Asked(game, roll, tuple((option.name, near(option)) for option in roll.options))
