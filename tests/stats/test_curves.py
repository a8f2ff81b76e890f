"""Curves of any system: the exact ways agree with each other, and the simulation with them."""

from fractions import Fraction
from math import isclose

import numpy as np
import pytest

from bot.d100.register import Register
from bot.dice.system import Base, System
from bot.stats.curves import curve, ends, states_curve
from bot.stats.played import usual
from bot.stats.simulation import simulate
from bot.systems.blocks import Blocks
from bot.systems.deck import Deck, NoRepeat
from bot.systems.decks import Decks
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice
from tests.support.evenings import brute_force
from tests.support.stretches import fresh

D6 = Base(tuple("123456"), (1,) * 6)
TWO_DICE = Base(tuple(map(str, range(2, 13))), (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1))
SMALL = Base(("a", "b", "c"), (1, 2, 1))

SYSTEMS: list[System] = [
    PlainDice(SMALL),
    Fair(SMALL, Fraction(1)),
    Fair(SMALL, None),
    Deck(SMALL, 1, 2, "add"),
    NoRepeat(SMALL),
    Decks.from_spec({"decks": {"x": {"a": 1, "b": 2}, "y": {"c": 1, "d": 1}}}),
    Blocks.from_spec({"categories": {"x": ["a", "b"], "y": ["c"]}, "block": 2}),
    Register(1, 4, 3),
]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: type(system).__name__)
def test_memories_give_what_brute_force_gives(system: System) -> None:
    """Going through all memories gives what going through all sequences gives."""
    entropies, variances = brute_force(system, 5)

    for evening in (states_curve(system, 5), curve(system, 5)):
        assert not evening.simulated
        assert all(isclose(a, b, rel_tol=1e-12) for a, b in zip(evening.entropy, entropies, strict=True))
        assert all(
            isclose(a, b, rel_tol=1e-11, abs_tol=1e-12)
            for a, b in zip(evening.variance, variances, strict=True)
        )


def test_a_fair_die_on_equal_faces_is_dynamic_dice() -> None:
    """Tightness 1 and factor 1/2 are one system, and the memories agree with the exchangeable states."""
    fair, dynamic = curve(Fair(D6, Fraction(1)), 8), curve(Dynamic(D6, Fraction(1, 2)), 8)
    states = states_curve(Fair(D6, Fraction(1)), 8)

    assert fair == dynamic
    assert all(isclose(a, b, rel_tol=1e-12) for a, b in zip(fair.entropy, states.entropy, strict=True))
    assert all(
        isclose(a, b, rel_tol=1e-11, abs_tol=1e-12)
        for a, b in zip(fair.variance, states.variance, strict=True)
    )


@pytest.mark.parametrize(
    ("tightness", "entropy", "square", "worst"),
    [
        ("0.25", 0.994093, 1.35810, 2.2819),
        ("5", 0.749720, 0.193856, 0.7998),
    ],
)
def test_simulated_2d6_is_within_its_stated_error(
    tightness: str, entropy: float, square: float, worst: float
) -> None:
    """Against the exact figures of 12 million states the seeded simulation is off by four errors at most."""
    fair = Fair(TWO_DICE, Fraction(tightness))
    evening = simulate(fair, 25, seed=2).evening()

    assert evening.simulated
    assert abs(evening.entropy[-1] - entropy) < 4 * evening.entropy_error
    assert abs(evening.variance[-1] - square) < 4 * evening.variance_error
    evenings = usual(fresh(fair, 25))
    errors = np.abs(evenings.counts - evenings.expected).max(axis=1)
    assert abs(errors.mean() - worst) < 4 * errors.std() / len(errors) ** 0.5
    assert curve(fair, 25).simulated


@pytest.mark.parametrize(
    "system",
    [
        Deck(TWO_DICE, 1, 12, "add"),
        Deck(TWO_DICE, 1, 18, "reset"),
        Dynamic(D6, Fraction("0.355")),
        PlainDice(SMALL),
        Fair(SMALL, None),
        NoRepeat(SMALL),
    ],
    ids=lambda system: type(system).__name__,
)
def test_simulation_agrees_with_what_is_exact(system: System) -> None:
    """The simulation of every kind is within five of its errors of the exact figures."""
    exact = curve(system, 20)
    simulated = simulate(system, 20, runs=3_000).evening()

    assert not exact.simulated
    assert abs(exact.variance[-1] - simulated.variance[-1]) <= 5 * simulated.variance_error
    assert abs(exact.entropy[-1] - simulated.entropy[-1]) <= 5 * simulated.entropy_error + 1e-12


def test_simulation_is_decided_by_its_seed() -> None:
    """Equal seeds give equal evenings, other seeds others."""
    fair = Fair(TWO_DICE, Fraction(1))
    first, again, other = (simulate(fair, 5, runs=300, seed=seed).square.tolist() for seed in (1, 1, 2))

    assert first == again != other


def test_the_entropy_of_each_roll() -> None:
    """A deck of two cards: the second card is known, the third is not; the mean halves in between."""
    evening = curve(Deck(Base(("a", "b"), (1, 1)), 1, 1, "add"), 3)

    assert evening.entropies == (1.0, 0.0, 1.0)
    assert evening.entropy == (1.0, 0.5, 2 / 3)


@pytest.mark.parametrize("system", [Fair(TWO_DICE, Fraction(1)), Register(1, 4, 3), NoRepeat(SMALL)])
def test_the_ends_are_on_the_same_shares(system: System) -> None:
    """Plain dice and the plain deck have the faces of the system, with its long-run shares."""
    dice, deck = ends(system)

    assert dice.faces == deck.faces == system.faces
    assert shares(dice) == shares(system)
    assert (deck.size, deck.refill) == (1, 1)


def test_a_factor_of_one_is_plain_dice() -> None:
    """Whatever evens nothing out has plain dice's figures, at once and exactly, over any evening."""
    assert (
        curve(Dynamic(D6, Fraction(1)), 200) == curve(Fair(D6, Fraction(0)), 200) == curve(PlainDice(D6), 200)
    )
