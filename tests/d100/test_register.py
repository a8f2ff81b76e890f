"""The accumulation register, against every throw of its dice."""

from fractions import Fraction
from itertools import product

import pytest

from bot.d100.physical import register_draws
from bot.d100.register import Register
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

    assert register_draws(register, (30,), (1,) * 4)[0][1] == 30
    assert register_draws(register, (30,), (6,) * 4)[0][1] == (30 + 1_295) % 100
