"""Charts comparing systems: the entropy of each roll, and the variance of the counts after it.

Plain dice and the plain deck, dealt to its last card, are the two extremes between which all others lie.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from bot.charts import style
from bot.words.pictures import CurveLine, End
from bot.words.saying import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class _Look(TypedDict, total=False):
    """The style of a line, as matplotlib's keyword arguments."""

    color: str
    linestyle: tuple[float, tuple[float, float]]
    linewidth: float
    marker: str
    markersize: float


_END_LOOKS: dict[End, _Look] = {
    End.DICE: {"color": style.EDGE, "linestyle": (0, (2, 2)), "linewidth": 1.4},
    End.DECK: {"color": style.MUTED, "linestyle": (0, (4, 1.5)), "linewidth": 1.2},
}
_LOOKS: tuple[_Look, ...] = (
    {"color": style.SERIES[0], "linewidth": 2.2},
    {"color": style.SERIES[1], "linewidth": 1.2, "marker": "o", "markersize": 2.4},
    {"color": style.SERIES[2], "linewidth": 1.2, "marker": "s", "markersize": 2.2},
    {"color": style.SERIES[3], "linewidth": 1.2, "marker": "^", "markersize": 2.6},
    {"color": style.SERIES[4], "linewidth": 1.2, "marker": "D", "markersize": 2.2},
)
"""Styles of systems, which differ by more than colour."""
SYSTEMS_LIMIT = len(_LOOKS)
_NAME = 30


def curves_chart(title: str, lines: Sequence[CurveLine], samples: int) -> bytes:
    """Draw each roll's entropy and the variance after it as a PNG 1,100 pixels wide.

    The number of `samples` is marked. At most five lines besides the extremes. Run it off the event loop.
    """
    note = say("The dotted line marks n = {n} rolls; variance 0 is perfectly even", n=samples)
    last = len(lines[0].evening.entropies)
    looks = iter(_LOOKS)
    with style.drawing:
        names = style.key([line.name for line in lines], _NAME)
        frame = style.Frame(title, note, say("Roll, n"), "", names)
        figure, (entropy_axes, variance_axes) = style.pair(
            frame, say("Entropy of each roll, % of plain dice"), say("Variance of the counts, rolls²")
        )
        for line, name in zip(lines, names, strict=True):
            xs, marker_step = range(1, last + 1), style.round_up(last / 50)
            look = _END_LOOKS[line.end] if line.end else next(looks)
            percentages = [100 * entropy for entropy in line.evening.entropies]
            entropy_axes.plot(xs, percentages, label=name, markevery=marker_step, **look)
            variance_axes.plot(xs, line.evening.variance, label=name, markevery=marker_step, **look)
        # From 0 on, close lines would look like one.
        lowest = 100 * min(min(line.evening.entropies) for line in lines)
        entropy_axes.set_ylim(max(0.0, 100 - 1.15 * (100 - lowest)), 100.5)
        # The scale ends above the tuned systems; plain dice leave the chart at the top.
        tuned = [line for line in lines if line.end is not End.DICE and max(line.evening.variance)]
        variance_axes.set_ylim(0, 1.2 * max(max(line.evening.variance) for line in tuned or lines))
        for axes in (entropy_axes, variance_axes):
            style.draw_grid(axes.yaxis, 6)
            _mark_samples(axes, samples, last)
        return style.png(figure, frame)


def _mark_samples(axes: "Axes", samples: int, last: int) -> None:
    step = style.round_up(max(last, 2) / 6)
    axes.set_xlim(0.5, last + 0.5)
    axes.set_xticks(range(step, last + 1, step))
    axes.axvline(samples, color=style.MUTED, linewidth=1, linestyle=":", zorder=0.5)
