"""Any dice out of d6s alone: every value and every rest exactly as often, and every law as it was."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.d100.pool import PoolMethod, average
from bot.d100.sixes import SixSidedDraws
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.draws import Replayer, ReplayError, seeded
from bot.dice.throws import roll
from tests.support.tapes import law

SIDES = (4, 6, 8, 10, 12, 20, 100)
EXPRESSIONS = [
    *(f"d{n}" for n in range(4, 72)),
    *(f"d{n}" for n in SIDES[3:]),
    *(f"d{n}+{n}" for n in SIDES),
    *(f"2d{n}" for n in SIDES[:6]),
    *(f"d{n}-d6" for n in SIDES[:6]),
    *(f"2d{n}kh1+d4" for n in SIDES[:5]),
    *(f"d{n}ro1" for n in SIDES),
    *("d20 adv", "d20 dis", "4d6kh3", "3d6", "d%", "2d4*10", "d10 + d4[fire]", "3d4>=3", "4dF"),
]


def by_dice(die: int, kept: tuple[int, int], dice: int) -> Counter[tuple[int, tuple[int, ...]]]:
    """Each value with its rest, over all throws of so many d6s that are enough."""
    ends: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for faces in product(range(6), repeat=dice):
        draws = SixSidedDraws(Replayer([(6, face) for face in faces]), kept)
        try:
            ends[draws.below(die), draws.kept] += 1
        except ReplayError:
            continue
        assert draws.faces == [face + 1 for face in faces]
    return ends


@pytest.mark.parametrize("die", [4, 5, 8, 12, 20])
@pytest.mark.parametrize("size", [1, 7, 50])
def test_one_die_is_one_to_one(die: int, size: int) -> None:
    """From every rest and all d6s each pair of a value and a new rest comes out exactly once."""
    grown, dice = size, 0
    while grown < 100 * die:
        grown, dice = grown * 6, dice + 1
    ends = sum((by_dice(die, (v, size), dice) for v in range(size)), Counter[tuple[int, tuple[int, ...]]]())
    rests = grown // die

    assert ends == Counter({(value, (v, rests)): 1 for value in range(die) for v in range(rests)})


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_the_law_of_every_expression(text: str) -> None:
    """A roll asks for nothing but whole dice, so that with uniform ones its law is the exact one."""
    expression = notation.parse(text)
    weights = distribution(expression)
    found = law(lambda tape: roll(expression, tape).total)

    assert found == {total: Fraction(weight, sum(weights.values())) for total, weight in weights.items()}


def test_there_are_a_hundred_expressions() -> None:
    """From d4 to d100, with d20 adv and 4d6kh3 among them."""
    assert len({*EXPRESSIONS}) >= 100


@given(st.sampled_from(EXPRESSIONS), st.integers(0, 10**6))
def test_only_d6s_are_thrown(text: str, seed: int) -> None:
    """Whatever is rolled, the source is asked for d6s alone, and the same faces roll the same again."""
    expression = notation.parse(text)
    once = SixSidedDraws(seeded(seed))
    throw = roll(expression, once)
    again = SixSidedDraws(Replayer([(6, face - 1) for face in once.faces]))

    assert roll(expression, again) == throw
    assert again.kept == once.kept


def test_choosing_by_weight() -> None:
    """A weighted choice is a die of as many sides as the weights add up to."""
    chosen = Counter(
        SixSidedDraws(Replayer([(6, face) for face in faces]), (0, 1)).choose([1, 0, 2])
        for faces in product(range(6), repeat=4)
        if faces[0] < 5
    )

    assert chosen[1] == 0
    assert chosen[2] == 2 * chosen[0]


@pytest.mark.parametrize(
    ("die", "mean"), [(4, "0.780"), (8, "1.165"), (10, "1.290"), (12, "1.391"), (20, "1.680"), (100, "2.579")]
)
def test_the_mean_number_of_d6s(die: int, mean: str) -> None:
    """As docs/d100.md has it, by the pool's own exact average."""
    found = average(PoolMethod(6, die))

    assert found
    assert f"{float(found):.3f}" == mean
