"""The tuner: the published winners, ties to the smallest, and certified roots."""

from fractions import Fraction
from functools import partial
from math import floor, log10

import pytest

from benchmarks.burning import DIAL
from benchmarks.tuner import leaves_out_none
from bot.dice.errors import SpecError
from bot.stats import tuner
from bot.stats.dynamic import dynamic_curves
from bot.stats.tuner import (
    SAMPLES_LIMIT,
    VALUES_LIMIT,
    best_deck,
    best_factors,
    distinct_decks,
    equal_faces,
    tune,
)

NINETY = Fraction(9, 10)
# As the spec prints them: values, then factor/tightness/variance for each position of the dial.
TABLE = """
2 .2595/1.95/.278 .3751/1.41/.328 .5256/.928/.452 .7182/.478/.818 .9113/.134/2.49
4 .1680/2.57/.263 .2680/1.90/.342 .4145/1.27/.488 .6257/.676/.860 .8664/.207/2.24
6 .1236/3.02/.228 .2106/2.25/.312 .3481/1.52/.451 .5627/.830/.778 .8314/.266/1.83
8 .0963/3.38/.200 .1731/2.53/.286 .3009/1.73/.417 .5136/.961/.703 .8016/.319/1.54
10 .0637/3.97/.268 .1390/2.85/.299 .2641/1.92/.390 .4728/1.08/.642 .7753/.367/1.33
12 .0640/3.97/.159 .1253/3.00/.243 .2349/2.09/.363 .4375/1.19/.593 .7514/.412/1.17
20 .0211/5.57/.189 .0726/3.78/.209 .1595/2.65/.288 .3303/1.60/.458 .6719/.574/.795
"""
PRESETS = {
    int(row.split()[0]): [tuple(map(float, cell.split("/"))) for cell in row.split()[1:]]
    for row in TABLE.strip().splitlines()
}


def near(value: float, printed: float) -> bool:
    """Whether a value is the printed one, give or take one in its third digit."""
    return abs(value - printed) <= 10.0 ** (floor(log10(printed)) - 2)


@pytest.mark.parametrize(
    ("asked", "deck", "grid", "optimum"),
    [
        ((6, 25), (1, 6, "268205/527076"), ("0.355", 0.458978), ("0.348095", 1.522447, 0.451296)),
        ((4, 30), (8, 1, "45/124"), ("0.425", 0.500860), ("0.421220", 1.247354, 0.496354)),
    ],
)
def test_the_articles_figures(
    asked: tuple[int, int],
    deck: tuple[int, int, str],
    grid: tuple[str, float],
    optimum: tuple[str, float, float],
) -> None:
    """Its dice, and its cards, whose deck (8, 1) ties with (8, 2) and (8, 3): decks, grids and optima."""
    found = tune(*asked, NINETY)

    assert found.deck is not None
    assert (found.deck.size, found.deck.refill, str(found.deck.exact_variance)) == deck
    assert found.dynamic is not None
    assert (found.dynamic.factor, round(found.dynamic.variance, 6)) == (Fraction(grid[0]), grid[1])
    best = found.optimum
    assert (best.factor, round(best.tightness, 6), round(best.variance, 6)) == (
        Fraction(optimum[0]),
        *optimum[1:],
    )


@pytest.mark.parametrize(("samples", "deck", "variance"), [(29, (4, 3), 0.503186), (28, (7, 2), 0.362069)])
def test_the_best_deck_changes_with_the_samples(samples: int, deck: tuple[int, int], variance: float) -> None:
    """One or two rolls fewer, and another deck of the grid wins."""
    found = best_deck(4, samples, NINETY)

    assert found is not None
    assert (found.size, found.refill) == deck
    assert round(found.variance, 6) == variance


@pytest.mark.parametrize(
    ("values", "unpredictability", "deck", "variance"),
    [
        (20, 95, (2, 18), Fraction(781, 1_456)),
        (12, 95, (3, 13), Fraction(3_421, 5_040)),
        (20, 90, (1, 9), Fraction(59, 144)),
        (6, 90, (1, 6), Fraction(268_205, 527_076)),
    ],
)
def test_the_best_deck_is_not_bound_to_the_articles_grid(
    values: int, unpredictability: int, deck: tuple[int, int], variance: Fraction
) -> None:
    """Refill constants go as far as the cards do."""
    found = best_deck(values, 25, Fraction(unpredictability, 100))

    assert found is not None
    assert ((found.size, found.refill), found.exact_variance) == (deck, variance)


@pytest.mark.parametrize("values", range(2, 13))
def test_no_deck_that_is_left_out_would_be_better(values: int) -> None:
    """At any target the decks that are tried are as good as all; the benchmark tries more samples."""
    assert all(leaves_out_none(values, samples) for samples in (1, 2, 9, 25, 40))


@pytest.mark.parametrize("values", [2, 6, 20, VALUES_LIMIT])
def test_at_most_ten_decks_a_sample_are_tried(values: int) -> None:
    """However many refill constants there are, the work is bounded."""
    for samples in (1, 25, SAMPLES_LIMIT):
        assert len(distinct_decks(equal_faces(values), samples)) <= 10 * samples


@pytest.mark.parametrize(("values", "samples"), [(3, 12), (10, 40)])
def test_the_root_is_certified(values: int, samples: int) -> None:
    """The optimum keeps its promise, and a factor one digit lower would not."""
    optimum, _ = best_factors(values, samples, NINETY)

    ends = [float(optimum.factor) - 1e-6, float(optimum.factor)]
    low, high = dynamic_curves(values, ends, samples).entropy[:, -1]
    assert low < 0.9 <= high


@pytest.mark.parametrize("values", PRESETS)
def test_presets_are_the_published_ones(values: int) -> None:
    """Every position of the dial has the spec's factor, tightness and variance."""
    for unpredictability, (factor, tightness, variance) in zip(DIAL, PRESETS[values], strict=True):
        found, _ = best_factors(values, 25, unpredictability)
        assert round(float(found.factor), 4) == factor
        assert near(found.tightness, tightness)
        assert near(found.variance, variance)


def test_too_many_states_are_played_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too little can be counted the figures are simulated, say so, and keep their promise."""
    told: list[tuple[int, int]] = []
    exact, _ = best_factors(6, 25, NINETY)
    monkeypatch.setattr(tuner, "dynamic_curves", partial(dynamic_curves, room=1_000))
    found, on_grid = best_factors(6, 25, NINETY, lambda done, of: told.append((done, of)))
    monkeypatch.undo()
    (curve,) = dynamic_curves(6, [float(found.factor)], 25).entropy

    assert found.simulated
    assert on_grid
    assert on_grid.simulated
    assert exact.factor < found.factor < exact.factor + Fraction(1, 100)
    assert 0.9 < float(curve[-1]) < 0.902
    assert found.entropy == pytest.approx(curve[-1], abs=0.001)
    assert told == [(n, 20) for n in range(1, len(told) + 1)]
    assert 9 <= len(told) <= 20


def test_a_target_that_anything_meets_takes_the_smallest_factor() -> None:
    """Below the entropy of a plain deck there is nothing to search for."""
    assert best_factors(6, 3, Fraction(1, 2))[0].factor == Fraction(1, 10**6)


def test_where_no_deck_reaches_the_target_there_is_none() -> None:
    """Two values and sixty rolls at 99 % are beyond every deck of ten sets."""
    found = tune(2, 60, Fraction(99, 100))

    assert found.deck is None
    assert found.dynamic is not None


@pytest.mark.parametrize(
    ("values", "samples", "unpredictability", "words"),
    [
        (1, 25, NINETY, "2 to 100 values, not 1"),
        (101, 25, NINETY, "not 101"),
        (6, 0, NINETY, "1 to 200 samples, not 0"),
        (6, 201, NINETY, "not 201"),
        (6, 25, Fraction(1), "not 100 %"),
        (6, 25, Fraction(2, 5), "not 40 %"),
    ],
)
def test_what_cannot_be_tuned_is_refused(
    values: int, samples: int, unpredictability: Fraction, words: str
) -> None:
    """The reason and the offending value are named."""
    with pytest.raises(SpecError, match=words):
        tune(values, samples, unpredictability)
