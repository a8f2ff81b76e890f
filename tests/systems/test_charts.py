"""Charts: every face has exactly one label, or the chart is refused with the reason."""

import re
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.errors import DiceError, SpecError
from bot.dice.system import read_base
from bot.systems.charts import ChartRow, lay_out, read_chart
from bot.systems.registry import read_spec

CHART = "2d6,encounter\n2-4,bandits\n5 to 8,nothing\n9..11,treasure\n12,bandits\n"


def test_labels_are_looked_up_from_faces() -> None:
    """Each face gives its row's label, and a label weighs what its faces do."""
    chart = read_chart("road", CHART)

    labels = dict(zip(chart.faces, chart.labels, strict=True))

    assert [labels[face] for face in ("2", "4", "5")] == ["bandits", "bandits", "nothing"]
    assert [labels[face] for face in ("9", "12")] == ["treasure", "bandits"]
    assert chart.as_labels() == {"bandits": 7, "nothing": 20, "treasure": 9}


@pytest.mark.parametrize("system", ["dice", "fair", "deck"])
def test_any_system_takes_a_chart_as_its_base(system: str) -> None:
    """The labels are a base like any other."""
    chart = read_chart("road", CHART)
    roller = read_spec({"system": system, "base": chart.as_labels()})

    assert roller.faces == ("bandits", "nothing", "treasure")
    assert read_base(chart.as_base()).weights == (7, 20, 9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The chart road is empty"),
        ("1d4,x\n1-2,a\n4,b\n", "has nothing for 3"),
        ("1d20,x\n1-2,a\n", "has nothing for 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …"),
        ("1d4,x\n1-3,a\n3-4,b\n", "has 3 in line 2 and again in line 3"),
        ("1d4,x\n1-5,a\n", "Line 2 of the chart road has 5"),
        ("1d4,x\n4-1,a\n", "'4-1'"),
        ("1d4,x\nfour,a\n", "'four'"),
        ("1d4,x\n1-4,\n", "has no label"),
        ("1d4,x\n1-4\n", "two cells"),
        ("1d4,x\n1-9999999,a\n", "'1-9999999'"),
        ('1d4,x\n1-4,"a\n', "CSV"),
        ("1d4,x\n" + "\n" * 2_000, "2,001 lines"),
    ],
)
def test_bad_charts_are_refused(text: str, words: str) -> None:
    """Gaps, overlaps, unknown faces and whatever can't be read are named."""
    with pytest.raises(SpecError, match=re.escape(words)):
        read_chart("road", text)


@given(st.text(max_size=300))
def test_any_text_is_a_chart_or_is_refused(text: str) -> None:
    """No text does anything but give a chart or a sentence."""
    with suppress(DiceError):
        chart = read_chart("any", text)

        assert len(chart.labels) == len(chart.faces)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_a_partition_of_the_faces_is_a_chart(widths: list[int]) -> None:
    """Rows that cover every face once are taken, and leave no weight out."""
    total = sum(widths)
    faces = tuple(map(str, range(total)))
    rows: list[ChartRow] = []
    at = 0
    for line, width in enumerate(widths):
        rows.append(ChartRow(line, faces[at : at + width], f"label {line}"))
        at += width
    chart = lay_out("x", faces, (1,) * total, rows)

    assert chart.as_labels() == {f"label {line}": width for line, width in enumerate(widths)}
    with pytest.raises(SpecError, match="nothing for"):
        lay_out("x", faces, (1,) * total, rows[:-1])


def test_odds_of_a_chart_are_those_of_its_faces() -> None:
    """A label's chance is the sum of its faces' chances."""
    base = read_base(read_chart("road", CHART).as_base())

    assert Fraction(base.weights[0], base.total) == Fraction(7, 36)
