"""E-processes: each is worth 1 on average under its own null, whatever the rolls, exactly."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import exp, inf, isclose, log
from statistics import median
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.dice.draws import seeded
from bot.dice.system import Base, Memory, System
from bot.stats import processes
from bot.stats.processes import (
    TIGHTNESSES,
    Evidence,
    SystemBet,
    bet_on_memory,
    bet_on_repeats,
    bet_on_values,
    rolls_needed,
    with_face_at,
)
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.norepeat import NoRepeat
from bot.systems.plain import PlainDice

D6 = Base(tuple("123456"), (1,) * 6)
SMALL = Base(("a", "b", "c"), (1, 2, 1))
ENOUGH = log(20)


Bet: TypeAlias = Callable[[Sequence[int]], Sequence[float]]
"""Gives the logarithm of its worth after each roll."""
PLAIN = (bet_on_values, bet_on_memory, bet_on_repeats)


def plainly(bet: Callable[..., NDArray[np.float64]], base: Base) -> Bet:
    """A bet against plain dice."""

    def logs(faces: Sequence[int]) -> list[float]:
        return bet(base.weights, faces).tolist()

    return logs


def against(system: System, memory: Memory | None = None) -> Bet:
    """The bet against a system's own chances."""

    def logs(faces: Sequence[int]) -> list[float]:
        bet = SystemBet(system, memory)
        return [bet.see(face) for face in faces]

    return logs


def mean_worth(bet: Bet, system: System, rolls: int) -> float:
    """The bet's mean worth over all sequences that the system can give."""
    return sum(
        exp(bet(faces)[-1]) * float(chance)
        for faces in product(range(len(system.faces)), repeat=rolls)
        if (chance := chance_of(system, faces))
    )


def chance_of(system: System, faces: tuple[int, ...]) -> Fraction:
    """The chance that a system gives these faces."""
    chance, memory = Fraction(1), system.start()
    for face in faces:
        weights = system.weights(memory)
        chance *= Fraction(weights[face], sum(weights))
        if not chance:
            break
        memory = system.advance(memory, face)
    return chance


def deal(system: System, seed: int, rolls: int) -> list[int]:
    """Rolls of a system."""
    draws, memory, faces = seeded(seed), system.start(), list[int]()
    for _ in range(rolls):
        face = draws.choose(system.weights(memory))
        memory = system.advance(memory, face)
        faces.append(face)
    return faces


def first_crossing(bet: Bet, faces: list[int]) -> float:
    """After how many rolls the bet is worth 20; infinite if it never is."""
    return next((n for n, worth in enumerate(bet(faces), start=1) if worth >= ENOUGH), inf)


@pytest.mark.parametrize("bet", PLAIN)
@pytest.mark.parametrize("base", [Base(("h", "t"), (1, 1)), SMALL])
@pytest.mark.parametrize("rolls", [1, 2, 6])
def test_a_bet_on_plain_dice_is_fair(bet: Callable[..., NDArray[np.float64]], base: Base, rolls: int) -> None:
    """Over all sequences the worth averages to 1."""
    assert isclose(mean_worth(plainly(bet, base), PlainDice(base), rolls), 1, rel_tol=1e-12)


def test_a_bet_on_memory_goes_on_where_one_piece_of_the_rolls_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worked out a few rolls at a time it comes to the same."""
    faces = deal(PlainDice(SMALL), 1, 100)
    whole = bet_on_memory(SMALL.weights, faces)
    monkeypatch.setattr(processes, "_CELLS", 21)

    assert bet_on_memory(SMALL.weights, faces) == pytest.approx(whole)


@pytest.mark.parametrize(
    "system",
    [PlainDice(SMALL), Fair(SMALL, Fraction(1)), Dynamic(D6, Fraction(1, 3))],
    ids=lambda system: type(system).__name__,
)
def test_a_bet_against_a_system_is_fair(system: System) -> None:
    """Where the system can give every face, the worth averages to 1."""
    assert isclose(mean_worth(against(system), system, 4), 1, rel_tol=1e-12)


@pytest.mark.parametrize("system", [Deck(SMALL, 1, 1, "add"), NoRepeat(SMALL), Fair(SMALL, None)])
def test_a_bet_against_a_system_that_forbids_faces_gains_nothing(system: System) -> None:
    """Where some faces cannot come out the worth averages to at most 1."""
    assert 0.1 < mean_worth(against(system), system, 5) <= 1


def test_a_face_that_cannot_come_out_settles_it() -> None:
    """A deck that gives the same card twice is not that deck."""
    assert against(NoRepeat(SMALL))([1, 1])[-1] == inf
    assert Evidence().then(inf).p == 0


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30))
def test_values_is_the_bayes_factor(faces: list[int]) -> None:
    """Step by step it is the Dirichlet-multinomial over the multinomial, a product of rationals."""
    weights, counts, factor = SMALL.weights, [0, 0, 0], Fraction(1)
    for n, face in enumerate(faces):
        factor *= Fraction((weights[face] + counts[face]) * 4, (4 + n) * weights[face])
        counts[face] += 1
    rising = Fraction(1)
    for a, c in zip(weights, counts, strict=True):
        for i in range(c):
            rising *= Fraction(a + i, 1)
        rising *= Fraction(4, a) ** c
    for i in range(len(faces)):
        rising /= 4 + i

    assert rising == factor
    assert isclose(exp(bet_on_values(weights, faces)[-1]), factor, rel_tol=1e-12)


@pytest.mark.parametrize(
    "faces",
    [[0, 1, 2, 1] * 6, [0] * 6 + [1] * 12 + [2] * 6, [1, 1, 0, 2, 1, 0, 0, 1, 2, 1, 1, 2]],
    ids=["even", "streaky", "mixed"],
)
def test_the_bets_on_memory_and_repeats_are_what_they_are_said_to_be(faces: list[int]) -> None:
    """Roll by roll from their definitions: chances of fair dice, and a Beta's mean, as fractions."""
    share = [Fraction(a, 4) for a in SMALL.weights]
    fair = 0.0
    for tightness in TIGHTNESSES:
        worth, counts = 1.0, [0, 0, 0]
        for n, face in enumerate(faces):
            weights = [p * 2 ** (-tightness * float(c - p * n)) for p, c in zip(share, counts, strict=True)]
            worth *= weights[face] / sum(weights) / share[face]
            counts[face] += 1
        fair += worth / len(TIGHTNESSES)
    repeats, same, other = Fraction(1), Fraction(1), 1 / sum(p * p for p in share) - 1
    for last, face in pairwise(faces):
        chance = same / (same + other)
        repeats *= chance / share[last] if face == last else (1 - chance) / (1 - share[last])
        same, other = same + (face == last), other + (face != last)

    assert isclose(exp(bet_on_memory(SMALL.weights, faces)[-1]), fair, rel_tol=1e-9)
    assert isclose(exp(bet_on_repeats(SMALL.weights, faces)[-1]), repeats, rel_tol=1e-9)


def test_the_p_value_keeps_the_best_moment() -> None:
    """The anytime p-value is one over the most the bet was ever worth, and never over 1."""
    evidence = Evidence().then(-1.0).then(log(40)).then(0.5)

    assert isclose(evidence.p, 1 / 40)
    assert evidence.log_now == 0.5
    assert Evidence().then(-3.0).p == 1


def test_fair_dice_are_left_in_peace() -> None:
    """Of two hundred fair d6 watched for 300 rolls, few ever reach 20: one in twenty at most is the law."""
    for bet in PLAIN:
        one = plainly(bet, D6)
        crossed = sum(first_crossing(one, deal(PlainDice(D6), seed, 300)) < inf for seed in range(200))

        assert crossed <= 10


def test_memory_is_found_soon() -> None:
    """Dynamic dice at 0.355 and a plain deck give themselves away in about 22 and 12 rolls."""
    for system, rolls in ((Dynamic(D6, Fraction("0.355")), 22), (Deck(D6, 1, 1, "add"), 12)):
        bet = plainly(bet_on_memory, D6)
        found = median(first_crossing(bet, deal(system, seed, 200)) for seed in range(101))

        assert abs(found - rolls) <= 3


def test_a_system_is_not_accused_of_being_itself_but_others_are() -> None:
    """Rolls of dynamic dice don't speak against dynamic dice; rolls of plain dice do."""
    dynamic = Dynamic(D6, Fraction("0.355"))
    own = [first_crossing(against(dynamic), deal(dynamic, seed, 200)) for seed in range(60)]
    plain = [first_crossing(against(dynamic), deal(PlainDice(D6), seed, 200)) for seed in range(60)]

    assert sum(n < inf for n in own) <= 3
    assert median(plain) < 60


def test_a_memory_can_be_given() -> None:
    """Evidence can start in the middle of an evening."""
    deck = Deck(D6, 1, 1, "add")
    memory: Memory = (1, 0, 0, 0, 0, 0)

    assert against(deck, memory)([1])[-1] == inf
    assert against(deck, memory)([0])[-1] < 0


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
