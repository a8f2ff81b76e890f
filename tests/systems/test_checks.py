"""Checks: margins, degrees of success, and what can't be one."""

from fractions import Fraction

import pytest

from bot.dice.errors import DiceError, SpecError
from bot.systems.checks import CheckTerms, Degree, outcomes, read_degrees

DEGREES = read_degrees("critical miss, -9 miss, 0 pass, 10 critical pass")


@pytest.mark.parametrize(
    ("total", "margin", "degree"),
    [
        (4, -11, "critical miss"),
        (5, -10, "critical miss"),
        (6, -9, "miss"),
        (15, 0, "pass"),
        (25, 10, "critical pass"),
    ],
)
def test_a_total_has_a_margin_and_a_degree(total: int, margin: int, degree: str) -> None:
    """Against 15, in steps of ten; and under it the other way round."""
    check = CheckTerms(15, degrees=DEGREES)
    reached = check.degree(total)

    assert check.margin(total) == margin == -CheckTerms(15, under=True).margin(total)
    assert reached
    assert reached.name == degree
    assert CheckTerms(15).degree(total) is None
    assert check.score(total) == CheckTerms(15).score(total) == int(margin >= 0)


def test_degrees_have_scores() -> None:
    """Left out, what reaches margin 0 is a pass."""
    assert [degree.score for degree in DEGREES] == [0, 0, 1, 1]
    assert read_degrees("fumble; −5 weak = 1\n+5 strong=3") == (
        Degree(0, "fumble", 0),
        Degree(-5, "weak", 1),
        Degree(5, "strong", 3),
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("pf2e", "10 critical pass.$"),
        ("", "none"),
        ("miss, pass", "worst first"),
        ("0 miss, 5 pass", "worst first"),
        ("miss, 5", "worst first"),
        ("miss, 5 pass, 5 better", "better comes after pass"),
        ("miss = 2, 5 pass = 1", "lower score"),
        ("miss, 0 pass = 11", "0 to 10, not 11"),
        ("miss, 9999999 pass", "margin of pass"),
        (", ".join(["miss", *(f"{n} d{n}x" for n in range(11))]), "not 12"),
    ],
)
def test_what_are_no_degrees_is_refused(text: str, named: str) -> None:
    """With the degree that is wrong."""
    if named == "none":
        assert read_degrees(text) == ()
        return
    with pytest.raises(SpecError, match=named):
        read_degrees(text)


def test_a_law_by_scores() -> None:
    """Exact weights, whatever the dice; a settled check has one score alone."""
    law = outcomes("2d20kh1+1", CheckTerms(16))

    assert law.expected == Fraction(51, 100)
    assert not law.settled
    assert outcomes("1d6", CheckTerms(1)).settled
    assert outcomes("1d6", CheckTerms(7)).settled
    assert outcomes("3d6", CheckTerms(10, under=True)).expected == Fraction(1, 2)


@pytest.mark.parametrize(
    ("dice", "named"), [("3#1d20", "repeated"), ("1d1000+1d1000", "totals"), ("evil", "evil")]
)
def test_dice_without_a_law_are_refused(dice: str, named: str) -> None:
    """Those that repeat, those with too many totals, and what are no dice."""
    with pytest.raises(DiceError, match=named):
        outcomes(dice, CheckTerms(10))


def test_a_dc_has_bounds() -> None:
    """As in a group call."""
    with pytest.raises(SpecError, match="1,000,000"):
        CheckTerms(1_000_001)
