"""Evenhand's own reading of a text: what stands in front, the dice, and the comment behind them."""

import re
from functools import lru_cache

from lark import UnexpectedInput

from bot.dice.errors import NotationError
from bot.dice.expressions import MAX_NESTING, MAX_TEXT, Expression
from bot.dice.grammar import read

_FRONT = re.compile(r"\s*(?:[/!]r(?:oll)?|roll)\s+", re.ASCII | re.IGNORECASE)
_PLUS = re.compile(r"\s*\+(?=\s*[\d(])", re.ASCII)
# Digits before a # repeat the roll; a comment stands behind dice and a blank.
_COMMENT = re.compile(r"(?<=\s)#(?P<comment>.*)", re.DOTALL)
_REPEAT = re.compile(r"\s*\d+\s+#", re.ASCII)


def split(text: str) -> tuple[str, str]:
    """Return the dice, with blanks for a command before them, and the comment behind a #; "" for none."""
    repeat = _REPEAT.match(text)
    found = _COMMENT.search(text, repeat.end() if repeat else 0)
    dice = text[: found.start()] if found else text
    front = _FRONT.match(dice)
    blanks = front.end() if front else 0
    return " " * blanks + dice[blanks:], found["comment"].strip() if found else ""


class UnknownNotation(NotationError):
    """Text that breaks off, or goes on with what no notation of ours has."""


@lru_cache(maxsize=1_024)
def read_own(text: str) -> Expression:
    """Parse a text; NotationError with the column of what is beyond a limit or can't be read."""
    dice, _ = split(text)
    if plus := _PLUS.match(dice):
        dice = " " * plus.end() + dice[plus.end() :]
    if not dice.strip():
        raise NotationError("There is nothing to roll.")
    if len(text) > MAX_TEXT:
        raise NotationError(f"At most {MAX_TEXT} characters, not {len(text):,}.", column=MAX_TEXT + 1)
    _check_nesting(dice)
    try:
        return read(dice)
    except UnexpectedInput as error:
        raise _unreadable(dice, error) from None


def reads(text: str) -> bool:
    """Return whether the text can be read."""
    try:
        read_own(text)
    except NotationError:
        return False
    return True


def _check_nesting(text: str) -> None:
    depth = 0
    for column, sign in enumerate(text, start=1):
        depth += (sign in "({") - (sign in ")}")
        if depth > MAX_NESTING:
            raise NotationError(f"At most {MAX_NESTING} parentheses inside one another.", column=column)


def _unreadable(text: str, error: UnexpectedInput) -> UnknownNotation:
    place = error.pos_in_stream
    end = len(text.rstrip())
    # At the end of the text, lark gives the place of the last token.
    if place is None or place >= end or getattr(getattr(error, "token", None), "type", "") == "$END":
        return UnknownNotation("The roll is not finished: something is missing at its end.", column=end + 1)
    # Name a word from its beginning: where "drop" can't be read, its d can.
    while place and text[place].isalpha() and text[place - 1].isalpha():
        place -= 1
    name = text.strip()
    if not text[:place].strip() and not re.search(r"[^\w '-]|\d", name):
        sentence = f"I can't read '{name[:32]}' as dice or as the name of a roller."
        return UnknownNotation(sentence, column=place + 1)
    word = re.match(r"[^\W_]{1,20}|.", text[place:], re.DOTALL)
    shown = word[0] if word and word[0].isprintable() else f"U+{ord(text[place]):04X}"
    return UnknownNotation(f"I can't read '{shown}' at column {place + 1}.", column=place + 1)
