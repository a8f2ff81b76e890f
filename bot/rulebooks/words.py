"""A game's words as a player types them: `wod 7 diff 6`, `action 3`, `move +1 boon`."""

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import TypeAlias

from bot.dice.dialects.rewriting import OneWord
from bot.dice.errors import SpecError
from bot.dice.notation import read_own, reads
from bot.rulebooks.book import Game, GameOption, NamedRoll, plain

_NUMBER = re.compile(r"[+-]?[0-9]{1,5}", re.ASCII)
_BONUS = re.compile(r"\s*[+-]\s*\d+\s*", re.ASCII)
_SIGNED = re.compile(r"\s*[+-]\s*\d", re.ASCII)
_APART = re.compile(r"(?<=[+-])\s+(?=\d)", re.ASCII)
_EQUALS = re.compile(r"(\w)\s*[:=]\s*")
_BONUS_BEHIND = re.compile(r"([^\W\d_]+)(?=[+-]\d)")
_PLUS = re.compile(r"[+-]\d+\Z", re.ASCII)
_LETTER = re.compile(r"(\d{0,2})([a-z])", re.ASCII)
_SIGN = re.compile(r"(?<=\d)(?=[+-]\d)", re.ASCII)
_SAID = {"die": re.compile(r"d(\d+)", re.ASCII), "dice": re.compile(r"(\d+)d", re.ASCII)}
"""How a number for an option of that name may be said too: `d8` for a die, `3d` for a number of dice."""
_DICE = re.compile(r"([1-9]\d{0,2})?d([1-9]\d{0,3})([+-]\d{1,4})?", re.ASCII)
_AGAINST, _TARGETS = ("vs", "vs.", "against"), ("diff", "target")
"""What is said before any roll's target, and options that are one where the rule names none."""
TEXT_LIMIT = 100
_ONE_WORD = OneWord(
    json.loads((files("bot.rulebooks") / "one_word.json").read_text(encoding="utf-8"))["words"]
)
"""Rolls of Dice Maiden, in our games' words."""

GamesByKey: TypeAlias = Mapping[str, Game]
"""Games that every campaign knows, by their keys."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A roll of a game that somebody asked for, with the value of each option."""

    game: Game
    roll: NamedRoll
    given: tuple[tuple[str, int], ...]

    @property
    def words(self) -> str:
        """Return it as it is best typed, e.g. "wod pool 7 diff 6"; what is usually 0 is left out then."""
        said = [self.game.key, self.roll.name]
        given = dict(self.given)
        for option in (each for each in self.roll.options if each.name not in self.roll.dice):
            name, value = option.name, given[option.name]
            if option.usual is None:
                said.append(str(value))
            elif value or option.usual:
                said.append(name if option.is_switch else f"{name} {value}")
        count, sides, plus = (given.get(name) for name in self.roll.dice)
        if count:
            said.append(f"{count}d{sides}" + (f"{plus:+}" if plus else ""))
        return " ".join(said)


def understand(text: str, games: GamesByKey, played: Game | None) -> Asked | None:
    """Return the roll that the words ask for; None where they do not begin with a game's word.

    Every game answers to its key; the rolls of the game that is played answer to their own names too, and all
    to those in another language that they have. Behind a # stands a comment. SpecError says what is wrong
    with the rest of the words.
    """
    text = text.partition(" #")[0]
    words = _EQUALS.sub(r"\1=", _APART.sub("", plain(text).replace("–", "-"))).split()
    if not words or len(text) > TEXT_LIMIT:
        return None
    if played and (glued := _BONUS_BEHIND.match(words[0])) and played.answers(glued[1]):
        words[:1] = glued[1], words[0][glued.end() :]
    first, *rest = words
    if game := played if played and played.key == first else games.get(first):
        named = game.roll(rest[0]) if rest else None
        return _asked(game, named or game.rolls[0], rest[1:] if named else rest)
    if played and (roll := played.roll(first)):
        return _asked(played, roll, rest)
    if played and _spelled(played.rolls[0], first):
        return _asked(played, played.rolls[0], words)
    said = _ONE_WORD.said(text)
    return understand(said, games, None) if said else None


def on_usual(text: str, played: Game | None) -> str:
    """Return what is missing its dice, `+7` or `+7 vs 15`, on the usual ones of the game that is played.

    Other text as it is.
    """
    said = f"{played.usual}{text}" if played and played.usual and _SIGNED.match(text) else text
    return said if reads(said) and not reads(text) else text


def low_passes(dice: str, played: Game | None) -> bool:
    """Return whether low rolls of these dice, with a bonus or without, pass in the game that is played."""
    if played is None or not played.under or not reads(dice):
        return False
    return _PLUS.sub("", read_own(dice).text) == read_own(played.under).text


def meant(text: str, played: Game | None) -> str:
    """Return what is missing in front of numbers that are for the first roll of a game; "" for other texts.

    A game with usual dice has none: there a number is a bonus.
    """
    with suppress(SpecError):
        if played and not played.usual and understand(f"{played.key} {text}", {}, played):
            word = played.rolls[0].word
            return f"{played.key if word == 'roll' else word} {text.strip()}"
    return ""


def usage(game: Game, roll: NamedRoll) -> str:
    """Return how a roll is typed, "Type `wod pool DICE [diff 6]`: ..."."""
    return f"Type `{pattern(game, roll)}`: {roll.help}"


def pattern(game: Game, roll: NamedRoll) -> str:
    """Return what is typed for a roll, "wod pool DICE [diff 6]"."""
    options = [
        o.word.upper() if o.usual is None else _optional(o) for o in roll.options if o.name not in roll.dice
    ]
    options += [f"[{roll.thrown_said or roll.thrown} 2d6+3]"] if roll.thrown else []
    return " ".join([game.key, roll.word, *options])


def _optional(option: GameOption) -> str:
    missing = option.usual is not None and option.usual < option.low
    return f"[{option.word}]" if option.is_switch else f"[{option.word} {'N' if missing else option.usual}]"


def _spread(roll: NamedRoll, words: Sequence[str]) -> Iterator[str]:
    """Yield the words; of dice that the roll takes its three options, so 2d6+3 is damage_dice=2 and so on."""
    text, called = " ".join(words), [*filter(None, (roll.thrown, plain(roll.thrown_said)))]
    for name in called:
        text = text.replace(f"{name} ", f"{name}=")
    for word in text.split():
        name, _, number = word.rpartition("=")
        dice = _DICE.fullmatch(number) if roll.thrown and name in {"", *called} else None
        if dice and (name or dice[1] or not roll.option("die")):
            given = zip(roll.dice, (dice[1] or 1, dice[2], dice[3] or 0), strict=True)
            yield from (f"{option}={value}" for option, value in given)
        else:
            yield from _SIGN.sub(" ", word).split()


def _asked(game: Game, roll: NamedRoll, words: Sequence[str]) -> Asked:
    given: dict[str, int] = {}
    words = [*_aimed(roll, [*_spread(roll, words)])]
    words = [sized for word in words for sized in _spelled(roll, word) or [_sized(roll, word)]]
    for option, said in _SAID.items():
        if roll.option(option):
            words = [said.sub(r"\1", word) if said.fullmatch(word) else word for word in words]
    last = ""
    for name, number in _summed([*_pairs(roll, words)]):
        free = (one for one in roll.options if one.name not in given and not one.is_switch)
        option = roll.option(name) if name else next(free, None)
        if last and not name and _BONUS.fullmatch(number) and (option is None or option.low > 0):
            # No modifier is left to take it, and a target has no sign.
            given[last] += int(number)
            continue
        if name and (option is None or not _NUMBER.fullmatch(number)):
            raise SpecError(
                "{key} {roll} has no {name!r}. Type `{pattern}`: {help}",
                key=game.key,
                roll=roll.word,
                name=name,
                pattern=pattern(game, roll),
                help=roll.help,
            )
        if option is None:
            raise SpecError(
                "{number} is one number too many. Type `{pattern}`: {help}",
                number=number,
                pattern=pattern(game, roll),
                help=roll.help,
            )
        if option.name in given:
            raise SpecError(
                "{name} is there twice. Type `{pattern}`: {help}",
                name=option.word,
                pattern=pattern(game, roll),
                help=roll.help,
            )
        given[option.name] = int(number)
        last = "" if name else option.name
    return Asked(game, roll, tuple(_values(game, roll, given)))


def _spelled(roll: NamedRoll, word: str) -> list[str]:
    """Return `proficiency=2` and so on for letters, `yyg` or `2y1g`; nothing for other words."""
    counts, options = Counter[str](), dict(roll.letters)
    for number, letter in () if _LETTER.sub("", word) else _LETTER.findall(word):
        counts[options.get(letter, "")] += int(number or 1)
    return [] if "" in counts else [f"{option}={number}" for option, number in counts.items()]


def _sized(roll: NamedRoll, word: str) -> str:
    """Return `d8=2` for `2d8` where the roll has an option of that die; other words as they are."""
    dice = _DICE.fullmatch(word)
    option = f"d{dice[2]}" if dice and dice[1] and not dice[3] else ""
    return f"{option}={dice[1]}" if dice and roll.option(option) else word


def _values(game: Game, roll: NamedRoll, given: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield each option with what is given or usual; SpecError for one that is missing or out of range."""
    for option in roll.options:
        value = given.get(option.name, option.usual)
        if value is None:
            raise SpecError(
                "{key} {name} needs {option}. Type `{pattern}`: {help}",
                key=game.key,
                name=roll.word,
                option=option.word,
                pattern=pattern(game, roll),
                help=roll.help,
            )
        if option.name in given and not option.low <= value <= option.high:
            raise SpecError(
                "In {key} {name} {option} is {low:,} to {high:,}, not {int:,}.",
                key=game.key,
                name=roll.word,
                option=option.word,
                low=option.low,
                high=option.high,
                int=value,
            )
        yield option.name, value


def _summed(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs; of bonuses without a name, `+5` and later `+2`, their sum."""
    bonuses = [int(number) for name, number in pairs if not name and _BONUS.fullmatch(number)]
    for name, number in pairs:
        if name or not _BONUS.fullmatch(number):
            yield name, number
        elif bonuses:
            yield name, f"{sum(bonuses):+}"
            bonuses.clear()


def _aimed(roll: NamedRoll, words: Sequence[str]) -> Iterator[str]:
    """Yield the words; of `vs 15` what the roll calls its target, and of `vs ac 15` what is behind."""
    target = next(filter(roll.option, (roll.rule.against, *_TARGETS)), None)
    for word, behind in pairwise([*words, ""]):
        if target and word in _AGAINST and _NUMBER.fullmatch(behind):
            yield target
        elif word not in _AGAINST or not roll.option(behind.partition("=")[0]):
            yield word


def _pairs(roll: NamedRoll, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield an option's name and its number for each word or two; a bare number has the name ""."""
    left = deque(words)
    while left:
        name, equals, number = left.popleft().partition("=")
        if _NUMBER.fullmatch(name) and not equals:
            yield "", name
        elif equals:
            yield name, number
        elif (option := roll.option(name)) and not option.is_switch and left and _NUMBER.fullmatch(left[0]):
            yield name, left.popleft()
        else:
            # Of `d8 d8 d6` two are d8s; a switch is on once.
            again = left.count(name) if option and not option.is_switch else 0
            left = deque(word for word in left if not again or word != name)
            yield name, str(1 + again)
