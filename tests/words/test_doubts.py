"""The answer to "is it rigged?": a sentence with its number, what it takes to see something, the test."""

from fractions import Fraction
from math import log

from bot.stats.chi_square import ChiSquare
from bot.stats.luck import plain_die
from bot.stats.processes import Evidence
from bot.stats.rigged import Examined
from bot.words.luck import verdict
from tests.support.systems import make

D6 = plain_die("d6")
TEST = ChiSquare(Fraction(67, 5), Fraction(2, 100), Fraction(98, 100), exact=True)


def test_no_sign() -> None:
    """The worth now and at its most, and what fair dice may come to."""
    lines = verdict(D6, Examined(120, Evidence(log(0.4), log(3)), 4_318, TEST))

    assert lines[0].startswith(
        "**No sign of it.** The evidence against them is 0.4, and was 3 at its highest; from 20 on"
    )
    assert lines[1].startswith("So far there are 120 dice. It would take about 4,300 to notice")
    assert "χ² is 13.4. About 1 in 50 rows of so many fair dice are at least as uneven, nearly" in lines[2]
    assert "(exact)" in lines[2]


def test_a_sign() -> None:
    """With the chance of it for fair dice, which is one over the most."""
    lines = verdict(D6, Examined(900, Evidence(log(150), log(5_000)), None, TEST))
    beyond = [verdict(D6, Examined(40, Evidence(log, log), None, TEST))[0] for log in (800.0, float("inf"))]

    assert (
        "**There is something against them.** The evidence is 150, and was 5,000 at its highest" in lines[0]
    )
    assert "in at most 1 of 5,000 histories" in lines[0]
    assert "more than 50,000" in lines[1]
    assert all("1,000,000,000 or more" in said for said in beyond)


def test_few_and_dice_with_a_memory() -> None:
    """No verdict under 30; no chi-square where counts are evened out."""
    fair = make("fair", "1d6")

    assert verdict(D6, Examined(29, Evidence(), 4_300, TEST)) == [
        "Too few to say anything: from 30 on I tell what there is against them."
    ]
    assert "memory and all" in verdict(fair, Examined(60, Evidence(), None, None))[1]
