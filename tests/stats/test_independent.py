"""What independent dice usually come to, against all their throws."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

from bot.dice.system import read_base
from bot.stats.bands import Band, narrowest
from bot.stats.independent import Independent

TABLES = [((1, 1, 1, 1), 6), ((1, 2, 1), 5), ((3, 2, 1), 7), ((1, 1), 1)]
EACH = pytest.mark.parametrize(("weights", "dice"), TABLES)


def law(weights: tuple[int, ...], dice: int) -> dict[tuple[int, ...], Fraction]:
    """The chance of all counts there can be."""
    found: Counter[tuple[int, ...]] = Counter()
    for throw in product(range(len(weights)), repeat=dice):
        ways = 1
        for face in throw:
            ways *= weights[face]
        found[tuple(throw.count(face) for face in range(len(weights)))] += ways
    return {counts: Fraction(ways, sum(weights) ** dice) for counts, ways in found.items()}


@EACH
def test_a_band_is_the_narrowest_that_holds_19_of_20(weights: tuple[int, ...], dice: int) -> None:
    """No band of counts that is one narrower holds as much."""
    chances = law(weights, dice)

    for face, band in enumerate(Independent(weights, dice).bands()):
        of: defaultdict[int, Fraction] = defaultdict(Fraction)
        for counts, chance in chances.items():
            of[counts[face]] += chance
        wide = band.high - band.low + 1
        held = [sum(of[low + n] for n in range(wide)) for low in range(-wide, dice + 1)]
        narrower = [sum(of[low + n] for n in range(wide - 1)) for low in range(-wide, dice + 1)]
        assert sum(of[c] for c in range(band.low, band.high + 1)) == max(held) >= Fraction(19, 20)
        assert max(narrower) < Fraction(19, 20)


@EACH
def test_how_far_the_worst_face_is_off(weights: tuple[int, ...], dice: int) -> None:
    """Every chance is that of all throws, and the band is the least that holds 19 of 20."""
    chances = law(weights, dice)
    shares = [Fraction(a * dice, sum(weights)) for a in weights]
    errors = {counts: max(abs(c - s) for c, s in zip(counts, shares, strict=True)) for counts in chances}

    for counts, error in errors.items():
        found = Independent(weights, dice).worst(counts)
        beyond = sum(p for other, p in chances.items() if errors[other] >= error)
        assert found.error == pytest.approx(float(error))
        assert found.chance == pytest.approx(float(beyond))
        inside = sum(p for other, p in chances.items() if float(errors[other]) <= found.most + 1e-9)
        narrower = sum(p for other, p in chances.items() if float(errors[other]) < found.most - 1e-9)
        assert narrower < Fraction(19, 20) <= inside


@EACH
def test_both_ends_of_a_sum_take_it_in(weights: tuple[int, ...], dice: int) -> None:
    """The chance of as little and of as much are exact, and add up to one and the sum's own chance."""
    values = [2 * face + 1 for face in range(len(weights))]
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    for counts, chance in law(weights, dice).items():
        sums[sum(v * c for v, c in zip(values, counts, strict=True))] += chance

    for seen in sums:
        found = Independent(weights, dice).sum(values, seen)
        assert found.at_most == pytest.approx(float(sum(p for s, p in sums.items() if s <= seen)))
        assert found.at_least == pytest.approx(float(sum(p for s, p in sums.items() if s >= seen)))
        assert sum(p for s, p in sums.items() if found.low <= s <= found.high) >= Fraction(19, 20)


def test_sums_too_long_to_convolve_are_normal() -> None:
    """Of 50,000 d20s both ways agree to the third digit."""
    dice, values = Independent((1,) * 20, 50_000), range(1, 21)
    seen = 50_000 * 21 // 2 + 1_500
    exact, normal = dice.sum(values, seen), dice._normal(values, seen)

    assert normal.at_least == pytest.approx(exact.at_least, rel=1e-3)
    assert normal.high == pytest.approx(exact.high, abs=2)


def test_many_dice_and_many_faces() -> None:
    """A hundred thousand dice of a thousand faces are judged too; no face can be off by nothing."""
    found = Independent((1,) * 1_000, 100_000).worst([100] * 1_000)

    assert 30 < found.most < 45
    assert found.chance == 1.0
    assert Independent((1,), 5).bands() == (Band(5, 5),)


class Counted(Independent):
    """Dice that count how often the chance of an error is worked out."""

    asked: ClassVar[list[int]] = []

    def _within(self, error: int) -> float:
        self.asked.append(error)
        return Independent._within(self, error)


@pytest.mark.parametrize("dice", ["100d10", "4d6!", "1d1000", "2d6"])
def test_the_worst_face_takes_few_steps(dice: str) -> None:
    """However large the weights are: 10^100 for 100d10, of which all bits were tried."""
    table = read_base(dice).weights
    Counted.asked.clear()
    found = Counted(table, 100).worst([100, *[0] * (len(table) - 1)])

    assert found.most <= found.error
    assert len(Counted.asked) < 50


def test_of_bands_as_narrow_the_one_that_holds_most() -> None:
    """Also where that is not in the middle."""
    assert narrowest(np.array([0.01, 0.02, 0.5, 0.46, 0.01]), 3) == Band(5, 6)
    assert narrowest(np.array([1.0]), 7) == Band(7, 7)
