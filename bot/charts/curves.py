"""Charts comparing systems: the entropy of each roll, and the variance of the counts after it.

Plain dice and the plain deck, dealt to its last card, are the two extremes between which all others lie.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from bot.charts import style
from bot.stats.measures import Curve
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
            entropy_axes.plot(
                xs,
                [100 * entropy for entropy in line.evening.entropies],
                label=name,
                markevery=marker_step,
                **look,
            )
            variance_axes.plot(xs, line.evening.variance, label=name, markevery=marker_step, **look)
        evenings = [line.evening for line in lines]
        _scale_entropy(entropy_axes, evenings)
        tuned = [line.evening for line in lines if line.end is not End.DICE and max(line.evening.variance)]
        _scale_variance(variance_axes, tuned or evenings)
        for axes in (entropy_axes, variance_axes):
            _draw_grid(axes)
            _mark_samples(axes, samples, last)
        return style.png(figure, frame)


def _scale_entropy(axes: "Axes", evenings: Sequence[Curve]) -> None:
    """Start the scale a little under the lowest line: from 0, close lines would look like one."""
    low = 100 * min(min(evening.entropies) for evening in evenings)
    axes.set_ylim(max(0.0, 100 - 1.15 * (100 - low)), 100.5)


def _scale_variance(axes: "Axes", tuned: Sequence[Curve]) -> None:
    """End the scale above the tuned systems; plain dice leave the chart at the top."""
    axes.set_ylim(0, 1.2 * max(max(evening.variance) for evening in tuned))


def _draw_grid(axes: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.grid(visible=True, color=style.GRID, linewidth=0.8)


def _mark_samples(axes: "Axes", samples: int, last: int) -> None:
    step = style.round_up(max(last, 2) / 6)
    axes.set_xlim(0.5, last + 0.5)
    axes.set_xticks(range(step, last + 1, step))
    axes.axvline(samples, color=style.MUTED, linewidth=1, linestyle=":", zorder=0.5)
