"""Dice made of d6s: exact by distribution, independent of those before them, and how many they take."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from bot.d100.conversion import expected
from bot.d100.general import Sixes
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.draws import Recorder, Replayer, ReplayError, seeded
from bot.dice.throws import roll


def made(text: str, faces: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    """The total and the dice that these d6s make; None where they are too few or too many."""
    draws = Replayer([(6, face - 1) for face in faces])
    try:
        throw = roll(notation.parse(text), Sixes(draws))
        draws.finish()
    except ReplayError:
        return None
    return throw.total, tuple(die.value for pool in throw.pools for die in pool.dice)


def by_dice(text: str, most: int) -> list[Counter[tuple[int, ...]]]:
    """For each number of d6s, how many of their throws make each dice."""
    laws = list[Counter[tuple[int, ...]]]()
    for dice in range(most + 1):
        throws = (made(text, faces) for faces in product(range(1, 7), repeat=dice))
        laws.append(Counter(throw[1] for throw in throws if throw))
    return laws


@pytest.mark.parametrize("sides", [2, 3, 4, 5, 7, 8, 10, 12, 20, 30, 100])
def test_one_die_is_exact(sides: int) -> None:
    """After any number of d6s all faces are made by as many throws, with the fewest that can be."""
    remaining = 1
    for dice, law in enumerate(by_dice(f"1d{sides}", 4)):
        remaining = remaining * 6 if dice else 1
        quotient, remaining = divmod(remaining, sides)
        assert {law[face,] for face in range(1, sides + 1)} == {quotient}


@pytest.mark.parametrize(("text", "pairs"), [("2d20kh1", 400), ("1d4+1d10", 40), ("1d2+1d3+1d4", 24)])
def test_dice_behind_one_another_are_independent(text: str, pairs: int) -> None:
    """After any number of d6s all combinations are made by as many throws."""
    for law in by_dice(text, 5):
        assert len({*law.values()}) <= 1
        assert len(law) in {0, pairs}


def test_a_d6_is_itself() -> None:
    """4d6kh3 are the four dice that were thrown, and have their law; behind another die too."""
    totals = Counter[int]()
    for faces in product(range(1, 7), repeat=4):
        outcome = made("4d6kh3", faces)
        assert outcome
        assert outcome[1] == faces
        totals[outcome[0]] += 1
    behind = made("1d2+1d6", (5, 3))

    assert totals == distribution(notation.parse("4d6kh3"))
    assert behind == (4, (1, 3))


def test_a_number_is_read_as_by_the_scan() -> None:
    """6, 1, 5 read as 11, as docs/d100.md has it; 4, 5 as 29, which is 9 over 20, and a 1 makes that 55."""
    assert made("1d100", (6, 1, 5)) == (11, (11,))
    assert made("1d20", (4, 5, 1)) == (15, (15,))
    assert made("1d4", (4,)) is None
    assert made("1d4", (6,)) == (4, (4,))


def mean(dice: Sequence[int]) -> float:
    """The mean number of d6s of one roll, by the chances of each size that is left over."""
    sizes, thrown = {1: Fraction(1)}, Fraction(0)
    for sides in dice:
        done = dict[int, Fraction]()
        for _ in range(40):
            waiting = dict[int, Fraction]()
            for size, chance in sizes.items():
                whole, rest = divmod(size, sides)
                done[whole] = done.get(whole, 0) + chance * Fraction(size - rest, size)
                waiting[rest * 6] = waiting.get(rest * 6, 0) + chance * Fraction(rest, size)
            sizes = {size: chance for size, chance in waiting.items() if chance}
            thrown += sum(sizes.values())
        sizes = {size: chance for size, chance in done.items() if chance}
    return float(thrown)


MEANS = {
    (4,): "1.333",
    (6,): "1.000",
    (8,): "2.111",
    (10,): "2.200",
    (12,): "2.000",
    (20,): "2.533",
    (100,): "3.159",
    (20, 20): "4.474",
    (6, 6, 6, 6): "4.000",
}
"""As docs/d100.md has them."""


@pytest.mark.parametrize(("dice", "told"), MEANS.items())
def test_how_many_d6s_they_take(dice: tuple[int, ...], told: str) -> None:
    """One die takes the fewest that can be; of several a die takes up what is left."""
    found = mean(dice)

    assert f"{found:.3f}" == told
    if len(dice) == 1:
        assert found == pytest.approx(float(expected((6,), dice[0])))


@pytest.mark.parametrize("text", ["1d4", "1d8", "1d10", "1d12", "1d20", "1d100", "2d20kh1", "4d6kh3"])
def test_a_hundred_rolls(text: str) -> None:
    """Only d6s are drawn, about as many as the mean says, and they make the same dice once more."""
    record = Recorder(seeded(text))
    dice = notation.parse(text)
    totals = [roll(dice, Sixes(record)).total for _ in range(100)]
    sides = [pool.term.sides for pool in roll(dice, seeded(1)).pools for _ in pool.dice]
    replayer = Replayer(record.drawn)

    assert {of for of, _ in record.drawn} == {6}
    assert len(record.drawn) / 100 == pytest.approx(mean(sides), rel=0.15)
    assert [roll(dice, Sixes(replayer)).total for _ in range(100)] == totals
    assert {*totals} <= {*distribution(dice)}
