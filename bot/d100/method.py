"""A system that makes a dN from dice by a method without memory: the dice determine the value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from bot.d100.conversion import check
from bot.d100.general import GENERAL
from bot.d100.hundred import WAYS_TO_HUNDRED
from bot.d100.ways import Figures, OneToN, Sides, Way
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.system import (
    ByDice,
    Memory,
    Memoryless,
    Spec,
    is_list,
    read_flag,
    read_integer,
    require_integer,
)
from bot.dice.throws import Throw

WAYS: Mapping[str, Way] = {way.name: way for way in (*GENERAL, *WAYS_TO_HUNDRED)}
"""Name to method."""


@dataclass(frozen=True, slots=True)
class Method(Memoryless, OneToN, ByDice):
    """One method, from dice to `values` values n, which it must support."""

    method: str
    dice: Sides = (6,)
    values: int = 100
    zero: bool = False

    name: ClassVar[str] = "method"

    @property
    def way(self) -> Way:
        """The method's definition."""
        return WAYS[self.method]

    @property
    def words(self) -> str:
        """A one-line description."""
        return self.way.words

    @property
    def figures(self) -> Figures:
        """Its evenness and numbers of dice."""
        return _figures(self)

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (there is none)
        """Return the exact weights of the values."""
        return self.figures.weights

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw dice by the method until they make a value."""
        return self.way.play(draws, self.dice, self.values), memory

    def as_spec(self) -> Spec:
        """Return {"system": "method", "method": "table", "sides": 6, "values": 100}; or a list of sides."""
        return self.spec_of(method=self.method, sides=self.dice[0] if len(self.dice) == 1 else [*self.dice])

    @classmethod
    def from_spec(cls, spec: Spec) -> "Method":
        """Read `method`, `sides` (6 by default, or a list) and `values` (100 by default)."""
        way = WAYS.get(str(spec.get("method")))
        if way is None:
            raise SpecError(
                "There is no method {value!r}. There are: {ways}.",
                value=spec.get("method"),
                ways=", ".join(WAYS),
            )
        dice, values = _read_dice(spec), read_integer(spec, "values", 100, 2, 1_000)
        check(dice, values)
        if not way.fits(dice, values):
            raise SpecError(
                "The method {name} makes a d100 out of six-sided dice, and nothing else.", name=way.name
            )
        return cls(way.name, dice, values, read_flag(spec, "zero"))


def _read_dice(spec: Spec) -> Sides:
    sides = spec.get("sides", 6)
    values = sides if is_list(sides) else [sides]
    return tuple(require_integer("sides", value, 2, 100) for value in values)


@lru_cache(maxsize=256)
def _figures(method: Method) -> Figures:
    return method.way.figures(method.dice, method.values)
