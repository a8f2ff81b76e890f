"""Dynamic dice: exchangeable states against brute force and the published figures."""

from fractions import Fraction
from math import isclose

import numpy as np
import pytest

from bot.dice.system import Base
from bot.stats.dynamic import Histograms, dynamic_curves
from bot.stats.measures import Curve
from bot.systems.dynamic import Dynamic
from tests.support.evenings import brute_force


def one_curve(values: int, factor: float, samples: int) -> Curve:
    """Return the curve of a single factor."""
    return dynamic_curves(values, [factor], samples).of(0)


@pytest.mark.parametrize("values", [2, 3, 4])
@pytest.mark.parametrize("factor", ["0.355", "0.9", "0.01", "1"])
def test_brute_force_agrees(values: int, factor: str) -> None:
    """All sequences of six rolls give the same figures to twelve digits."""
    dice = Dynamic(Base(tuple("abcd"[:values]), (1,) * values), Fraction(factor))
    entropies, variances = brute_force(dice, 6)

    evening = one_curve(values, float(factor), 6)

    assert all(isclose(a, b, rel_tol=1e-12) for a, b in zip(evening.entropy, entropies, strict=True))
    assert all(isclose(a, b, rel_tol=1e-11) for a, b in zip(evening.variance, variances, strict=True))


@pytest.mark.parametrize(
    ("values", "samples", "factor", "entropy", "variance"),
    [
        (6, 25, 0.355, 0.901998, 0.458978),
        (6, 25, 0.345, 0.899093, None),
        (4, 30, 0.425, 0.901056, 0.500860),
        (4, 30, 0.415, 0.898246, None),
        (4, 29, 0.425, None, 0.500071),
        (4, 28, 0.425, None, 0.500614),
        (4, 35, 0.425, None, 0.501471),
        (6, 25, 0.348094004, 0.9, 0.451295),
        (4, 30, 0.421219995, 0.9, 0.496354),
        (4, 29, 0.420125, 0.9, 0.494172),
    ],
)
def test_published_figures(
    values: int, samples: int, factor: float, entropy: float | None, variance: float | None
) -> None:
    """The spec's figures come out to all six digits."""
    evening = one_curve(values, factor, samples)

    assert entropy is None or round(evening.entropy[-1], 6) == entropy
    assert variance is None or round(evening.variance[-1], 6) == variance


def test_factors_side_by_side_are_those_one_by_one() -> None:
    """The article's whole grid at once gives what single factors give; both measures grow with the factor."""
    grid = [(i + 0.5) / 100 for i in range(100)]
    together = dynamic_curves(6, grid, 25)

    assert all(a < b for a, b in zip(together.entropy[:-1, -1], together.entropy[1:, -1], strict=True))
    assert all(a < b for a, b in zip(together.variance[:-1, -1], together.variance[1:, -1], strict=True))
    for i in (0, 35, 80):
        alone = one_curve(6, grid[i], 25)
        assert isclose(together.entropy[i, -1], alone.entropy[-1], rel_tol=1e-11)
        assert isclose(together.variance[i, -1], alone.variance[-1], rel_tol=1e-11)


def test_what_is_left_out_is_within_the_stated_error() -> None:
    """Leaving out more states moves the figures by no more than the chance left out allows."""
    fine = dynamic_curves(6, [0.6], 40, negligible=0)
    coarse = dynamic_curves(6, [0.6], 40, negligible=1e-6)
    lost = float(coarse.lost[0])

    assert float(fine.lost[0]) == 0
    assert 1e-6 < lost < 1e-2
    assert abs(float(fine.entropy[0, -1] - coarse.entropy[0, -1])) <= lost
    assert abs(float(fine.variance[0, -1] - coarse.variance[0, -1])) <= lost * 40**2


def test_many_levels_need_more_than_one_word() -> None:
    """Plain dice of two values spread over sixty levels, and keep the variance n/4."""
    evening = one_curve(2, 1.0, 60)

    assert isclose(evening.variance[-1], 15, rel_tol=1e-9)
    assert isclose(evening.entropy[-1], 1, rel_tol=1e-12)


def test_dynamic_dice_settle_down() -> None:
    """After some forty rolls the variance only ripples: the spec's 0.4602."""
    evening = one_curve(6, 0.355, 60)

    assert round(sum(evening.variance[-6:]) / 6, 4) == 0.4602
    assert round((evening.entropy[-1] * 60 - evening.entropy[-7] * 54) / 6, 4) == 0.8868


def test_there_are_as_few_states_as_published() -> None:
    """Counts above the smallest, without names: 3,833 states in all for six values and 25 rolls."""
    states, found = Histograms(6, np.array([[6]], dtype=np.int64), 1), 1
    for _ in range(25):
        faces = states.faces()
        states, _ = states.after(faces, np.ones((1, np.count_nonzero(faces))))
        found += states.words.shape[1]

    assert found == 3_833
