"""Read dice of a game's roll, typed with it: `attack d20+5`, `pool 7d10`, `trait d8`, `pool 2d8 d6`."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress

from bot.dice.errors import SpecError
from bot.rulebooks.book import Game, NamedRoll
from bot.rulebooks.options import TooManySizes

DICE = re.compile(r"([1-9]\d{0,2})?d([1-9]\d{0,3})([+-]\d{1,4})?", re.ASCII)

_DIE = r"(?:[1-9]\d{0,2})?d[1-9]\d{0,3}"
TYPED = re.compile(rf"\+?{_DIE}(?:\+{_DIE}|[+-]\d{{1,4}}(?!\d*d))*+", re.ASCII)
"""Dice that a roll may take from the player, such as damage: `1d8+4+3d6`."""
_TERMS = re.compile(r"[+-]?(?:\d*d)?\d+", re.ASCII)
_TERM = re.compile(r"([+-]?)(\d*)(?:d(\d+))?", re.ASCII)


def add_typed_dice(game: Game, roll: NamedRoll, typed: Sequence[str]) -> list[str]:
    """Return the options of typed dice, added up; TooManySizes if the roll has too few options for them."""
    counts, plus = Counter[str](), 0
    for sign, number, sides in _TERM.findall("+".join(typed).replace("++", "+")):
        if sides:
            counts[sides] += int(number or 1)
        elif number:
            plus += int(f"{sign}{number}")
    values = [value for sides, count in counts.items() for value in (count, sides)]
    values = [*values[:2], plus, *values[2:]]
    if len(values) > len(roll.dice):
        raise TooManySizes(
            "`{name}` has more kinds of dice ({sizes}) than {key} {roll} takes ({most}).",
            key=game.short,
            roll=roll.word,
            most=len(roll.dice) // 2,
            name=" ".join(typed),
            sizes=len(counts),
        )
    values += [0] * (len(roll.dice) - len(values))
    return [f"{option}={value}" for option, value in zip(roll.dice, values, strict=True)]


def expand_die(roll: NamedRoll, word: str) -> str:
    """Return `d8=2` for `2d8` if the roll has an option of that die; other words unchanged."""
    dice = DICE.fullmatch(word.removeprefix("+"))
    option = f"d{dice[2]}" if dice and not dice[3] else ""
    if not (dice and roll.option(option)):
        return word
    return f"{option}={dice[1]}" if dice[1] else option


def find_sizes(roll: NamedRoll) -> list[str]:
    """Return the options that are the sides of a die, as in `trait d8`."""
    options = {option.name for option in roll.options} - {*roll.dice}
    return [pool.sides.text for pool in roll.rule.pools if pool.sides and pool.sides.text in options]


def read_own_dice(game: Game, roll: NamedRoll, word: str, sizes: list[str]) -> list[str] | None:
    """Return the numbers of dice that the roll throws itself, typed with it: `attack d20+5`, `pool 7d10`.

    `sizes` are the options still without a value that are a die's sides, as in `trait d8`; one is used up.
    Return None for other words.
    """
    dice = DICE.fullmatch(word)
    if dice is None:
        return _read_own_sum(game, roll, word, sizes)
    count, sides, plus = dice.groups(default="")
    bonus = [plus] if plus else []
    if not count and sizes:
        sizes.pop(0)
        return [sides, *bonus]
    if f"{count or 1}d{sides}" in {game.usual, f"1{game.usual}"}:
        return bonus
    if roll.thrown:
        return None
    number = _count_usual_dice(roll, int(sides))
    if roll.option("dice"):
        name = "" if roll.options[0].name == "dice" else "dice="
        return [f"{name}{count}", *bonus] if count and number else None
    return bonus if number == int(count or 1) else None


def _read_own_sum(game: Game, roll: NamedRoll, word: str, sizes: list[str]) -> list[str] | None:
    """Return the numbers of a sum of the roll's own dice, `d10+d8+2`, or that begins with the usual die.

    In `attack d20+5+1d4` it is left to the roll what the d4 is, and it is no damage. What is added to a die
    whose size the roll is told, `trait d8+d6`, may be more than a die that it throws anyway.
    """
    if not TYPED.fullmatch(word):
        return None
    numbers, unused, is_told, thrown = list[str](), list(sizes), bool(find_sizes(roll)), set[str]()
    first, *terms = _TERMS.findall(word.removeprefix("+"))
    is_usual = first in {game.usual, f"1{game.usual}"}
    for term in terms if is_usual else (first, *terms):
        die, is_added = term.removeprefix("+"), term != first or word[0] == "+"
        own = read_own_dice(game, roll, die, unused) if "d" in term else [term]
        is_main = die in {game.usual, f"1{game.usual}"}
        is_more = own == [] and not is_main and (die in thrown or (is_told and is_added))
        if is_more or (own is None and not is_usual):
            return None
        thrown.add(die)
        numbers += [term] if own is None else own
    sizes[:] = unused
    return numbers


def adds_die(roll: NamedRoll, switch: str, word: str) -> bool:
    """Return whether a word is the die that a roll throws further with a switch, such as the d4 of bless."""
    dice = DICE.fullmatch(word.removeprefix("+"))
    if dice is None or dice[3] or dice[1] not in {None, "1"}:
        return False
    return _count_usual_dice(roll, int(dice[2]), switch) > _count_usual_dice(roll, int(dice[2]))


def _count_usual_dice(roll: NamedRoll, sides: int, switch: str = "") -> int:
    """Return how many dice of these sides a roll throws with its usual options and a switch."""
    values = {o.name: max(o.usual or 0, o.low, o.name in {"dice", switch}) for o in roll.options}
    number = 0
    for pool in roll.rule.pools:
        with suppress(SpecError, KeyError):  # a later pool may depend on what an earlier one shows
            if pool.sides and pool.sides.value(values) == sides:
                number += pool.dice(values)
    return number


def strip_signs(roll: NamedRoll, pairs: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs, the first numbers without a + if they are the sides of dice: a number of one's own."""
    sizes = find_sizes(roll)
    count = len(sizes) if roll.options[:1] and roll.options[0].name in sizes else 0
    for name, number in pairs:
        is_size = not name and count > 0
        count -= is_size
        yield name, number.removeprefix("+") if is_size else number
