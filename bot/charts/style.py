"""The look of every chart: one card on its own dark ground, drawn with matplotlib's bundled font.

Neither pyplot nor rcParams: a figure is a value of its own, and the same picture comes out everywhere.
Matplotlib takes a second to import, so it is imported by the first chart. Text is never read as formulas.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

import io
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, pairwise
from threading import Lock
from typing import TYPE_CHECKING

from bot.words.saying import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.patheffects import AbstractPathEffect

GROUND = "#1d2427"
"""A card's ground, and with it most colours here, are those of the dark table in bot/play/site/table.css."""
INK = "#ece8df"
MUTED = "#a9b4b1"
GRID = "#364247"
PALE = "#556669"
"""The fill of what something is compared with: the base, an expected band."""
DIM = "#3f7f6c"
"""The rest of a series of which one part was asked for."""
EDGE = "#cfc5ae"
"""The outline of the same."""
SERIES = ("#86cdb2", "#e3b661", "#8f7fe0", "#d0b4ff", "#f6f3ea")
"""The table's accent and brass, then three that stand out from them for every kind of colour vision."""

TITLE, TEXT = 15, 13
"""Font sizes in points. A phone shows a chart 300 pixels wide, and a point is three quarters of one there."""

WIDTH = 5.5
_PLOT = 2.25
"""Inches; the least height of a chart's own area. Discord shows a picture at most 350 pixels high."""
_DPI = 200
_FONT = "DejaVu Sans"
_LONGEST = 300
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_LEFT, RIGHT, _BOTTOM, _EDGE = 0.55, 0.22, 0.66, 0.14
_TITLED, _LINE, _GAP = 0.44, 0.22, 0.12
"""Inches from the top to below the title, of a line of text, and between the words and what is drawn."""
_ROW = 0.24
_SWATCH, _APART = 0.35, 0.2
"""Inches of a mark of the key, and between two columns of it."""
_LINES = 2
"""How many lines a title, a note or an axis' title may have."""
_MEASURED = 40
RIM = 4
"""The width of a line with its rim, in points."""
PLOT_WIDTH = WIDTH - _LEFT - RIGHT
"""The width of a chart's own area in inches, unless long labels stand on its left."""

LABEL_INCHES = 1.8
"""The most that a label beside a row takes."""

drawing = Lock()
"""Held while a chart is drawn: matplotlib promises nothing about threads."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The words of a card; they are cleaned and cut to fit."""

    title: str
    note: str
    x: str
    y: str
    """The titles of the axes, with the unit."""
    key: Sequence[str] = ()
    """What the marks mean, above the axes."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the words of a card stand."""

    title: str
    note: str
    columns: int
    """Of the key."""
    below: float
    """Inches from the top to the note, to the key, and to what is drawn."""
    key: float
    top: float


def _laid_out(frame: Frame, y: str) -> _Layout:
    """Return where the words stand: the key is on the line of the axis' title if there is room."""
    title = wrap(frame.title, WIDTH - _EDGE - RIGHT, font(TITLE, bold=True), _LINES)
    note = wrap(frame.note, WIDTH - _EDGE - RIGHT, font(TEXT), _LINES)
    below = _TITLED + 0.27 * title.count("\n")
    key_at = below + _LINE * (note.count("\n") + 1 if note else 0) + 0.06
    marks = [width(name, font(TEXT)) + _SWATCH for name in frame.key]
    columns, beside = len(marks) or 1, width(y, font(TEXT)) + _APART if y else 0.0
    while columns > 1 and _across(marks, columns) > WIDTH - 2 * _EDGE:
        columns -= 1
    rows = -(-len(marks) // columns)
    own = bool(y) and _across(marks, columns) + beside > WIDTH - 2 * _EDGE
    return _Layout(
        title, note, columns, below, key_at, key_at + _ROW * (rows + own if marks else bool(y)) + _GAP
    )


def _across(marks: Sequence[float], columns: int) -> float:
    """Return the width of a key in so many columns, filled as matplotlib does: the first have one more."""
    each, more = divmod(len(marks), columns)
    ends = [n * each + min(n, more) for n in range(columns + 1)]
    return sum(max(marks[a:b]) + _APART for a, b in pairwise(ends)) if marks else 0.0


def card(frame: Frame, labels: Sequence[str] = (), row: float = 0) -> "tuple[Figure, Axes]":
    """Return a figure with its words, and the axes to draw on.

    With labels it has a row for each from the top down, 0, 1, 2 ..., and grows if they need more room. Where
    a `row` has a height of its own, in inches, few rows make a low figure.
    """
    laid = _laid_out(frame, frame.y)
    least = min(_PLOT, row * len(labels)) if row else _PLOT
    lines = sum(label.count("\n") + 1 for label in labels)
    height = laid.top + _BOTTOM + max(least, _ROW * lines)
    figure = _ground(height)
    wide = (width(line, font(TEXT)) for label in labels for line in label.split("\n"))
    axes = _panel(figure, 0.3 + max(wide) if labels else _LEFT, WIDTH - RIGHT, height - laid.top)
    _words(figure, frame, laid)
    if labels:
        axes.set_yticks(range(len(labels)), labels, parse_math=False)
        axes.tick_params(axis="y", labelcolor=INK, labelsize=TEXT)
        axes.set_ylim(len(labels) - 0.4, -0.6)
    return figure, axes


def pair(frame: Frame, left_y: str, right_y: str) -> "tuple[Figure, tuple[Axes, Axes]]":
    """Return a card with two areas side by side, each with its own y title in place of the frame's."""
    laid = _laid_out(frame, "")
    top = _BOTTOM + _PLOT
    height = top + _GAP + _LINES * _LINE + laid.top
    figure = _ground(height)
    middle = WIDTH / 2 + 0.1
    panels = (_panel(figure, _LEFT, middle - 0.25, top), _panel(figure, middle + 0.35, WIDTH - RIGHT, top))
    _words(figure, frame, laid)
    for words, x in ((left_y, _EDGE), (right_y, middle)):
        text = wrap(words, WIDTH / 2 - 0.25, font(TEXT), _LINES)
        at = (x / WIDTH, (top + _GAP) / height)
        figure.text(*at, text, color=MUTED, fontproperties=font(TEXT), va="bottom", parse_math=False)
    return figure, panels


def _ground(height: float) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), dpi=_DPI, facecolor=GROUND)
    FigureCanvasAgg(figure)
    return figure


def _panel(figure: "Figure", left: float, right: float, top: float) -> "Axes":
    """Return an empty area between these edges, in inches."""
    height = figure.get_figheight()
    box = (left / WIDTH, _BOTTOM / height, (right - left) / WIDTH, (top - _BOTTOM) / height)
    axes = figure.add_axes(box, facecolor=GROUND)
    axes.tick_params(colors=MUTED, labelsize=TEXT, length=0, labelfontfamily=_FONT, pad=4)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_axisbelow(True)
    return axes


def _words(figure: "Figure", frame: Frame, laid: _Layout) -> None:
    height = figure.get_figheight()
    rows = (
        (laid.title, _EDGE, height - _EDGE, INK, font(TITLE, bold=True), "left", "top"),
        (laid.note, _EDGE, height - laid.below, MUTED, font(TEXT), "left", "top"),
        (frame.y, _EDGE, height - laid.top + _GAP, MUTED, font(TEXT), "left", "bottom"),
        (frame.x, WIDTH - RIGHT, 0.1, MUTED, font(TEXT), "right", "bottom"),
    )
    for words, x, y, colour, size, across, down in rows:
        at = (x / WIDTH, y / height)
        figure.text(*at, words, color=colour, fontproperties=size, ha=across, va=down, parse_math=False)


def value(axes: "Axes", text: str, at: tuple[float, float], offset: tuple[float, float]) -> None:
    """Write a figure beside the end of a bar; the offset is in points, upwards or to the right."""
    axes.annotate(
        text,
        at,
        offset,
        textcoords="offset points",
        ha="left" if offset[0] else "center",
        va="center" if offset[0] else "bottom",
        color=INK,
        fontproperties=font(TEXT),
        parse_math=False,
        bbox={"facecolor": GROUND, "edgecolor": "none", "pad": 0.8},
    )


def scale(axis: "Axis", top: float, room: float = 1.13) -> None:
    """Set a scale of round numbers from 0 to `room` times `top`, with a grid."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_view_interval(0, (top or 1) * room, ignore=True)
    axis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.grid(visible=True, color=GRID, linewidth=0.8)


def of_faces(faces: Sequence[str]) -> str:
    """Return what numbers are called: those from 1 on are faces of one die, others totals of several."""
    return say("Face") if faces == tuple(map(str, range(1, len(faces) + 1))) else say("Total")


def face_label(face: str, place: int, lines: int = 1) -> str:
    """Return a face's label, cut to leave room for what is drawn; one without any glyph goes by its place."""
    return wrap(drawable_or(face, say("no. {place}", place=place)), LABEL_INCHES, font(TEXT), lines)


def name_faces(axes: "Axes", faces: Sequence[str], start: int) -> None:
    """Name the faces that fit, evenly spaced; where they are numbers from `start` on, round ones."""
    n = len(faces)
    # Of very many it would take long to measure each.
    measured = faces if n <= _MEASURED else (faces[0], max(faces, key=len))
    widest = 0.06 + max(width(face_label(face, i), font(TEXT)) for i, face in enumerate(measured, start=1))
    every = round_up(n * widest / PLOT_WIDTH)
    # The last one is left out where half of it would reach over the edge of the card.
    named = range(-start % every, n if PLOT_WIDTH / n + 2 * RIGHT > widest else n - every // 2, every)
    axes.set_xticks(named, [face_label(faces[i], i + 1) for i in named], parse_math=False)
    axes.set_xlim(-0.6, n - 0.4)


def rim() -> "list[AbstractPathEffect]":
    """Return the dark rim with which a line of `EDGE` stands out from light bars as well."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=RIM, foreground=GROUND)]


def round_up(steps: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... that is not below `steps`."""
    sizes = (digit * 10**power for power in count() for digit in (1, 2, 5))
    return next(size for size in sizes if size >= steps)


def key(names: Sequence[str], most: int) -> list[str]:
    """Return a key's names, the longer ones cut in the middle to `most` characters where most of them differ.

    Those that are still alike are numbered. "" stays.
    """
    drawn = [name and drawable_or(name, "□") for name in names]
    # Matplotlib leaves out a label that begins with _.
    drawn = [f" {name}" if name.startswith("_") else name for name in drawn]
    heads = sorted(range(most), key=lambda head: abs(head - most // 2))
    cuts = ([_cut(name, head, most) for name in drawn] for head in heads)
    found = max(cuts, key=lambda cut: len({*cut}))
    return [f"{name} ({n})" if name and found.count(name) > 1 else name for n, name in enumerate(found, 1)]


def _cut(name: str, head: int, most: int) -> str:
    return name if len(name) <= most else f"{name[:head]}…{name[len(name) + head + 1 - most :]}"


def png(figure: "Figure", frame: Frame) -> bytes:
    """Return the finished picture: what was drawn with its labels, and the frame's key in few rows."""
    handles, known = figure.axes[0].get_legend_handles_labels()
    laid = _laid_out(frame, frame.y)
    drawn = figure.legend(
        [handles[known.index(label)] for label in frame.key],
        frame.key,
        loc="upper right",
        bbox_to_anchor=(1 - 0.1 / WIDTH, 1 - laid.key / figure.get_figheight()),
        ncols=laid.columns,
        frameon=False,
        labelcolor=INK,
        prop=font(TEXT),
        handlelength=1.2,
        handleheight=0.9,
        columnspacing=1.0,
        handletextpad=0.5,
        labelspacing=0.3,
        borderpad=0,
        borderaxespad=0,
    )
    for text in drawn.get_texts():
        text.set_parse_math(False)
    data = io.BytesIO()
    figure.savefig(data, format="png", facecolor=GROUND)
    return data.getvalue()


@cache
def font(size: float, *, bold: bool = False) -> "FontProperties":
    """Return the charts' font at a size in points."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=_FONT, size=size, weight="bold" if bold else "normal")


def drawable(text: str) -> str:
    """Return the text on one line, as the font can draw it: a missing letter becomes □, an emoji goes."""
    known = _glyphs()
    kept: list[str] = []
    for c in unicodedata.normalize("NFC", text[:_LONGEST]):
        if c.isspace():
            kept.append(" ")
        elif unicodedata.category(c)[0] == "C" or c in _SELECTORS:
            continue
        elif ord(c) in known:
            kept.append(c)
        elif c.isalnum():
            kept.append("□")
    return " ".join("".join(kept).split())


def drawable_or(text: str, instead: str) -> str:
    """Return the drawable part of the text, or what stands for a text of which nothing can be drawn."""
    drawn = drawable(text)
    return drawn if drawn.strip("□ ") else instead


def fit(text: str, inches: float, properties: "FontProperties") -> str:
    """Return the drawable part of the text, cut with … to at most this width."""
    text = drawable(text)
    if width(text, properties) <= inches:
        return text
    ends = range(1, len(text))
    end = bisect_left(ends, True, key=lambda end: width(f"{text[:end]}…", properties) > inches)
    return f"{text[:end].rstrip()}…"


def wrap(text: str, inches: float, properties: "FontProperties", lines: int) -> str:
    """Return the drawable part of the text on at most `lines` lines of this width, broken at words."""
    words = drawable(text).split(" ")
    shown: list[str] = []
    while words and len(shown) < lines - 1:
        n = 1
        while n < len(words) and width(" ".join(words[: n + 1]), properties) <= inches:
            n += 1
        shown.append(fit(" ".join(words[:n]), inches, properties))
        words = words[n:]
    if words:
        shown.append(fit(" ".join(words), inches, properties))
    return "\n".join(shown)


def width(text: str, properties: "FontProperties") -> float:
    """Return the width of a drawable text in inches."""
    from matplotlib.textpath import text_to_path

    points, _, _ = text_to_path.get_text_width_height_descent(text, properties, ismath=False)
    return points / 72


@cache
def _glyphs() -> frozenset[int]:
    from matplotlib.font_manager import get_font

    charmaps = (get_font(_path(bold=bold)).get_charmap() for bold in (False, True))
    return frozenset.intersection(*(frozenset(c) for c in charmaps))


def _path(*, bold: bool) -> str:
    from matplotlib.font_manager import findfont

    return str(findfont(font(TEXT, bold=bold)))
