"""The style of all charts: a card with a dark ground, drawn with matplotlib's bundled font.

Neither pyplot nor rcParams are used, so that a figure is a value and looks the same everywhere. Matplotlib
takes a second to import, so the first chart imports it. Text is never parsed as formulas.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# (matplotlib's own annotations leave keyword arguments open)

import io
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
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
"""The ground of a card. Most colours here are those of the dark table in bot/play/site/table.css."""
INK = "#ece8df"
MUTED = "#a9b4b1"
GRID = "#364247"
PALE = "#556669"
"""The fill of references: the base chance, an expected band."""
DIM = "#3f7f6c"
"""The fill of the bars that were not requested."""
EDGE = "#cfc5ae"
"""The line of references."""
SERIES = ("#86cdb2", "#e3b661", "#8f7fe0", "#d0b4ff", "#f6f3ea")
"""The table's accent and brass, then three colours distinct from them for every kind of colour vision."""

TITLE, TEXT = 15, 13
"""Font sizes in points. On a phone a chart is 300 pixels wide, and a point 0.75 pixels."""

WIDTH = 5.5
_PLOT = 2.25
"""Least height of a chart's plot, in inches. Discord shows pictures at most 350 pixels high."""
_DPI = 200
_FONT = "DejaVu Sans"
_TEXT_LIMIT = 300
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_LEFT, RIGHT, _BOTTOM, _EDGE = 0.55, 0.22, 0.66, 0.14
_TITLE_BOTTOM, _LINE, _GAP = 0.44, 0.22, 0.12
"""Inches from the top to the title's lower edge, per line of text, and between the text and the plot."""
_ROW = 0.24
_SWATCH, _COLUMN_GAP = 0.35, 0.2
"""Inches of a mark in the key, and between two of its columns."""
_MAX_LINES = 2
"""Most lines of a title, a note or an axis' title."""
_MEASURED_FACES = 40
RIM = 4
"""Width of a line with its rim, in points."""
PLOT_WIDTH = WIDTH - _LEFT - RIGHT
"""Width of a chart's plot in inches, unless it has long labels on its left."""

LABEL_INCHES = 1.8
"""Largest width of a label beside a row."""

drawing = Lock()
"""Held while a chart is drawn, because matplotlib is not thread-safe."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The texts of a card, which are cleaned and cut to fit."""

    title: str
    note: str
    x: str
    y: str
    """The titles of both axes, with their units."""
    key: Sequence[str] = ()
    """The names of the marks, shown above the plot."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The positions of a card's texts."""

    title: str
    note: str
    columns: int
    """Number of columns of the key."""
    below: float
    """Inches from the top to the note; then to the key and to the plot."""
    key: float
    top: float


def _lay_out(frame: Frame, y: str) -> _Layout:
    """Return the layout of a card; the key shares the line of the axis' title if there is room."""
    title = wrap(frame.title, WIDTH - _EDGE - RIGHT, font(TITLE, bold=True), _MAX_LINES)
    note = wrap(frame.note, WIDTH - _EDGE - RIGHT, font(TEXT), _MAX_LINES)
    below = _TITLE_BOTTOM + 0.27 * title.count("\n")
    key_at = below + _LINE * (note.count("\n") + 1 if note else 0) + 0.06
    marks = [width(name, font(TEXT)) + _SWATCH for name in frame.key]
    columns, beside = len(marks) or 1, width(y, font(TEXT)) + _COLUMN_GAP if y else 0.0
    while columns > 1 and _key_width(marks, columns) > WIDTH - 2 * _EDGE:
        columns -= 1
    rows = -(-len(marks) // columns)
    has_own_line = bool(y) and _key_width(marks, columns) + beside > WIDTH - 2 * _EDGE
    top = key_at + _ROW * (rows + has_own_line if marks else bool(y)) + _GAP
    return _Layout(title, note, columns, below, key_at, top)


def _key_width(marks: Sequence[float], columns: int) -> float:
    """Return the width of a key with `columns`, filled as by matplotlib: the first ones have one more."""
    quotient, remainder = divmod(len(marks), columns)
    ends = [n * quotient + min(n, remainder) for n in range(columns + 1)]
    return sum(max(marks[a:b]) + _COLUMN_GAP for a, b in pairwise(ends)) if marks else 0.0


def card(frame: Frame, labels: Sequence[str] = (), row: float = 0) -> "tuple[Figure, Axes]":
    """Return a figure with its texts, and the axes to draw on.

    With labels it has rows 0, 1, 2 ... from the top down, and grows if they need more room. With a height of
    each `row` in inches, few rows make a low figure.
    """
    layout = _lay_out(frame, frame.y)
    plot_height = min(_PLOT, row * len(labels)) if row else _PLOT
    lines = sum(label.count("\n") + 1 for label in labels)
    height = layout.top + _BOTTOM + max(plot_height, _ROW * lines)
    figure = _new_figure(height)
    widths = (width(line, font(TEXT)) for label in labels for line in label.split("\n"))
    axes = _add_panel(figure, 0.3 + max(widths) if labels else _LEFT, WIDTH - RIGHT, height - layout.top)
    _draw_words(figure, frame, layout)
    if labels:
        axes.set_yticks(range(len(labels)), labels, parse_math=False)
        axes.tick_params(axis="y", labelcolor=INK, labelsize=TEXT)
        axes.set_ylim(len(labels) - 0.4, -0.6)
    return figure, axes


def pair(frame: Frame, left_y: str, right_y: str) -> "tuple[Figure, tuple[Axes, Axes]]":
    """Return a card with two plots side by side, each with its own y title instead of the frame's."""
    layout = _lay_out(frame, "")
    top = _BOTTOM + _PLOT
    height = top + _GAP + _MAX_LINES * _LINE + layout.top
    figure = _new_figure(height)
    middle = WIDTH / 2 + 0.1
    panels = (
        _add_panel(figure, _LEFT, middle - 0.25, top),
        _add_panel(figure, middle + 0.35, WIDTH - RIGHT, top),
    )
    _draw_words(figure, frame, layout)
    for words, x in ((left_y, _EDGE), (right_y, middle)):
        text = wrap(words, WIDTH / 2 - 0.25, font(TEXT), _MAX_LINES)
        at = (x / WIDTH, (top + _GAP) / height)
        figure.text(*at, text, color=MUTED, fontproperties=font(TEXT), va="bottom", parse_math=False)
    return figure, panels


def _new_figure(height: float) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), dpi=_DPI, facecolor=GROUND)
    FigureCanvasAgg(figure)
    return figure


def _add_panel(figure: "Figure", left: float, right: float, top: float) -> "Axes":
    """Return an empty plot between these edges, in inches."""
    height = figure.get_figheight()
    box = (left / WIDTH, _BOTTOM / height, (right - left) / WIDTH, (top - _BOTTOM) / height)
    axes = figure.add_axes(box, facecolor=GROUND)
    axes.tick_params(colors=MUTED, labelsize=TEXT, length=0, labelfontfamily=_FONT, pad=4)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_axisbelow(True)
    return axes


def _draw_words(figure: "Figure", frame: Frame, layout: _Layout) -> None:
    height = figure.get_figheight()
    rows = (
        (layout.title, _EDGE, height - _EDGE, INK, font(TITLE, bold=True), "left", "top"),
        (layout.note, _EDGE, height - layout.below, MUTED, font(TEXT), "left", "top"),
        (frame.y, _EDGE, height - layout.top + _GAP, MUTED, font(TEXT), "left", "bottom"),
        (frame.x, WIDTH - RIGHT, 0.1, MUTED, font(TEXT), "right", "bottom"),
    )
    for words, x, y, colour, size, across, down in rows:
        at = (x / WIDTH, y / height)
        figure.text(*at, words, color=colour, fontproperties=size, ha=across, va=down, parse_math=False)


def value(axes: "Axes", text: str, at: tuple[float, float], offset: tuple[float, float]) -> None:
    """Write a value beside the end of a bar; the offset is in points, upwards or to the right."""
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
    axis.set_view_interval(0, (top or 1) * room, ignore=True)
    draw_grid(axis, 7)


def draw_grid(axis: "Axis", most: int) -> None:
    """Draw a grid at round numbers, with at most this many cells."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.grid(visible=True, color=GRID, linewidth=0.8)


def of_faces(faces: Sequence[str]) -> str:
    """Return the axis title of numeric faces: "Face" if they run from 1, else "Total"."""
    return say("Face") if faces == tuple(map(str, range(1, len(faces) + 1))) else say("Total")


def face_label(face: str, place: int, lines: int = 1) -> str:
    """Return a face's label, cut to fit; a face that can't be drawn is labelled by its position."""
    return wrap(drawable_or(face, say("no. {place}", place=place)), LABEL_INCHES, font(TEXT), lines)


def name_faces(axes: "Axes", faces: Sequence[str], start: int) -> None:
    """Label the faces that fit, evenly spaced; of numbers from `start` on, the round ones."""
    n = len(faces)
    # Measuring very many faces would take long.
    measured = faces if n <= _MEASURED_FACES else (faces[0], max(faces, key=len))
    widest = 0.06 + max(width(face_label(face, i), font(TEXT)) for i, face in enumerate(measured, start=1))
    step = round_up(n * widest / PLOT_WIDTH)
    # The last label is left out if half of it would cross the edge of the card.
    positions = range(-start % step, n if PLOT_WIDTH / n + 2 * RIGHT > widest else n - step // 2, step)
    axes.set_xticks(positions, [face_label(faces[i], i + 1) for i in positions], parse_math=False)
    axes.set_xlim(-0.6, n - 0.4)


def rim() -> "list[AbstractPathEffect]":
    """Return the dark rim that sets an `EDGE` line off from light bars."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=RIM, foreground=GROUND)]


def round_up(steps: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... that is at least `steps`."""
    sizes = (digit * 10**power for power in count() for digit in (1, 2, 5))
    return next(size for size in sizes if size >= steps)


def key(names: Sequence[str], limit: int) -> list[str]:
    """Return a key's names, long ones cut in the middle to `limit` characters so that they differ.

    Names that are still alike are numbered; "" is unchanged.
    """
    cleaned = [name and drawable_or(name, "□") for name in names]
    # Matplotlib hides labels that begin with _.
    cleaned = [f" {name}" if name.startswith("_") else name for name in cleaned]
    heads = sorted(range(limit), key=lambda head: abs(head - limit // 2))
    cuts = ([_shorten(name, head, limit) for name in cleaned] for head in heads)
    best = max(cuts, key=lambda cut: len({*cut}))
    return [f"{name} ({n})" if name and best.count(name) > 1 else name for n, name in enumerate(best, 1)]


def _shorten(name: str, head: int, limit: int) -> str:
    return name if len(name) <= limit else f"{name[:head]}…{name[len(name) + head + 1 - limit :]}"


def png(figure: "Figure", frame: Frame) -> bytes:
    """Add the frame's key to the figure, and return it as a PNG."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    layout = _lay_out(frame, frame.y)
    legend = figure.legend(
        [handles[labels.index(label)] for label in frame.key],
        frame.key,
        loc="upper right",
        bbox_to_anchor=(1 - 0.1 / WIDTH, 1 - layout.key / figure.get_figheight()),
        ncols=layout.columns,
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
    for text in legend.get_texts():
        text.set_parse_math(False)
    data = io.BytesIO()
    figure.savefig(data, format="png", facecolor=GROUND)
    return data.getvalue()


@cache
def font(size: float, *, bold: bool = False) -> "FontProperties":
    """Return the font of the charts at a size in points."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=_FONT, size=size, weight="bold" if bold else "normal")


def drawable(text: str) -> str:
    """Return the text on one line as the font can draw it: missing letters become □, emojis are removed."""
    glyphs = _drawable_codes()
    characters: list[str] = []
    for character in unicodedata.normalize("NFC", text[:_TEXT_LIMIT]):
        if character.isspace():
            characters.append(" ")
        elif unicodedata.category(character)[0] == "C" or character in _SELECTORS:
            continue
        elif ord(character) in glyphs:
            characters.append(character)
        elif character.isalnum():
            characters.append("□")
    return " ".join("".join(characters).split())


def drawable_or(text: str, instead: str) -> str:
    """Return the drawable part of the text, or `instead` if there is none."""
    drawn = drawable(text)
    return drawn if drawn.strip("□ ") else instead


def fit(text: str, inches: float, properties: "FontProperties") -> str:
    """Return the drawable part of the text, cut with … to this width."""
    text = drawable(text)
    if width(text, properties) <= inches:
        return text
    ends = range(1, len(text))
    end = bisect_left(ends, True, key=lambda end: width(f"{text[:end]}…", properties) > inches)
    return f"{text[:end].rstrip()}…"


def wrap(text: str, inches: float, properties: "FontProperties", lines: int) -> str:
    """Return the drawable part of the text, wrapped at words to at most `lines` lines of this width."""
    words = drawable(text).split(" ")
    result: list[str] = []
    while words and len(result) < lines - 1:
        n = 1
        while n < len(words) and width(" ".join(words[: n + 1]), properties) <= inches:
            n += 1
        result.append(fit(" ".join(words[:n]), inches, properties))
        words = words[n:]
    if words:
        result.append(fit(" ".join(words), inches, properties))
    return "\n".join(result)


@lru_cache(1_024)  # a chart asks for each text several times, and charts have many in common
def width(text: str, properties: "FontProperties") -> float:
    """Return the width of a drawable text in inches."""
    from matplotlib.textpath import text_to_path

    points, _, _ = text_to_path.get_text_width_height_descent(text, properties, ismath=False)
    return points / 72


@cache
def _drawable_codes() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    paths = (str(findfont(font(TEXT, bold=bold))) for bold in (False, True))
    return frozenset.intersection(*(frozenset(get_font(path).get_charmap()) for path in paths))
