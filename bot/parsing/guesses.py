"""Guess what dice with names mean, with numbers in the places of these, and ask about words behind them."""

import re
from collections.abc import Iterator

from bot.dice import notation
from bot.dice.errors import DiceReading, NotationError
from bot.dice.everyday import NAME, RESERVED, WORD, may_change
from bot.dice.naming import UnknownName, Vocabulary, first_name, folded, resolve
from bot.dice.slips import EFFECT_WORDS, ask_about_word
from bot.parsing.texts import BEGINS_NAME, COMMENT

_ADDED = re.compile(rf"(?:(?<=\w) ?\+|(?<=\w) -|(?<=\d)-) ?(?=({WORD})(?![\w(]))")
_LABEL = re.compile(rf"\s*({NAME}) (?=\d*+d)", re.IGNORECASE)
_NO_NAME = re.compile(rf"{RESERVED.pattern}|\b(?:{EFFECT_WORDS})\b|d\d", re.IGNORECASE)
_ADDED_NAME = re.compile(rf"[-+] ?({WORD}(?: {WORD})++)", re.IGNORECASE)
_EFFECTS = re.compile(rf"\d (?:with )?(?:{EFFECT_WORDS})\b", re.IGNORECASE)
_EFFECT_ON_BONUS = re.compile(rf"[-+].*{_EFFECTS.pattern}", re.IGNORECASE)
_STAND_IN = 91_827
"""A number in the place of the first name, in which no other number stands."""


def guess(text: str, vocabulary: Vocabulary) -> tuple[DiceReading, ...]:
    """Return readings of a text whose added names, `longsword d20+str 1d8+str`, are read as numbers."""
    in_numbers, names = _with_stand_ins(text, vocabulary)
    readings = (notation.meanings(in_numbers) if names else ()) or notation.guesses(in_numbers)
    return _with_names(readings or tuple(_behind_label(in_numbers)), names, vocabulary)


def refuse_effects(text: str, vocabulary: Vocabulary, usual: str) -> NotationError | None:
    """Return the question about words behind a name that change dice, `d20+stealth bless`; None for others.

    The longest name that leaves such words is a number. A name alone is on the `usual` dice, if any.
    """
    if usual and _EFFECT_ON_BONUS.match(text) and (readings := notation.meanings(f"{usual}{text}")):
        return ask_about_word(readings)
    text = f"{usual}+{text}" if usual and BEGINS_NAME.match(text) else text
    match = None if notation.reads(text) else _ADDED_NAME.search(text)
    if match is None:
        return None
    words, own = match[1].split(" "), folded(first_name(match[1], vocabulary))
    # What stands behind a saved roll, or a roller, is asked about elsewhere.
    for count in range(len(words) - 1, 0, -1) if not own or own in vocabulary.numbers else ():
        name = " ".join(words[:count])
        in_numbers = f"{text[: match.start(1)]}{_STAND_IN}{text[match.start(1) + len(name) :]}"
        is_named = any(vocabulary.has(folded(word)) for word in words[count:])
        readings = () if is_named or not _EFFECTS.search(in_numbers) else notation.meanings(in_numbers)
        if rolled := _with_names(readings, [name], vocabulary):
            return ask_about_word(rolled)
    return None


def asks_or_rolls(dice: str, vocabulary: Vocabulary) -> bool:
    """Return whether dice can be read with their names, or once their numbers are asked for."""
    try:
        return notation.reads(dice) or resolve(dice, vocabulary) is not None
    except UnknownName:
        return True
    except NotationError:
        return False


def _behind_label(text: str) -> Iterator[DiceReading]:
    """Yield the readings of what stands behind a label: `damage 2d+1 cut`."""
    match = _LABEL.match(text)
    if match and not may_change(match[1]):
        for reading in notation.meanings(text[match.end() :]):
            if not reading.programs:
                mark = "," if COMMENT in reading.text else COMMENT
                yield reading._replace(text=f"{reading.text}{mark} {match[1]}")


def _with_stand_ins(text: str, vocabulary: Vocabulary) -> tuple[str, list[str]]:
    """Return a text with numbers in the places of the names that it adds, and these names."""
    names, parts, place = list[str](), list[str](), 0
    for sign in _ADDED.finditer(text):
        name = first_name(text[sign.end() :], vocabulary) or sign[1]
        if not _NO_NAME.match(name):
            parts += [text[place : sign.end()], str(_STAND_IN + len(names))]
            names.append(name)
            place = sign.end() + len(name)
    return "".join([*parts, text[place:]]), names


def _with_names(
    readings: tuple[DiceReading, ...], names: list[str], vocabulary: Vocabulary
) -> tuple[DiceReading, ...]:
    """Return the readings that can be rolled, or asked for, with the names back in the places of numbers."""
    for place, name in enumerate(names):
        stand_in = str(_STAND_IN + place)
        readings = tuple(reading._replace(text=reading.text.replace(stand_in, name)) for reading in readings)
    return tuple(reading for reading in readings if asks_or_rolls(reading.text, vocabulary))
