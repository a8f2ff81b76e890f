"""What rollers remember, in words."""

from fractions import Fraction

import pytest

from bot.words.memories import ahead_or_due, table


@pytest.mark.parametrize(
    ("ahead", "told"),
    [("0", "even"), ("1/21", "even"), ("-1/21", "even"), ("1/20", "0.1 ahead"), ("-3/2", "1.5 due")],
)
def test_nothing_is_nought_ahead(ahead: str, told: str) -> None:
    """What rounds to nothing is even."""
    assert ahead_or_due(Fraction(ahead)) == told


def test_the_faces_that_are_furthest_off_are_shown() -> None:
    """Twenty-four of them in their order, and the number of the others."""
    shares = [Fraction(1)] * 30
    told = table([*map(str, range(1, 31))], [n % 5 for n in range(30)], shares).splitlines()

    assert told[1].split() == ["face", "came", "expected"]
    assert told[2].split() == ["1", "0", "1.0", "1.0", "fewer"]
    assert len(told) == 28
    assert told[-1] == "… and 6 nearer to their share"


def test_only_a_memory_makes_a_face_due() -> None:
    """Plain dice owe nobody anything."""
    counted = ["1", "2"], [0, 2], [Fraction(1), Fraction(1)]
    plain, evened = table(*counted), table(*counted, [Fraction(-1), Fraction(1)])

    assert [line.split()[-1] for line in plain.splitlines()[2:4]] == ["fewer", "more"]
    assert [line.split()[-1] for line in evened.splitlines()[2:4]] == ["due", "ahead"]
