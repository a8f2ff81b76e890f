"""The keys of charts: whatever systems are called, each has a name and a colour of its own."""

import io
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.image import imread

from bot.charts import style
from bot.charts.curves import curves_chart
from bot.charts.odds import odds_chart
from bot.stats.measures import Curve
from bot.words.pictures import Bar, CurveLine, OddsKey

EVENING = Curve((1.0, 0.9), (0.1, 0.2))
DECKS = [f"deck of 1d6, 6 cards, refilled below {n} cards" for n in (4, 6)]
PAIRS = [
    DECKS,
    [DECKS[0]] * 2,
    # Matplotlib would leave these out, read them as formulas, or not find them.
    ["__a", "__b"],
    ["$x$", "$y_{1$"],
    ["🗡️", "龍"],
    ["a" * 40 + "x" + "b" * 40 + "y" + "c" * 40, "a" * 40 + "z" + "b" * 40 + "y" + "c" * 40],
]


CURVES, ODDS = slice(188, 370), slice(100, 172)
"""Where the key begins, and before the areas begin."""


def drawn(png: bytes, colour: str, rows: slice) -> int:
    """How many pixels of that colour stand in the key, above the areas."""
    picture = (imread(io.BytesIO(png), format="png") * 255).round().astype(np.uint8)[rows]
    return int((picture[:, :, :3] == [*bytes.fromhex(colour[1:])]).all(axis=2).sum())


@pytest.mark.parametrize("names", PAIRS)
def test_names_differ_and_fit(names: list[str]) -> None:
    """Long ones are cut in the middle, where they are alike; the same ones are numbered."""
    first, second = style.key(names, 30)

    assert first != second
    assert max(len(first), len(second)) <= 34


def test_where_they_are_cut() -> None:
    """The refill constants of two decks can both be read, and short names stay as they are."""
    assert style.key(DECKS, 30) == ["deck of 1d6, 6 … below 4 cards", "deck of 1d6, 6 … below 6 cards"]
    assert style.key(["next roll", "", "d6"], 30) == ["next roll", "", "d6"]


@pytest.mark.parametrize("names", PAIRS[2:])
def test_curves_have_a_colour_each(names: list[str]) -> None:
    """Both systems' lines are in the key."""
    png = curves_chart("Evening", [CurveLine(name, EVENING) for name in names], 2)

    assert drawn(png, style.SERIES[0], CURVES) > 20
    assert drawn(png, style.SERIES[1], CURVES) > 20


@pytest.mark.parametrize("short", [1, 2, 3])
def test_a_key_stays_within_the_picture(short: int) -> None:
    """Long names beside short ones: nothing is drawn where the picture ends on the left."""
    names = [*"abc"[:short], *DECKS]
    png = curves_chart("Evening", [CurveLine(name, EVENING) for name in names], 2)
    edge = (imread(io.BytesIO(png), format="png") * 255).round().astype(np.uint8)[CURVES.start : 420, :8, :3]

    assert (edge == edge[0, 0]).all()


@pytest.mark.parametrize("names", PAIRS[2:])
def test_odds_have_a_colour_each(names: list[str]) -> None:
    """Two rolls side by side are told apart too."""
    half = Fraction(1, 2)
    png = odds_chart("Odds", "", [Bar("1", half, half, ""), Bar("2", half, half, "")], OddsKey(*names))

    assert drawn(png, style.SERIES[0], ODDS) > 20
    assert drawn(png, style.EDGE, ODDS) > 20
