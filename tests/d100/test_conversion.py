"""The table for any dice and any number of values, against throws one by one and the published figures."""

from fractions import Fraction
from itertools import cycle, islice, product
from math import prod

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.d100.conversion import Conversion, Step, convert, expected, missing_factor, open_after, rolls_at_most
from bot.dice.errors import SpecError

DICE = (4, 6, 8, 10, 12, 20)
PUBLISHED = {
    4: ("1", "4/3", "1", "6/5", "1", "1"),
    6: ("7/3", "1", "83/63", "13/9", "1", "443/399"),
    8: ("2", "19/9", "1", "31/25", "4/3", "6/5"),
    10: ("37/15", "11/5", "941/455", "1", "1913/1595", "1"),
    12: ("7/3", "2", "131/63", "92/45", "1", "563/399"),
    20: ("47/15", "38/15", "951/455", "2", "3243/1595", "1"),
}
MIXED = st.lists(st.integers(2, 20), min_size=1, max_size=3).map(tuple)


def by_levels(dice: tuple[int, ...], values: int, rolls: int) -> list[tuple[Fraction, Fraction]]:
    """For each number of rolls: the chance of each value to come out just then, and of going on.

    Nothing of the table: as many equal results as can be are dealt out, and the others thrown once more.
    """
    levels: list[tuple[Fraction, Fraction]] = []
    open_ones, equal = 1, 1
    for sides in islice(cycle(dice), rolls):
        equal *= sides
        quotient, open_ones = divmod(open_ones * sides, values)
        levels.append((Fraction(quotient, equal), Fraction(open_ones, equal)))
    return levels


def played(table: Conversion, rolls: int) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """The law of the values after every throw of so many dice, the chance of none yet, and the dice used."""
    law, open_chance, used = dict.fromkeys(range(table.values), Fraction(0)), Fraction(0), Fraction(0)
    sides = tuple(islice(cycle(table.dice), rolls))
    chance = Fraction(1, prod(sides))
    for faces in product(*(range(1, s + 1) for s in sides)):
        number = at = 0
        for row in table.walk():
            end = at + len(row.dice)
            if end > rolls:
                open_chance += chance
                break
            for face, s in zip(faces[at:end], row.dice, strict=True):
                number = number * s + face % s
            at = end
            if number >= row.threshold:
                law[(number - row.threshold) % table.values] += chance
                used += at * chance
                break
    return law, open_chance, used


def test_the_table_of_a_d100_is_the_published_one() -> None:
    """Three dice to 16, two to 76, one each to 56, 36 and 16, and again from behind the first row."""
    table = convert((6,), 100)
    rows = [(len(row.dice), row.threshold) for row in table.rows]

    assert rows == [(3, 16), (2, 76), (1, 56), (1, 36), (1, 16)]
    assert table.loop == 1


def test_a_table_that_ends() -> None:
    """Two d10 are a d100, one way, and that is all; a d4 and a d25 do it too."""
    assert convert((10,), 100).rows == (Step((10, 10), 0),)
    assert convert((10,), 100).loop is None
    assert convert((4, 25), 100).rows == (Step((4, 25), 0),)


@pytest.mark.parametrize("values", PUBLISHED)
def test_expected_rolls_are_the_published_ones(values: int) -> None:
    """The spec's table of E(b, n), as fractions."""
    assert tuple(str(expected((b,), values)) for b in DICE) == PUBLISHED[values]


def test_expected_rolls_of_a_d100() -> None:
    """14738/4665 rolls of a d6, cut short the published numbers, and past seven once in 7,776 times."""
    assert expected((6,), 100) == Fraction(14738, 4665)
    assert [expected((6,), 100, most) for most in (4, 5)] == [Fraction(83, 27), Fraction(85, 27)]
    assert open_after((6,), 100, 7) == Fraction(1, 7776)
    assert expected((4,), 100) == Fraction(2627, 615)


def by_states(dice: tuple[int, ...], values: int) -> Fraction:
    """The expected rolls from a linear equation: where the open results repeat, what is to come does too."""
    first_steps: dict[tuple[int, int], int] = {}
    steps: list[tuple[int, int]] = []
    turn, open_ones = 0, 1
    while open_ones and (turn, open_ones) not in first_steps:
        first_steps[turn, open_ones] = len(steps)
        after = open_ones * dice[turn] % values
        steps.append((open_ones * dice[turn], after))
        turn, open_ones = (turn + 1) % len(dice), after
    # From the end: to come = constant + factor * (to come where it repeats).
    constant, factor = Fraction(0), Fraction(1 if open_ones else 0)
    repeats = first_steps.get((turn, open_ones), -1)
    for place in reversed(range(len(steps))):
        equal, after = steps[place]
        constant, factor = 1 + Fraction(after, equal) * constant, Fraction(after, equal) * factor
        if place == repeats:
            constant, factor = constant / (1 - factor), Fraction(0)
    return constant


@pytest.mark.parametrize("sides", range(4, 21))
def test_expected_rolls_by_a_second_way(sides: int) -> None:
    """For all pairs of d4 to d20, and d100: the series and the equation of the states give the same."""
    for values in (*range(4, 21), 100):
        assert expected((sides,), values) == by_states((sides,), values)


@given(MIXED, st.integers(2, 150))
def test_expected_rolls_of_mixed_dice(dice: tuple[int, ...], values: int) -> None:
    """With dice that take turns too; and the sum of its first terms is never more, nor far from it."""
    exact = expected(dice, values)
    enough = expected(dice, values, 60)

    assert exact == by_states(dice, values)
    assert 0 <= exact - enough <= 2 * open_after(dice, values, 60) * values


@pytest.mark.parametrize(
    ("dice", "values", "rolls"),
    [((6,), 100, 6), ((4,), 10, 7), ((6, 4), 20, 6), ((3, 2), 5, 8), ((10,), 100, 3), ((20, 6), 7, 3)],
)
def test_every_throw_of_the_table(dice: tuple[int, ...], values: int, rolls: int) -> None:
    """With all throws of so many dice every value comes out as often, and no table could end sooner."""
    law, open_chance, used = played(convert(dice, values), rolls)
    levels = by_levels(dice, values, rolls)

    assert set(law.values()) == {sum(share for share, _ in levels)}
    assert open_chance == levels[-1][1]
    ends = zip(
        [Fraction(1), *(remaining for _, remaining in levels)],
        [remaining for _, remaining in levels],
        strict=False,
    )
    assert used == sum(n * (before - after) for n, (before, after) in enumerate(ends, start=1))


@example((6,), 56)  # a remainder comes back in the middle of a row
@example((2, 3), 40)
@given(MIXED, st.integers(2, 300))
def test_thresholds_are_what_is_open(dice: tuple[int, ...], values: int) -> None:
    """Row by row, loop after loop, the threshold is the number of results that can't be dealt out."""
    table = convert(dice, values)
    sides, equal = cycle(dice), 1
    for row in islice(table.walk(), 40):
        for s in row.dice:
            assert s == next(sides)
            equal *= s
        assert row.threshold == equal % values


@given(MIXED, st.integers(2, 300))
def test_when_it_is_sure_to_end(dice: tuple[int, ...], values: int) -> None:
    """There is a most exactly if the dice have every prime of the number; then the table has no loop."""
    most = rolls_at_most(dice, values)
    product_of_all = prod(dice) ** values.bit_length()

    assert (most is None) == (missing_factor(dice, values) > 1) == (product_of_all % values > 0)
    assert (convert(dice, values).loop is None) == (most is not None)
    if most is not None:
        assert open_after(dice, values, most) == 0
        assert most == 0 or open_after(dice, values, most - 1) > 0


@pytest.mark.parametrize(
    ("dice", "values", "words"),
    [
        ((), 100, "One to 4 dice"),
        ((6,) * 5, 100, "not 5"),
        ((1,), 100, "2 to 100 sides, not 1"),
        ((101,), 100, "not 101"),
        ((6,), 1, "2 to 1,000 sides, not 1"),
        ((6,), 1001, "not 1,001"),
    ],
)
def test_beyond_the_limits(dice: tuple[int, ...], values: int, words: str) -> None:
    """The sentence names the limit."""
    with pytest.raises(SpecError, match=words):
        convert(dice, values)
    with pytest.raises(SpecError, match=words):
        expected(dice, values)
