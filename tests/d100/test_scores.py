"""Scores: the closed form, the sum over the values, and the figures of the source text."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.d100.ways import Figures, best_score, best_weights, score

PUBLISHED = {
    0: Fraction(99, 100),
    1: Fraction(47, 300),
    2: Fraction(4, 225),
    3: Fraction(7, 24300),
    4: Fraction(1, 437400),
}
DIGITS = {
    3: "2.8807e-04",
    4: "2.2862e-06",
    5: "3.0166e-07",
    6: "1.1319e-08",
    7: "2.9401e-10",
    8: "4.7641e-12",
    9: "3.7810e-14",
    10: "4.9888e-15",
}


def summed(law: tuple[int, ...]) -> Fraction:
    """The score by its definition."""
    return sum(((Fraction(w, sum(law)) - Fraction(1, len(law))) ** 2 for w in law), Fraction(0))


@pytest.mark.parametrize("dice", range(11))
def test_the_score_table(dice: int) -> None:
    """The best score of 0 to 10 six-sided dice is the published one, by formula and by definition."""
    best = best_score(6**dice, 100)

    assert best == summed(best_weights(6**dice, 100))
    assert PUBLISHED.get(dice, best) == best
    assert f"{float(best):.4e}" == DIGITS.get(dice, f"{float(best):.4e}")


@given(st.integers(1, 10**6), st.integers(2, 60))
def test_the_best_score_is_that_of_the_best_law(equal: int, values: int) -> None:
    """The law has all results and its score is the formula's; moving one result never makes it better."""
    law = best_weights(equal, values)

    assert sum(law) == equal
    assert score(law) == summed(law) == best_score(equal, values)
    if law[-1]:
        assert score((law[0] + 1, *law[1:-1], law[-1] - 1)) > best_score(equal, values)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30).filter(any).map(tuple))
def test_figures_say_what_the_law_says(law: tuple[int, ...]) -> None:
    """Exact means a score of zero, and missing are the values without weight."""
    figures = Figures(law, Fraction(3), 3)

    assert figures.score == summed(law)
    assert figures.exact == (figures.score == 0)
    assert figures.missing == sum(not w for w in law)


def test_nothing_has_no_score() -> None:
    """A law without weight is refused."""
    with pytest.raises(ValueError, match="positive weight"):
        score((0, 0))


def test_powers_of_two_and_three_are_no_better() -> None:
    """2·3^35 has 14 results too many, and ten dice do better with 6^10 than with 2^9·3^9."""
    equal = 2 * 3**35

    assert equal % 100 == 14
    assert f"{float(best_score(equal, 100)):.4e}" == "1.2025e-33"
    assert best_score(6**10, 100) < best_score(2**9 * 3**9, 100)
