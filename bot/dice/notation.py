"""Text to expression: what is not known is refused, with the column, and never guessed at.

Letters may be upper or lower case, and blanks may stand between any two signs; `str(parse(text))` is the
canonical text, and reads back as the same roll. In words:

    2d6  d20  d%  4dF         dice; d% has 100 sides, dF shows -1, 0 or 1
    d{2,3,5}  3d{1,1,2}       dice with these faces
    (1d4)d6  (2+1)d6          the number of dice is thrown first, or worked out
    ro1  ro<3  ro{1,>=5}      reroll once what shows a 1, less than 3, any of these
    rr<3  r3{1}               reroll for ever, or up to three times
    min2  max5                count less as 2, more as 5
    !  !{>=5}                 explode on the highest face, or on these
    !o  !p  !s  !i{1}         once only; further dice one less; separate dice; taken off
    u                         no face twice
    kh3  k3  kl  dh  dl2  d2  keep or drop the highest or lowest; one, unless a number says more
    d20 adv  d20+5 dis        the one d20 twice, the higher or the lower kept; alone they mean a d20
    km2  dl1dh1               keep the middle two, drop one at both ends
    k{>3}  d{1,2}             keep, or drop, the dice that show these faces
    >=7  =6  #{2,4,6}         behind dice, count the faces that pass, in place of adding them
    >=7x2{10}f{1}             tens count twice, ones take a success off
    {2d6,1d8}kh1  {2d6+1d8}k2 the best part of several, the best two dice of all
    d20+5>=15  (2d6)>7        behind a total, 1 if it passes, else 0
    [fire]                    a tag on what stands before it
    + - * // ( )              sums; // rounds down, and the divisor has no dice
    d20+5 vs d20+3            the first roll less the second
    6#4d6kh3                  the whole roll, six times
    2d6; 3d8                  several rolls, each with its own result
    2d6 # fire                a comment, behind a blank and #

`/r`, `/roll`, `!r` or `roll` may stand in front, and a + before a number or a bracket.
"""

import re
from functools import lru_cache

from lark import UnexpectedInput

from bot.dice.errors import DiceReading, NotationError
from bot.dice.expressions import MAX_NESTING, MAX_TEXT, Expression
from bot.dice.grammar import read
from bot.dice.suggestions import repaired, split_words

_FRONT = re.compile(r"\s*(?:(?:[/!]r(?:oll)?|roll)\s+)?(?:\+(?=\s*[\d(]))?", re.ASCII | re.IGNORECASE)
# Digits before a # repeat the roll; a comment stands behind dice and a blank.
_COMMENT = re.compile(r"(?<=\s)#(?P<comment>.*)", re.DOTALL)
_REPEAT = re.compile(r"\s*\d+\s+#", re.ASCII)


def parse(text: str) -> Expression:
    """Parse dice notation; NotationError names the column, and the roll meant where that is beyond doubt."""
    try:
        return _read(text)
    except UnexpectedInput as error:
        refused = _unreadable(text, error)
        refused.readings = _slip(text)
    except NotationError as error:
        refused = error
    raise refused from None


def reads(text: str) -> bool:
    """Return whether the text can be read."""
    try:
        _read(text)
    except (NotationError, UnexpectedInput):
        return False
    return True


def comment(text: str) -> str:
    """Return what stands behind the dice and a #, "fire" in "2d6 # fire"; "" for none."""
    found = _comment(text)
    return found["comment"].strip() if found else ""


def _comment(text: str) -> re.Match[str] | None:
    repeat = _REPEAT.match(text)
    return _COMMENT.search(text, repeat.end() if repeat else 0)


def _slip(text: str) -> tuple[DiceReading, ...]:
    """Return the roll that a text with slips means, in its canonical form and with its comment, if any."""
    found = _comment(text)
    dice, words = (text[: found.start()], found["comment"].strip()) if found else (text, "")
    for tried, said in ((dice, words), (not found and split_words(dice)) or ("", "")):
        fixed = repaired(tried)
        if reads(fixed):
            return (DiceReading(f"{_read(fixed)} # {said}" if said else str(_read(fixed))),)
    return ()


@lru_cache(maxsize=1_024)
def _read(text: str) -> Expression:
    found = _comment(text)
    dice = text[: found.start()] if found else text
    front = _FRONT.match(dice)
    if front and front.end():
        dice = " " * front.end() + dice[front.end() :]
    if not dice.strip():
        raise NotationError("There is nothing to roll.")
    if len(text) > MAX_TEXT:
        raise NotationError(f"At most {MAX_TEXT} characters, not {len(text):,}.", column=MAX_TEXT + 1)
    _check_nesting(dice)
    return read(dice)


def _check_nesting(text: str) -> None:
    depth = 0
    for column, sign in enumerate(text, start=1):
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_NESTING:
            raise NotationError(f"At most {MAX_NESTING} parentheses inside one another.", column=column)


def _unreadable(text: str, error: UnexpectedInput) -> NotationError:
    found = _comment(text)
    place = error.pos_in_stream
    end = len((text[: found.start()] if found else text).rstrip())
    # At the end of the text, lark gives the place of the last token.
    if place is None or place >= end or getattr(getattr(error, "token", None), "type", "") == "$END":
        return NotationError("The roll is not finished: something is missing at its end.", column=end + 1)
    # Name a word from its beginning: where "drop" can't be read, its d can.
    while place and text[place].isalpha() and text[place - 1].isalpha():
        place -= 1
    word = re.match(r"[^\W_]{1,20}|.", text[place:], re.DOTALL)
    shown = word[0] if word and word[0].isprintable() else f"U+{ord(text[place]):04X}"
    return NotationError(f"I can't read '{shown}' at column {place + 1}.", column=place + 1)
