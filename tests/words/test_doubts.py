"""The answer to "is it rigged?": a sentence with its number, what it takes to see something, the test."""

from fractions import Fraction
from math import log

from bot.stats.chi_square import ChiSquare
from bot.stats.luck import plain_die
from bot.stats.processes import Evidence
from bot.stats.rigged import Examined
from bot.words.cards import CardButton, plain
from bot.words.doubts import card, verdict
from tests.support.systems import make

D6 = plain_die("d6")
TEST = ChiSquare(Fraction(67, 5), Fraction(2, 100), Fraction(98, 100), exact=True)


def test_no_sign() -> None:
    """The worth now and at its most, and what fair dice may come to."""
    lines = verdict(D6, Examined(120, Evidence(log(0.4), log(3)), 4_318, TEST))

    assert lines[0].startswith(
        "**Nothing odd so far.** Suspicion: 0.4, at most 3 until now. 20 would be a sign."
    )
    assert lines[1].startswith("120 dice so far. After 4,300 I would notice")
    assert "about 1 in 50 fair sets of dice look at least this uneven, nearly all at least" in lines[2]
    assert "(χ² 13.4, exact)" in lines[2]


def test_a_card_has_one_line() -> None:
    """Whether something is odd, the suspicion, and what would be a sign; too few dice say nothing."""
    more = CardButton("rigged-more")
    odd = Examined(900, Evidence(log(150), log(5_000)), None, TEST)

    assert plain(card("Everybody", Examined(120, Evidence(log(0.4), log(3)), 4_318, TEST), more)) == (
        "**Nothing odd so far** · Everybody\nSuspicion: 0.4, at most 3 until now. 20 would be a sign. "
        "Fair dice get there in 1 campaign of 20 at most, however often you look."
    )
    assert plain(card("Everybody", odd, more)).startswith("**Something is odd** · Everybody\n")
    assert card("Everybody", Examined(29, Evidence(), 4_300, TEST), more).buttons == ()


def test_a_sign() -> None:
    """With the chance of it for fair dice, which is one over the most."""
    lines = verdict(D6, Examined(900, Evidence(log(150), log(5_000)), None, TEST))
    beyond = [verdict(D6, Examined(40, Evidence(log, log), None, TEST))[0] for log in (800.0, float("inf"))]

    assert "**Something is odd.** Suspicion: 150, at most 5,000 until now." in lines[0]
    assert "in 1 campaign of 5,000 at most" in lines[0]
    assert "`/stats` judges only what they add up to." in lines[0]
    assert "more than 50,000" in lines[1]
    assert all("1,000,000,000 or more" in said for said in beyond)


def test_few_and_dice_with_a_memory() -> None:
    """No verdict under 30; no chi-square where counts are evened out."""
    fair = make("fair", "1d6")

    assert verdict(D6, Examined(29, Evidence(), 4_300, TEST)) == ["Too few to say anything yet. It takes 30."]
    assert "memory included" in verdict(fair, Examined(60, Evidence(), None, None))[1]
