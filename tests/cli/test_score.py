"""The command `score`, started as the command line does it."""

from fractions import Fraction

from tests.support.cli import evenhand, printed


def test_the_texts_first_rule() -> None:
    """The sum of twenty dice: its score, its dice, and where it stands."""
    said = evenhand("score", "20d6-20 mod 100").stdout

    assert "score 2.679e-2" in said
    assert "20.000 on average, 20 at most" in said
    assert "Place 20 beside 21 known ways" in said


def test_values_that_never_come() -> None:
    """Runs of them are said as one."""
    said = evenhand("score", "if a<=3 then b else b+50").stdout

    assert "Never: 7 to 50, 57 to 100." in said
    assert "Likeliest: 1 with 8.3% instead of 1.0%." in said


def test_a_rule_that_beats_all_others() -> None:
    """An exact rule says so, and what may take any number of dice."""
    said = evenhand("score", "20*(d6rr6-1) + 4*(d6rr6-1) + d6rr>4").stdout

    assert "exact, score 0" in said
    assert "3.900 on average, any number" in said
    assert "Likeliest" not in said


def test_two_chances_that_are_nearly_alike() -> None:
    """They have as many digits as it takes to see which is more."""
    said = evenhand("score", "d999 mod 100").stdout

    assert "Likeliest: 1 with 1.001% instead of 1.000%." in said


def test_json() -> None:
    """Every chance is there as a fraction, in the order of the values from 0 on, which is 100."""
    told = printed("score", "20d6-20")

    assert [*told] == ["score", "expected", "most", "chances"]
    assert f"{float(Fraction(told['score'])):.3e}" == "2.679e-02"
    assert sum(map(Fraction, told["chances"].values())) == 1
