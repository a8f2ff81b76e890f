"""Charts of luck: results as dots, on pale bars that contain 19 of 20 such results."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

from collections.abc import Sequence

from bot.charts import style
from bot.stats.bands import ENOUGH_DICE
from bot.stats.evenings import Player
from bot.stats.luck import Luck
from bot.systems.odds import are_numbers
from bot.words.saying import phrase, say

_COLUMNS = 40
_ROWS = 40
_BAR = 0.84
_ROW = 0.36
"""Height of a player's row in inches."""
_NAMED = 6
"""Most faces outside the usual range that are labelled beside their dots."""
_USUAL, _EXPECTED = phrase("usual (19 of 20)"), phrase("expected")
_ROLLED, _OUTSIDE = phrase("rolled"), phrase("outside")


def luck_chart(title: str, note: str, luck: Luck) -> bytes:
    """Draw each face's count, its usual range and its expectation as a PNG; run it off the event loop."""
    numbers, places = are_numbers(luck.faces), range(len(luck.faces))
    rows, many = not numbers and len(places) <= _ROWS, len(places) > _COLUMNS
    outside = [place for place in places if luck.counts[place] not in luck.bands[place]]
    key = say(_USUAL), say(_EXPECTED), say(_ROLLED), *([say(_OUTSIDE)] if outside else [])
    bar = 1.0 if many and not rows else _BAR
    low, heights = [band.low - 0.5 for band in luck.bands], [band.high - band.low + 1 for band in luck.bands]
    expected = [float(count) for count in luck.expected]
    ends = [place - bar / 2 for place in places], [place + bar / 2 for place in places]
    with style.drawing:
        if rows:
            labels = [style.face_label(face, place) for place, face in enumerate(luck.faces, start=1)]
            frame = style.Frame(title, note, say("Rolls"), "", key)
            figure, axes = style.card(frame, labels)
        else:
            face = style.of_faces(luck.faces) if numbers else say("Result")
            frame = style.Frame(title, note, face, say("Rolls"), key)
            figure, axes = style.card(frame)
            for place in outside if len(outside) <= _NAMED else ():
                style.value(axes, luck.faces[place], (place, luck.counts[place]), (0, 5))
            style.name_faces(axes, luck.faces, int(luck.faces[0]) if numbers else 0)
        draw, across = (axes.barh, axes.vlines) if rows else (axes.bar, axes.hlines)
        draw(places, heights, bar, low, color=style.PALE, label=say(_USUAL))
        across(expected, *ends, style.EDGE, label=say(_EXPECTED))
        size = 2 if bar == 1 else 5
        for group, colour, width, name in (
            (places, style.INK, size, say(_ROLLED)),
            (outside, style.SERIES[0], size + 2, say(_OUTSIDE)),
        ):
            dots = group, [luck.counts[place] for place in group]
            x, y = dots[::-1] if rows else dots
            # Dots at the edges are not clipped.
            axes.plot(x, y, "o", color=colour, markersize=width, label=name, clip_on=False, zorder=3)
        most = max(luck.bands, key=lambda band: band.high).high + (0 if rows else 0.5)
        style.scale(axes.xaxis if rows else axes.yaxis, max(*luck.counts, most, 1))
        return style.png(figure, frame)


def ranks_chart(title: str, names: Sequence[str], players: Sequence[Player]) -> bytes:
    """Draw each player's average rank, its usual range, and 50 as a PNG; run it off the event loop."""
    with style.drawing:
        font = style.font(style.TEXT)
        labels = [
            f"{style.fit(name, style.LABEL_INCHES, font)} ({player.dice})"
            for name, player in zip(names, players, strict=True)
        ]
        note = say("Average rank of their dice, 0 to 100; pale dots: too few to tell")
        frame = style.Frame(title, note, say("Average rank"), "", (say(_USUAL), say(_EXPECTED), say(_ROLLED)))
        figure, axes = style.card(frame, labels, _ROW)
        low, widths = [50 - player.side for player in players], [2 * player.side for player in players]
        axes.barh(range(len(players)), widths, _BAR, left=low, color=style.PALE, label=say(_USUAL))
        axes.axvline(50, color=style.EDGE, linewidth=1.5, label=say(_EXPECTED))
        for place, player in enumerate(players):
            has_enough = player.dice >= ENOUGH_DICE
            axes.plot([player.rank], [place], "o", color=style.SERIES[0], alpha=1.0 if has_enough else 0.45)
        axes.plot([], [], "o", color=style.SERIES[0], label=say(_ROLLED))
        axes.set_xlim(0, 100)
        axes.xaxis.grid(visible=True, color=style.GRID, linewidth=0.8)
        return style.png(figure, frame)
