"""E-processes: each is worth 1 on average under its own null, whatever the rolls, exactly."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import exp, inf, isclose, log
from statistics import mean, median
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.dice.draws import seeded
from bot.dice.system import Base, Memory, System
from bot.stats import processes
from bot.stats.processes import (
    FRESH,
    STRENGTHS,
    TIGHTNESSES,
    BetState,
    SystemBet,
    _face_sampler,
    bet_on_memory,
    bet_on_plain_dice,
    rolls_needed,
    with_face_at,
)
from bot.systems.deck import Deck, NoRepeat
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

D6 = Base(tuple("123456"), (1,) * 6)
SMALL = Base(("a", "b", "c"), (1, 2, 1))
ENOUGH = log(20)


Bet: TypeAlias = Callable[[Sequence[int]], Sequence[float]]
"""Gives the logarithm of its worth after each roll."""
Carry: TypeAlias = Callable[[BetState, Memory, int], BetState]
"""Gives how bets stand after one more face of a system that had a memory."""


def on_memory(base: Base, faces: Sequence[int]) -> list[float]:
    """The bets on memory in equal parts."""
    share = np.array(base.weights) / sum(base.weights)
    worth = bet_on_memory(share, np.array(faces), np.zeros(len(share)))
    return (np.logaddexp.reduce(worth, axis=0) - log(len(worth))).tolist()


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


def exactly_plain(system: System, faces: Sequence[int]) -> Fraction:
    """What the bets against plain dice are worth, from their definitions; powers of 2 are rounded first."""
    table, kinds = shares(system), len(system.faces)
    share = [Fraction(a, sum(table)) for a in table]
    counts = [0] * kinds
    values, memory = [Fraction(1)] * len(STRENGTHS), [Fraction(1)] * len(TIGHTNESSES)
    for n, face in enumerate(faces):
        for at, s in enumerate(STRENGTHS):
            values[at] *= (s * kinds * share[face] + counts[face]) / (s * kinds + n) / share[face]
        for at, t in enumerate(TIGHTNESSES):
            tilts = [Fraction(2 ** (-t * float(c - p * n))) for p, c in zip(share, counts, strict=True)]
            memory[at] *= tilts[face] / sum(p * tilt for p, tilt in zip(share, tilts, strict=True))
        counts[face] += 1
    repeats = same = Fraction(1)
    other = same / sum(p * p for p in share) - 1
    for last, face in pairwise(faces):
        chance = same / (same + other)
        repeats *= chance / share[last] if face == last else (1 - chance) / (1 - share[last])
        same, other = same + (face == last), other + (face != last)
    return (mean(values) + mean(memory) + repeats) / 3


def exactly_system(system: System, faces: Sequence[int]) -> Fraction:
    """What the bets against a system's own chances are worth, from their definitions."""
    table, kinds, memory = shares(system), len(system.faces), system.start()
    share = [Fraction(a, sum(table)) for a in table]
    seen, expected = [0] * kinds, [Fraction(0)] * kinds
    values, plain = [Fraction(1)] * len(STRENGTHS), Fraction(1)
    for face in faces:
        weights = system.weights(memory)
        chances = [Fraction(w, sum(weights)) for w in weights]
        for at, s in enumerate(STRENGTHS):
            firm = [s * kinds * p for p in share]
            tilts = [(f + c) / (f + e) for f, c, e in zip(firm, seen, expected, strict=True)]
            values[at] *= tilts[face] / sum(p * tilt for p, tilt in zip(chances, tilts, strict=True))
        plain *= share[face] / chances[face]
        seen[face] += 1
        expected = [e + p for e, p in zip(expected, chances, strict=True)]
        memory = system.advance(memory, face)
    return (mean(values) + plain) / 2


def carried_plain(system: System) -> Carry:
    """Bets against plain dice."""
    return lambda state, _, face: bet_on_plain_dice(shares(system), [face], state)


def carried_system(system: System) -> Carry:
    """Bets against a system, each time by somebody who knows nothing but how they stood."""

    def carry(state: BetState, memory: Memory, face: int) -> BetState:
        bet = SystemBet(system, memory, state)
        bet.see(face)
        return bet.state

    return carry


@pytest.mark.parametrize("stop", [Fraction(1_001, 1_000), Fraction(11, 10), Fraction(99)])
@pytest.mark.parametrize(
    ("system", "exactly", "carried"),
    [
        (PlainDice(Base(("h", "t"), (1, 1))), exactly_plain, carried_plain),
        (PlainDice(SMALL), exactly_plain, carried_plain),
        (PlainDice(SMALL), exactly_system, carried_system),
        (Fair(SMALL, Fraction(1)), exactly_system, carried_system),
        (Dynamic(Base(("a", "b", "c"), (1, 1, 1)), Fraction(1, 3)), exactly_system, carried_system),
    ],
)
def test_bets_pay_one_on_average_whenever_one_stops(
    system: System,
    exactly: Callable[[System, Sequence[int]], Fraction],
    carried: Callable[[System], Carry],
    stop: Fraction,
) -> None:
    """Over all sequences, stopped after five rolls or once they are worth so much, and kept each time."""
    carry = carried(system)

    def paid(faces: tuple[int, ...], memory: Memory, state: BetState) -> Fraction:
        worth = exactly(system, faces)
        assert isclose(exp(state.log_now), worth, rel_tol=1e-9)
        if len(faces) == 5 or worth >= stop:
            return worth
        weights = system.weights(memory)
        return sum(
            (
                Fraction(weight, sum(weights))
                * paid((*faces, face), system.advance(memory, face), carry(state, memory, face))
                for face, weight in enumerate(weights)
            ),
            Fraction(0),
        )

    assert paid((), system.start(), FRESH) == 1


def test_a_bet_on_memory_goes_on_where_one_piece_of_the_rolls_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worked out a few rolls at a time it comes to the same."""
    faces = deal(PlainDice(SMALL), 1, 100)
    whole = on_memory(SMALL, faces)
    monkeypatch.setattr(processes, "_CELLS", 21)

    assert on_memory(SMALL, faces) == pytest.approx(whole)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=60), st.integers(1, 59))
def test_bets_that_are_kept_go_on_as_if_they_had_not_been(faces: list[int], cut: int) -> None:
    """In two pieces or roll by roll: how they stand at the end, and the most that they were ever worth."""
    whole = bet_on_plain_dice(SMALL.weights, faces)
    pieces = [piece for piece in (faces[:cut], faces[cut:]) if piece]
    for parts in (pieces, [[face] for face in faces]):
        state = FRESH
        for part in parts:
            state = bet_on_plain_dice(SMALL.weights, part, state)

        assert (state.counts, state.repeats, state.last) == (whole.counts, whole.repeats, whole.last)
        assert state.logs == pytest.approx(whole.logs)
        assert state.log_now == pytest.approx(whole.log_now)
        assert state.log_most == pytest.approx(whole.log_most)


@pytest.mark.parametrize("system", [Deck(SMALL, 1, 1, "add"), NoRepeat(SMALL), Fair(SMALL, None)])
def test_a_bet_against_a_system_that_forbids_faces_gains_nothing(system: System) -> None:
    """Where some faces cannot come out the worth averages to at most 1."""
    assert 0.1 < mean_worth(against(system), system, 5) <= 1


def test_a_face_that_cannot_come_out_settles_it() -> None:
    """A deck that gives the same card twice is not that deck, whatever comes later."""
    assert against(NoRepeat(SMALL))([1, 1, 0, 2])[1:] == [inf] * 3


def test_fair_dice_are_left_in_peace() -> None:
    """Of two hundred fair d6 watched for 300 rolls, few ever reach 20: one in twenty at most is the law."""
    dealt = (deal(PlainDice(D6), seed, 300) for seed in range(200))

    assert sum(bet_on_plain_dice(D6.weights, faces).log_most >= ENOUGH for faces in dealt) <= 10


def test_memory_is_found_soon() -> None:
    """Dynamic dice at 0.355 and a plain deck give themselves away in about 22 and 12 rolls."""
    for system, rolls in ((Dynamic(D6, Fraction("0.355")), 22), (Deck(D6, 1, 1, "add"), 12)):
        found = median(
            first_crossing(lambda faces: on_memory(D6, faces), deal(system, seed, 200)) for seed in range(101)
        )

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
        (6, Fraction(11, 60), 8_400),
        (6, Fraction(1, 5), 2_260),
        (20, Fraction(3, 50), 12_300),
        (20, Fraction(3, 40), 2_550),
    ],
)
def test_how_many_rolls_it_takes_to_tell(faces: int, chance: Fraction, rolls: int) -> None:
    """A face a tenth, a fifth or half too often; the medians come out to about a tenth."""
    weights = (1,) * faces
    found = rolls_needed(weights, with_face_at(weights, faces - 1, chance))

    assert found is not None
    assert abs(found - rolls) <= rolls / 8


@pytest.mark.parametrize("faces", [1, 2, 6, 100, 20_000])
def test_faces_fall_as_numpy_chooses_them(faces: int) -> None:
    """The quick way finds the very same ones, from the same numbers."""
    chances = np.random.default_rng(faces).random(faces)
    chances /= chances.sum()
    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    chosen = theirs.choice(faces, 20_000, p=chances)

    assert (_face_sampler(chances)(ours.random(20_000)) == chosen).all()


def test_a_face_is_moved_and_the_rest_keeps_its_proportion() -> None:
    """The other faces share what is left as before."""
    assert with_face_at((1, 2, 1), 0, Fraction(1, 2)) == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
