"""The chart of a group call: each total as a dot on its player's row, and the limit with its passing side."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.charts import style
from bot.words.saying import behind, phrase, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE = "#1e3a33"
"""The side that passes: between the ground and what lies on it."""
_DOT = 6
_ROLLED, _PASSES = phrase("rolled"), phrase("passes")
_STRETCH = 6
"""The most that a number besides the totals lengthens the scale."""
_MANY = 10**7
"""From here on an axis says its numbers in powers of ten."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A number to reach, or to stay under."""

    at: int
    under: bool
    word: str
    each: bool
    """Whether each roll is held against it, or the group's value alone."""


@dataclass(frozen=True, slots=True)
class CallChart:
    """What is drawn: at least one row, the best first."""

    name: str
    """It is cut so that the verdict has room."""
    verdict: str
    figures: str
    note: str
    """What stands at the lower edge, such as that not all rows are shown."""
    rows: Sequence[tuple[str, int]]
    """Players with their totals."""
    group: tuple[str, float] | None
    """The rule and the group's value."""
    limit: Limit | None


def call_chart(chart: CallChart) -> bytes:
    """Draw the totals of a call as a PNG; keep it off the event loop."""
    with style.drawing:
        return _draw(chart)


def _draw(chart: CallChart) -> bytes:
    totals = [total for _, total in chart.rows]
    group = chart.group if chart.group and _fits(chart.group[1], totals) else None
    font = style.font(style.TEXT)
    rows: list[tuple[str, float]] = [
        (style.drawable_or(name, say("player {n}", n=i)), at)
        for i, (name, at) in enumerate(chart.rows, start=1)
    ]
    if group:
        rows.append(group)
    # The figures stand beside the names, where no line runs through them.
    labels = [f"{style.fit(name, style.LABEL_INCHES, font)} · {_figure(at)}" for name, at in rows]
    last = len(labels) - 1
    limit = chart.limit
    if limit and not (_fits(limit.at, totals) if limit.each else group is not None):
        limit = None
    key = [say(_ROLLED), *((say(_PASSES), limit.word) if limit else ()), *(group[:1] if group else ())]
    frame = _frame(chart, key)
    figure, axes = style.card(frame, labels)
    numbers = [at for _, at in rows]
    _scale(axes, [*numbers, limit.at] if limit else numbers)
    if limit:
        _pass(axes, limit, -0.6 if limit.each else last - 0.5, last + 0.6)
    axes.plot(totals, range(len(totals)), "o", color=style.SERIES[0], markersize=_DOT, label=say(_ROLLED))
    if group:
        axes.axhline(last - 0.5, color=style.EDGE, linewidth=0.8)
        axes.plot([group[1]], [last], "D", color=style.SERIES[1], markersize=_DOT, label=group[0])
    return style.png(figure, frame)


def _frame(chart: CallChart, key: Sequence[str]) -> style.Frame:
    font = style.font(style.TITLE, bold=True)
    verdict = behind(chart.name, chart.verdict).removeprefix(chart.name)
    name = style.fit(chart.name, style.WIDTH - 0.4 - style.width(verdict, font), font)
    return style.Frame(f"{name}{verdict}", chart.figures, say("Total"), chart.note, key)


def _fits(number: float, totals: Sequence[int]) -> bool:
    """Return whether a scale with the number leaves the totals a fair part of it."""
    low, high = min(totals), max(totals)
    return max(high, number) - min(low, number) <= _STRETCH * max(high - low, 4)


def _scale(axes: "Axes", numbers: Sequence[float]) -> None:
    """Set a scale of whole numbers, with room beside the outermost."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = min(numbers), max(numbers)
    edge = max((high - low) * 0.05, 1)
    axes.set_xlim(low - edge, high + edge)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(_tick))
    axes.xaxis.grid(visible=True, color=style.GRID, linewidth=0.8)


def _tick(number: float, _place: int | None) -> str:
    return f"{number:,.0f}" if abs(number) < _MANY else f"{number:.3g}"


def _pass(axes: "Axes", limit: Limit, top: float, bottom: float) -> None:
    """Draw the limit as a line over these rows, and shade all beyond it."""
    low, high = axes.get_xlim()
    ends = (low, limit.at) if limit.under else (limit.at, high)
    axes.fill_between(ends, top, bottom, color=SHADE, linewidth=0, zorder=0.4, label=say(_PASSES))
    axes.vlines([limit.at], top, bottom, style.EDGE, linewidth=1.5, label=limit.word)
    axes.set_xlim(low, high)


def _figure(number: float) -> str:
    if number == int(number):
        return f"{int(number):,}" if abs(number) < _MANY else f"{number:.4g}"
    return f"{number:,.2f}".rstrip("0").rstrip(".")
