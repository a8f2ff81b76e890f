"""The tuner's chart: how unpredictable and how even each system is, roll by roll, side by side."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from typing import TYPE_CHECKING, Any

from bot.dice.system import print_decimal
from bot.render import style
from bot.render.charts import Chart
from bot.render.tuning import named, rows, title_of
from bot.stats.advice import Advice
from bot.stats.measures import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PLAIN = "plain dice"


def curves_chart(advice: Advice) -> Chart:
    """Entropy and variance over the rolls, as a PNG 1,100 pixels wide; keep it off the event loop."""
    n = advice.tuning.samples
    note = f"The dotted line marks n = {n} rolls; variance 0 is perfectly even"
    with style.drawing:
        figure, (left, right) = style.pair(
            style.Frame(title_of(advice), note, "Rolls so far, n", ""),
            "Entropy, % of plain dice",
            "Variance of the counts, rolls²",
        )
        for name, evening, look in _lines(advice):
            xs = range(1, len(evening.entropy) + 1)
            left.plot(xs, [100 * e for e in evening.entropy], label=name, **look)
            right.plot(xs, evening.variance, label=name, **look)
        _scale_entropy(left, advice)
        _scale_variance(right, advice)
        for axes in (left, right):
            _rolls(axes, advice)
        style.legend(figure, [name for name, _, _ in _lines(advice)])
        picture = style.png(figure)
    return Chart(picture, alt(advice))


def alt(advice: Advice) -> str:
    """What the chart shows, for those who can't see it."""
    n = advice.tuning.samples
    figures = "; ".join(
        f"{name}: entropy {evening.at(n).entropy * 100:.1f} %, variance {evening.at(n).variance:.3f}"
        for name, evening, _ in rows(advice)
    )
    return (
        f"Two graphs over 1 to {advice.lengths[-1]} rolls, {title_of(advice)}. After {n} rolls: {figures}. "
        f"On the mean of {advice.lengths[0]} to {advice.lengths[-1]} rolls: "
        + "; ".join(f"{name} variance {over.mean:.3f}" for name, _, over in rows(advice))
        + "."
    )


def _lines(advice: Advice) -> list[tuple[str, Curve, dict[str, Any]]]:
    """Each system's name in the key, its evening and its look; told apart by more than colour."""
    factor = print_decimal(advice.tuning.optimum.factor)
    lines: list[tuple[str, Curve, dict[str, Any]]] = [
        (_PLAIN, advice.plain, {"color": style.EDGE, "linestyle": (0, (2, 2)), "linewidth": 1.4}),
        (f"dynamic dice {factor}", advice.dice, {"color": style.SERIES[0], "linewidth": 2.2}),
    ]
    if advice.tuning.deck and advice.deck:
        look = {"color": style.SERIES[1], "linewidth": 1.2, "marker": "o", "markersize": 2.4}
        lines.append((named(advice.tuning.deck), advice.deck, look))
    return lines


def _scale_entropy(axes: "Axes", advice: Advice) -> None:
    """From somewhat under the lowest line to 100 %: a scale from 0 would show three lines as one."""
    evenings = [evening for _, evening, _ in _lines(advice)]
    low = 100 * min(min(evening.entropy) for evening in evenings)
    axes.set_ylim(max(0.0, 100 - 1.15 * (100 - low)), 100.5)
    _grid(axes)


def _scale_variance(axes: "Axes", advice: Advice) -> None:
    """High enough for the tuned systems; plain dice leave it at the top."""
    tuned = [evening for name, evening, _ in _lines(advice) if name != _PLAIN]
    axes.set_ylim(0, 1.2 * max(max(evening.variance) for evening in tuned))
    _grid(axes)


def _grid(axes: "Axes") -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.grid(visible=True, color=style.GRID, linewidth=0.8)


def _rolls(axes: "Axes", advice: Advice) -> None:
    last = advice.lengths[-1]
    every = style.round_up(max(last, 2) / 6)
    axes.set_xlim(0.5, last + 0.5)
    axes.set_xticks(range(every, last + 1, every))
    axes.axvline(advice.tuning.samples, color=style.MUTED, linewidth=1, linestyle=":", zorder=0.5)
