"""Chi-square: exact p-values against all sequences, and the published examples."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.stats.chi_square import RUNS, chi_square
from tests.support.bounded import run_bounded

D6 = (1,) * 6
TWO_DICE = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)


def statistic(weights: tuple[int, ...], counts: tuple[int, ...]) -> Fraction:
    """The sum of (c - E)²/E, as it is always written."""
    expected = [Fraction(a * sum(counts), sum(weights)) for a in weights]
    return sum(((c - e) ** 2 / e for c, e in zip(counts, expected, strict=True)), Fraction(0))


def chance(weights: tuple[int, ...], counts: tuple[int, ...]) -> Fraction:
    """The multinomial chance of counts."""
    ways, left = 1, sum(counts)
    for c in counts:
        ways *= comb(left, c)
        left -= c
    return Fraction(
        ways * prod(a**c for a, c in zip(weights, counts, strict=True)), sum(weights) ** sum(counts)
    )


CASES = st.lists(st.integers(1, 4), min_size=1, max_size=4).flatmap(
    lambda weights: st.tuples(
        st.just(tuple(weights)),
        st.lists(st.integers(0, 3), min_size=len(weights), max_size=len(weights))
        .map(tuple)
        .filter(lambda counts: sum(counts) > 0),
    )
)


@given(CASES)
def test_all_counts_there_are_agree(case: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    """Adding up the chances of all counts gives the same statistic and the same two p-values, exactly."""
    weights, counts = case
    rolls, seen = sum(counts), statistic(weights, counts)
    law = [c for c in product(range(rolls + 1), repeat=len(weights)) if sum(c) == rolls]

    found = chi_square(weights, counts)

    assert found.exact
    assert found.statistic == seen
    assert found.upper == sum(chance(weights, c) for c in law if statistic(weights, c) >= seen)
    assert found.lower == sum(chance(weights, c) for c in law if statistic(weights, c) <= seen)


@pytest.mark.parametrize(
    ("counts", "seen", "upper", "lower"),
    [
        ((5, 8, 9, 8, 10, 20), Fraction(67, 5), "0.020344", None),
        ((10,) * 6, Fraction(0), None, "7.46e-05"),
        ((3, 5, 4, 2, 4, 2), Fraction(11, 5), "0.870535", None),
    ],
)
def test_published_examples(
    counts: tuple[int, ...], seen: Fraction, upper: str | None, lower: str | None
) -> None:
    """The spec's three examples of a d6 come out."""
    found = chi_square(D6, counts)

    assert found.exact
    assert found.statistic == seen
    assert upper is None or f"{float(found.upper):.6f}" == upper
    assert lower is None or f"{float(found.lower):.3g}" == lower


def test_all_rolls_one_face_is_the_most_extreme() -> None:
    """Fifty sixes have the chance 6 in 6^50, and nothing is above them."""
    found = chi_square(D6, (0, 0, 0, 0, 0, 50))

    assert found.upper == Fraction(6, 6**50)
    assert found.lower == 1


def test_simulation_takes_over_and_keeps_its_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where exact is too long, the p-values are (1 + hits)/(1 + runs), and decided by the seed."""
    monkeypatch.setattr("bot.stats.chi_square.RUNS", runs := 9_999)
    counts = (3, 4, 8, 9, 14, 20, 13, 15, 8, 3, 3)
    one, again, other = (chi_square(TWO_DICE, counts, seed=seed) for seed in (1, 1, 2))

    assert not one.exact
    assert one == again != other
    assert (one.upper * (1 + runs)).denominator == 1
    assert one.upper + one.lower >= 1
    assert min(one.upper, one.lower) > 0


def test_both_ways_agree_where_both_work() -> None:
    """Told to simulate what it could work out, it comes within five standard errors."""
    exact = chi_square(D6, (3, 5, 4, 2, 4, 2))
    simulated = chi_square(D6, (3, 5, 4, 2, 4, 2), work=0)

    assert exact.exact
    assert not simulated.exact
    for p, q in ((exact.upper, simulated.upper), (exact.lower, simulated.lower)):
        assert (p - q) ** 2 < 25 * p * (1 - p) / RUNS


def test_billions_of_dice_hold_nobody_up() -> None:
    """Their number of sequences has billions of digits; to compute it would stop the bot."""
    script = "from bot.stats.chi_square import chi_square; print(chi_square([1] * 6, [10**9] * 6).exact)"

    assert run_bounded(script, seconds=30) == "False\n"


@pytest.mark.parametrize(
    ("weights", "counts"), [(D6, (1,) * 5), (D6, (0,) * 6), ((1, 1), (3, -1)), ((1, 0), (3, 1))]
)
def test_what_is_no_table_of_counts_is_refused(weights: tuple[int, ...], counts: tuple[int, ...]) -> None:
    """There must be a count for every face, at least one roll, and nothing negative."""
    with pytest.raises(ValueError, match="chi-square needs"):
        chi_square(weights, counts)
