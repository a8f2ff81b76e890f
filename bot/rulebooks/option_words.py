"""Find the options of a game's roll that words and letters stand for."""

import re
from collections import Counter
from collections.abc import Sequence

from bot.rulebooks.book import NamedRoll, plain
from bot.rulebooks.options import GameOption

_LETTER = re.compile(r"(\d{0,2})([a-z])", re.ASCII)
NUMBERED = re.compile(r"(\d*)([a-z])(\d{1,2})", re.ASCII)
"""A letter with its number behind it, `h2`, also behind a number: `7h2`."""
_IN_FULL = {"advantage": "adv", "disadvantage": "dis", "difficulty": "diff"}
_BOONS = {"adv": "boon", "advantage": "boon", "dis": "bane", "disadvantage": "bane"}
"""Advantage in games that have a boon."""
_SHORTEST = 3
"""The fewest letters that stand for an option whose name begins with them; two more for a switch."""


def named_option(roll: NamedRoll, word: str) -> GameOption | None:
    """Return the option of a word: its name, its plural, `advantage` for `adv`, or the one name it begins."""
    full = _IN_FULL.get(word, ""), _BOONS.get(word, ""), roll.letters.get(word, "")
    singular = word.removesuffix("s"), word.removesuffix("es")
    names = word, *full, *(singular if len(word) > _SHORTEST else ())
    if option := next(filter(None, map(roll.option, names)), None):
        return option
    begun = [option for option in roll.options if plain(option.word).startswith(word)]
    # In Pathfinder `fort` is no fortune.
    shortest = _SHORTEST + 2 if begun and begun[0].is_switch else _SHORTEST
    return begun[0] if len(begun) == 1 and len(word) >= shortest else None


def option_meant(roll: NamedRoll, word: str) -> GameOption | None:
    """Return the option that a word names or gives a number, as `hard` does the difficulty; None for none."""
    stood_for = (roll.option(short.option) for short in roll.shorthands if short.word == word)
    return named_option(roll, word) or next(stood_for, None)


def expand_letters(roll: NamedRoll, word: str) -> list[str]:
    """Return `proficiency=2` and so on for letters, `yyg` or `2y1g`, `h2`; an empty list for other words."""
    counts, options = Counter[str](), roll.letters
    if (behind := NUMBERED.fullmatch(word)) and not behind[1] and behind[2] in options:
        return [f"{options[behind[2]]}={behind[3]}"]
    for number, letter in () if _LETTER.sub("", word) else _LETTER.findall(word):
        counts[options.get(letter, "")] += int(number or 1)
    return [] if "" in counts else [f"{option}={number}" for option, number in counts.items()]


def replace_numbered(roll: NamedRoll, words: Sequence[str]) -> list[str]:
    """Return the words with those for an option's number replaced: `difficulty=3` for hard in Genesys."""
    text = f" {' '.join(words)} "
    for short in roll.shorthands:
        if short.number is not None:
            text = text.replace(f" {short.word} ", f" {short.option}={short.number} ")
    return text.split()
