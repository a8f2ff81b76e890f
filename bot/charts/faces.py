"""Small pictures of die faces for Discord's text: bone dice, as on the table's page."""

# pyright: reportUnknownMemberType=false
# (matplotlib's own annotations leave keyword arguments open)

import io
import json
from collections.abc import Iterator
from importlib.resources import files

from bot.charts.style import drawing, font
from bot.words.pictures import DieState

_SHAPES = json.loads((files("bot.charts") / "faces.json").read_text("utf-8"))
OUTLINES: dict[str, str] = _SHAPES["outlines"]
"""Sides to the corners of a die's outline, in a square of 32 by 32; as in bot/play/site/dice.js."""
PIPS: dict[str, list[int]] = _SHAPES["pips"]
"""Value to the pips of a d6, as indices into nine places, row by row."""
SIDES = (4, 6, 8, 10, 12, 20)
_BONE, _EDGE, _INK, _BRASS = "#efe8d8", "#a8997a", "#1b2224", "#b9832a"
_DROPPED = "#85908d"
"""The colour of dropped dice, visible on a dark and on a white ground."""
_UNITS, _PIXELS, _DPI = 32, 128, 100
_POINTS = 72 / _DPI * _PIXELS / _UNITS
"""Points per unit, of which the width has 32."""
_FIGURE = {4: (13, 19.5), 10: (14, 16), 12: (15, 17)}
_USUAL_FIGURE = 16, 16
"""Size and vertical middle of a number: large, because Discord shows dice 22 pixels high."""


def all_faces() -> Iterator[tuple[int, int, DieState]]:
    """Return sides, value and state of every picture."""
    return ((sides, value, state) for sides in SIDES for value in range(1, sides + 1) for state in DieState)


def draw_face(sides: int, value: int, state: DieState) -> bytes:
    """Draw a face as a PNG of 128 by 128 pixels on a transparent ground."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle, FancyBboxPatch, Patch, Polygon

    dropped = state is DieState.DROPPED
    edge = {DieState.DROPPED: _DROPPED, DieState.SUCCESS: _BRASS, DieState.KEPT: _EDGE}[state]
    width = (3.2 if state is DieState.SUCCESS else 1.8) * _POINTS
    with drawing:
        figure = Figure(figsize=(_PIXELS / _DPI, _PIXELS / _DPI), dpi=_DPI)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, _UNITS), ylim=(_UNITS, 0))
        axes.set_axis_off()
        if sides == 6:
            box = "round,pad=0,rounding_size=6"
            bone: Patch = FancyBboxPatch((2.5, 2.5), 27, 27, boxstyle=box)
        else:
            bone = Polygon(_read_points(OUTLINES[str(sides)]), joinstyle="round")
        bone.set(facecolor="none" if dropped else _BONE, edgecolor=edge, linewidth=width)
        bone.set_linestyle((0, (1.6, 1.2)) if dropped else "solid")
        axes.add_patch(bone)
        if sides == 20 and not dropped:
            for line in _SHAPES["facets"]:
                points = _read_points(line)
                axes.plot(*zip(*points, strict=True), color=_EDGE, linewidth=_POINTS, alpha=0.6)
        if dropped:
            for x, y in (((4, 9.5), (25.3, 21)), ((22.5, 28), (11, 6.7))):
                axes.plot(x, y, color=_DROPPED, linewidth=1.8 * _POINTS)
        if sides == 6 and not dropped:
            for place in PIPS[str(value)]:
                middle = 9 + place % 3 * 7, 9 + place // 3 * 7
                axes.add_patch(Circle(middle, 2.9, facecolor=_INK, edgecolor="none"))
        else:
            size, middle = _FIGURE.get(sides, _USUAL_FIGURE)
            colour, bold = _DROPPED if dropped else _INK, font(size * _POINTS, bold=True)
            label = axes.text(16, middle, str(value), color=colour, fontproperties=bold)
            label.set(ha="center", va="center_baseline")
        data = io.BytesIO()
        figure.savefig(data, format="png", transparent=True)
        return data.getvalue()


def _read_points(corners: str) -> list[tuple[float, float]]:
    pairs = (corner.split(",") for corner in corners.split())
    return [(float(x), float(y)) for x, y in pairs]
