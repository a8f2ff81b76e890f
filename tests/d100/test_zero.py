"""00 counts 100, or 0 where a campaign says so: only that face changes, and never how the dice fall."""

import pytest

from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import WAYS, Method
from bot.d100.pool import PoolMethod
from bot.d100.register import Register
from bot.d100.ways import OneToN
from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.dice.system import step
from bot.systems.registry import load_spec, print_spec, read_spec

PAIRS: list[tuple[OneToN, OneToN]] = [
    (Register(2, 6, 4), Register(2, 6, 4, zero=True)),
    (PoolMethod(6, 4), PoolMethod(6, 4, zero=True)),
    (LeftoversMethod(6, 4), LeftoversMethod(6, 4, zero=True)),
    *((Method(name, (6,), 4), Method(name, (6,), 4, zero=True)) for name, way in WAYS.items() if way.general),
    *((Method(name), Method(name, zero=True)) for name, way in WAYS.items() if not way.general),
]


@pytest.mark.parametrize(("usual", "zero"), PAIRS)
def test_only_the_face_of_0_changes(usual: OneToN, zero: OneToN) -> None:
    """The same draws make n and 0, or the same face; the rule on record says which."""
    draws, zero_draws = seeded(usual.name), seeded(usual.name)
    memories = usual.start(), zero.start()
    met = set[tuple[str, str]]()
    for _ in range(40):
        (face, before), (zero_face, after) = (
            step(usual, memories[0], draws),
            step(zero, memories[1], zero_draws),
        )
        memories = before, after
        met.add((face.face, zero_face.face))

    assert memories[0] == memories[1]
    assert all(a == b or (a, b) == (str(usual.values), "0") for a, b in met)
    assert usual.values > 4 or ("4", "0") in met
    assert load_spec(print_spec(zero)) == zero
    assert ("zero" in usual.as_spec(), zero.as_spec()["zero"]) == (False, True)
    assert usual.continues(zero)


@pytest.mark.parametrize("wrong", [1, "true", None])
def test_zero_is_true_or_false(wrong: str | int | None) -> None:
    """Anything else is refused in words."""
    with pytest.raises(SpecError, match="zero is true or false"):
        read_spec({"system": "register", "zero": wrong})
