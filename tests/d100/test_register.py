"""The accumulation register, against every throw of its dice."""

from fractions import Fraction
from itertools import product

import pytest

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
            assert (logged + dice[0] % 6 * 6 + dice[1] % 6) % 10 == chosen
            thrown.append(dice)

    assert sorted(thrown) == [*product(range(1, 7), repeat=2)]
