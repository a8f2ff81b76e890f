"""What people read in their language: sentences, sentences that count, refusals, lists; with their values.

A sentence is written whole in English, with a named place for each value; one that counts is written twice,
for one and for more. `bot/words/languages.py` knows which language is spoken.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from bot.dice.errors import DiceReading, LocalizedError, NotationError
from bot.words.languages import SPOKEN, signs
from bot.words.numbers import joined

_WRONG = re.compile(r"[^\W_]+|\S")
_BEFORE, _BEHIND = 32, 16
"""Characters shown before a wrong place, and of it and behind it."""


def say(text: str, /, **values: object) -> str:
    """Return a sentence with its values."""
    if language := SPOKEN.get():
        return language.say(text, values)
    return text.format(**values) if values else text


def say_many(one: str, many: str, n: Fraction | int, /, **values: object) -> str:
    """Return the sentence for one, or for more, with its values; the number is `{n}`."""
    if language := SPOKEN.get():
        return language.count(one, many, n, values)
    return (one if n == 1 else many).format(n=n, **values)


def phrase(text: str) -> str:
    """Return a text as it is: one that stands where nobody speaks yet, for `say` to say later."""
    return text


def behind(name: str, told: str) -> str:
    """Return what is told of something behind its name, with a colon; where one is empty, the other."""
    return say("{name}: {told}", name=name, told=told) if name and told else name or told


def both(texts: Sequence[str]) -> str:
    """Return a list of what all counts: "a, b and c"."""
    return joined(texts, signs().both)


def either(texts: Sequence[str]) -> str:
    """Return a list of which one counts: "a, b or c"."""
    return joined(texts, signs().either)


def refusal(error: LocalizedError) -> str:
    """Return what an error says; of dice that can't be read also where, and what may have been meant."""
    said = _said(error)
    if not isinstance(error, NotationError):
        return said
    if place := _marked(error.typed, error.column - 1):
        said = say("{refusal} Here: {place}.", refusal=said, place=place)
    if not error.readings:
        return said
    return say("{refusal} Did you mean {readings}?", refusal=said, readings=either(_readable(error.readings)))


def _readable(readings: Sequence[DiceReading]) -> list[str]:
    """Return each reading with its meaning, or with the programs that read it so."""
    meanings = [
        say("in {programs}", programs=both(one.programs)) if one.programs else say(one.meaning)
        for one in readings
    ]
    return [
        f"`{one.text}` ({meaning})" if meaning else f"`{one.text}`"
        for one, meaning in zip(readings, meanings, strict=True)
    ]


def _marked(typed: str, at: int) -> str:
    """Return a text with its wrong word or sign marked; "" where nothing stands before or from there."""
    before, found = typed[:at], _WRONG.match(typed, at)
    if not before.strip() or not found:
        return ""
    before = before if at <= _BEFORE else f"…{before[-_BEFORE:]}"
    wrong, rest = (
        part if len(part) <= _BEHIND else f"{part[:_BEHIND]}…" for part in (found[0], typed[found.end() :])
    )
    marked = f"{before}▸{wrong}◂{rest}".replace("`", "'")
    return f"`{''.join(sign if sign.isprintable() else ' ' for sign in marked)}`"


def _said(error: LocalizedError) -> str:
    """Return the sentence of an error, and in it those of others that are its values."""
    values = error.values.items()
    return say(
        error.text, **{name: _said(one) if isinstance(one, LocalizedError) else one for name, one in values}
    )
