"""Test counts of plain dice by Pearson's chi-square, with both tails.

Exact if that is fast: sum over all counts that n rolls can give, in integers. Else by seeded simulation; its
p-value (1 + hits)/(1 + runs) is valid by itself (Davison and Hinkley, Bootstrap Methods, 4.2). The number of
rolls must be fixed beforehand; `bot/stats/processes.py` allows repeated looks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from bot.stats.crowd import fallen

RUNS = 200_000
_CELLS = 20_000_000
"""Most simulated counts of a face; with 1,000 faces a p-value is accurate to 0.007."""
_TOLERANCE = 1e-12
"""Relative difference of statistics that count as equal."""
# Approximate bit operations of the exact calculation: 10^9 take a second.
WORK_LIMIT = 3 * 10**9


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """The statistic, and the probabilities that fair dice give at least that and at most that.

    A small `lower` means that the counts are too even.
    """

    statistic: Fraction
    upper: Fraction
    lower: Fraction
    exact: bool


def chi_square(
    weights: Sequence[int], counts: Sequence[int], *, seed: int = 0, work: int = WORK_LIMIT
) -> ChiSquare:
    """Test counts against a table of positive weights; exact if that takes at most `work` operations.

    Raise ValueError if there are no rolls.
    """
    rolls = sum(counts)
    if len(weights) != len(counts) or rolls < 1 or min(counts) < 0 or min(weights) < 1:
        raise ValueError("chi-square needs a count for every face, and at least one roll")
    # In units that make it an integer: the sum of L c^2 / a, with L the least common multiple of the a.
    unit = lcm(*weights)
    observed = sum(count**2 * (unit // a) for count, a in zip(counts, weights, strict=True))
    statistic = Fraction(observed * sum(weights), unit * rolls) - rolls
    # Every face adds each pair (used before, used by it) once, to numbers of `observed` slots.
    slots = len(weights) * rolls * rolls * observed
    # Looked at first: the power of millions of rolls takes half a minute, and no other thread runs meanwhile.
    fits = slots // 2 <= work
    if fits and slots * (slot := (sum(weights) ** rolls).bit_length() + 1) // 2 <= work:
        below, same = _exact(weights, rolls, observed, unit, slot)
        return ChiSquare(statistic, 1 - below, below + same, exact=True)
    upper, lower = _simulate(weights, rolls, statistic, seed)
    return ChiSquare(statistic, upper, lower, exact=False)


def _exact(
    weights: Sequence[int], rolls: int, observed: int, unit: int, slot: int
) -> tuple[Fraction, Fraction]:
    """Return the probabilities of a smaller statistic and of the same one.

    `ways[n]` is a polynomial packed into one integer: its coefficient of x^s, `slot` bits wide, counts the
    sequences of n rolls of the faces done so far with statistic s. Statistics above `observed` are cut off.
    """
    mask = (1 << slot * (observed + 1)) - 1
    ways = [1] + [0] * rolls
    for face, a in enumerate(weights):
        last = face == len(weights) - 1
        after = [0] * (rolls + 1)
        for total in range(rolls if last else 0, rolls + 1):
            for count in range(total + 1):
                step = count**2 * (unit // a)
                if step > observed:
                    break
                if ways[total - count]:
                    after[total] += ways[total - count] * (comb(total, count) * a**count) << slot * step
            after[total] &= mask
        ways = after
    total_ways = ways[rolls]
    same = total_ways >> slot * observed
    # A number modulo its base - 1 is the sum of its digits, which is below the base here.
    below = (total_ways & (1 << slot * observed) - 1) % ((1 << slot) - 1)
    total = sum(weights) ** rolls
    return Fraction(below, total), Fraction(same, total)


def _simulate(
    weights: Sequence[int], rolls: int, statistic: Fraction, seed: int
) -> tuple[Fraction, Fraction]:
    """Estimate both p-values by simulation."""
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=seed))
    share = np.array(weights, dtype=float) / sum(weights)
    observed = float(statistic + rolls)
    runs = min(RUNS, max(1, _CELLS // len(weights)))
    at_least = at_most = done = 0
    batch = max(1, min(runs, 1_000_000 // len(weights)))
    while done < runs:
        size = min(batch, runs - done)
        if rolls < len(weights):
            at = fallen(share, rolls, size, generator)
            cells = at + np.arange(size)[:, None] * len(weights)
            # Each roll of a face brings its count once, so together they bring the count's square.
            counts = np.bincount(cells.ravel())[cells]
            statistics = (counts / (share * rolls)[at]).sum(axis=1)
        else:
            counts = generator.multinomial(rolls, share, size=size)
            statistics = (counts**2) @ (1 / (share * rolls))
        at_least += int((statistics >= observed * (1 - _TOLERANCE)).sum())
        at_most += int((statistics <= observed * (1 + _TOLERANCE)).sum())
        done += size
    return Fraction(1 + at_least, 1 + runs), Fraction(1 + at_most, 1 + runs)
