"""Suggestions: never another law than what was meant."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from bot.dice.distribution import distribution
from bot.dice.errors import NotationError
from bot.dice.notation import parse
from tests.support.tapes import chances


def suggested(text: str) -> str | None:
    """What is suggested for a text; None where it is read, or nothing is."""
    try:
        parse(text)
    except NotationError as refused:
        return next(
            (reading.text for reading in refused.readings if not reading.meaning and not reading.programs),
            None,
        )
    return None


_D6 = range(1, 7)
_BEST_THREE = [sum(sorted(faces)[1:]) for faces in product(_D6, repeat=4)]
_MIDDLE_TWO = [sum(sorted(faces)[1:3]) for faces in product(_D6, repeat=4)]


@pytest.mark.parametrize(
    ("text", "totals", "times"),
    [
        ("6x4d6kh3", _BEST_THREE, 6),
        ("4d6 drop lowest", _BEST_THREE, 1),
        ("4d6 keep highest 3", _BEST_THREE, 1),
        ("4d6 take the best 3", _BEST_THREE, 1),
        ("4d6 drop worst drop best", _MIDDLE_TWO, 1),
        ("2w6", [a + b for a, b in product(_D6, _D6)], 1),
        ("d6\u00d72", [2 * a for a in _D6], 1),
        ("2d6 \u2212 1", [a + b - 1 for a, b in product(_D6, _D6)], 1),
        ("\uff12\uff44\uff16\u3000\uff0b\uff11", [a + b + 1 for a, b in product(_D6, _D6)], 1),
        ("2d6\u22655", [(a >= 5) + (b >= 5) for a, b in product(_D6, _D6)], 1),
        ("2d6\u22642", [(a <= 2) + (b <= 2) for a, b in product(_D6, _D6)], 1),
    ],
)
def test_each_repair_has_the_law_that_its_words_say(text: str, totals: list[int], times: int) -> None:
    """For every kind of repair the law is written out."""
    meant = suggested(text)
    assert meant
    roll = parse(meant)

    assert chances(distribution(parse(str(roll.body)))) == chances(Counter(totals))
    assert roll.repeat == times


@pytest.mark.parametrize("text", ["8d6 fire drop lowest", "4d6 strength keep the best"])
def test_words_that_drop_dice_are_in_no_label(text: str) -> None:
    """Dice whose words stand behind a label are refused: nobody is offered all of them."""
    assert suggested(text) is None


def test_exploding_in_words_goes_on_while_the_highest_face_shows() -> None:
    """A d2 that explodes shows one odd total for each number of twos, up to ten further dice."""
    law = {2 * twos + 1: Fraction(1, 2 ** (twos + 1)) for twos in range(11)} | {22: Fraction(1, 2**11)}

    assert chances(distribution(parse(suggested("d2 exploding") or ""))) == law
