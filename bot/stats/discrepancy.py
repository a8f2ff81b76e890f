"""Measure how far counts are from their shares, against what the same system usually does.

Counts that are evened out on purpose fail every plain test, so a roller with memory is compared with itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.dice.system import System
from bot.stats.measures import Curve
from bot.stats.simulation import simulate
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

ENOUGH_ROLLS = 30
"""Below this no verdict is given: so few rolls can't tell anything."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """The largest error of any count, and the mean squared error, in rolls."""

    worst: Fraction
    square: Fraction


@dataclass(frozen=True, slots=True)
class Usual:
    """What a system usually does in so many rolls, from `runs` simulated evenings."""

    square: float
    square_high: float
    """19 evenings of 20 stay at or below it."""
    worst: float
    worst_high: float
    runs: int


@dataclass(frozen=True, slots=True)
class Band:
    """The counts of a face in 19 evenings of 20, ends included."""

    low: int
    high: int


def discrepancy(system: System, counts: Sequence[int]) -> Discrepancy:
    """Measure how far these counts are from the system's long-run shares."""
    table = shares(system)
    rolls, total = sum(counts), sum(table)
    errors = [c - Fraction(a * rolls, total) for c, a in zip(counts, table, strict=True)]
    return Discrepancy(max(map(abs, errors)), sum((e * e for e in errors), Fraction(0)) / len(errors))


def usual(system: System, rolls: int, evening: Curve | None = None, *, seed: int = 0) -> Usual:
    """Simulate the usual discrepancy of a system; take its mean square from `evening` if given."""
    import numpy as np

    sample = simulate(system, rolls, runs=4_000, seed=seed)
    square, worst = sample.square[:, -1], sample.worst[:, -1]
    return Usual(
        evening.variance[rolls - 1] if evening else float(square.mean()),
        float(np.quantile(square, 0.95, method="higher")),
        float(worst.mean()),
        float(np.quantile(worst, 0.95, method="higher")),
        len(square),
    )


def bands(system: System, rolls: int, *, seed: int = 0) -> tuple[Band, ...]:
    """Return the usual counts of each face: exact for plain dice, else by seeded simulation."""
    if isinstance(system, PlainDice):
        total = system.base.total
        found = {a: _binomial_band(a, total, rolls) for a in {*system.base.weights}}
        return tuple(found[a] for a in system.base.weights)
    import numpy as np

    counts = simulate(system, rolls, runs=4_000, seed=seed).counts
    low = np.quantile(counts, 0.025, axis=0, method="lower")
    high = np.quantile(counts, 0.975, axis=0, method="higher")
    return tuple(Band(int(a), int(b)) for a, b in zip(low, high, strict=True))


def _binomial_band(weight: int, total: int, rolls: int) -> Band:
    """Return the counts between the 2.5 % and the 97.5 % quantile of a binomial distribution."""
    ways, done, whole = (total - weight) ** rolls, 0, total**rolls
    low: int | None = None
    for count in range(rolls + 1):
        done += ways
        if low is None and 40 * done > whole:
            low = count
        if 40 * done >= 39 * whole:
            return Band(low or 0, count)
        if weight == total:
            ways = whole if count + 1 == rolls else 0
        else:
            ways = ways * (rolls - count) * weight // ((count + 1) * (total - weight))
    raise AssertionError("the chances add up to one")
