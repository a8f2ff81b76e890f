"""The exact distributions of one die's value and score, and of sums, with integer weights.

Of s sides, m of which are rerolled up to k times, a rerolled face has weight m^k and any other
s^k + s^(k-1) m + .. + m^k; rerolled without limit, 0 and 1. An exploding die is computed from its last
possible toss to its first: a chain's weight is the product of its faces' weights, times the total weight of a
toss for each unused toss, so that all chains share one denominator.

A table of totals is a polynomial whose coefficient of x^t is the weight of total t. The coefficients are
packed side by side into one integer, `width` bits each (Kronecker substitution), so that adding dice is
multiplying integers, which is fast and exact. `width` must hold every coefficient that can arise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from math import gcd, isqrt
from typing import TypeAlias, TypeVar

from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.terms import Dice, Toss

Ends: TypeAlias = dict[tuple[int, int], int]
"""(value when dice are kept, score added to the total) of a die to its weight."""


_WORK = 30_000
"""Units of about one microsecond on a machine of 2020."""

_Option = TypeVar("_Option")
_Other = TypeVar("_Other")
_Weight = TypeVar("_Weight", int, Fraction)


class TooLong(SpecError):
    """Exact odds that need more work than the budget, or longer numbers than can be written."""


class Budget:
    """A limit on the work for exact odds, estimated in advance: no clock is read."""

    __slots__ = ("remaining",)

    def __init__(self, work: int = _WORK) -> None:
        self.remaining = work

    def spend(self, work: int) -> None:
        """Subtract units of about a microsecond; TooLong if too few remain."""
        self.remaining -= work
        if self.remaining < 0:
            raise TooLong("Its exact odds would take too long to work out: use fewer dice, or fewer sides.")


class Sums:
    """The distributions of the sums of up to `most` equal scores; SpecError beyond the budget."""

    def __init__(self, scores: Mapping[int, int], most: int, budget: Budget) -> None:
        self._low, high = min(scores), max(scores)
        self._width = width_for(sum(scores.values()) ** most)
        budget.spend(product_work((high - self._low) * most + 1, self._width))
        self._one = pack(scores, self._width, self._low)
        self._laws: dict[int, dict[int, int]] = {0: {0: 1}, 1: dict(scores)}

    def of(self, number: int) -> dict[int, int]:
        """Return each sum of `number` scores, and its weight."""
        if number not in self._laws:
            self._laws[number] = unpack(self._one**number, self._width, number * self._low)
        return self._laws[number]

    def split(self, number: int, total: int, draws: Draws) -> list[int]:
        """Draw `number` scores, in order, given their sum: first its halves, then halves of those."""
        if number < 2:
            return [total] * number
        half = number // 2
        left, right = self.of(half), self.of(number - half)
        ways = {
            first: weight * right[total - first] for first, weight in left.items() if total - first in right
        }
        first = pick(ways, draws)
        return [*self.split(half, first, draws), *self.split(number - half, total - first, draws)]


def add_up(weights: Iterable[tuple[_Option, _Weight]]) -> dict[_Option, _Weight]:
    """Return each option with the sum of its weights, in the order in which they first come."""
    sums: dict[_Option, _Weight] = {}
    for option, weight in weights:
        sums[option] = sums.get(option, 0) + weight
    return sums


def joined(
    first: Mapping[_Option, _Weight], second: Mapping[_Other, int], join: Callable[[_Option, _Other], _Option]
) -> dict[_Option, _Weight]:
    """Return the weights of what two independent options make together."""
    return add_up((join(a, b), weight * ways) for a, weight in first.items() for b, ways in second.items())


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


def product_work(totals: int, width: int) -> int:
    """Estimate the cost of a product by its number of totals, in the unit of the budget."""
    digits = totals * width // 30 + 1
    return digits * isqrt(digits) // 100 + totals


class DieDistribution:
    """The possible values and scores of one die of a term; SpecError beyond the budget."""

    def __init__(self, term: Dice, budget: Budget) -> None:
        self.term = term
        hits = term.number_in(term.explode.faces) if term.explode and term.explode.faces else 1
        budget.spend(term.sides * (1 + 3 * term.further + hits * term.further**2 // 8))
        self._faces = term.weights
        self._whole = sum(self._faces.values())
        self._laws: dict[int, Ends] = {}
        for place in reversed(range(term.further + 1)):
            self._laws[place] = self._ends_from(place)
        self.ends = self._laws[0]
        """The (value, score) pairs of the die and their weights."""

    def scores(self, ends: Ends) -> dict[int, int]:
        """Return each score of these ends, ascending, and its weight."""
        return dict(sorted(add_up((score, weight) for (_, score), weight in ends.items()).items()))

    def ranks(self) -> list[Ends]:
        """Group the ends by value, sorted as dice are kept."""
        best = sorted(self.ends, reverse=self.term.keeps_highest)
        return [{end: self.ends[end] for end in same} for _, same in groupby(best, key=lambda end: end[0])]

    def draw(self, ends: Ends, draws: Draws, score: int | None = None) -> tuple[Toss, ...]:
        """Draw the tosses of a die with one of these ends (and with that score, unless None)."""
        if score is not None and self.term.plain and not self.term.success:
            # A plain die shows what it adds.
            return ((score, False),)
        if score is not None:
            ends = {end: weight for end, weight in ends.items() if end[1] == score}
        end = pick(ends, draws)
        return ((end[0], False),) if self.term.plain else tuple(self._draw_tosses(end, draws))

    def _ends_from(self, place: int) -> Ends:
        """Return the ends of the die from one toss on."""
        return add_up(
            ((value + more, score + scores), weight * other)
            for face, weight in self._faces.items()
            for value, score, later in [self._after(place, face)]
            for (more, scores), other in later.items()
        )

    def _after(self, place: int, face: int) -> tuple[int, int, Ends]:
        """Return the value and the score of a face of a chain, and the ends of the tosses after it."""
        worth = self.term.worth(place, face)
        if place < self.term.further and self.term.explodes(face):
            later = self._laws[place + 1]
        else:
            later = {(0, 0): self._whole ** (self.term.further - place)}
        return worth, self.term.score(worth, place), later

    def _draw_tosses(self, end: tuple[int, int], draws: Draws) -> Iterator[Toss]:
        """Yield the tosses of a die with that end, each face after its rerolled faces."""
        for place in range(self.term.further + 1):
            ways: dict[tuple[int, tuple[int, int]], int] = {}
            for face, weight in self._faces.items():
                value, score, later = self._after(place, face)
                rest = end[0] - value, end[1] - score
                if rest in later:
                    ways[face, rest] = weight * later[rest]
            face, end = pick(ways, draws)
            yield from self._draw_rerolls(face, draws)
            if not self.term.explodes(face):
                return

    def _draw_rerolls(self, face: int, draws: Draws) -> Iterator[Toss]:
        """Draw and yield the rerolled faces before the face, then the face."""
        term = self.term
        if term.reroll and term.reroll.times:
            rerolled_faces = [other for other in term.faces if term.reroll.faces.holds(other)]
            hits, times = len(rerolled_faces), term.reroll.times
            if term.reroll.faces.holds(face):
                rerolls = times if rerolled_faces else 0
            else:
                ways = {n: hits**n * term.sides ** (times - n) for n in range(times + 1)}
                rerolls = pick({n: weight for n, weight in ways.items() if weight}, draws)
            for _ in range(rerolls):
                yield rerolled_faces[draws.below(len(rerolled_faces))], True
        yield face, False
