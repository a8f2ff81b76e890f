"""Refusals, and sentences that count, with their values; English is the only language yet.

A sentence is written whole, with a named place for each value; one that counts is written twice, for one and
for more.
"""

from fractions import Fraction

from bot.dice.errors import NotationError, Said


def say(text: str, /, **values: object) -> str:
    """Return a sentence with its values."""
    return text.format(**values) if values else text


def say_many(one: str, many: str, n: Fraction | int, /, **values: object) -> str:
    """Return the sentence for one, or for more, with its values; the number is `{n}`."""
    return say(one if n == 1 else many, n=n, **values)


def refusal(error: Said) -> str:
    """Return what an error says; of dice that can't be read also where, and what may have been meant."""
    said = say(error.text, **error.values)
    if not isinstance(error, NotationError):
        return said
    if error.column > 1 and "column" not in said:
        said = say("{refusal} (at column {column})", refusal=said, column=error.column)
    if not error.readings:
        return said
    *others, last = [f"`{text}`{f' ({meaning})' if meaning else ''}" for text, meaning in error.readings]
    if not others:
        return say("{refusal} Did you mean {reading}?", refusal=said, reading=last)
    return say(
        "{refusal} Did you mean {readings} or {last}?", refusal=said, readings=", ".join(others), last=last
    )
