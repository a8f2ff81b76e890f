"""Compare one player's counts with what the dice usually do: counts, mean, the longest streak, how common.

Exact where that is quick, else the normal approximation, which is close for the many rolls it is used for.
Nothing here decides a roll.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import ceil, erf, floor, sqrt

from bot.dice.bases import Base
from bot.dice.system import System
from bot.stats.discrepancy import ENOUGH_ROLLS, Band, Usual, bands, discrepancy, usual
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

_EXACT_ROLLS = 2_000
_LONG_ENOUGH = 200
"""After so many rolls of a system with memory its counts are no further from their shares than before."""
_SIDE = 1.96
"""Standard deviations on either side that hold 19 of 20."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The average of numbered faces, and how common one so low is."""

    value: Fraction
    expected: Fraction
    low: float
    high: float
    """19 of 20 stretches as long are in between."""
    at_most: float
    """How many stretches of fair dice are as low or lower: 0 to 1."""


@dataclass(frozen=True, slots=True)
class Streak:
    """The longest run of one face, and how common one as long is among so many rolls of plain dice."""

    face: str
    length: int
    rolls: int
    chance: float


@dataclass(frozen=True, slots=True)
class Evenness:
    """How far a roller with memory is from its shares, against what it usually is."""

    worst: Fraction
    usual: Usual


@dataclass(frozen=True, slots=True)
class Luck:
    """Counts of one die's faces with where they usually are."""

    faces: tuple[str, ...]
    counts: tuple[int, ...]
    expected: tuple[Fraction, ...]
    bands: tuple[Band, ...]
    mean: Mean | None
    """None where the faces are no numbers, or the die has a memory."""
    evenness: Evenness | None
    """None for dice without a memory."""

    @property
    def rolls(self) -> int:
        """How many faces were counted."""
        return sum(self.counts)

    @property
    def enough(self) -> bool:
        """Whether there are rolls enough to say anything."""
        return self.rolls >= ENOUGH_ROLLS

    @property
    def inside(self) -> int:
        """How many faces are where they usually are."""
        return sum(b.low <= c <= b.high for c, b in zip(self.counts, self.bands, strict=True))


def plain_die(name: str) -> PlainDice:
    """Return one die by its name in a tally, d20 or dF."""
    sides = ("-1", "0", "1") if name == "dF" else tuple(map(str, range(1, int(name[1:]) + 1)))
    return PlainDice(Base(sides, (1,) * len(sides)))


def judge(system: System, counts: Sequence[int], *, own_memory: bool = True) -> Luck:
    """Compare the counts of a system's faces, one or more rolls, with what is usual.

    Where the rolls are not all that one memory holds (`own_memory` false), they are judged as plain dice.
    """
    table, rolls = shares(system), sum(counts)
    if not rolls:
        raise ValueError("there is no luck in no rolls")
    total = sum(table)
    expected = tuple(Fraction(a * rolls, total) for a in table)
    if system.has_state and own_memory:
        some = min(rolls, _LONG_ENOUGH)
        around = bands(system, some)
        shifts = [e - Fraction(a * some, total) for e, a in zip(expected, table, strict=True)]
        moved = tuple(
            Band(max(0, floor(b.low + s)), ceil(b.high + s)) for b, s in zip(around, shifts, strict=True)
        )
        evenness = Evenness(discrepancy(system, counts).worst, usual(system, some))
        return Luck(system.faces, tuple(counts), expected, moved, None, evenness)
    mean = _mean(system.faces, table, counts)
    return Luck(system.faces, tuple(counts), expected, _plain_bands(system.faces, table, rolls), mean, None)


def longest_streak(system: System, faces: Sequence[str]) -> Streak | None:
    """Return the longest run in faces, the oldest first; None for one roll or a die with one face."""
    if len(faces) < 2 or len(system.faces) < 2:
        return None
    runs = ((face, sum(1 for _ in run)) for face, run in groupby(faces))
    face, length = max(runs, key=lambda run: run[1])
    return Streak(face, length, len(faces), streak_chance(shares(system), len(faces), length))


def streak_chance(weights: Sequence[int], rolls: int, length: int) -> float:
    """Return the probability that `rolls` rolls of plain dice have a run of `length` or more of one face."""
    import numpy as np

    if length <= 1:
        return 1.0
    p = np.array(weights, dtype=float) / sum(weights)
    runs = np.zeros((len(weights), length - 1))
    runs[:, 0] = p
    for _ in range(rolls - 1):
        so_far = runs.sum(axis=1)
        after = np.empty_like(runs)
        after[:, 0] = p * (so_far.sum() - so_far)
        after[:, 1:] = p[:, None] * runs[:, :-1]
        runs = after
    return float(1 - runs.sum())


def _plain_bands(faces: tuple[str, ...], table: tuple[int, ...], rolls: int) -> tuple[Band, ...]:
    if rolls <= _EXACT_ROLLS:
        return bands(PlainDice(Base(faces, table)), rolls)
    total = sum(table)
    found: list[Band] = []
    for a in table:
        p = a / total
        side = _SIDE * sqrt(rolls * p * (1 - p))
        found.append(Band(max(0, ceil(rolls * p - side)), min(rolls, floor(rolls * p + side))))
    return tuple(found)


def _mean(faces: Sequence[str], table: Sequence[int], counts: Sequence[int]) -> Mean | None:
    if not all(face.removeprefix("-").isdecimal() for face in faces):
        return None
    values, total, rolls = [int(face) for face in faces], sum(table), sum(counts)
    expected = Fraction(sum(v * a for v, a in zip(values, table, strict=True)), total)
    square = Fraction(sum(v * v * a for v, a in zip(values, table, strict=True)), total)
    spread = sqrt((square - expected**2) / rolls)
    added = sum(v * c for v, c in zip(values, counts, strict=True))
    if not spread:
        return None
    # Sums are whole numbers: half a point more takes in the sum itself.
    z = float(Fraction(2 * added + 1, 2 * rolls) - expected) / spread
    side = _SIDE * spread
    at_most = (1 + erf(z / sqrt(2))) / 2
    return Mean(Fraction(added, rolls), expected, float(expected) - side, float(expected) + side, at_most)
