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
_ADDED = re.compile(r" ?\+ ?(\d{1,2}) ?([^\W\d_]+)(?!\S| [+-]?\d)")
"""A number with a sign before a word, `6 + 2 stress`."""
_ADDED_WORD = re.compile(r" \+ ?(?=([^\W\d_]+)(?!\S))")
_AGAINST_DICE = re.compile(r" (?:vs\.?|against) (?=(\d+) ?([^\W\d_]+)(?!\S| [+-]?\d))")
_AGAINST_NUMBER = re.compile(r" (?:vs\.?|against) (?=\d)")
_DIE = re.compile(r"\d*d\d+", re.ASCII)
_OF_DICE = re.compile(r"\dd\d+\+\Z", re.ASCII)
"""What is before the bonus of dice that a roll takes from the player, as in `1d8+4 deadly`."""
_AIMED_AT = re.compile(r"(?<= )(?:vs\.?|against) ((?:[^\W\d_]{2,}+ ){1,2}+)(?=\d)")
"""What a target is before its number: `vs physical defense 13`."""
ALSO_AGAINST = ("dc", "ac", "tn", "dv", "target", "difficulty", "diff", "dif", "threshold")
"""Words before any roll's target, in rolls without an option of that name."""
TARGETS = ("diff", "target", "need")
"""Options that are targets where the rule of a roll names none."""
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
    """Return the words with those for an option's number replaced: `difficulty=3` for hard in Genesys.

    A die that stands for one may have a bonus behind it, `d24+3`.
    """
    text = f" {' '.join(words)} "
    for short in roll.shorthands:
        if short.number is not None:
            for behind in " +-":
                text = text.replace(f" {short.word}{behind}", f" {short.option}={short.number} {behind}")
    return _name_added(roll, text).split()


def find_target(roll: NamedRoll) -> str | None:
    """Return the option of a roll that is its target; None for none."""
    return next(filter(roll.option, (roll.rule.against, *TARGETS)), None)


def _name_added(roll: NamedRoll, text: str) -> str:
    """Return a text with numbers that are added by name as those of the options: `6 stress=2`.

    In a roll without a target `vs 2 purple` is no target either.
    """

    def with_name(match: re.Match[str]) -> str:
        before, option = text[: match.start()], named_option(roll, match[2])
        if roll.options[0].usual is not None:
            before = _DIE.sub("", before)  # In `2d10+2 edge` the number is the first option.
        if option is None or (roll.thrown and _OF_DICE.search(text[: match.start() + 1])):
            return match[0]
        is_counted = not option.is_switch and option.low >= 0 and not option.usual
        is_own = is_counted and option != roll.options[0] and any(map(str.isdecimal, before))
        return f" {option.name}={match[1]}" if is_own else match[0]

    def without_aim(match: re.Match[str]) -> str:
        option = named_option(roll, match[2])
        return " " if option and not option.is_switch else match[0]

    def without_sign(match: re.Match[str]) -> str:
        return " " if named_option(roll, match[1]) else match[0]

    def without_name(match: re.Match[str]) -> str:
        names = match[1].split()
        is_known = any(name in ALSO_AGAINST or option_meant(roll, name) for name in names)
        return match[0] if is_known else "vs "

    if not roll.options:
        return text
    text = _AIMED_AT.sub(without_name, text) if find_target(roll) else _AGAINST_DICE.sub(without_aim, text)
    if not find_target(roll) and sum(option.usual is None for option in roll.options) > 1:
        text = _AGAINST_NUMBER.sub(" ", text)  # `hit 7 vs 5`
    return _ADDED.sub(with_name, _ADDED_WORD.sub(without_sign, text))


def are_counted(roll: NamedRoll, words: Sequence[str]) -> bool:
    """Return whether each number is before its name, `2 ability 1 proficiency`, and no needed one lacks."""
    numbers, options = words[::2], [named_option(roll, word) for word in words[1::2]]
    has_pairs = len(numbers) == len(options) and all(map(str.isdecimal, numbers))
    are_options = all(option and not option.is_switch for option in options)
    return has_pairs and are_options and all(o in options for o in roll.options if o.usual is None)


def counts_other(option: GameOption | None, number: str) -> bool:
    """Return whether a number behind "dice" can't be theirs, as in `4 dice 12`."""
    is_range = option is not None and option.name == "dice" and number.isdecimal()
    return bool(option and is_range and not option.low <= int(number) <= option.high)


def takes_sign(roll: NamedRoll, option: GameOption) -> bool:
    """Return whether a signed number without a name is this option, and no bonus to the number before it.

    It may be below 0 and is no target, or counts dice of its own: `check 3+2` with a ring and a skill. Behind
    three numbers that a roll needs it is the fourth: `skill 13 12 11 +6`.
    """
    is_bonus = option.low < 0 and option.name != find_target(roll)
    is_fourth = option.usual is not None and needs_three(roll)
    return is_bonus or is_fourth or any(pool.count.text == option.name for pool in roll.rule.pools)


def needs_three(roll: NamedRoll) -> bool:
    """Return whether a roll needs three numbers or more."""
    return sum(option.usual is None for option in roll.options) > 2


def has_number_behind(roll: NamedRoll, word: str, first: str, behind: str) -> bool:
    """Return whether a letter behind the roll's first number has its own behind it: `7 h 2`."""
    own = roll.options[0] if roll.options else None
    if own is None or own.usual is not None or roll.letters.get(word, own.name) == own.name:
        return False
    return first.isdecimal() and behind.isdecimal()
