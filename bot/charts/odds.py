"""The chart of odds: each face's chance as a bar, the requested faces shaded, and a line for comparison.

Few faces are columns, faces with long labels are rows, and many faces are one stepped area. The line is the
chance without a memory, or that of other dice.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from bot.charts import style
from bot.systems.odds import are_numbers
from bot.words.pictures import Bar, OddsKey
from bot.words.saying import phrase, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS, _ROWS = 40, 24
_TWO_LINES = 8
_BAR = 0.84
_NAME = 30
_CHANCE = phrase("Chance, %")


class _Series:
    """The bars in drawing order, with properties of their faces."""

    def __init__(self, bars: Sequence[Bar], key: OddsKey) -> None:
        now, rest, self.line = style.key((key.now, key.rest, key.base), _NAME)
        self.bars = bars
        self.series = [(now, style.SERIES[0], [bar.highlighted for bar in bars])]
        if rest:
            self.series.append((rest, style.DIM, [not bar.highlighted for bar in bars]))
        self.faces = tuple(bar.face for bar in bars)
        self.base = [float(100 * bar.base) for bar in bars]
        self.now = [float(100 * bar.now) for bar in bars]
        self.numbers = are_numbers(self.faces)


def odds_chart(title: str, note: str, bars: Sequence[Bar], key: OddsKey) -> bytes:
    """Draw each face's chance, and the one it is compared with, as a PNG 1,100 pixels wide.

    It needs at least one bar. Drawing takes a fifth of a second, and a second or two the first time in a
    process, so run it off the event loop.
    """
    with style.drawing:
        odds, n = _Series(bars, key), len(bars)
        rows = not (odds.numbers or n > _ROWS or _fit_side_by_side(odds.faces))
        titles = (say(_CHANCE), "") if rows else (_face_title(odds), say(_CHANCE))
        names = [*(name for name, _, _ in odds.series), odds.line]
        frame = style.Frame(title, note, *titles, [*filter(None, names)])
        lines = 2 if n <= _TWO_LINES else 1
        labels = (
            [style.face_label(face, i, lines) for i, face in enumerate(odds.faces, start=1)] if rows else ()
        )
        figure, axes = style.card(frame, labels)
        if n > _COLUMNS:
            _draw_area(axes, odds)
        else:
            _draw_bars(axes, odds, rows=rows)
        if not rows:
            _label_faces(axes, odds)
        # Rows carry their values beside them, which need more room.
        style.scale(axes.xaxis if rows else axes.yaxis, max([*odds.now, *odds.base]), 1.3 if rows else 1.13)
        return style.png(figure, frame)


def _draw_bars(axes: "Axes", odds: _Series, *, rows: bool) -> None:
    """Draw a bar for each face, with its figure if there is room, and lines across them."""
    places = range(len(odds.faces))
    draw, across = (axes.barh, axes.vlines) if rows else (axes.bar, axes.hlines)
    if odds.line:
        draw(places, odds.base, _BAR, color=style.PALE)
    for name, colour, mask in odds.series:
        draw([*compress(places, mask)], [*compress(odds.now, mask)], _BAR, color=colour, label=name)
    if odds.line:
        ends = [place - _BAR / 2 for place in places], [place + _BAR / 2 for place in places]
        across(odds.base, *ends, style.EDGE, label=odds.line, path_effects=style.rim())
    font, room = style.font(style.TEXT), style.PLOT_WIDTH / len(places)
    if rows or all(style.width(bar.label, font) + 0.06 < room for bar in odds.bars):
        for place, bar in enumerate(odds.bars):
            style.value(
                axes, bar.label, *(((bar.end, place), (5, 0)) if rows else ((place, bar.end), (0, 4)))
            )


def _draw_area(axes: "Axes", odds: _Series) -> None:
    edges = [place - 0.5 for place in range(len(odds.faces) + 1)]
    base = [*odds.base, odds.base[-1]]
    if odds.line:
        axes.fill_between(edges, base, step="post", color=style.PALE, linewidth=0)
    for name, colour, mask in odds.series:
        now = [chance if is_shown else 0.0 for chance, is_shown in zip(odds.now, mask, strict=True)]
        axes.fill_between(edges, [*now, now[-1]], step="post", color=colour, linewidth=0, label=name)
    if odds.line:
        axes.step(edges, base, where="post", color=style.EDGE, label=odds.line, path_effects=style.rim())


def _face_title(odds: _Series) -> str:
    if odds.numbers:
        return style.of_faces(odds.faces)
    count = len(odds.faces)
    return say("Result") if count <= _ROWS else say("Faces in order, 1 to {n:,}", n=count)


def _label_faces(axes: "Axes", odds: _Series) -> None:
    """Label the faces that fit; many faces that are no numbers are labelled by their position."""
    count = len(odds.faces)
    names = odds.faces
    if not odds.numbers and count > _ROWS:
        names = [f"{number:,}" for number in range(1, count + 1)]
    first = int(odds.faces[0]) if odds.numbers else 0
    is_consecutive = odds.faces == tuple(map(str, range(first, first + count)))
    # Of consecutive numbers round ones are labelled, e.g. 50, 100, 150; else every nth from the first on.
    style.name_faces(axes, names, first if is_consecutive else 0)


def _fit_side_by_side(faces: Sequence[str]) -> bool:
    font, room = style.font(style.TEXT), style.PLOT_WIDTH / len(faces) - 0.08
    return all(style.width(style.face_label(face, i), font) <= room for i, face in enumerate(faces, start=1))
