"""Good rollers are not called broken: situations in each of which evenings lie where they usually do.

Before, what was usual came from the first 200 rolls of a new roller, whatever had been rolled.
"""

import pytest

from bot.dice.system import Spec
from bot.stats.luck import judge
from bot.stats.played import usual
from bot.systems.registry import read_spec
from tests.support.coverage import after, covered
from tests.support.stretches import fresh
from tests.support.systems import make

EVENINGS = 400


@pytest.mark.parametrize(
    ("spec", "situation", "dice"),
    [
        pytest.param({"system": "fair", "base": "2d6", "tightness": "0"}, "fresh", 800, id="tightness 0"),
        pytest.param({"system": "register"}, "fresh", 800, id="a register"),
        pytest.param({"system": "fair", "base": "2d6"}, "second session", 40, id="a second session"),
        pytest.param({"system": "deck", "base": "1d6"}, "a reset half way", 62, id="a reset half way"),
        pytest.param(
            {"system": "deck", "base": "1d6", "refill": 4, "mode": "reset"},
            "fresh",
            800,
            id="a deck with reset",
        ),
        pytest.param({"system": "fair", "base": "2d6"}, "one player of three", 30, id="one of three"),
        pytest.param(
            {"system": "fair", "base": "1d20", "tightness": "0.02"}, "fresh", 5_000, id="slow from the start"
        ),
        pytest.param(
            {"system": "fair", "base": "2d6", "tightness": "0.02"}, "a reset half way", 1_500, id="slow again"
        ),
        pytest.param({"system": "fair", "base": "1d300", "tightness": "1.5"}, "fresh", 400, id="many faces"),
    ],
)
def test_19_of_20_evenings_are_usual(spec: Spec, situation: str, dice: int) -> None:
    """And the next narrower band would hold fewer; 400 evenings are good to 1 % either way."""
    found = covered(read_spec(spec), situation, dice, EVENINGS)

    for within in (found.worst, found.rank):
        assert within.band >= 0.925 * EVENINGS
        assert within.narrower <= 0.975 * EVENINGS


def test_what_evens_out_nothing_spreads_on() -> None:
    """The bands of 1,600 register rolls are twice as wide as those of 400, those of a fair die as wide."""
    register, fair = read_spec({"system": "register", "values": 20}), make("fair", "1d6", tightness="1")
    wide = {n: usual(fresh(register, n)).bands()[0] for n in (400, 1_600)}
    close = {n: usual(fresh(fair, n)).bands()[0] for n in (600, 2_400)}

    assert 1.7 < (wide[1_600].high - wide[1_600].low) / (wide[400].high - wide[400].low) < 2.3
    assert close[2_400].high - close[2_400].low == close[600].high - close[600].low


def test_the_memory_it_began_with_counts() -> None:
    """A deck with one card left deals that one first: the band is that certain."""
    deck = make("deck", "1d6")
    last = after(deck, 5, seed=3)
    stretch = fresh(deck, 31)
    (span,) = stretch.spans
    second = type(stretch)((type(span)(deck, last, (31,)),))
    luck = judge(deck, [5 + left for left in last], second)

    assert sum(last) == 1
    assert [(band.low, band.high) for band in luck.bands] == [(5 + n, 5 + n) for n in last]
    assert judge(deck, [6, 5, 5, 5, 5, 5], fresh(deck, 31)).bands != luck.bands
