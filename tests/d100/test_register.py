"""The accumulation register, against every throw of its dice."""

from fractions import Fraction
from itertools import product
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.d100.register import Register, after_rolls, correlation, information, register_figures
from bot.d100.ways import best_weights, score
from bot.dice.by_hand import ByHand
from bot.dice.draws import Replayer
from bot.dice.throws import Pool
from bot.systems.odds import after, odds
from bot.systems.registry import read_spec


def test_register_odds() -> None:
    """Of the 1,296 throws of four d6, 13 lead to each value, but 12 to the four just below the logged one."""
    register = read_spec({"system": "register"})
    now = odds(register, after(register, ["30"]))
    below = {"26", "27", "28", "29"}

    assert all(
        p == Fraction(12 if face in below else 13, 1296) for face, p in zip(register.faces, now, strict=True)
    )
    assert register.faces[0] == "100"


@pytest.mark.parametrize("logged", range(10))
def test_register_shows_every_throw_once(logged: int) -> None:
    """Two d6 modulo 10: every throw of the dice is shown for exactly one draw, and leads where they say."""
    register = read_spec({"system": "register", "dice": 2, "values": 10})
    thrown: list[tuple[int, ...]] = []
    for chosen, ways in enumerate(register.weights((logged,))):
        for x in range(ways):
            throw = register.show((logged,), chosen, Replayer([(ways, x)]))
            assert throw is not None
            (pool,) = throw.parts
            assert isinstance(pool, Pool)
            dice = tuple(die.value for die in pool.dice)
            assert (logged + 6 * (dice[0] - 1) + dice[1] - 1) % 10 == chosen
            thrown.append(dice)

    assert sorted(thrown) == [*product(range(1, 7), repeat=2)]


def test_four_ones_add_nothing() -> None:
    """A die reads one less than it shows, as the text has it: 1, 1, 1, 1 adds 0 and 6, 6, 6, 6 adds 1,295."""
    register = Register(4, 6, 100)

    assert register.by_hand((30,), ByHand((1,) * 4))[0] == 30
    assert register.by_hand((30,), ByHand((6,) * 4))[0] == (30 + 1_295) % 100


PUBLISHED = {
    3: ["2.8807e-04", "9.5583e-07", "4.0367e-09", "8.4304e-14", "2.2769e-25", "7.3498e-60"],
    4: ["2.2862e-06", "1.4689e-11", "1.1376e-16", "7.9161e-27", "4.2524e-52", "1.1966e-127"],
}


def power(added: tuple[int, ...], rolls: int) -> tuple[int, ...]:
    """The law after so many rolls as a power of one integer whose digits are the weights, modulo n."""
    width = (sum(added) ** rolls).bit_length() + 1
    packed = sum(w << width * v for v, w in enumerate(added))
    number, law = packed**rolls, [0] * len(added)
    place = 0
    while number:
        law[place % len(added)] += number & (1 << width) - 1
        number >>= width
        place += 1
    return tuple(law)


@pytest.mark.parametrize("dice", [3, 4])
def test_scores_are_the_published_ones(dice: int) -> None:
    """After 1, 2, 3, 5, 10 and 25 rolls, and each the same as by the other derivation, as fractions."""
    figures = register_figures(Register(dice, 6, 100))
    added = best_weights(6**dice, 100)

    assert [f"{float(s):.4e}" for s in figures.scores.values()] == PUBLISHED[dice]
    assert figures.scores == {m: score(power(added, m)) for m in (1, 2, 3, 5, 10, 25)}


@given(st.integers(2, 12), st.integers(1, 60), st.integers(1, 6))
def test_convolution_by_a_second_way(values: int, equal: int, rolls: int) -> None:
    """For any number of values and results, the sliding sum is the product."""
    added = best_weights(equal, values)

    assert after_rolls(added, rolls) == [power(added, m) for m in range(1, rolls + 1)]


def test_other_laws_are_refused() -> None:
    """The sliding sum holds for weights that differ by one, the first ones being the larger."""
    with pytest.raises(ValueError, match="more than one"):
        after_rolls((3, 1), 2)


@pytest.mark.parametrize(("dice", "bits"), [(3, "0.018960"), (4, "0.000169")])
def test_information_is_the_published_one(dice: int, bits: str) -> None:
    """What one value says about the next, by the entropies and by the joint law."""
    added = best_weights(6**dice, 100)
    total = sum(added)
    joint = sum(w / total * log2(w * 100 / total) for w in added)

    assert f"{information(added):.6f}" == bits
    assert abs(information(added) - joint) < 1e-12


@pytest.mark.parametrize(("dice", "rounded"), [(3, ".0442"), (4, "-.00264")])
def test_correlation_is_the_published_one(dice: int, rounded: str) -> None:
    """To the digits given."""
    value = correlation(best_weights(6**dice, 100))

    assert abs(float(value) - float(rounded)) < 0.5 * 10.0 ** -len(rounded.lstrip("-."))


@given(st.integers(2, 25), st.integers(1, 500))
def test_correlation_by_a_second_way(values: int, equal: int) -> None:
    """The formula is covariance over variance, summed over all pairs of values, shown 1..n or 0..n-1."""
    added = best_weights(equal, values)
    for faces in (range(values), [values, *range(1, values)]):
        mean = Fraction(sum(faces), values)
        variance = sum((s - mean) ** 2 for s in faces) / values
        covariance = sum(
            Fraction(w, equal * values) * (faces[x] - mean) * (faces[(x + y) % values] - mean)
            for x in range(values)
            for y, w in enumerate(added)
        )

        assert correlation(added) == covariance / variance


def test_values_near_the_last_one() -> None:
    """Three dice: the 16 values from the last one on have 2/9; four dice: the four below it have 1/27."""
    three, four = Register(3, 6, 100).weights((40,)), Register(4, 6, 100).weights((40,))

    assert Fraction(sum(three[40:56]), 216) == Fraction(2, 9)
    assert Fraction(sum(four[36:40]), 1296) == Fraction(1, 27)


def test_a_random_start_is_even_for_ever() -> None:
    """Where all values are equally likely, they are so after the next roll, whatever the dice."""
    for dice in range(1, 10):
        register = Register(dice, 6, 100)
        after = [sum(column) for column in zip(*(register.weights((v,)) for v in range(100)), strict=True)]

        assert set(after) == {6**dice}
