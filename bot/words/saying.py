"""Translate texts to the current language: sentences with values, plurals, refusals, lists.

A sentence is written whole in English, with a named placeholder for each value, and in singular and plural if
it has a count. `bot/words/languages.py` holds the current language.
"""

import re
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from bot.dice.errors import DiceReading, LocalizedError, NotationError
from bot.words.languages import SPOKEN, joined, signs

_WRONG = re.compile(r"[^\W_]+|\S")
_BEFORE, _BEHIND = 32, 16
"""Characters shown before an error, and of the error and after it."""


def say(text: str, /, **values: object) -> str:
    """Return the translation of a sentence with its values."""
    if language := SPOKEN.get():
        return language.say(text, values)
    return text.format(**values) if values else text


def say_many(singular: str, plural: str, n: Fraction | int, /, **values: object) -> str:
    """Return the translation of the singular or plural sentence with its values; `n` fills `{n}`."""
    if language := SPOKEN.get():
        return language.count(singular, plural, n, values)
    return (singular if n == 1 else plural).format(n=n, **values)


def phrase(text: str) -> str:
    """Return the text unchanged; this marks it for translators where `say` translates it later."""
    return text


@cache
def read_table(file: str, name: str) -> dict[str, Any]:
    """Return the texts of `NAME.toml` beside a module's file, as `say` gets them."""
    return tomllib.loads(Path(file).with_name(name).with_suffix(".toml").read_text("utf-8"))


TEXTS = read_table(__file__, "texts")
"""Texts by what they tell of."""


def with_heading(name: str, text: str) -> str:
    """Return "name: text"; if one of them is empty, return the other alone."""
    return say("{name}: {told}", name=name, told=text) if name and text else name or text


def join_with_and(texts: Sequence[str]) -> str:
    """Return a list joined with "and": "a, b and c"."""
    return joined(texts, signs().both)


def either(texts: Sequence[str]) -> str:
    """Return a list joined with "or": "a, b or c"."""
    return joined(texts, signs().either)


def refusal(error: LocalizedError) -> str:
    """Return the message of an error; for dice that can't be read also the place and the suggestions."""
    text = _message(error)
    if not isinstance(error, NotationError):
        return text
    if place := _mark_error(error.typed, error.column - 1):
        text = say("{refusal} Here: {place}.", refusal=text, place=place)
    if not error.readings:
        return text
    readings = either([*map(_describe, error.readings)])
    return say("{refusal} Did you mean {readings}?", refusal=text, readings=readings)


def _describe(reading: DiceReading) -> str:
    """Return a reading with its meaning, or with the programs that use it."""
    meaning = say(reading.meaning)
    if reading.programs:
        meaning = say("in {programs}", programs=join_with_and(reading.programs))
    return f"`{reading.text}` ({meaning})" if meaning else f"`{reading.text}`"


def _mark_error(typed: str, start: int) -> str:
    """Return the text with the wrong word or sign at `start` marked; "" if nothing is before it or there."""
    before, match = typed[:start], _WRONG.match(typed, start)
    if not before.strip() or not match:
        return ""
    before = before if start <= _BEFORE else f"…{before[-_BEFORE:]}"
    wrong, rest = (
        part if len(part) <= _BEHIND else f"{part[:_BEHIND]}…" for part in (match[0], typed[match.end() :])
    )
    marked = f"{before}▸{wrong}◂{rest}".replace("`", "'")
    return f"`{''.join(sign if sign.isprintable() else ' ' for sign in marked)}`"


def _message(error: LocalizedError) -> str:
    """Return the sentence of an error, with the sentences of errors among its values."""
    values = {name: _message(v) if isinstance(v, LocalizedError) else v for name, v in error.values.items()}
    return say(error.text, **values)
