"""Integer weights of sums: count exactly how often each total comes out, and draw one by its weight.

A table of totals is a polynomial whose coefficient of x^t is the weight of total t. The coefficients are
packed side by side into one integer, `width` bits each (Kronecker substitution), so that adding dice is
multiplying integers, which is fast and exact. `width` must hold every coefficient that can arise.
"""

from collections.abc import Mapping
from math import gcd, isqrt
from typing import TypeVar

from bot.dice.draws import Draws
from bot.dice.errors import SpecError

_WORK = 30_000
"""About as many microseconds on a machine of 2020."""

_Option = TypeVar("_Option")


class Budget:
    """Limit the work on exact odds, counted before it is done: the clock is never asked."""

    __slots__ = ("_left",)

    def __init__(self, work: int = _WORK) -> None:
        self._left = work

    def spend(self, work: int) -> None:
        """Take off so many units of about a microsecond; SpecError if fewer are left."""
        self._left -= work
        if self._left < 0:
            raise SpecError("Its exact odds would take too long to work out: use fewer dice, or fewer sides.")


class Sums:
    """The distributions of the sums of up to `most` equal scores; SpecError beyond the budget."""

    def __init__(self, scores: Mapping[int, int], most: int, budget: Budget) -> None:
        self._low, high = min(scores), max(scores)
        self._width = width_for(sum(scores.values()) ** most)
        budget.spend(work((high - self._low) * most + 1, self._width))
        self._one = pack(scores, self._width, self._low)
        self._laws: dict[int, dict[int, int]] = {0: {0: 1}, 1: dict(scores)}

    def of(self, number: int) -> dict[int, int]:
        """Return each sum of so many scores, and its weight."""
        if number not in self._laws:
            self._laws[number] = unpack(self._one**number, self._width, number * self._low)
        return self._laws[number]

    def split(self, number: int, total: int, draws: Draws) -> list[int]:
        """Draw so many scores, in order, given their sum: first its halves, then halves of those."""
        if number < 2:
            return [total] * number
        half = number // 2
        left, right = self.of(half), self.of(number - half)
        ways = {
            first: weight * right[total - first] for first, weight in left.items() if total - first in right
        }
        first = pick(ways, draws)
        return [*self.split(half, first, draws), *self.split(number - half, total - first, draws)]


def pick(options: Mapping[_Option, int], draws: Draws) -> _Option:
    """Draw an option by its weight; nothing is drawn if there is only one. ValueError if all weigh 0."""
    weights = tuple(options.values())
    if len(weights) == 1:
        return next(iter(options))
    shared = gcd(*weights) or 1
    return tuple(options)[draws.choose([weight // shared for weight in weights])]


def pack(weights: Mapping[int, int], width: int, first: int = 0) -> int:
    """Pack a polynomial; `first`, taken off each total, must leave none of them negative."""
    size = width // 8
    raw = bytearray(size * (max(weights) - first + 1))
    for total, weight in weights.items():
        start = (total - first) * size
        raw[start : start + size] = weight.to_bytes(size, "little")
    return int.from_bytes(raw, "little")


def unpack(packed: int, width: int, first: int = 0) -> dict[int, int]:
    """Unpack the totals with a positive weight, ascending; `first` is added to each."""
    size = width // 8
    raw = packed.to_bytes((packed.bit_length() + 7) // 8, "little")
    return {
        first + place: weight
        for place, start in enumerate(range(0, len(raw), size))
        if (weight := int.from_bytes(raw[start : start + size], "little"))
    }


def factor(packed: int, width: int, total: int) -> int:
    """Return the weight of one total; 0 outside of the polynomial."""
    return packed >> total * width & (1 << width) - 1 if total >= 0 else 0


def width_for(most: int) -> int:
    """Return the whole bytes, in bits, that hold every weight up to `most`."""
    return (most.bit_length() + 7) // 8 * 8


def work(totals: int, width: int) -> int:
    """Estimate the cost of a product with so many totals, in the unit of the budget."""
    digits = totals * width // 30 + 1
    return digits * isqrt(digits) // 100 + totals
