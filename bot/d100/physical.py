"""Typed real d6s for a d100: parse them, and follow them through the table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.d100.conversion import convert
from bot.d100.ways import read
from bot.dice.errors import SpecError

SIDES = 6
DICE_LIMIT = 45
"""The most dice that fit a button's id; more than one value ever takes in practice."""

_DIE = re.compile(r"[+-]?\d+|[^\s,;]+")


def read_faces(text: str) -> tuple[int, ...]:
    """Parse faces: "3 5 1 6", "3, 5, 1, 6" or "3516"; SpecError for faces that a d6 does not have."""
    faces: list[int] = []
    for word in _DIE.findall(text):
        run = word if word.isascii() and word.isdigit() else (word,)
        for die in run:
            if die not in {"1", "2", "3", "4", "5", "6"}:
                raise SpecError(
                    "A six-sided die shows 1 to 6, not {die!r}. Nothing was changed.", die=str(die)[:20]
                )
            faces.append(int(die))
    if len(faces) > DICE_LIMIT:
        raise SpecError("Type {most} dice at most at once, not {count:,}.", most=DICE_LIMIT, count=len(faces))
    return tuple(faces)


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The position of typed dice in the d100's table."""

    used: int
    """The number of dice used."""
    missing: int
    """The number of dice to throw next; 0 once there is a value."""


def table_progress(faces: Sequence[int]) -> TableProgress:
    """Follow these d6s through the table; dice after the value are not used."""
    used = number = 0
    for row in convert((SIDES,), 100).walk():
        end = used + len(row.dice)
        if len(faces) < end:
            return TableProgress(used, end - len(faces))
        number = read(faces[used:end], row.dice, number)
        used = end
        if number >= row.threshold:
            break
    return TableProgress(used, 0)
