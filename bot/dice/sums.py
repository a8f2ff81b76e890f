"""The exact law of the sum of several equal, independent scores, and scores that make a given sum."""

from collections.abc import Mapping

from bot.dice.budget import Budget
from bot.dice.draws import Draws
from bot.dice.picking import pick
from bot.dice.polynomials import pack, unpack, width_for, work


class Sums:
    """The sums of one to `most` scores; SpecError if the largest is beyond the budget."""

    def __init__(self, scores: Mapping[int, int], most: int, budget: Budget) -> None:
        self._low, high = min(scores), max(scores)
        self._width = width_for(sum(scores.values()) ** most)
        budget.spend(work((high - self._low) * most + 1, self._width))
        self._one = pack(scores, self._width, self._low)
        self._laws: dict[int, dict[int, int]] = {1: dict(scores)}

    def of(self, number: int) -> dict[int, int]:
        """Each sum of so many scores, and its weight."""
        if number not in self._laws:
            self._laws[number] = unpack(self._one**number, self._width, number * self._low)
        return self._laws[number]

    def split(self, number: int, total: int, draws: Draws) -> list[int]:
        """So many scores, in order, that add up to the total: halves of it, and halves of those."""
        if number < 2:
            return [total] * number
        half = number // 2
        left, right = self.of(half), self.of(number - half)
        ways = {
            first: weight * right[total - first] for first, weight in left.items() if total - first in right
        }
        first = pick(ways, draws)
        return [*self.split(half, first, draws), *self.split(number - half, total - first, draws)]
