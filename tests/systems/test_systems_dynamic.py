"""Dynamic dice, against the fair die and their own law."""

from collections import Counter
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from bot.systems.odds import after, odds
from tests.support.systems import CHOICES, cards, make, played


@given(st.integers(2, 12), st.integers(1, 9), st.integers(0, 6), CHOICES)
def test_dynamic_is_fair(faces: int, copies: int, tightness: int, choices: list[int]) -> None:
    """On faces of equal weight, dynamic dice of factor 2^-t are exactly a fair die of tightness t."""
    base = cards([copies] * faces)
    dynamic = make("dynamic", base, factor=str(2.0**-tightness))
    fair = make("fair", base, tightness=str(tightness))
    chosen, memory = played(dynamic, choices)
    assume(tightness * max(memory) < 64)

    assert odds(dynamic, memory) == odds(fair, after(fair, [fair.faces[i] for i in chosen]))


@given(CHOICES)
def test_dynamic_is_fair_between(choices: list[int]) -> None:
    """At tightness 1/2 the fair die is 2^(-c/2) over its sum to 1e-15, c the counts."""
    fair = make("fair", "1d6", tightness="0.5")
    chosen, memory = played(fair, choices)
    assume(max(Counter(chosen).values(), default=0) < 120)
    least = min(chosen.count(i) for i in range(6))
    powers = [2.0 ** (-(chosen.count(i) - least) / 2) for i in range(6)]

    for p, power in zip(odds(fair, memory), powers, strict=True):
        assert abs(float(p) - power / sum(powers)) < 1e-15


def test_dynamic_multiplies() -> None:
    """Dynamic dice of 0.355 multiply the chance of what came out by 0.355, over the new sum."""
    dynamic = make("dynamic", "1d6", factor="0.355")
    f = Fraction(355, 1000)
    total = 3 + 2 * f + f**2

    assert odds(dynamic, after(dynamic, ["1", "2", "1", "6"])) == (
        f**2 / total, f / total, 1 / total, 1 / total, 1 / total, f / total,
    )  # fmt: skip


@given(CHOICES)
def test_dynamic_is_rebased(choices: list[int]) -> None:
    """Dynamic dice remember counts less the smallest one, so one of them is always 0."""
    dynamic = make("dynamic", "1d4", factor="0.5")
    chosen, memory = played(dynamic, choices)
    counts = [chosen.count(i) for i in range(4)]

    assert memory == tuple(c - min(counts) for c in counts)
