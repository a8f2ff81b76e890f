"""Charts of luck: results as dots, on pale bars where 19 of 20 such counts or evenings lie."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.charts import style
from bot.stats.bands import ENOUGH_DICE
from bot.stats.evenings import Player
from bot.stats.luck import Luck
from bot.systems.odds import are_numbers
from bot.words.saying import phrase, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 40
_ROWS = 40
_BAR = 0.84
_LABEL_INCHES = 1.8
_ROW = 0.36
"""A player's row, in inches."""
_NAMED = 6
"""Most faces outside the usual range that are named beside their dots."""
_USUAL, _EXPECTED = phrase("usual (19 of 20)"), phrase("expected")
_ROLLED, _OUTSIDE = phrase("rolled"), phrase("outside")


def luck_chart(title: str, note: str, luck: Luck) -> bytes:
    """Draw each face's count, its usual range and its expectation as a PNG; keep it off the event loop."""
    numbers = are_numbers(luck.faces)
    with style.drawing:
        figure = (
            _columns(title, note, luck) if numbers or len(luck.faces) > _ROWS else _rows(title, note, luck)
        )
        return style.png(figure)


def ranks_chart(title: str, names: Sequence[str], players: Sequence[Player]) -> bytes:
    """Draw each player's average rank, its usual range, and 50 as a PNG; keep it off the event loop."""
    with style.drawing:
        font = style.font(style.TEXT)
        labels = [
            f"{style.fit(name, _LABEL_INCHES, font)} ({player.dice})"
            for name, player in zip(names, players, strict=True)
        ]
        note = say("Average rank of their dice, 0 to 100; pale dots: too few to tell")
        frame = style.Frame(title, note, say("Average rank"), "", (say(_USUAL), say(_EXPECTED), say(_ROLLED)))
        figure, axes = style.card(frame, labels, _ROW)
        _spans(axes, [(50 - p.side, 50 + p.side) for p in players])
        axes.axvline(50, color=style.EDGE, linewidth=1.5, label=say(_EXPECTED))
        for place, player in enumerate(players):
            enough = player.dice >= ENOUGH_DICE
            axes.plot([player.rank], [place], "o", color=style.SERIES[0], alpha=1.0 if enough else 0.45)
        axes.plot([], [], "o", color=style.SERIES[0], label=say(_ROLLED))
        axes.set_xlim(0, 100)
        axes.xaxis.grid(visible=True, color=style.GRID, linewidth=0.8)
        style.legend(figure, frame)
        return style.png(figure)


def _columns(title: str, note: str, luck: Luck) -> "Figure":
    face = style.of_faces(luck.faces) if are_numbers(luck.faces) else say("Face")
    outside = _outside(luck)
    frame = style.Frame(title, note, face, say("Rolls"), _key(outside))
    figure, axes = style.card(frame)
    places = range(len(luck.faces))
    many = len(luck.faces) > _COLUMNS
    low = [band.low - 0.5 for band in luck.bands]
    high = [band.high + 0.5 for band in luck.bands]
    heights = [h - low_ for h, low_ in zip(high, low, strict=True)]
    axes.bar(places, heights, 1.0 if many else _BAR, bottom=low, color=style.PALE, label=say(_USUAL))
    expected = [float(e) for e in luck.expected]
    half = 0.5 if many else _BAR / 2
    axes.hlines(
        expected, [p - half for p in places], [p + half for p in places], style.EDGE, label=say(_EXPECTED)
    )
    size = 2 if many else 5
    _dots(axes, places, luck.counts, size)
    _dots(axes, outside, [luck.counts[place] for place in outside], size + 2, outside=True)
    for place in outside if len(outside) <= _NAMED else ():
        style.value(axes, luck.faces[place], (place, luck.counts[place]), (0, 5))
    widest = max(style.width(_label(face, i), style.font(style.TEXT)) for i, face in enumerate(luck.faces))
    every = style.round_up(len(luck.faces) * (widest + 0.06) / style.PLOT_WIDTH)
    # Numbers are named at round ones, which has the last face of most dice among them.
    first = -int(luck.faces[0]) % every if every > 1 and are_numbers(luck.faces) else 0
    shown = range(first, len(luck.faces), every)
    axes.set_xticks(shown, [_label(luck.faces[i], i) for i in shown], parse_math=False)
    axes.set_xlim(-0.6, len(luck.faces) - 0.4)
    style.scale(axes.yaxis, max(*high, *luck.counts, 1))
    style.legend(figure, frame)
    return figure


def _rows(title: str, note: str, luck: Luck) -> "Figure":
    font = style.font(style.TEXT)
    labels = [style.fit(_label(face, i), _LABEL_INCHES, font) for i, face in enumerate(luck.faces)]
    outside = _outside(luck)
    frame = style.Frame(title, note, say("Rolls"), "", _key(outside))
    figure, axes = style.card(frame, labels)
    places = range(len(labels))
    _spans(axes, [(band.low - 0.5, band.high + 0.5) for band in luck.bands])
    expected = [float(e) for e in luck.expected]
    axes.vlines(
        expected, [p - 0.42 for p in places], [p + 0.42 for p in places], style.EDGE, label=say(_EXPECTED)
    )
    _dots(axes, luck.counts, places, 5)
    _dots(axes, [luck.counts[place] for place in outside], outside, 7, outside=True)
    style.scale(axes.xaxis, max(*luck.counts, *(band.high for band in luck.bands), 1))
    style.legend(figure, frame)
    return figure


def _outside(luck: Luck) -> list[int]:
    """Return the places of the faces whose counts are not usual."""
    return [place for place, band in enumerate(luck.bands) if luck.counts[place] not in band]


def _key(outside: Sequence[int]) -> tuple[str, ...]:
    return (say(_USUAL), say(_EXPECTED), say(_ROLLED), *([say(_OUTSIDE)] if outside else []))


def _dots(axes: "Axes", x: Sequence[int], y: Sequence[int], size: int, *, outside: bool = False) -> None:
    """Draw counts as dots, whole at the edges too; those outside what is usual stand out."""
    colour, label = (style.SERIES[0], say(_OUTSIDE)) if outside else (style.INK, say(_ROLLED))
    axes.plot(x, y, "o", color=colour, markersize=size, label=label, clip_on=False, zorder=3)


def _spans(axes: "Axes", spans: Sequence[tuple[float, float]]) -> None:
    widths = [high - low for low, high in spans]
    axes.barh(
        range(len(spans)), widths, _BAR, left=[low for low, _ in spans], color=style.PALE, label=say(_USUAL)
    )


def _label(face: str, place: int) -> str:
    return style.shown(face, say("no. {place}", place=place + 1))
