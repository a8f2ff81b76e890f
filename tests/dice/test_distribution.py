"""Exact distributions, against walking through every throw there is."""

from fractions import Fraction
from math import comb, gcd

import pytest
from hypothesis import given, settings

from bot.dice.distribution import distribution
from bot.dice.errors import SpecError
from bot.dice.expressions import Expression
from bot.dice.notation import parse
from bot.dice.throws import roll
from tests.support.expressions import rolls, small_rolls
from tests.support.tapes import chances, law


def walked(expression: Expression) -> dict[int, Fraction]:
    """The chances of the totals from every throw that `roll` can make."""
    return law(lambda draws: roll(expression, draws).total)


WALKED = [
    "2d6",
    "d%",
    "4dF",
    "4d6kh3",
    "4d4kl3",
    "4d4dh1",
    "4d4dl3",
    "3d4k2",
    "d20adv",
    "d8 dis",
    "2d6ro<2",
    "2d4ro>=3",
    "d6ro<7",
    "2dFro-1",
    "d6!",
    "2d3!",
    "2d2!kh1",
    "2d2!kl1",
    "2dF!kh1",
    "d3ro1!",
    "3d4%5-d3%2",
    "2d2ro2!kh1",
    "d3ro3!",
    "5d4>=3",
    "3d6=6",
    "3d4ro1kh2>2",
    "2d3!>=2",
    "2d2!kh1>=2",
    "2dF!kh1>=0",
    "2dF!kl1=0",
    "3d3kh2>=2",
    "d6*d4",
    "(d4-2)*(d6-3)",
    "0*d6",
    "-d6+d4",
    "d6-2*d4",
    "(2d6-9)//4",
    "2d6//(1-3)",
    "10-(d6-d4)-1",
    "(d4[a]+1[b])[c]*1000",
    "d6+d6+d6",
    "2d20kh1+d4",
    "3d1kh2",
    "(2d6)>7",
    "((d6-d4)>=0)*3+((d4)=2)",
    "2d6rr<3",
    "2d6rr{1,3,5}kh1",
    "2d4r3{<3}",
    "2d3r2{1}kl1",
    "d6!{>=5}",
    "2d3!{2}kl1",
    "2d3!{2}>=2",
    "2d3!p",
    "2d3!pkh1",
    "d3!p#{>=2}",
    "3d4!o",
    "3d4!o{<3}kl2",
    "2d4!okh1>=3",
    "3d4!i{<3}",
    "2d4!i{1}kh1",
    "2d4!i{1}#{>2}",
    "2d3!skh2",
    "2d3!skl1",
    "2d3!skm2",
    "2d4!os{>=3}dl1",
    "2d3!s",
    "3d6min2max5",
    "3d4min2kh2",
    "3d4max2>=2",
    "3d5u",
    "3d5u>=3",
    "4d4u",
    "4d4km2",
    "5d3km2",
    "4d4dl1dh1",
    "4d3dl1dh2>=2",
    "3d6k{>3}",
    "3d6d{2,3}",
    "4d4>=3x2{4}f{1}",
    "3d6#{2,4,6}",
    "2d{2,3,5,7}",
    "3d{1,1,2}kh2",
    "2d{1,1,2}!kl1",
    "2d{1,1,-2}ro1",
    "{2d4,d6,3}kh1",
    "{2d4,d6,d4-1}dl1",
    "{d4,d6,d8,d4}km2",
    "{2d4+d6}k2",
    "{2d4+2d6}dl1",
    "{1d6min4+1d4}k1",
    "{2d4max2+1d6ro1max3}kl2",
    "(d3)d4",
    "(d2+1)d3ro1>=2",
    "d20+5 vs d20+3",
    "2d4 vs d6",
    "60//d6",
    "(2d6)//(d4+1)",
]


@pytest.mark.parametrize("text", WALKED)
def test_a_distribution_is_what_rolling_gives(text: str) -> None:
    """Every feature has exactly the chances that all its throws together have."""
    expression = parse(text)

    assert chances(distribution(expression)) == walked(expression)


@settings(max_examples=60, deadline=None)
@given(small_rolls())
def test_any_small_distribution_is_what_rolling_gives(expression: Expression) -> None:
    """So has every combination of features small enough to walk through."""
    assert chances(distribution(expression)) == walked(expression)


def test_the_weights_are_the_well_known_ones() -> None:
    """2d6 is 1 to 6 and back; 4d6kh3 makes an 18 in 21 of 1,296 throws, a 3 in one."""
    assert distribution(parse("2d6")) == dict(
        zip(range(2, 13), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], strict=True)
    )
    assert list(distribution(parse("4d6kh3")).values()) == [
        *[1, 4, 10, 21, 38, 62, 91, 122],
        *[148, 167, 172, 160, 131, 94, 54, 21],
    ]


def test_weights_are_in_order_and_in_lowest_terms() -> None:
    """Totals ascend, and no number divides all the weights."""
    weights = distribution(parse("2d6ro1*3-d4"))

    assert list(weights) == sorted(weights)
    assert gcd(*weights.values()) == 1


def test_many_dice_follow_the_formula() -> None:
    """The sum of 100d10 agrees with inclusion and exclusion, the successes with the binomial law."""
    sums = {
        total: sum(
            (-1) ** k * comb(100, k) * comb(total - 10 * k - 1, 99) for k in range((total - 100) // 10 + 1)
        )
        for total in range(100, 1001)
    }

    assert distribution(parse("100d10")) == sums
    assert distribution(parse("100d10>=7")) == {k: comb(100, k) * 2**k * 3 ** (100 - k) for k in range(101)}


def test_the_highest_of_many_follows_the_formula() -> None:
    """The highest of n dice is at most x in x^n throws."""
    assert distribution(parse("50d20kh1")) == {x: x**50 - (x - 1) ** 50 for x in range(1, 21)}
    assert distribution(parse("2d500dh1")) == {x: (501 - x) ** 2 - (500 - x) ** 2 for x in range(1, 501)}


def test_a_thousand_faces_are_the_most() -> None:
    """1d1000 has a distribution, 1d1001 is refused."""
    assert len(distribution(parse("1d1000"))) == 1000

    with pytest.raises(SpecError, match="1,001 different totals"):
        distribution(parse("1d1001"))


@pytest.mark.parametrize(
    "text",
    [
        "100d1000000",
        "d1000000>=5",
        "100d100!kh50>=3",
        "100d10*100d10",
        "d1000000*d1000000",
        "100d6!",
        "100d10kh50",
    ],
)
def test_what_would_take_long_is_refused(text: str) -> None:
    """Work beyond the budget is refused before it is done."""
    with pytest.raises(SpecError, match="too long"):
        distribution(parse(text))


def test_a_repeated_roll_has_no_distribution() -> None:
    """6#2d6 is six results, so it is no base for a roller."""
    with pytest.raises(SpecError, match="repeated"):
        distribution(parse("6#2d6"))


@settings(deadline=None)
@given(rolls())
def test_any_roll_has_a_distribution_or_a_reason(expression: Expression) -> None:
    """Whatever the roll, the answer is positive weights, ascending, or a SpecError."""
    try:
        weights = distribution(expression)
    except SpecError:
        return

    assert min(weights.values()) > 0
    assert list(weights) == sorted(weights)
