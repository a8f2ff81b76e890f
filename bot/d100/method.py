"""A dN out of dice by a way that remembers nothing, as a system: the dice fall first and make the value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from bot.d100.conversion import check
from bot.d100.exact import EXACT
from bot.d100.general import GENERAL
from bot.d100.scores import Figures
from bot.d100.uneven import UNEVEN
from bot.d100.ways import Sides, Way
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.system import ByDice, Memory, Spec, System, read_integer
from bot.dice.throws import Throw

WAYS: Mapping[str, Way] = {way.name: way for way in (*GENERAL, *EXACT, *UNEVEN)}
"""Every way by its name."""


@dataclass(frozen=True, slots=True)
class Method(ByDice):
    """One way, from dice to `values` n; it fits them."""

    method: str
    dice: Sides = (6,)
    values: int = 100

    name: ClassVar[str] = "method"
    remembers: ClassVar[bool] = False

    @property
    def way(self) -> Way:
        """How it is played."""
        return WAYS[self.method]

    @property
    def words(self) -> str:
        """What it does, in a line."""
        return self.way.words

    @property
    def figures(self) -> Figures:
        """What it comes to."""
        return _figures(self)

    @property
    def faces(self) -> tuple[str, ...]:
        """n, then 1 to n-1: face i is shown for value i."""
        return (str(self.values), *map(str, range(1, self.values)))

    def start(self) -> Memory:
        """Nothing."""
        return ()

    def weights(self, memory: Memory) -> tuple[int, ...]:  # noqa: ARG002 (there is none)
        """The law that all dice together give the values."""
        return self.figures.law

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (nothing to remember)
        """Nothing."""
        return memory

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """The dice as a person throws them, and the value they make."""
        return self.way.play(draws, self.dice, self.values), memory

    def continues(self, other: System) -> bool:
        """With any way: nothing is remembered."""
        return isinstance(other, Method)

    def as_spec(self) -> Spec:
        """{"system": "method", "method": "table", "sides": 6, "values": 100}; several dice are a list."""
        spec: Spec = {
            "system": self.name,
            "method": self.method,
            "sides": self.dice[0],
            "values": self.values,
        }
        if len(self.dice) > 1:
            spec["sides"] = [*self.dice]
        return spec

    @classmethod
    def from_spec(cls, spec: Spec) -> "Method":
        """Reads `method`, `sides` (6 unless said, or a list) and `values` (100)."""
        way = WAYS.get(str(spec.get("method")))
        if way is None:
            raise SpecError(f"There is no method {spec.get('method')!r}. There are: {', '.join(WAYS)}.")
        dice, values = _read_dice(spec), read_integer(spec, "values", 100, 2, 1_000)
        check(dice, values)
        if not way.fits(dice, values):
            raise SpecError(f"The method {way.name} makes a d100 out of six-sided dice, and nothing else.")
        return cls(way.name, dice, values)


def _read_dice(spec: Spec) -> Sides:
    match spec.get("sides", 6):
        case list(several):
            return tuple(read_integer({"sides": one}, "sides", 6, 2, 100) for one in several)
        case _:
            return (read_integer(spec, "sides", 6, 2, 100),)


@lru_cache(maxsize=256)
def _figures(method: Method) -> Figures:
    return method.way.figures(method.dice, method.values)
