"""Tables in messages: columns of figures if a phone has room for them, else a list."""

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
    """Return rows below their heads; heads are wrapped if that makes the table narrow enough.

    The first cell of a row is its name; the others are figures, or words in a column without a head.
    A table wider than a phone becomes a list: a line for each row, with the heads of its cells.
    """
    cell_widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    single_lines = [[head] for head in heads]
    wrap_widths = map(max, cell_widths, _longest_words(heads))
    wrapped = [textwrap.wrap(head, width) for head, width in zip(heads, wrap_widths, strict=True)]
    for head_lines, gap in (single_lines, 2), (wrapped, 2), (wrapped, 1):
        widths = [max([width, *map(len, head)]) for width, head in zip(cell_widths, head_lines, strict=True)]
        if sum(widths) + gap * (len(widths) - 1) <= PHONE:
            height = max(map(len, head_lines))
            head_rows = zip(*([*[""] * (height - len(head)), *head] for head in head_lines), strict=True)
            alignments = "<", *(">" if head else "<" for head in heads[1:])
            formats = [f"{alignment}{width}" for alignment, width in zip(alignments, widths, strict=True)]
            lines = ((" " * gap).join(map(format, row, formats)).rstrip() for row in (*head_rows, *rows))
            return "\n".join(["```", *lines, "```"])
    return "\n".join([*([escape(heads[0])] if heads[0] else []), *(_item(heads, row) for row in rows)])


def by_face(
    faces: Sequence[str],
    heads: Sequence[str],
    matter: Sequence[Fraction],
    cells: Callable[[int], Sequence[str]],
) -> tuple[str, int]:
    """Return a table of the 24 faces that matter most, in their order, and the number of the others.

    `cells` returns the cells behind the face with an index.
    """
    indexes = sorted(sorted(range(len(faces)), key=lambda i: (-matter[i], i))[:_FACES_SHOWN])
    rows = [(clean(faces[i], _FACE), *cells(i)) for i in indexes]
    return table((say("face"), *heads), rows), len(faces) - len(indexes)


def _longest_words(heads: Sequence[str]) -> list[int]:
    """Return the length of the longest word of each head."""
    return [max([1, *map(len, head.split(" "))]) for head in heads]


def _item(heads: Sequence[str], row: Sequence[str]) -> str:
    cells = zip(heads[1:], row[1:], strict=True)
    figures = (f"{escape(head)} **{escape(cell)}**".strip() for head, cell in cells if cell)
    return " · ".join([f"**{escape(row[0])}**", *figures])
