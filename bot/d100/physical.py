"""Real d6s, typed in for a d100: how they are read, and how far they have come through the table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.d100.conversion import convert
from bot.d100.ways import read
from bot.dice.errors import SpecError

SIDES = 6
DICE_LIMIT = 45
"""More dice than anybody will ever need for one value; a button's id has room for no more."""

_DIE = re.compile(r"[+-]?\d+|[^\s,;]+")


def read_faces(text: str) -> tuple[int, ...]:
    """Read faces as typed: "3 5 1 6", "3, 5, 1, 6" or "3516"; SpecError for a face that no d6 shows."""
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
    """How far typed dice have come through the table of a d100."""

    used: int
    """How many dice have been read."""
    missing: int
    """How many are to be thrown next; 0 once there is a value."""


def table_progress(faces: Sequence[int]) -> TableProgress:
    """Read these d6 along the table; dice after the value are not used."""
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
