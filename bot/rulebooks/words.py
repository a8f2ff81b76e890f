"""Parse a game's words as a player types them: `wod 7 diff 6`, `action 3`, `move +1 boon`."""

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import TypeAlias

from bot.dice.dialects.rewriting import OneWord
from bot.dice.errors import SpecError
from bot.rulebooks.book import Game, NamedRoll, plain
from bot.rulebooks.option_words import (
    ALSO_AGAINST,
    NUMBERED,
    are_counted,
    counts_other,
    expand_letters,
    find_target,
    has_number_behind,
    named_option,
    needs_three,
    option_meant,
    replace_numbered,
    takes_sign,
)
from bot.rulebooks.options import GameOption, UnknownWord, print_dice, refuse_alone
from bot.rulebooks.own_dice import (
    DICE,
    TYPED,
    add_typed_dice,
    adds_die,
    expand_die,
    find_sizes,
    read_own_dice,
    strip_signs,
)

_NUMBER = re.compile(r"[+-]?[0-9]{1,5}", re.ASCII)
_BONUS = re.compile(r"\s*[+-]\s*\d+\s*", re.ASCII)
_APART = re.compile(r"(?<=[+-])\s+(?=d?\d)", re.ASCII)
_SUM_APART = re.compile(r"(?<!\w)\d{0,3}d\d++(?:(?:[+-]| [+-] )(?:\d{0,3}+d)?+\d++)++", re.ASCII)
"""Dice and what is added to them with blanks around the sign: `2d6 + 4 + 1d6`."""
_EQUALS = re.compile(r"(\w)\s*[:=]\s*")
_BONUS_BEHIND = re.compile(r"([^\W\d_]+)(?=[+-]\d)")
_SIGN = re.compile(r"(?<=[\dd])(?=[+-]\d|\+d\d)", re.ASCII)
_COUNTED = re.compile(r"([+-]?\d+)d", re.ASCII)
"""Another spelling of a number of dice: `3d`."""
_GLUED = re.compile(r"(?P<name>[^\W\d_]{2,})(?P<number>[+-]?\d+)|(?P<first>\d+)-?(?P<behind>[^\W\d_]{2,})")
_AGAINST = ("vs", "vs.", "against")
"""Words before any roll's target."""
TEXT_LIMIT = 100
_WORDS = json.loads((files("bot.rulebooks") / "one_word.json").read_text(encoding="utf-8"))
_ONE_WORD = OneWord(_WORDS["words"])
"""Rolls of Dice Maiden, translated to words of games here."""
SHORT_NAMES: Mapping[str, str] = _WORDS["games"]
"""Other words for the keys of games, such as coc for cthulhu."""
ORDINARY_WORDS: frozenset[str] = frozenset(_WORDS["ordinary"])
"""Keys of games that are words of other games too, such as the heart of Ironsworn."""
_SIGNS = [(re.compile(pattern), words) for pattern, words in _WORDS["signs"].items()]
"""Signs of character sheets to the words that they stand for: `7 @ 6` is `7 vs 6`."""

GamesByKey: TypeAlias = Mapping[str, Game]
"""Built-in games by key."""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A requested roll of a game, with the value of each option."""

    game: Game
    roll: NamedRoll
    given: tuple[tuple[str, int], ...]

    @property
    def words(self) -> str:
        """Return it in its preferred form, e.g. "wod pool 7 diff 6", without zeros that are the default."""
        parts = [self.game.key, self.roll.name]
        values = dict(self.given)
        for option in self.roll.options:
            if option.name in self.roll.dice:
                continue
            name, value = option.name, values[option.name]
            if option.usual is None:
                parts.append(str(value))
            elif (value or option.usual) and not (option.may_be_missing and value == option.usual):
                parts.append(name if option.is_switch else f"{name} {value}")
        dice = [values[name] for name in self.roll.dice]
        if any(dice[:1]):
            typed = print_dice(dice)
            is_own = read_own_dice(self.game, self.roll, typed, []) is not None
            is_own = is_own or adds_die(self.roll, parts[-1], typed)
            parts.append(f"{self.roll.thrown} {typed}" if is_own else typed)
        return " ".join(parts)


def full_key(word: str) -> str:
    """Return the key of the game that a word names, as typed; other words in lower case."""
    word = word.strip().casefold()
    return SHORT_NAMES.get(word, word)


def understand(text: str, games: GamesByKey, played: Game | None) -> GameRequest | None:
    """Return the roll that a text requests; None if it does not begin with a game's word.

    Every game is named by its key or a short name; rolls of the campaign's game also by their own names,
    English or translated. A comment follows a #. Raise SpecError if the other words are wrong.
    """
    text = text.partition(" #")[0]
    if len(text) > TEXT_LIMIT:
        return None
    for sign, meaning in _SIGNS:
        text = sign.sub(meaning, text)
    text = _SUM_APART.sub(lambda dice: dice[0].replace(" ", ""), plain(text).replace("–", "-"))
    words = _EQUALS.sub(r"\1=", _APART.sub("", text)).split()
    if not words:
        return None
    words = _replace_phrase(played, _split_bonus(played, words))
    first, *rest = words
    if played is None or (first != played.key and not played.roll(first)):
        first = full_key(first)
    if game := played if played and played.key == first else games.get(first):
        rest = _replace_phrase(game, _split_bonus(game, rest))
        named_roll = game.roll(rest[0]) if rest else None
        return _parse_options(game, named_roll or game.rolls[0], rest[1:] if named_roll else rest)
    if played and (roll := played.roll(first)):
        return _parse_options(played, roll, rest)
    if played and _is_first_roll(played, words):
        return _parse_options(played, played.rolls[0], words)
    translated = _ONE_WORD.translate(text)
    return understand(translated, games, None) if translated else None


def _is_first_roll(game: Game, words: Sequence[str]) -> bool:
    """Return whether words without a roll's word can only be the game's first roll, such as `7 hunger 2`.

    In a game with usual dice numbers in front are a bonus.
    """
    roll = game.rolls[0]
    first, *rest = [*_split_glued(roll, words)]
    is_number = not game.usual and (
        _NUMBER.fullmatch(_SIGN.split(first)[0]) or read_own_dice(game, roll, first, [])
    )
    has_option = is_number and any(
        word in ALSO_AGAINST or option_meant(roll, word) or expand_letters(roll, word) for word in rest
    )
    is_named = _replace_numbers(game, words)[0] != words[0] or expand_letters(roll, words[0])
    return bool(has_option or is_named)


def _split_bonus(game: Game | None, words: list[str]) -> list[str]:
    """Return the words, with a bonus behind a roll's word apart: `attack+5`."""
    glued = _BONUS_BEHIND.match(words[0]) if game and words else None
    if game and glued and (game.answers(glued[1]) or glued[1] in dict(game.numbers)):
        return [glued[1], words[0][glued.end() :], *words[1:]]
    return words


def _replace_phrase(game: Game | None, words: list[str]) -> list[str]:
    """Return the words with the several that name a roll first, `death save`, as the roll's word."""
    for phrase, word in game.also if game else ():
        length = phrase.count(" ") + 1
        if length > 1 and words[:length] == phrase.split():
            return [word, *words[length:]]
    return words


def _expand_dice(game: Game, roll: NamedRoll, words: Sequence[str]) -> list[str]:
    """Return the words, with typed dice as their options: 2d6+3 gives damage_dice=2 and so on.

    Dice in several places add up, `2d6+4 1d6`; those with a sign only behind others: +1d4 may be a bonus.
    """
    text, names = " ".join(words), roll.thrown_names
    for name in names:
        text = text.replace(f"{name} ", f"{name}=")
    sizes, expanded, typed, place = find_sizes(roll), list[str](), list[str](), 0
    is_behind_dice = False
    for word in text.split():
        name, _, number = word.rpartition("=")
        own = None if name else read_own_dice(game, roll, number, sizes)
        is_dice = own is None and roll.thrown and name in {"", *names} and TYPED.fullmatch(number)
        is_behind_dice = bool(is_dice) and (is_behind_dice or number[0] != "+")
        if is_behind_dice:
            place = place if typed else len(expanded)
            typed.append(number)
        else:
            is_sum = find_sizes(roll) and word.count("d") > 1 and TYPED.fullmatch(word)
            expanded += ([word] if is_sum else _SIGN.sub(" ", word).split()) if own is None else own
    expanded[place:place] = add_typed_dice(game, roll, typed) if typed else []
    return expanded


def _parse_options(game: Game, roll: NamedRoll, words: Sequence[str]) -> GameRequest:
    values: dict[str, int] = {}
    words = replace_numbered(roll, _replace_numbers(game, words))
    words = [*_leave_out_die(game, roll, [*_split_glued(roll, words)])]
    words = [*_replace_target(roll, _expand_dice(game, roll, words))]
    words = ["".join(words)] if words and all(expand_letters(roll, word) for word in words) else words
    words = [sized for word in words for sized in expand_letters(roll, word) or [expand_die(roll, word)]]
    if roll.option("dice"):
        words = [_COUNTED.sub(r"\1", word) if _COUNTED.fullmatch(word) else word for word in words]
    last = ""
    pairs = [*_add_bonuses(roll, [*strip_signs(roll, _pair_words(roll, words))])]
    by_name = [named_option(roll, name) for name, _ in pairs if name]
    for name, number in pairs:
        by_place = (option for option in roll.options if not (option.is_switch or option.is_named))
        unset = (option for option in by_place if option.name not in {*values, *roll.dice})
        option = named_option(roll, name) if name else next(unset, None)
        if option and not number:
            raise refuse_alone(option, game.short, roll.word)
        is_own = option and option not in by_name and takes_sign(roll, option)
        if last and not name and _BONUS.fullmatch(number) and not is_own:
            # No option is left for this bonus.
            values[last] += int(number)
            continue
        if name and (option is None or not _NUMBER.fullmatch(number)):
            raise _unknown(game, roll, name)
        if option is None:
            raise SpecError(
                "{number} is one number too many. Type `{pattern}`: {help}",
                number=number,
                pattern=game.pattern(roll),
                help=roll.help,
            )
        if option.name in values and DICE.fullmatch(option.name):
            values[option.name] += int(number)
            continue
        if option.name in values:
            raise SpecError(
                "{name} is there twice. Type `{pattern}`: {help}",
                name=option.word,
                pattern=game.pattern(roll),
                help=roll.help,
            )
        values[option.name] = int(number)
        last = "" if name else option.name
    return GameRequest(game, roll, tuple(_fill_in(game, roll, values)))


def _fill_in(game: Game, roll: NamedRoll, values: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield each option with its value or default; raise SpecError if one is missing or out of range."""
    for option in roll.options:
        value = values.get(option.name, option.usual)
        if value is None:
            raise _missing(game, roll, option)
        if option.name in values and not option.low <= value <= option.high:
            raise SpecError(
                "In {key} {name} {option} is {low:,} to {high:,}, not {int:,}.",
                key=game.short,
                name=roll.word,
                option=option.word,
                low=option.low,
                high=option.high,
                int=value,
            )
        yield option.name, value


def _unknown(game: Game, roll: NamedRoll, name: str) -> UnknownWord:
    return UnknownWord(
        "{key} {roll} has no {name!r}. Type `{pattern}`: {help}",
        key=game.short,
        roll=roll.word,
        name=name,
        pattern=game.pattern(roll),
        help=roll.help,
    )


def _missing(game: Game, roll: NamedRoll, option: GameOption) -> SpecError:
    return SpecError(
        "{key} {name} needs {option}. Type `{pattern}`: {help}",
        key=game.short,
        name=roll.word,
        option=option.word,
        pattern=game.pattern(roll),
        help=roll.help,
    )


def _replace_numbers(game: Game, words: Sequence[str]) -> list[str]:
    """Return the words, with the number of a game's word in front, `great +1`, and behind another word.

    `great +4` may be 4 or 8, and the words in `+3 great` may be a label: these stay. `great (+4)` is 4.
    """
    numbers, spelled = dict(game.numbers), list[str]()
    for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
        value = f"{numbers.get(word, 0):+}"
        if before in numbers and word == f"({numbers[before]:+})":
            continue
        is_number = word in numbers and behind != value and not _NUMBER.fullmatch(before)
        spelled.append(value if is_number else word)
    return spelled


def _split_glued(roll: NamedRoll, words: Sequence[str]) -> Iterator[str]:
    """Yield the words, with an option and its number apart: `tn4`, `dm-2`, `9-again`, `7h2`."""
    for place, word in enumerate(words):
        before, behind = [*words[:place], ""][place - 1], "".join(words[place + 1 : place + 2])
        if has_number_behind(roll, word, before if place == 1 else "", behind):
            yield roll.letters[word]
        elif (dice := _COUNTED.fullmatch(word)) and named_option(roll, behind) and behind not in roll.letters:
            yield dice[1]  # `2d light` in Trophy, where d is for dark
        elif (numbered := NUMBERED.fullmatch(word)) and numbered[1] and numbered[2] in roll.letters:
            yield from (numbered[1], word.removeprefix(numbered[1]))
        else:
            glued = _GLUED.fullmatch(word)
            name = (glued["name"] or glued["behind"]) if glued else ""
            is_glued = glued and name and (name in ALSO_AGAINST or named_option(roll, name))
            yield from (name, glued["number"] or glued["first"]) if glued and is_glued else (word,)


def _add_bonuses(roll: NamedRoll, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs, with the sum of bonuses without a name, `+5` and later `+2`, in place of the first.

    Behind three numbers that a roll needs each is an option: `skill 13 12 11 +6 -2`.
    """
    if needs_three(roll):
        yield from pairs
        return
    bonuses = [int(number) for name, number in pairs if not name and _BONUS.fullmatch(number)]
    for name, number in pairs:
        if name or not _BONUS.fullmatch(number):
            yield name, number
        elif bonuses:
            yield name, f"{sum(bonuses):+}"
            bonuses.clear()


def _replace_target(roll: NamedRoll, words: Sequence[str]) -> Iterator[str]:
    """Yield the words, with `vs 15` and `vs dc 15` as the roll's target, `ac=15`; `vs ac 15` without `vs`."""
    target, remaining = find_target(roll), deque(words)
    while remaining:
        word, following = remaining.popleft(), [*remaining, ""][0]
        is_before = word in _AGAINST or (word in ALSO_AGAINST and not roll.option(word))
        if target and is_before and _NUMBER.fullmatch(following):
            yield f"{'target' if word == 'tn' and roll.option('target') else target}={remaining.popleft()}"
        elif not (is_before or word == "with") or not (
            following in ALSO_AGAINST
            or named_option(roll, following.partition("=")[0])
            or expand_letters(roll, following)  # `yyg vs pp`
        ):
            yield word


def _leave_out_die(game: Game, roll: NamedRoll, words: Sequence[str]) -> Iterator[str]:
    """Yield the words without an option's die behind it: `55 bonus die`, `bless d4`.

    Raise UnknownWord for `attack bless 1d4`: the die may be the damage.
    """
    has_damage = not roll.thrown or sum(bool(TYPED.fullmatch(word.lstrip("+"))) for word in words) > 1
    for before, word in pairwise(["", *words]):
        option = named_option(roll, before) if before not in {"", "dice"} else None
        if option and option.is_switch and adds_die(roll, option.name, word):
            if not has_damage and word[0] != "+":
                raise _unknown(game, roll, f"{before} {word}")
        elif not option or word not in {"die", "dice"}:
            yield word


def _pair_words(roll: NamedRoll, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of an option's name and its number; a bare number has the name ""."""
    remaining = deque(words)
    # Numbers beyond those that the roll needs may stand before their names: `50 2 bonus`.
    spare = sum(word.isdecimal() for word in words) - sum(option.usual is None for option in roll.options)
    is_counted = are_counted(roll, words)
    while remaining:
        name, equals, number = remaining.popleft().partition("=")
        following = named_option(roll, remaining[0]) if remaining and name.isdecimal() else None
        takes_it = following and not following.is_switch and following.low <= int(name) <= following.high
        is_free = following is not None and (spare > 0 or following.usual is None)
        is_said = is_counted or following in roll.options[:1]  # `10 attacks 3 4`
        behind = [*remaining, "", ""][1]
        is_said = is_said or counts_other(following, behind)
        if takes_it and is_free and (is_said or not _NUMBER.fullmatch(behind)):
            yield remaining.popleft(), name
            continue
        if equals or _NUMBER.fullmatch(name):
            yield (name, number) if equals else ("", name)
            continue
        option = named_option(roll, name)
        takes_number = option is not None and not option.is_switch
        number = remaining[0] if option and takes_number and remaining else ""
        if DICE.fullmatch(name) and not number.isdecimal():
            number = ""  # in `d8 +2` it is a bonus
        # In `bonus 50` a number that the roll needs is none of the option's.
        if option and _NUMBER.fullmatch(number) and (spare > 0 or option.low <= int(number) <= option.high):
            yield name, remaining.popleft()
        else:
            # `d8 d8 d6` has two d8s; a switch counts once.
            repeats = remaining.count(name) if takes_number else 0
            remaining = deque(word for word in remaining if not repeats or word != name)
            # A target, or what may be left out, is no 1 alone: its number was forgotten.
            needs_number = option and (option.name == find_target(roll) or option.may_be_missing)
            yield name, "" if needs_number else str(1 + repeats)
