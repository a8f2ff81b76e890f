"""Totals: means, variances, spans and comparisons, against counting every throw."""

from fractions import Fraction
from itertools import product

import pytest

from bot.dice.errors import SpecError
from bot.systems.odds import Span, Totals, odds, totals
from tests.support.systems import make


def of(text: str) -> Totals:
    """The totals of plain dice."""
    system = make("dice", text)
    found = totals(system.faces, odds(system, ()))
    assert found
    return found


def test_of_every_throw() -> None:
    """4d6kh3 by its 1,296 throws: the mean, the variance, and the chance of 15 or more."""
    throws = [sum(sorted(dice)[1:]) for dice in product(range(1, 7), repeat=4)]
    mean = Fraction(sum(throws), len(throws))
    found = of("4d6kh3")

    assert found.mean == mean == Fraction(15_869, 1_296)
    assert found.variance == Fraction(sum(t * t for t in throws), len(throws)) - mean**2
    assert found.within(Span(15)) == Fraction(sum(t >= 15 for t in throws), len(throws)) == Fraction(25, 108)


@pytest.mark.parametrize(
    ("one", "other"), [("2d6", "1d12"), ("1d4", "1d20+10"), ("1d6-3", "2d4-5"), ("1d6", "1d6")]
)
def test_two_rolls_by_every_pair(one: str, other: str) -> None:
    """How often one is higher, equal or lower is what counting every pair gives."""
    first, second = of(one), of(other)
    signs = {sign: Fraction(0) for sign in (1, 0, -1)}
    for (a, p), (b, q) in product(first.chances, second.chances):
        signs[(a > b) - (a < b)] += p * q

    assert first.against(second) == (signs[1], signs[0], signs[-1])


def test_spans() -> None:
    """Both ends belong to a span, either may be open, and one that holds nothing is refused."""
    assert [n for n in range(9) if n in Span(3, 5)] == [3, 4, 5]
    assert of("1d6").within(Span(None, 2)) == Fraction(1, 3)
    assert of("1d6").within(Span()) == 1
    assert not Span()
    with pytest.raises(SpecError, match="swap the two"):
        Span(5, 3)


def test_words_and_several_decks_have_no_totals() -> None:
    """A deck of words is no number, and nor is a card of each of two decks; equal numbers count once."""
    half = Fraction(1, 2)

    assert totals(["a", "1"], [half, half]) is None
    assert totals(["1", "2"], [Fraction(1), Fraction(1)]) is None
    assert totals(["1", "01"], [half, half]) == Totals(((1, Fraction(1)),))
