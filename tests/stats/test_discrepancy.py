"""Discrepancy, what is usual, bands, and how many rolls it takes to tell."""

from fractions import Fraction
from itertools import product

import pytest

from bot.dice.bases import Base
from bot.stats.curves import curve
from bot.stats.discrepancy import Band, bands, discrepancy, usual
from bot.stats.processes import rolls_needed, with_face_at
from bot.systems.decks import Decks
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.plain import PlainDice

D6 = Base(tuple("123456"), (1,) * 6)
SMALL = Base(("a", "b", "c"), (1, 2, 1))


def test_discrepancy_is_measured_from_the_shares() -> None:
    """The largest error and the mean squared one, as exact rationals."""
    found = discrepancy(PlainDice(SMALL), (3, 1, 1))

    assert found.worst == Fraction(7, 4)
    assert found.square == Fraction(49 + 36 + 1, 16 * 3)


def test_categories_have_equal_shares() -> None:
    """Of several decks each has the same share, whatever its number of cards."""
    decks = Decks.from_spec({"decks": {"x": {"a": 1, "b": 2}, "y": {"c": 1, "d": 1}}})

    assert discrepancy(decks, (2, 4, 3, 3)).worst == 0


def test_usual_is_about_this_system() -> None:
    """Dynamic dice are usually within what the exact curve says, plain dice are not."""
    dynamic = Dynamic(D6, Fraction("0.355"))
    evening = curve(dynamic, 25)
    found = usual(dynamic, 25, evening)
    plain = usual(PlainDice(D6), 25)

    assert round(found.square, 6) == 0.458978
    assert found.square < found.square_high < plain.square
    assert found.worst < found.worst_high < plain.worst_high
    assert found == usual(dynamic, 25, evening)


@pytest.mark.parametrize("rolls", [1, 2, 7])
def test_bands_of_plain_dice_are_exact(rolls: int) -> None:
    """At most a fortieth of all sequences lies outside on either side, and a tighter end would pass it."""
    sequences = [*product("aabc"[:4], repeat=rolls)]

    for face, band in zip("abc", bands(PlainDice(Base(("a", "b", "c"), (2, 1, 1))), rolls), strict=True):
        counts = [s.count(face) for s in sequences]
        assert 40 * sum(c < band.low for c in counts) <= len(counts) < 40 * sum(c <= band.low for c in counts)
        assert 40 * sum(c > band.high for c in counts) <= len(counts)
        assert band.high == 0 or 40 * sum(c >= band.high for c in counts) > len(counts)


def test_bands_of_systems_with_memory_are_narrower() -> None:
    """A fair die's counts stay closer to their share than plain dice's; one face alone is certain."""
    plain, fair = bands(PlainDice(D6), 60), bands(Fair(D6, Fraction(1)), 60)

    assert plain == (Band(5, 16),) * 6
    assert all(b.low >= 8 and b.high <= 12 for b in fair)
    assert bands(PlainDice(Base(("a",), (1,))), 5) == (Band(5, 5),)


@pytest.mark.parametrize(
    ("faces", "chance", "rolls"),
    [
        (6, Fraction(1, 4), 450),
        (6, Fraction(1, 5), 4_000),
        (20, Fraction(1, 10), 1_700),
        (20, Fraction(3, 40), 9_000),
    ],
)
def test_how_many_rolls_it_takes_to_tell(faces: int, chance: Fraction, rolls: int) -> None:
    """The spec's medians come out to about a tenth."""
    weights = (1,) * faces
    found = rolls_needed(weights, with_face_at(weights, faces - 1, chance))

    assert found is not None
    assert abs(found - rolls) <= rolls / 8


def test_a_face_is_moved_and_the_rest_keeps_its_proportion() -> None:
    """The other faces share what is left as before."""
    assert with_face_at((1, 2, 1), 0, Fraction(1, 2)) == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
