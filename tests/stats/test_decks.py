"""Generalized decks: exact figures, the published ones among them, and brute force."""

from fractions import Fraction
from math import isclose

import pytest

from bot.dice.system import Base
from bot.stats.curves import curve, deck_variance
from bot.stats.measures import robust
from bot.systems.deck import Deck
from tests.support.evenings import brute_force

TWO_DICE = Base(tuple(map(str, range(2, 13))), (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1))


def even(values: int) -> Base:
    """A base of equal faces."""
    return Base(tuple(map(str, range(1, values + 1))), (1,) * values)


@pytest.mark.parametrize(
    ("values", "size", "refill", "samples", "variance", "entropy"),
    [
        (6, 1, 6, 25, Fraction(268_205, 527_076), 0.902009),
        (4, 8, 1, 30, Fraction(45, 124), 0.928204),
        (4, 8, 2, 30, Fraction(45, 124), 0.928204),
        (4, 8, 3, 30, Fraction(45, 124), 0.928204),
        (4, 8, 1, 29, Fraction(261, 496), None),
        (4, 8, 1, 34, Fraction(45, 124), None),
        (4, 8, 1, 35, Fraction(261, 496), None),
        (4, 8, 1, 32, Fraction(0), None),
        (4, 8, 1, 28, Fraction(21, 31), None),
        (6, 1, 5, 25, None, None),
    ],
)
def test_published_figures(
    values: int, size: int, refill: int, samples: int, variance: Fraction | None, entropy: float | None
) -> None:
    """The spec's rationals come out exactly, the entropies to all six digits."""
    deck = Deck(even(values), size, refill, "add")

    assert variance is None or deck_variance(deck, samples)[-1] == variance
    assert entropy is None or round(curve(deck, samples).entropy[-1], 6) == entropy


def test_the_other_reading_of_the_refill_is_not_ours() -> None:
    """With six or fewer cards left, rather than under six, the published deck would have other figures."""
    other = Deck(even(6), 1, 7, "add")

    assert round(curve(other, 25).entropy[-1], 6) == 0.920033
    assert round(float(deck_variance(other, 25)[-1]), 6) == 0.627777


@pytest.mark.parametrize(
    ("samples", "refill", "mode", "entropy", "variance"),
    [
        (60, 12, "add", 0.94668, 0.7752),
        (60, 1, "add", 0.88178, 0.6638),
        (60, 18, "reset", 0.96996, 2.4615),
        (100, 12, "add", 0.94504, 0.8716),
        (100, 18, "reset", 0.96983, 4.0795),
    ],
)
def test_published_decks_of_unequal_faces(
    samples: int, refill: int, mode: str, entropy: float, variance: float
) -> None:
    """The spec's decks of 36 cards for 2d6 come out."""
    evening = curve(Deck(TWO_DICE, 1, refill, mode), samples)

    assert round(evening.entropy[-1], 5) == entropy
    assert round(evening.variance[-1], 4) == variance


@pytest.mark.parametrize("mode", ["add", "reset"])
@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2), (2, 1, 1)])
@pytest.mark.parametrize(("size", "refill"), [(1, 1), (1, 2), (2, 3), (1, 4), (1, 7)])
def test_brute_force_agrees(weights: tuple[int, ...], size: int, refill: int, mode: str) -> None:
    """Going through all sequences of six rolls gives the same variances exactly, and the same entropies."""
    deck = Deck(Base(tuple("abc"[: len(weights)]), weights), size, refill, mode)
    entropies, variances = brute_force(deck, 6)

    evening = curve(deck, 6)

    assert deck_variance(deck, 6) == variances
    assert all(isclose(a, b, rel_tol=1e-12) for a, b in zip(evening.entropy, entropies, strict=True))
    assert all(isclose(a, b, abs_tol=1e-12) for a, b in zip(evening.variance, variances, strict=True))


@pytest.mark.parametrize(("values", "size", "refill", "mean"), [(4, 8, 1, 0.805), (6, 1, 6, 0.565)])
def test_robustness_over_20_to_40_rolls(values: int, size: int, refill: int, mean: float) -> None:
    """Where the number of rolls is not known, the published decks do worse than at their best."""
    evening = curve(Deck(even(values), size, refill, "add"), 40)

    found = robust(evening, range(20, 41))

    assert round(found.mean, 3) == mean
    assert found.worst == max(evening.variance[19:]) == evening.variance[found.worst_at - 1]


def test_add_stays_bounded_and_reset_does_not() -> None:
    """Adding keeps errors bounded by the deck; starting anew lets the variance grow with the rolls."""
    add = deck_variance(Deck(TWO_DICE, 1, 18, "add"), 144)
    reset = deck_variance(Deck(TWO_DICE, 1, 18, "reset"), 144)

    assert max(add[72:]) < 2
    assert all(reset[19 * decks - 1] == decks * reset[18] for decks in range(1, 8))


def test_one_face_alone_is_certain_and_even() -> None:
    """A deck of a single kind has full entropy by convention, and no variance."""
    evening = curve(Deck(Base(("a",), (3,)), 1, 1, "add"), 4)

    assert evening.entropy == (1.0,) * 4
    assert evening.variance == (0.0,) * 4
