"""The interface of conversion methods: their figures, dice read as numbers, and transcripts of the throws.

The score of a method is the sum over all values of (p - 1/n)²; 0 is exactly uniform. docs/d100.md, "How even:
the score".
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Self, TypeAlias

from bot.dice.draws import Draws
from bot.dice.system import ByDice, Json, Spec, System, read_flag, read_integer
from bot.dice.terms import Dice, Toss
from bot.dice.throws import Part, Pool, Remark, Throw, make_pool, single_faces


@dataclass(frozen=True, slots=True)
class Figures:
    """A method's evenness and numbers of dice."""

    weights: tuple[int, ...]
    """The weight of each value; the first is the value n, which counts as 0."""
    expected: Fraction | None
    """The mean number of dice; None if it is too costly to compute."""
    most: int | None
    """The greatest number of dice; None if it is unlimited."""

    @property
    def score(self) -> Fraction:
        """The deviation from uniform; 0 is exact."""
        return score(self.weights)

    @property
    def exact(self) -> bool:
        """Whether all values are equally likely."""
        return min(self.weights) == max(self.weights)

    @property
    def rank(self) -> tuple[Fraction, float]:
        """The sort key of the contest: lowest score, then fewest dice."""
        return self.score, float("inf") if self.expected is None else float(self.expected)

    @property
    def missing(self) -> int:
        """The number of values that never occur."""
        return self.weights.count(0)


def score(weights: Sequence[int]) -> Fraction:
    """Return the score of values with these weights; ValueError if no weight is positive."""
    total, values = sum(weights), len(weights)
    if total <= 0:
        raise ValueError("a score needs a positive weight")
    return Fraction(
        values * sum(weight * weight for weight in weights) - total * total, values * total * total
    )


@lru_cache(maxsize=64)
def best_weights(equal: int, values: int) -> tuple[int, ...]:
    """Return the values' weights if `equal` equally likely results are divided as evenly as possible."""
    quotient, remainder = divmod(equal, values)
    return tuple(quotient + (value < remainder) for value in range(values))


def best_score(equal: int, values: int) -> Fraction:
    """Return the lowest possible score of m equally likely results: m'(n-m')/(n m²), m' = m mod n."""
    remainder = equal % values
    return Fraction(remainder * (values - remainder), values * equal * equal)


def equal_weights(values: int) -> tuple[int, ...]:
    """Return the weights of an exact method."""
    return (1,) * values


Sides: TypeAlias = tuple[int, ...]
"""The sides of dice thrown in turn; usually one die, such as (6,)."""

HUNDRED = ((6,), 100)
"""The dice and values of most methods in docs/d100.md: a d100 from six-sided dice."""


class OneToN(System):
    """A system with `values` n values 0 to n-1; the value 0 is shown as n."""

    __slots__ = ()

    values: int
    zero: bool
    """Whether to show the value 0 as 0 instead, as some groups read 00."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Return n or 0, then 1 to n-1: the face of each value."""
        return _faces(self.values, self.zero)

    def face(self, throw: Throw) -> str:
        """Return the face for a throw's total."""
        return self.faces[throw.total % self.values]

    def continues(self, other: System) -> bool:
        """Return whether `other` makes the same values by the same method, with any dice."""
        return isinstance(other, OneToN) and (other.name, other.values) == (self.name, self.values)

    def spec_of(self, **fields: Json) -> Spec:
        """Return a spec with these fields, its values, and `zero` if it is true."""
        zero: Spec = {"zero": True} if self.zero else {}
        return {"system": self.name, **fields, "values": self.values, **zero}

    def shares(self) -> tuple[int, ...]:
        """Return equal weights, the long-run shares."""
        return equal_weights(self.values)


@lru_cache(maxsize=64)
def _faces(values: int, zero: bool) -> tuple[str, ...]:  # noqa: FBT001 (what the cache knows it by)
    return ("0" if zero else str(values), *map(str, range(1, values)))


@dataclass(frozen=True, slots=True)
class Carried(OneToN, ByDice):
    """A system whose memory reveals nothing about its values.

    It makes `values` n values from dice with `sides` faces.
    """

    sides: int = 6
    values: int = 100
    zero: bool = False

    @property
    def independent(self) -> bool:
        """True: the values are independent of the memory, or very nearly."""
        return True

    def as_spec(self) -> Spec:
        """Return its spec, such as {"system": "pool", "sides": 6, "values": 100}."""
        return self.spec_of(sides=self.sides)

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read `sides` (6 by default) and `values` (100 by default)."""
        sides, values = read_integer(spec, "sides", 6, 2, 100), read_integer(spec, "values", 100, 2, 1_000)
        return cls(sides, values, read_flag(spec, "zero"))


class Transcript:
    """Throws and remarks of one roll, in order, with one draw for each die."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._parts: list[Part] = []

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        """Throw dice of these sides in order and return their faces; adjacent equal dice form one term."""
        faces = tuple(self._face(die_sides) for die_sides in sides)
        remaining = iter(faces)
        separator = self._separator()
        for die_sides, group in groupby(sides):
            group_faces = [next(remaining) for _ in group]
            self._parts += [*separator, single_faces(Dice(len(group_faces), die_sides), group_faces)]
            separator = [", "]
        return faces

    def until(self, sides: int, highest: int) -> int:
        """Throw one die until it shows at most `highest`, and return its face."""
        tosses: list[Toss] = [(self._face(sides), False)]
        while tosses[-1][0] > highest:
            tosses[-1] = (tosses[-1][0], True)
            tosses.append((self._face(sides), False))
        self._parts += [*self._separator(), make_pool(Dice(1, sides), [tuple(tosses)])]
        return tosses[-1][0]

    def say(self, text: str, **values: object) -> None:
        """Add a remark on the dice before it, a text with values."""
        if self._parts:
            self._parts.append(" " if isinstance(self._parts[-1], Pool) else ", ")
        self._parts.append(Remark(text, **values))

    def less(self, number: int, less: int) -> int:
        """Subtract `less` from a number, add the remark, and return the rest."""
        self.say("less {less:,} is {rest:,}", less=less, rest=number - less)
        return number - less

    def go_on(self, number: int, size: int, whole: int) -> tuple[int, int]:
        """Subtract `whole` from a number and its size, add the remark, and return both."""
        number, size = number - whole, size - whole
        text = "not under {whole:,}: go on with {number:,} of {size:,}"
        self.say(text, whole=whole, number=number, size=size)
        return number, size

    def reckon(self, figures: str) -> None:
        """Add a calculation, in digits and signs."""
        self._parts += [": ", figures]

    def result(self, value: int, values: int) -> Throw:
        """Return the throw with the value modulo n, 0 being shown as n."""
        return Throw(value % values or values, tuple(self._parts))

    def modulo(self, number: int, values: int) -> Throw:
        """Return the result, with a remark if the number is reduced modulo n."""
        if number >= values:
            self.say("mod {values:,}", values=values)
        return self.result(number, values)

    def _separator(self) -> list[Part]:
        return ["; "] if self._parts else []

    def _face(self, sides: int) -> int:
        return 1 + self._draws.below(sides)


@dataclass(frozen=True, slots=True)
class Way:
    """A method without memory; general ones take any dice and values, others only a d100 from d6s."""

    name: str
    words: str
    """A one-line description for people."""
    general: bool
    play: Callable[[Draws, Sides, int], Throw]
    figures: Callable[[Sides, int], Figures]

    def fits(self, dice: Sides, values: int) -> bool:
        """Return whether it can make that many values from these dice."""
        return self.general or (dice, values) == HUNDRED


def read(faces: Sequence[int], sides: Sequence[int], before: int = 0) -> int:
    """Return the number whose next digits are these faces, after `before`; the highest face is digit 0."""
    number = before
    for face, die_sides in zip(faces, sides, strict=True):
        number = number * die_sides + face % die_sides
    return number


def spell(number: int, dice: int, sides: int) -> Throw:
    """Return the dice whose faces less 1 are the number's digits; ValueError if it needs more digits."""
    if not 0 <= number < sides**dice:
        raise ValueError(f"{dice} dice of {sides} sides can't spell {number}")
    return show([1 + number // sides**place % sides for place in reversed(range(dice))], sides)


def show(faces: Sequence[int], sides: int) -> Throw:
    """Return dice that show these faces as a throw."""
    pool = single_faces(Dice(len(faces), sides), faces)
    return Throw(pool.total, (pool,))


def read_throw(throw: Throw) -> int:
    """Return the number that a throw's dice spell: the inverse of `spell`."""
    return digits_to_number((die.value, pool.term.sides) for pool in throw.pools for die in pool.dice)


def digits_to_number(dice: Iterable[tuple[int, int]]) -> int:
    """Return the number whose digits are the faces less 1, so 1, 1, 1 is 0."""
    number = 0
    for face, sides in dice:
        number = number * sides + face - 1
    return number
