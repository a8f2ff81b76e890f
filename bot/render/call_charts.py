"""A check's chart: each total as a dot on its player's row, the DC as a line, the side that passes shaded."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import Entry
from bot.campaign.standings import Standing
from bot.render import style
from bot.render.calls import headline
from bot.render.charts import Chart
from bot.render.entries import fitted, outcome

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROWS = 40
"""As many rolls have a row; of more, the best ones do."""
SHADE = "#434a56"
"""The side that passes: between the ground and what lies on it."""
_LEAST = 3
_LABEL_INCHES = 1.8
_DOT = 6
_ROLLED = "rolled"
_COUNTED = {Rule.EACH, Rule.HALF, Rule.ALL, Rule.ANY}
"""Rules whose value is how many pass, and no total."""
_STRETCH = 6
"""At most so much longer the scale gets for a number besides the totals."""
_ALT = 1_000
_MANY = 10**7
"""From here on an axis says its numbers in powers of ten."""


@dataclass(frozen=True, slots=True)
class _Limit:
    """What is passed, from which side, and by whom."""

    at: int
    under: bool
    word: str
    each: bool
    """Whether each roll is held against it, or the group's value alone."""


def has_chart(standing: Standing) -> bool:
    """Whether a check is over and open to all, with totals enough to be worth a picture."""
    call = standing.call
    over = standing.complete or not standing.is_open
    worth = sum(entry.total is not None for entry in call.entries) >= _LEAST
    return call.terms.form is Form.CHECK and over and call.shown and worth and not standing.cancelled


def shown(standing: Standing) -> list[Entry]:
    """The entries that have a row, the best first; equal ones in the order in which they rolled."""
    entries = [entry for entry in standing.call.entries if entry.total is not None]
    return sorted(entries, key=_total, reverse=not standing.call.terms.under)[:ROWS]


def call_chart(standing: Standing, known: Mapping[int, str]) -> Chart:
    """The totals of a check that `has_chart`: a PNG; keep it off the event loop.

    `known` has the names that the server knows the players by; others go by a number.
    """
    entries = shown(standing)
    names = [_name(entry, place, known) for place, entry in enumerate(entries, start=1)]
    with style.drawing:
        picture = _draw(standing, entries, names)
    return Chart(picture, _alt(standing, entries, names))


def _draw(standing: Standing, entries: Sequence[Entry], names: Sequence[str]) -> bytes:
    terms, totals = standing.call.terms, [_total(entry) for entry in entries]
    group = _group(standing, totals)
    font = style.font(style.TEXT)
    numbers = [*totals, *([] if group is None else [group])]
    rows = [_label(name, i) for i, name in enumerate(names, start=1)] + [terms.rule]
    # The figures stand beside the names, where no line runs through them.
    labels = [
        f"{style.fit(row, _LABEL_INCHES, font)} · {_figure(number)}"
        for row, number in zip(rows, numbers, strict=False)
    ]
    left = 0.3 + max(style.width(label, font) for label in labels)
    figure, axes = style.card(_frame(standing, len(totals)), rows=len(labels), left=left)

    last = len(labels) - 1
    limit = _limit(terms)
    if limit and not (_fits(limit.at, totals) if limit.each else group is not None):
        limit = None
    _scale(axes, [*numbers, limit.at] if limit else numbers)
    if limit:
        _pass(axes, limit, -0.6 if limit.each else last - 0.5, last + 0.6)
    axes.plot(totals, range(len(totals)), "o", color=style.SERIES[0], markersize=_DOT, label=_ROLLED)
    if group is not None:
        axes.axhline(last - 0.5, color=style.EDGE, linewidth=0.8)
        axes.plot([group], [last], "D", color=style.SERIES[1], markersize=_DOT, label=terms.rule)
    axes.set_yticks(range(len(labels)), labels, parse_math=False)
    axes.tick_params(axis="y", labelcolor=style.INK)
    axes.set_ylim(last + 0.6, -0.6)
    style.legend(figure, axes.get_legend_handles_labels()[1])
    return style.png(figure)


def _frame(standing: Standing, rows: int) -> style.Frame:
    """The words: a long name is cut so that what the check came to has room."""
    name, came, figures = headline(standing)
    font = style.font(style.TITLE, bold=True)
    came = f": {came}" if came else ""
    name = style.fit(name, style.WIDTH - 0.4 - style.width(came, font), font)
    rolled = standing.verdict.rolled
    return style.Frame(
        f"{name}{came}", figures, "Total", "" if rows == rolled else f"The {rows} best of {rolled}"
    )


def _limit(terms: Terms) -> _Limit | None:
    if terms.dc is not None:
        word = f"at most {terms.dc:,}" if terms.under else f"DC {terms.dc:,}"
        return _Limit(terms.dc, terms.under, word, terms.rule is not Rule.SUM)
    return (
        _Limit(terms.needed, False, f"{terms.needed:,} needed", False)
        if terms.rule is Rule.SUCCESSES
        else None
    )


def _group(standing: Standing, totals: Sequence[int]) -> float | None:
    """The group's value where it lies on the scale of the rolls; None where it would squeeze them."""
    terms, value = standing.call.terms, standing.verdict.value
    if value is None or terms.rule in _COUNTED or (terms.rule is Rule.SUCCESSES and terms.dc is not None):
        return None
    return float(value) if _fits(value, totals) else None


def _fits(number: float | Fraction, totals: Sequence[float]) -> bool:
    """Whether a scale that has it too leaves the totals a fair part of it."""
    low, high = min(totals), max(totals)
    return max(high, number) - min(low, number) <= _STRETCH * max(high - low, 4)


def _scale(axes: "Axes", numbers: Sequence[float]) -> None:
    """A scale of whole numbers, with room beside the outermost."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = min(numbers), max(numbers)
    edge = max((high - low) * 0.05, 1)
    axes.set_xlim(low - edge, high + edge)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(_tick))
    axes.xaxis.grid(visible=True, color=style.GRID, linewidth=0.8)


def _tick(number: float, _place: int | None) -> str:
    return f"{number:,.0f}" if abs(number) < _MANY else f"{number:.3g}"


def _pass(axes: "Axes", limit: _Limit, top: float, bottom: float) -> None:
    """The limit as a line over these rows, and all beyond it shaded."""
    low, high = axes.get_xlim()
    ends = (low, limit.at) if limit.under else (limit.at, high)
    axes.fill_between(ends, top, bottom, color=SHADE, linewidth=0, zorder=0.4, label="passes")
    axes.vlines([limit.at], top, bottom, style.EDGE, linewidth=1.5, label=limit.word)
    axes.set_xlim(low, high)


def _figure(number: float) -> str:
    if number == int(number):
        return f"{int(number):,}" if abs(number) < _MANY else f"{number:.4g}"
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def _name(entry: Entry, place: int, known: Mapping[int, str]) -> str:
    if entry.name:
        return entry.name
    return "somebody erased" if entry.user_id is None else known.get(entry.user_id, f"player {place}")


def _label(name: str, place: int) -> str:
    return name if style.drawable(name).strip("□ ") else f"player {place}"


def _total(entry: Entry) -> int:
    if entry.total is None:
        raise ValueError("only what has a total has a row")
    return entry.total


def _alt(standing: Standing, entries: Sequence[Entry], names: Sequence[str]) -> str:
    name, came, figures = headline(standing)
    head = f"{name}{': ' if came else ''}{came}. {figures}. "
    if len(entries) < standing.verdict.rolled:
        head += f"The {len(entries)} best of {standing.verdict.rolled}: "
    rolls = [f"{who}: {_told(entry, standing.call.terms)}" for who, entry in zip(names, entries, strict=True)]
    return f"{head}{fitted(['; '.join(rolls)], rolls, '; ', _ALT - len(head) - 1)}."


def _told(entry: Entry, terms: Terms) -> str:
    said = outcome(entry, terms) if terms.rule is not Rule.SUM else ""
    return f"{entry.total}, {said}" if said else f"{entry.total}"
