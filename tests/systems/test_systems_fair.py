"""The fair die and the hat, against the figures and bounds of the spec."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.systems.fair import by_digits, half_power
from bot.systems.odds import after, odds
from tests.support.systems import CHOICES, WEIGHTS, cards, make, played

SEEN = ("2", "4", "7", "7")
FIGURES = {
    "1": ".013528 .058442 .047341 .136350 .184082 .059646 .184082 .136350 .094682 .058442 .027055",
    "0.5": ".019819 .058259 .064219 .125846 .163483 .101941 .163483 .125846 .090819 .058259 .028029",
    "5": ".000365 .034302 .002363 .148195 .272258 .000469 .272258 .148195 .075623 .034302 .011670",
}


@pytest.mark.parametrize("tightness", FIGURES)
def test_fair_example(tightness: str) -> None:
    """After 2, 4, 7, 7 a fair 2d6 has the spec's odds, to all six digits that it gives."""
    fair = make("fair", tightness=tightness)

    assert [round(p, 6) for p in odds(fair, after(fair, SEEN))] == [
        *map(Fraction, FIGURES[tightness].split())
    ]


def test_hat_example() -> None:
    """After 2, 4, 7, 7 the hat gives 6 or 8, which are furthest behind, with even chances."""
    hat = make("fair", tightness="inf")
    now = dict(zip(hat.faces, odds(hat, after(hat, SEEN)), strict=True))

    assert {face: p for face, p in now.items() if p} == {"6": Fraction(1, 2), "8": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("base", "face", "tightness", "chance"),
    [
        ("2d6", "7", "1", ".094666"),
        ("2d6", "7", "2", ".051808"),
        ("1d6", "3", "1", "1/11"),
        ("1d6", "3", "2", "1/21"),
    ],
)
def test_fair_second_roll(base: str, face: str, tightness: str, chance: str) -> None:
    """A face that came out first has the spec's chance to come out again."""
    fair = make("fair", base, tightness=tightness)
    p = odds(fair, after(fair, [face]))[fair.faces.index(face)]

    assert (p if "/" in chance else round(p, 6)) == Fraction(chance)


@given(WEIGHTS, CHOICES)
def test_fair_memory(weights: list[int], choices: list[int]) -> None:
    """A fair memory is A c - a N for every face, whatever the order of the rolls, and adds up to 0."""
    chosen, memory = played(make("fair", cards(weights), tightness="1.5"), choices)
    counts = Counter(chosen)

    assert memory == tuple(sum(weights) * counts[i] - a * len(chosen) for i, a in enumerate(weights))
    assert sum(memory) == 0


@given(WEIGHTS, CHOICES)
def test_hat_bounds(weights: list[int], choices: list[int]) -> None:
    """Under the hat every face's error stays below 1 roll, and above 1 - k for k faces."""
    hat = make("fair", cards(weights), tightness="inf")
    total, memory = sum(weights), hat.start()
    for n in range(len(choices)):
        memory = played(hat, choices[: n + 1])[1]

        assert all(-(len(weights) - 1) * total < d < total for d in memory)


@given(st.integers(1, 40), st.data())
def test_half_power(q: int, data: st.DataObject) -> None:
    """A weight of the fair die is 2^64 2^(-p/q), rounded down or up: powers of integers prove it."""
    p = data.draw(st.integers(0, 64 * q - 1))
    power = 1 << 64 * q - p
    found = half_power(p, q)

    assert (found - 1) ** q <= power < (found + 1) ** q


@given(st.integers(0, 2**70 - 1))
@example(0)
@example(1)
@example(2**64 - 1)
def test_half_power_is_the_product_by_digits(p: int) -> None:
    """Byte by byte it comes to the same integer as by its definition, digit by digit: records hold it."""
    whole, digits = divmod(p, 2**64)
    assert half_power(p, 2**64) == max(1, by_digits(digits) >> 64 + whole)


@given(st.integers(1, 10**6), st.integers(0, 10**9))
def test_half_power_far(q: int, more: int) -> None:
    """Whole exponents are exact, and from 64 on the weight stays 1, so that nothing becomes impossible."""
    assert half_power(q * (more % 64), q) == 1 << 64 - more % 64
    assert half_power(64 * q + more, q) == 1


def test_tightened_in_mid_game() -> None:
    """A tightness raised to 50 with errors of 30 rolls gives integers, and the face furthest behind."""
    fair = make("fair", tightness="50")
    errors = (30 * 36, -30 * 36, *[0] * 9)
    now = odds(fair, errors)

    assert now[1] > Fraction(999_999, 1_000_000)
    assert min(fair.weights(errors)) == 1
