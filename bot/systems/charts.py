"""A chart: a label for every face of a dice table, read from CSV text of a game master.

The first line names the dice, the others give a face or a range of faces and a label:

    2d6,encounter
    2-4,bandits
    5-9,nothing
    10-12,treasure

Every face has exactly one label. A label's weight is that of its faces, so a chart is a base for any system.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.dice import notation
from bot.dice.die_distribution import add_up
from bot.dice.distribution import can_arrange
from bot.dice.errors import SpecError
from bot.dice.names import clean
from bot.dice.system import Json, read_base

LINES_LIMIT = 2_000
_FACE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_HUNDRED = re.compile(r"\b00\b", re.ASCII)
_RANGE = re.compile(r"(-?\d{1,7})(?:\s*(?:-|–|\.\.|to)\s*(-?\d{1,7}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One line of a chart: its faces, and their label."""

    line: int
    faces: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Faces with their weights and labels."""

    faces: tuple[str, ...]
    weights: tuple[int, ...]
    labels: tuple[str, ...]
    dice: str = ""
    """The notation of its dice, "" for none."""

    def as_labels(self) -> dict[str, Json]:
        """Return each label with the weight of its faces, in chart order: a base for any system."""
        return {**add_up(zip(self.labels, self.weights, strict=True))}

    def as_base(self) -> Json:
        """Return the labels as a base, with their totals if dice can show them, else with their weights."""
        if not self.dice or not can_arrange(notation.parse(self.dice)):
            return self.as_labels()
        totals: dict[str, list[Json]] = {}
        for label, face in zip(self.labels, self.faces, strict=True):
            totals.setdefault(label, []).append(int(face))
        return {"dice": str(notation.parse(self.dice)), "labels": {**totals}}


def read_chart(name: str, text: str) -> Chart:
    """Read a chart from CSV text; SpecError names gaps, overlaps, unknown faces and empty labels.

    NotationError if the first cell is no dice.
    """
    lines = read_lines(text)
    if not lines:
        raise SpecError("The chart {name} is empty.", name=name)
    for line, cells in lines[1:]:
        if len(cells) != 2:
            raise SpecError(
                "Line {line} of the chart {name} needs two cells, the faces and a label.",
                line=line,
                name=name,
            )
    return read_rows_of(name, lines[0][1][0], [(line, cells[0], cells[1]) for line, cells in lines[1:]])


def read_rows_of(name: str, dice: str, lines: Iterable[tuple[int, str, str]]) -> Chart:
    """Read a chart of these dice from lines: the number, the faces and the label of each."""
    table = read_base(dice)
    rows = [
        ChartRow(line, read_faces_of(name, line, faces, table.faces), read_label(name, line, label))
        for line, faces, label in lines
    ]
    return replace(lay_out(name, table.faces, table.weights, rows), dice=dice)


def lay_out(name: str, faces: tuple[str, ...], weights: tuple[int, ...], rows: Iterable[ChartRow]) -> Chart:
    """Make a chart of rows; SpecError for faces with no row or two, and for impossible faces."""
    row_of: dict[str, ChartRow] = {}
    for row in rows:
        for face in row.faces:
            if face not in faces:
                raise SpecError(
                    "Line {line} of the chart {name} has {face}, which can't come out.",
                    line=row.line,
                    name=name,
                    face=face,
                )
            if face in row_of:
                raise SpecError(
                    "The chart {name} has {face} in line {line} and again in line {other}.",
                    name=name,
                    face=face,
                    line=row_of[face].line,
                    other=row.line,
                )
            row_of[face] = row
    missing = [face for face in faces if face not in row_of]
    if missing:
        raise SpecError(
            "The chart {name} has nothing for {missing}.",
            name=name,
            missing=", ".join([*missing[:10], *["…"] * (len(missing) > 10)]),
        )
    return Chart(faces, weights, tuple(row_of[face].label for face in faces))


def read_lines(text: str) -> list[tuple[int, list[str]]]:
    """Return the lines that are not empty, with their numbers and their cells, blanks removed."""
    text = text.removeprefix("\ufeff")
    lines = text.splitlines()
    if len(lines) > LINES_LIMIT:
        raise SpecError("{count:,} lines are too many: at most {most:,}.", count=len(lines), most=LINES_LIMIT)
    try:
        cells = [[cell.strip() for cell in row] for row in csv.reader(lines, strict=True)]
    except csv.Error as error:
        raise SpecError("That can't be read as CSV. A cell with quotes in it may not end.") from error
    return [(number, row) for number, row in enumerate(cells, start=1) if any(row)]


def read_faces_of(name: str, line: int, text: str, faces: tuple[str, ...]) -> tuple[str, ...]:
    """Read a row's faces of these: `3+` goes on to the highest, 00 of a d100 is 100, d66 has gaps."""
    numbers = {int(face) for face in faces if _FACE.fullmatch(face)}
    if 100 in numbers and 0 not in numbers:
        text = _HUNDRED.sub("100", text)
    if numbers and text.endswith("+"):
        text = f"{text[:-1]}-{max(numbers)}"
    row = read_range(name, line, text)
    has_ends = row[0] in faces and row[-1] in faces
    return tuple(face for face in row if face in faces) if has_ends else row


def read_range(name: str, line: int, text: str) -> tuple[str, ...]:
    """Read the faces of "7" or "2-4"; SpecError if it is neither, or runs backwards."""
    match = _RANGE.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not first <= last < first + LINES_LIMIT:
        raise SpecError(
            "Line {line} of the chart {name} starts with {text!r}; a face is 7 or 2-4, say.",
            line=line,
            name=name,
            text=text,
        )
    return tuple(map(str, range(first, last + 1)))


def read_label(name: str, line: int, text: str) -> str:
    """Read a label, sanitized; SpecError if it is empty."""
    label = clean(text)
    if not label:
        raise SpecError("Line {line} of the chart {name} has no label.", line=line, name=name)
    return label
