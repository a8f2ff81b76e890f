"""Simulated evenings of every kind, and the share of them within the usual range."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.dice.system import Memory, System
from bot.stats.bands import USUAL
from bot.stats.crowds import crowd
from bot.stats.evenings import rank_faces, usual_ranks
from bot.stats.luck import judge
from bot.stats.stretches import MemorySpan, Stretch
from bot.systems.odds import shares
from tests.support.stretches import fresh

_ALIKE = 1e-6
_KINDS = 4
"""Number of earlier histories for a situation that depends on them."""


@dataclass(frozen=True, slots=True)
class Within:
    """Numbers of evenings: all, those within the band, and those within the next narrower band."""

    evenings: int
    band: int
    narrower: int

    def __add__(self, other: "Within") -> "Within":
        return Within(self.evenings + other.evenings, self.band + other.band, self.narrower + other.narrower)

    @property
    def holds(self) -> bool:
        """Return whether the band holds at least 93 %, and the next narrower one less than 97 %."""
        return 100 * self.band >= 93 * self.evenings and 100 * self.narrower < 97 * self.evenings


@dataclass(frozen=True, slots=True)
class Coverage:
    """Numbers of evenings whose worst face, or whose average rank, is in the usual range."""

    worst: Within
    rank: Within

    def __add__(self, other: "Coverage") -> "Coverage":
        return Coverage(self.worst + other.worst, self.rank + other.rank)


def play(stretch: Stretch, evenings: int, seed: int) -> NDArray[np.int64]:
    """Play a stretch, and return for each evening a row with the counts of the judged faces."""
    generator = np.random.Generator(np.random.Philox(key=seed))
    counts = np.zeros((evenings, len(stretch.system.faces)), dtype=np.int64)
    rows = np.arange(evenings)
    for span in stretch.spans:
        copies = crowd(span.system, span.memory or span.system.start(), evenings)
        for place, steps in enumerate(span.pattern):
            for _ in range(steps):
                chosen = copies.roll(generator)
                if place % 2 == 0:
                    counts[rows, chosen] += 1
    return counts


def coverage(stretch: Stretch, evenings: int, seed: int) -> Coverage:
    """Play a stretch many times, and count the usual evenings."""
    system, dice = stretch.system, stretch.looked_at
    counts = play(stretch, evenings, seed)
    worst = judge(system, counts[0].tolist(), stretch).worst
    share = np.array(shares(system), dtype=float)
    errors = np.abs(counts - dice * share / share.sum()).max(axis=1)
    ranks = np.array([*(rank_faces(system) or {}).values()]) - 0.5
    off = np.abs(counts @ ranks)
    usual = usual_ranks(system, dice, stretch, np.random.Generator(np.random.Philox(key=seed + 1)))
    side = np.quantile(np.abs(usual), USUAL, method="higher")
    return Coverage(_within(errors, worst.most), _within(off, float(side)))


def _within(counts: NDArray[np.float64], most: float) -> Within:
    return Within(len(counts), int((counts <= most + _ALIKE).sum()), int((counts < most - _ALIKE).sum()))


def _first(system: System, dice: int) -> list[Stretch]:
    return [fresh(system, dice)]


def _second(system: System, dice: int) -> list[Stretch]:
    """Return stretches that begin after a session of 47 rolls."""
    return [Stretch((MemorySpan(system, after(system, 47, seed), (dice,)),)) for seed in range(_KINDS)]


def _reset(system: System, dice: int) -> list[Stretch]:
    return [Stretch((*fresh(system, dice // 2).spans, *fresh(system, dice - dice // 2).spans))]


def _one_of_three(system: System, dice: int) -> list[Stretch]:
    """Return stretches of three players in random order; each ends with the judged player's roll."""
    stretches: list[Stretch] = []
    for seed in range(_KINDS):
        generator = np.random.Generator(np.random.Philox(key=seed))
        pattern = [1]
        while sum(pattern[::2]) < dice:
            pattern += [int(generator.geometric(1 / 3)) - 1, 1]
        stretches.append(Stretch((MemorySpan(system, system.start(), _joined(pattern)),)))
    return stretches


def _joined(pattern: list[int]) -> tuple[int, ...]:
    """Return the pattern with neighbouring turns of the judged player joined."""
    joined = [pattern[0]]
    for skipped, looked in zip(pattern[1::2], pattern[2::2], strict=True):
        if skipped:
            joined += [skipped, looked]
        else:
            joined[-1] += looked
    return tuple(joined)


def after(system: System, rolls: int, seed: int) -> Memory:
    """Return the memory after `rolls` rolls."""
    generator = np.random.Generator(np.random.Philox(key=seed))
    memory = system.start()
    for _ in range(rolls):
        weights = system.weights(memory)
        point, chosen = int(generator.integers(1 << 62)) * sum(weights) >> 62, 0
        while point >= weights[chosen]:
            point -= weights[chosen]
            chosen += 1
        memory = system.advance(memory, chosen)
    return memory


SITUATIONS: dict[str, Callable[[System, int], list[Stretch]]] = {
    "fresh": _first,
    "second session": _second,
    "a reset half way": _reset,
    "one player of three": _one_of_three,
}


def covered(system: System, situation: str, dice: int, evenings: int) -> Coverage:
    """Play evenings of a system in a situation, and count the usual ones."""
    stretches = SITUATIONS[situation](system, dice)
    count = evenings // len(stretches)
    first, *others = (coverage(stretch, count, 1_000 + n) for n, stretch in enumerate(stretches))
    return sum(others, first)
