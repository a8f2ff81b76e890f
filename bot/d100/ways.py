"""A way from some dice to a dN, as an interface: the dice as numbers, and the words between throws."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Self, TypeAlias

from bot.d100.scores import Figures
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.remarks import Remark
from bot.dice.system import ByDice, Json, Spec, System, read_integer
from bot.dice.terms import Dice
from bot.dice.throws import Part, Pool, Throw, Toss, pool_of, single_faces

Sides: TypeAlias = tuple[int, ...]
"""The sides of dice that take turns; mostly one die, such as (6,)."""

HUNDRED = ((6,), 100)
"""The case that most ways of docs/d100.md are for: a d100 out of six-sided dice."""


class OneToN(System):
    """A system that makes a value of 0 to n-1, of its `values` n; the value 0 is shown as n."""

    __slots__ = ()

    values: int
    zero: bool
    """Whether the value 0 is shown as 0, as some tables read 00."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Return n or 0, then 1 to n-1, so that face i is shown for value i."""
        return _faces(self.values, self.zero)

    def face(self, throw: Throw) -> str:
        """Return the face of a throw that makes a value, or n in its place."""
        return self.faces[throw.total % self.values]

    def continues(self, other: System) -> bool:
        """Return whether `other` makes the same values in the same way, whatever its dice."""
        return isinstance(other, OneToN) and (other.name, other.values) == (self.name, self.values)

    def spec_of(self, **said: Json) -> Spec:
        """Return a spec with what it says, and its values; of `zero` only where it is so."""
        zero: Spec = {"zero": True} if self.zero else {}
        return {"system": self.name, **said, "values": self.values, **zero}

    def shares(self) -> tuple[int, ...]:
        """Return equal weights, which all rolls together have where something is kept between them."""
        return (1,) * self.values


def read_zero(spec: Spec) -> bool:
    """Read `zero` (false by default); SpecError for what is no truth value."""
    zero = spec.get("zero", False)
    if not isinstance(zero, bool):
        raise SpecError("zero is true or false, not {value!r}.", value=zero)
    return zero


@lru_cache(maxsize=64)
def _faces(values: int, zero: bool) -> tuple[str, ...]:  # noqa: FBT001 (what the cache knows it by)
    return ("0" if zero else str(values), *map(str, range(1, values)))


@dataclass(frozen=True, slots=True)
class Carried(OneToN, ByDice):
    """A system that carries something from roll to roll which tells nothing of their values.

    `sides` of the dice, `values` n.
    """

    sides: int = 6
    values: int = 100
    zero: bool = False

    @property
    def independent(self) -> bool:
        """What is carried tells nothing, or next to nothing, of the values."""
        return True

    def as_spec(self) -> Spec:
        """Return its spec, such as {"system": "pool", "sides": 6, "values": 100}."""
        return self.spec_of(sides=self.sides)

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read `sides` (6 by default) and `values` (100 by default)."""
        sides, values = read_integer(spec, "sides", 6, 2, 100), read_integer(spec, "values", 100, 2, 1_000)
        return cls(sides, values, read_zero(spec))


class Transcript:
    """Throw dice as a person at a table does, one draw a die, and keep all that is to be shown."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._parts: list[Part] = []

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        """Throw dice of these sides in order and return their faces; equal neighbours make one term."""
        faces = tuple(self._face(s) for s in sides)
        left = iter(faces)
        between = self._behind_words()
        for s, group in groupby(sides):
            same = [next(left) for _ in group]
            self._parts += [*between, single_faces(Dice(len(same), s), same)]
            between = [", "]
        return faces

    def until(self, sides: int, highest: int) -> int:
        """Throw one die again while it shows more than `highest`, and return its face."""
        tosses: list[Toss] = [(self._face(sides), False)]
        while tosses[-1][0] > highest:
            tosses[-1] = (tosses[-1][0], True)
            tosses.append((self._face(sides), False))
        self._parts += [*self._behind_words(), pool_of(Dice(1, sides), [tuple(tosses)])]
        return tosses[-1][0]

    def say(self, text: str, **values: object) -> None:
        """Add what is done with the dice before: a sentence, with its values."""
        if self._parts:
            self._parts.append(" " if isinstance(self._parts[-1], Pool) else ", ")
        self._parts.append(Remark(text, **values))

    def less(self, number: int, less: int) -> int:
        """Take some off a number, say so, and return the rest."""
        self.say("less {less:,} is {rest:,}", less=less, rest=number - less)
        return number - less

    def go_on(self, number: int, size: int, whole: int) -> tuple[int, int]:
        """Take `whole` off a number of so many, say so, and return with what of how many to go on."""
        number, size = number - whole, size - whole
        told = "not under {whole:,}: go on with {number:,} of {size:,}"
        self.say(told, whole=whole, number=number, size=size)
        return number, size

    def reckon(self, figures: str) -> None:
        """Add how the value comes of them, in figures and signs."""
        self._parts += [": ", figures]

    def result(self, value: int, values: int) -> Throw:
        """Return all that was thrown and said; the value counts modulo n, and 0 is shown as n."""
        return Throw(value % values or values, tuple(self._parts))

    def modulo(self, number: int, values: int) -> Throw:
        """Return the result, and say that it counts modulo n where it is that much."""
        if number >= values:
            self.say("mod {values:,}", values=values)
        return self.result(number, values)

    def _behind_words(self) -> list[Part]:
        return ["; "] if self._parts else []

    def _face(self, sides: int) -> int:
        return 1 + self._draws.below(sides)


@dataclass(frozen=True, slots=True)
class Way:
    """A way that remembers nothing; general ones take any dice and values, the others only (6,) and 100."""

    name: str
    words: str
    """One line for people who choose."""
    general: bool
    play: Callable[[Draws, Sides, int], Throw]
    figures: Callable[[Sides, int], Figures]

    def fits(self, dice: Sides, values: int) -> bool:
        """Return whether it can make that many values out of these dice."""
        return self.general or (dice, values) == HUNDRED


def read(faces: Sequence[int], sides: Sequence[int], before: int = 0) -> int:
    """Return the number that dice spell after the number `before`; the highest face is the digit 0."""
    number = before
    for face, s in zip(faces, sides, strict=True):
        number = number * s + face % s
    return number


def spell(number: int, dice: int, sides: int) -> Throw:
    """Return the dice that spell the number, each its digit and one; ValueError for one with more digits."""
    if not 0 <= number < sides**dice:
        raise ValueError(f"{dice} dice of {sides} sides can't spell {number}")
    faces = [1 + number // sides**place % sides for place in reversed(range(dice))]
    pool = single_faces(Dice(dice, sides), faces)
    return Throw(pool.total, (pool,))


def read_throw(throw: Throw) -> int:
    """Return the number that the dice of a throw spell, text left out: the inverse of `spell`."""
    pools = throw.pools
    return spelt([(die.value, pool.term.sides) for pool in pools for die in pool.dice])


def spelt(dice: Iterable[tuple[int, int]]) -> int:
    """Return the number that the faces spell; a face is its digit and one, so 1, 1, 1 is 0."""
    number = 0
    for face, sides in dice:
        number = number * sides + face - 1
    return number
