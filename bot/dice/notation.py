"""Text to expression: what is not known is refused, with the column, and never guessed at.

This is all there is. Letters may be upper or lower case, and blanks may stand between any two
signs; `str(parse(text))` is the canonical text, and reads back as the same roll. In words:

    2d6  d20  d%  4dF         dice; d% has 100 sides, dF shows -1, 0 or 1
    ro1  ro<3                 reroll once what shows a 1, or less than 3
    !                         explode on the highest face
    kh3  k3  kl  dh  dl2      keep or drop the highest or lowest; one, unless a number says more
    d20 adv  d20 dis          two such dice, the higher or the lower kept; alone they mean a d20
    >=7  =6                   count the faces that pass, in place of adding them
    [fire]                    a tag on what stands before it
    + - * // ( )              sums; // rounds down, and the divisor has no dice
    6#4d6kh3                  the whole roll, six times
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from lark import UnexpectedInput

from bot.dice.errors import NotationError
from bot.dice.expressions import MAX_NESTING, MAX_TEXT, Expression
from bot.dice.grammar import read
from bot.dice.suggestions import nearby, respelt


def parse(text: str) -> Expression:
    """Parse dice notation; NotationError names the column, and a readable text nearby if there is one."""
    try:
        return _read(text)
    except UnexpectedInput as error:
        refused = _unreadable(text, error)
        refused.suggestion = _first(nearby(text, refused.column))
    except NotationError as error:
        refused = error
        if len(text) <= MAX_TEXT:
            refused.suggestion = _first(respelt(text))
    raise refused from None


def reads(text: str) -> bool:
    """Return whether the text can be read."""
    try:
        _read(text)
    except (NotationError, UnexpectedInput):
        return False
    return True


def _first(texts: Iterable[str]) -> str | None:
    """Return the first text that can be read, in its canonical form."""
    for text in texts:
        try:
            return str(_read(text))
        except (NotationError, UnexpectedInput):
            continue
    return None


@lru_cache(maxsize=1_024)
def _read(text: str) -> Expression:
    if not text.strip():
        raise NotationError("There is nothing to roll.")
    if len(text) > MAX_TEXT:
        raise NotationError(f"At most {MAX_TEXT} characters, not {len(text):,}.", column=MAX_TEXT + 1)
    _check_nesting(text)
    return read(text)


def _check_nesting(text: str) -> None:
    depth = 0
    for column, sign in enumerate(text, start=1):
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_NESTING:
            raise NotationError(f"At most {MAX_NESTING} parentheses inside one another.", column=column)


def _unreadable(text: str, error: UnexpectedInput) -> NotationError:
    place = error.pos_in_stream
    end = len(text.rstrip())
    # At the end of the text, lark gives the place of the last token.
    if place is None or place >= end or getattr(getattr(error, "token", None), "type", "") == "$END":
        return NotationError("The roll is not finished: something is missing at its end.", column=end + 1)
    word = re.match(r"[^\W_]{1,20}|.", text[place:], re.DOTALL)
    shown = word[0] if word and word[0].isprintable() else f"U+{ord(text[place]):04X}"
    return NotationError(f"I can't read '{shown}' at column {place + 1}.", column=place + 1)
