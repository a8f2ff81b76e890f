"""The tuner's chart: how unpredictable and how even each system is, roll by roll, side by side."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bot.charts import style
from bot.stats.measures import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": style.EDGE, "linestyle": (0, (2, 2)), "linewidth": 1.4},
    {"color": style.SERIES[0], "linewidth": 2.2},
    {"color": style.SERIES[1], "linewidth": 1.2, "marker": "o", "markersize": 2.4},
)
"""Plain dice, dynamic dice and a deck are told apart by more than their colour."""


def curves_chart(title: str, lines: Sequence[tuple[str, Curve]], samples: int) -> bytes:
    """Draw entropy and variance over the rolls as a PNG 1,100 pixels wide; keep it off the event loop.

    The lines are plain dice, dynamic dice and, where there is one, a deck; `samples` is marked.
    """
    note = f"The dotted line marks n = {samples} rolls; variance 0 is perfectly even"
    last = len(lines[0][1].entropy)
    with style.drawing:
        figure, (left, right) = style.pair(
            style.Frame(title, note, "Rolls so far, n", ""),
            "Entropy, % of plain dice",
            "Variance of the counts, rolls²",
        )
        for (name, evening), look in zip(lines, _LOOKS, strict=False):
            xs = range(1, last + 1)
            left.plot(xs, [100 * e for e in evening.entropy], label=name, **look)
            right.plot(xs, evening.variance, label=name, **look)
        evenings = [evening for _, evening in lines]
        _scale_entropy(left, evenings)
        _scale_variance(right, evenings[1:])
        for axes in (left, right):
            _grid(axes)
            _mark(axes, samples, last)
        style.legend(figure, [name for name, _ in lines])
        return style.png(figure)


def _scale_entropy(axes: "Axes", evenings: Sequence[Curve]) -> None:
    """Begin somewhat under the lowest line: a scale from 0 would show three lines as one."""
    low = 100 * min(min(evening.entropy) for evening in evenings)
    axes.set_ylim(max(0.0, 100 - 1.15 * (100 - low)), 100.5)


def _scale_variance(axes: "Axes", tuned: Sequence[Curve]) -> None:
    """End above the tuned systems; plain dice leave the area at the top."""
    axes.set_ylim(0, 1.2 * max(max(evening.variance) for evening in tuned))


def _grid(axes: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.grid(visible=True, color=style.GRID, linewidth=0.8)


def _mark(axes: "Axes", samples: int, last: int) -> None:
    every = style.round_up(max(last, 2) / 6)
    axes.set_xlim(0.5, last + 0.5)
    axes.set_xticks(range(every, last + 1, every))
    axes.axvline(samples, color=style.MUTED, linewidth=1, linestyle=":", zorder=0.5)
