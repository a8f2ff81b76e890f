"""The tuner's chart and its words: that they say what the analysis says."""

import io
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.image import imread

from bot.charts import style
from bot.charts.curves import curves_chart
from bot.stats.tuner import advise
from bot.words.cards import Picture, plain
from bot.words.tuning import BURNING, alt, curve_lines, remarks, summary, title_of


def drawn(png: bytes, colour: str) -> int:
    """How many pixels of that colour a picture has."""
    picture = (imread(io.BytesIO(png), format="png") * 255).round().astype(np.uint8)

    assert picture.shape[1:] == (1_100, 4)
    return int((picture[:, :, :3] == [*bytes.fromhex(colour[1:])]).all(axis=2).sum())


@pytest.mark.parametrize(
    ("values", "samples", "percent", "deck"), [(6, 25, 90, True), (2, 60, 99, False), (2, 1, 50, True)]
)
def test_the_chart_has_a_line_for_each_system(values: int, samples: int, percent: int, *, deck: bool) -> None:
    """Dice in one colour and, where there is a deck, that one in another; the words name both."""
    advice = advise(values, samples, Fraction(percent, 100))
    png = curves_chart(title_of(advice), curve_lines(advice), samples)

    assert drawn(png, style.SERIES[0]) > 200
    assert (drawn(png, style.SERIES[1]) > 50) == deck
    assert ("deck (" in alt(advice)) == deck
    assert len(alt(advice)) <= 1_000


def test_alt_text() -> None:
    """Every figure of the chart at n rolls is in its words."""
    told = alt(advise(4, 30, Fraction(9, 10)))

    assert "After 30 rolls: plain dice: entropy 100.0%, variance 5.625;" in told
    assert (
        "dynamic 0.42122: entropy 90.0%, variance 0.496; deck (8, 1): entropy 92.8%, variance 0.363" in told
    )


@pytest.mark.parametrize(
    ("values", "samples", "percent", "said"),
    [
        (2, 1, 90, "Take the dynamic dice: at least as even at 1 roll, and over 1 roll ("),
        (6, 25, 90, "Take the dynamic dice: at least as even at 25 rolls, and over 16 to 33 rolls (0.45"),
        (4, 30, 90, "The deck is the more even one if there are exactly 30 rolls. Over 20 to 40 rolls, take"),
        (2, 60, 99, "No deck that I know is that unpredictable; take the dynamic dice."),
    ],
)
def test_verdicts(values: int, samples: int, percent: int, said: str) -> None:
    """Who wins at n rolls and who over the lengths is said as the figures have it."""
    assert remarks(advise(values, samples, Fraction(percent, 100)))[0].startswith(said)


@pytest.mark.parametrize("percent", [80, 90, 95])
@pytest.mark.parametrize("values", [2, 6, 20])
def test_burning_is_warned_of_where_a_deck_runs_out(values: int, percent: int) -> None:
    """The warning stands exactly where the deck's refill constant is 1, and all fits a message."""
    advice = advise(values, 25, Fraction(percent, 100))

    assert (BURNING in remarks(advice)) == (advice.tuning.deck is not None and advice.tuning.deck.refill == 1)
    assert len(plain(summary(advice, Picture("tune.png", "")))) < 2_000
