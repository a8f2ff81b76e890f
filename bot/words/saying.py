"""What people read in their language: sentences, sentences that count, refusals, lists; with their values.

A sentence is written whole in English, with a named place for each value; one that counts is written twice,
for one and for more. `bot/words/languages.py` knows which language is spoken.
"""

from collections.abc import Sequence
from fractions import Fraction

from bot.dice.errors import NotationError, Said
from bot.words.languages import SPOKEN, signs
from bot.words.numbers import joined


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


def both(texts: Sequence[str]) -> str:
    """Return a list of what all counts: "a, b and c"."""
    return joined(texts, signs().both)


def either(texts: Sequence[str]) -> str:
    """Return a list of which one counts: "a, b or c"."""
    return joined(texts, signs().either)


def refusal(error: Said) -> str:
    """Return what an error says; of dice that can't be read also where, and what may have been meant."""
    said = _said(error)
    if not isinstance(error, NotationError):
        return said
    if error.column > 1 and "column" not in error.text:
        said = say("{refusal} (at column {column})", refusal=said, column=error.column)
    if not error.readings:
        return said
    readings = [f"`{text}`{f' ({say(meaning)})' if meaning else ''}" for text, meaning in error.readings]
    return say("{refusal} Did you mean {readings}?", refusal=said, readings=either(readings))


def _said(error: Said) -> str:
    """Return the sentence of an error, and in it those of others that are its values."""
    values = error.values.items()
    return say(error.text, **{name: _said(one) if isinstance(one, Said) else one for name, one in values})
