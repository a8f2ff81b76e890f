"""Guess what a refused text means where nothing else is offered, with its names as numbers."""

import re
from collections.abc import Iterator

from bot.dice import notation
from bot.dice.errors import DiceReading
from bot.dice.everyday import NAME, RESERVED, WORD, may_change
from bot.dice.naming import Vocabulary, first_name
from bot.dice.slips import EFFECT_WORDS
from bot.parsing.texts import COMMENT
from bot.parsing.words_behind import asks_or_rolls

_ADDED = re.compile(rf"(?:(?<=\w) ?\+|(?<=\w) -|(?<=\d)-) ?(?=({WORD})(?![\w(]))")
_LABEL = re.compile(rf"\s*({NAME}) (?=\d*+d)", re.IGNORECASE)
_NO_NAME = re.compile(rf"{RESERVED.pattern}|\b(?:{EFFECT_WORDS})\b|d\d", re.IGNORECASE)
_STAND_IN = 91_827
"""A number in the place of the first name, in which no other number stands."""


def guess(text: str, vocabulary: Vocabulary) -> tuple[DiceReading, ...]:
    """Return readings of a text whose added names, `longsword d20+str 1d8+str`, are read as numbers."""
    in_numbers, names = _with_stand_ins(text, vocabulary)
    readings = (notation.meanings(in_numbers) if names else ()) or notation.guesses(in_numbers)
    readings = readings or tuple(_behind_label(in_numbers))
    offers = (offer._replace(text=_with_names(offer.text, names)) for offer in readings)
    return tuple(offer for offer in offers if asks_or_rolls(offer.text, vocabulary))


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


def _with_names(text: str, names: list[str]) -> str:
    for place, name in enumerate(names):
        text = text.replace(str(_STAND_IN + place), name)
    return text
