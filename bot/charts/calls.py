"""The chart of a group call: players' totals as dots in rows, and the limit with its passing side."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.charts import style
from bot.words.saying import phrase, say, with_heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE = "#1e3a33"
"""The colour of the passing side, between the ground and the dots."""
_DOT = 6
_ROLLED, _PASSES = phrase("rolled"), phrase("passes")
_STRETCH_LIMIT = 6
"""The largest factor by which another number may lengthen the scale of the totals."""
_POWERS_FROM = 10**7
"""Numbers from this size on are written as powers of ten."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A number to reach, or to stay `under`."""

    at: int
    under: bool
    word: str
    per_roll: bool
    """True if it applies to each roll, False if only to the group's value."""


@dataclass(frozen=True, slots=True)
class CallChart:
    """The contents of a chart: at least one row, best first."""

    name: str
    """The title, cut to leave room for the verdict."""
    verdict: str
    figures: str
    note: str
    """The text at the lower edge, such as that not all rows are shown."""
    rows: Sequence[tuple[str, int]]
    """Players with their totals."""
    group: tuple[str, float] | None
    """The rule and the group's value."""
    limit: Limit | None


def call_chart(chart: CallChart) -> bytes:
    """Draw the totals of a call as a PNG; run it off the event loop."""
    with style.drawing:
        return _draw(chart)


def _draw(chart: CallChart) -> bytes:
    totals = [total for _, total in chart.rows]
    group = chart.group if chart.group and _fits_scale(chart.group[1], totals) else None
    font = style.font(style.TEXT)
    rows: list[tuple[str, float]] = [
        (style.drawable_or(name, say("player {n}", n=i)), value)
        for i, (name, value) in enumerate(chart.rows, start=1)
    ]
    if group:
        rows.append(group)
    # The figures are written beside the names, where no line crosses them.
    labels = [
        f"{style.fit(name, style.LABEL_INCHES, font)} · {_format_number(value)}" for name, value in rows
    ]
    last = len(labels) - 1
    limit = chart.limit
    if limit and not (_fits_scale(limit.at, totals) if limit.per_roll else group is not None):
        limit = None
    key = [say(_ROLLED), *((say(_PASSES), limit.word) if limit else ()), *(group[:1] if group else ())]
    frame = _make_frame(chart, key)
    figure, axes = style.card(frame, labels)
    numbers = [value for _, value in rows]
    _set_scale(axes, [*numbers, limit.at] if limit else numbers)
    if limit:
        _draw_limit(axes, limit, -0.6 if limit.per_roll else last - 0.5, last + 0.6)
    axes.plot(totals, range(len(totals)), "o", color=style.SERIES[0], markersize=_DOT, label=say(_ROLLED))
    if group:
        axes.axhline(last - 0.5, color=style.EDGE, linewidth=0.8)
        axes.plot([group[1]], [last], "D", color=style.SERIES[1], markersize=_DOT, label=group[0])
    return style.png(figure, frame)


def _make_frame(chart: CallChart, key: Sequence[str]) -> style.Frame:
    font = style.font(style.TITLE, bold=True)
    verdict = with_heading(chart.name, chart.verdict).removeprefix(chart.name)
    name = style.fit(chart.name, style.WIDTH - 0.4 - style.width(verdict, font), font)
    return style.Frame(f"{name}{verdict}", chart.figures, say("Total"), chart.note, key)


def _fits_scale(number: float, totals: Sequence[int]) -> bool:
    """Return whether a scale that includes the number leaves enough of it to the totals."""
    low, high = min(totals), max(totals)
    return max(high, number) - min(low, number) <= _STRETCH_LIMIT * max(high - low, 4)


def _set_scale(axes: "Axes", numbers: Sequence[float]) -> None:
    """Set a scale of whole numbers, with a margin beside the outermost."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = min(numbers), max(numbers)
    edge = max((high - low) * 0.05, 1)
    axes.set_xlim(low - edge, high + edge)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(_format_tick))
    axes.xaxis.grid(visible=True, color=style.GRID, linewidth=0.8)


def _format_tick(number: float, _place: int | None) -> str:
    return f"{number:,.0f}" if abs(number) < _POWERS_FROM else f"{number:.3g}"


def _draw_limit(axes: "Axes", limit: Limit, top: float, bottom: float) -> None:
    """Draw the limit as a line across these rows, and shade the passing side."""
    low, high = axes.get_xlim()
    ends = (low, limit.at) if limit.under else (limit.at, high)
    axes.fill_between(ends, top, bottom, color=SHADE, linewidth=0, zorder=0.4, label=say(_PASSES))
    axes.vlines([limit.at], top, bottom, style.EDGE, linewidth=1.5, label=limit.word)
    axes.set_xlim(low, high)


def _format_number(number: float) -> str:
    if number == int(number):
        return f"{int(number):,}" if abs(number) < _POWERS_FROM else f"{number:.4g}"
    return f"{number:,.2f}".rstrip("0").rstrip(".")
