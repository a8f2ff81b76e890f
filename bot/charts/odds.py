"""The chart of odds: each face's chance as a bar, what was asked for shaded, and a line to compare with.

Few faces are columns, labels that need room are rows, and many faces make one stepped area. The line is the
chance without a memory, or the chance of other dice.
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
_LABEL_INCHES = 1.8
_BAR = 0.84
_NAME = 30
_CHANCE = phrase("Chance, %")


_USUAL = OddsKey()


class _Odds:
    """The bars in the order in which they are drawn, and what their faces are like."""

    def __init__(self, bars: Sequence[Bar], key: OddsKey) -> None:
        now, rest, self.line = style.key((key.now, key.rest, key.base), _NAME)
        self.bars = bars
        self.series = [(now, style.SERIES[0], [bar.asked for bar in bars])]
        if rest:
            self.series.append((rest, style.DIM, [not bar.asked for bar in bars]))
        self.faces = tuple(bar.face for bar in bars)
        self.base = [float(100 * bar.base) for bar in bars]
        self.now = [float(100 * bar.now) for bar in bars]
        self.numbers = are_numbers(self.faces)

    @property
    def key(self) -> list[str]:
        """Return what the bars and the line are called."""
        return [*(name for name, _, _ in self.series), *([self.line] if self.line else [])]

    @property
    def consecutive(self) -> bool:
        """Return whether the faces are numbers in order, one apart."""
        if not self.numbers:
            return False
        first = int(self.faces[0])
        return self.faces == tuple(map(str, range(first, first + len(self.faces))))


def odds_chart(title: str, note: str, bars: Sequence[Bar], key: OddsKey = _USUAL) -> bytes:
    """Draw each face's chance, and what it is compared with: a PNG 1,100 pixels wide.

    It needs at least one bar. Drawing takes a fifth of a second, and a second or two the first time in a
    process, so keep it off the event loop.
    """
    with style.drawing:
        odds, n = _Odds(bars, key), len(bars)
        rows = not (odds.numbers or n > _ROWS or _fit_side_by_side(odds.faces))
        titles = (say(_CHANCE), "") if rows else (_face_title(odds), say(_CHANCE))
        frame = style.Frame(title, note, *titles, odds.key)
        lines = 2 if n <= _TWO_LINES else 1
        labels = [_label(face, i, lines) for i, face in enumerate(odds.faces, start=1)] if rows else ()
        figure, axes = style.card(frame, labels)
        if n > _COLUMNS:
            _area(axes, odds)
        else:
            _bars(axes, odds, rows=rows)
        if not rows:
            _face_axis(axes, odds)
        # Beside rows stands what they are worth.
        style.scale(axes.xaxis if rows else axes.yaxis, max([*odds.now, *odds.base]), 1.3 if rows else 1.13)
        style.legend(figure, frame)
        return style.png(figure)


def _bars(axes: "Axes", odds: _Odds, *, rows: bool) -> None:
    """Draw a bar for each face with its figure where there is room, and lines across them."""
    places = range(len(odds.faces))
    draw, across = (axes.barh, axes.vlines) if rows else (axes.bar, axes.hlines)
    if odds.line:
        draw(places, odds.base, _BAR, color=style.PALE)
    for name, colour, shown in odds.series:
        draw([*compress(places, shown)], [*compress(odds.now, shown)], _BAR, color=colour, label=name)
    if odds.line:
        ends = [p - _BAR / 2 for p in places], [p + _BAR / 2 for p in places]
        across(odds.base, *ends, style.EDGE, label=odds.line, path_effects=style.rim())
    font, room = style.font(style.TEXT), style.PLOT_WIDTH / len(places)
    if rows or all(style.width(bar.label, font) + 0.06 < room for bar in odds.bars):
        for place, bar in enumerate(odds.bars):
            style.value(
                axes, bar.label, *(((bar.end, place), (5, 0)) if rows else ((place, bar.end), (0, 4)))
            )


def _area(axes: "Axes", odds: _Odds) -> None:
    edges = [place - 0.5 for place in range(len(odds.faces) + 1)]
    base = [*odds.base, odds.base[-1]]
    if odds.line:
        axes.fill_between(edges, base, step="post", color=style.PALE, linewidth=0)
    for name, colour, shown in odds.series:
        now = [p if one else 0.0 for p, one in zip(odds.now, shown, strict=True)]
        axes.fill_between(edges, [*now, now[-1]], step="post", color=colour, linewidth=0, label=name)
    if odds.line:
        axes.step(edges, base, where="post", color=style.EDGE, label=odds.line, path_effects=style.rim())


def _face_title(odds: _Odds) -> str:
    if odds.numbers:
        return style.of_faces(odds.faces)
    many = len(odds.faces)
    return say("Face") if many <= _ROWS else say("Faces in order, 1 to {n:,}", n=many)


def _face_axis(axes: "Axes", odds: _Odds) -> None:
    """Name the faces that fit, evenly spaced; labels that don't fit go by their place."""
    n = len(odds.faces)
    named = odds.numbers or n <= _ROWS
    labels = odds.faces if named else tuple(f"{i:,}" for i in range(1, n + 1))
    measured = labels if n <= _COLUMNS else (labels[0], max(labels, key=len))
    widest = 0.06 + max(_width(label, i) for i, label in enumerate(measured, start=1))
    every = style.round_up(n * widest / style.PLOT_WIDTH)
    # Numbers one apart are named at round ones, e.g. 50, 100, 150; everything else from the first one on.
    first = -int(labels[0]) % every if odds.consecutive else 0
    # The last one is left out where half of it would reach over the edge of the card.
    shown = range(first, n if style.PLOT_WIDTH / n + 2 * style.RIGHT > widest else n - every // 2, every)
    axes.set_xticks(shown, [_label(labels[i], i + 1) for i in shown], parse_math=False)
    axes.set_xlim(-0.6, n - 0.4)


def _fit_side_by_side(faces: Sequence[str]) -> bool:
    room = style.PLOT_WIDTH / len(faces) - 0.08
    return all(_width(face, i) <= room for i, face in enumerate(faces, start=1))


def _width(face: str, place: int) -> float:
    return style.width(_label(face, place), style.font(style.TEXT))


def _label(face: str, place: int, lines: int = 1) -> str:
    """Return the label, cut to leave room for the bars; one without any glyph goes by its place."""
    return style.wrap(
        style.shown(face, say("no. {place}", place=place)), _LABEL_INCHES, style.font(style.TEXT), lines
    )
