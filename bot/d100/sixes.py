"""Throw any dice with six-sided ones alone: what a die leaves over is kept for the next one.

Draws that stand in for others, so that every notation and every system can be rolled with d6s. A d6 is a d6;
any other die is a value of the pool (`leftover`), whose rest goes on to the next die, whatever its sides.
See docs/d100.md, "All we have is d6".
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from bot.d100.pool import PoolMethod
from bot.dice.draws import Draws
from bot.dice.system import Memory

SIDES = 6


class SixSidedDraws:
    """Draws made of d6s; `kept` is the rest, v below m, and `faces` are the d6s thrown so far."""

    def __init__(self, draws: Draws, kept: Memory = (0, 1)) -> None:
        self._draws = draws
        self.kept = kept
        self.faces: list[int] = []

    def below(self, n: int) -> int:
        """Throw until there is an integer of 0..n-1, each equally likely; ValueError unless n >= 1."""
        if n == SIDES:
            self.faces.append(self._draws.below(SIDES) + 1)
            return self.faces[-1] - 1
        throw, self.kept = PoolMethod(SIDES, n).throw(self.kept, self._draws)
        self.faces += [die.value for pool in throw.pools for die in pool.dice]
        return throw.total % n

    def choose(self, weights: Sequence[int]) -> int:
        """Throw an index with probability proportional to its weight; ValueError if no weight is positive."""
        ends = [*accumulate(weights)]
        return bisect_right(ends, self.below(ends[-1]))
