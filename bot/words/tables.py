"""Tables in messages: figures in columns where a phone has room for them, and else a list."""

import textwrap
from collections.abc import Callable, Sequence
from fractions import Fraction

from bot.dice.names import clean
from bot.words.saying import say
from bot.words.text import escape

PHONE = 40
"""Columns of a code block that a card shows on a phone, 390 pixels wide."""
_FACES_SHOWN, _FACE = 24, 24


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows below their heads, which break into lines where that makes the table narrow enough.

    The first cell of a row is its name; the others are figures, or words where there is no head.
    A table wider than a phone is a list below its first head: a line for each row, with the other heads.
    """
    cells = [max(map(len, column)) for column in zip(*rows, strict=True)]
    whole = [[head] for head in heads]
    broken = [
        textwrap.wrap(head, width) for head, width in zip(heads, map(max, cells, _words(heads)), strict=True)
    ]
    for tops, gap in (whole, 2), (broken, 2), (broken, 1):
        widths = [max([width, *map(len, top)]) for width, top in zip(cells, tops, strict=True)]
        if sum(widths) + gap * (len(widths) - 1) <= PHONE:
            deep = max(map(len, tops))
            above = zip(*([*[""] * (deep - len(top)), *top] for top in tops), strict=True)
            sides = "<", *(">" if head else "<" for head in heads[1:])
            lines = (
                (" " * gap)
                .join(f"{cell:{side}{w}}" for cell, side, w in zip(row, sides, widths, strict=True))
                .rstrip()
                for row in (*above, *rows)
            )
            return "\n".join(["```", *lines, "```"])
    return "\n".join([*([escape(heads[0])] if heads[0] else []), *(_item(heads, row) for row in rows)])


def by_face(
    faces: Sequence[str],
    heads: Sequence[str],
    matter: Sequence[Fraction],
    cells: Callable[[int], Sequence[str]],
) -> tuple[str, int]:
    """Return a table of the 24 faces that matter most, in their order, and how many others there are.

    `cells` tells what stands behind the face of a place.
    """
    shown = sorted(sorted(range(len(faces)), key=lambda i: (-matter[i], i))[:_FACES_SHOWN])
    rows = [(clean(faces[i], _FACE), *cells(i)) for i in shown]
    return table((say("face"), *heads), rows), len(faces) - len(shown)


def _words(heads: Sequence[str]) -> list[int]:
    """Return how long the longest word of each head is."""
    return [max([1, *map(len, head.split(" "))]) for head in heads]


def _item(heads: Sequence[str], row: Sequence[str]) -> str:
    named = zip(heads[1:], row[1:], strict=True)
    figures = (f"{escape(head)} **{escape(cell)}**".strip() for head, cell in named if cell)
    return " · ".join([f"**{escape(row[0])}**", *figures])
