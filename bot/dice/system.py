"""What a system is: it turns a base and a memory into integer weights, and moves the memory on."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, Self, TypeAlias

from bot.dice.bases import Base, Json
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.throws import Throw

_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?|\.[0-9]{1,6}", re.ASCII)

Memory: TypeAlias = tuple[int, ...]
"""All that a roller remembers; what the integers mean is its system's own."""

Spec: TypeAlias = dict[str, Json]
"""A roller as data, e.g. {"system": "fair", "base": "2d6", "tightness": "1.5"}."""


class System(Protocol):
    """A rule for drawing faces, without its memory. Values: equal specs are equal systems."""

    name: ClassVar[str]
    """The word for it in a spec."""
    remembers: ClassVar[bool]
    """Whether earlier rolls change later ones."""

    @property
    def faces(self) -> tuple[str, ...]:
        """What can come out, in order; indices below are into this."""
        ...

    @property
    def hand(self) -> int:
        """How many steps make one roll: 1, but where a roll deals several cards at once."""
        ...

    def start(self) -> Memory:
        """The memory before the first roll."""
        ...

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Each face's weight for the next roll: integers >= 0, with a positive sum."""
        ...

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """The memory after face `chosen` came out."""
        ...

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:
        """Dice that make face `chosen`, drawn uniformly among those that do; None where there are none."""
        ...

    def continues(self, other: "System") -> bool:
        """Whether a memory of `other`'s goes on under this system (the same rule, tuned differently)."""
        ...

    def as_spec(self) -> Spec:
        """The spec in its canonical form; reading it back gives an equal system."""
        ...

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """The system that a spec describes; DiceError says what is wrong with it."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one roll gave: the face, and the dice that show it where there are any."""

    face: str
    throw: Throw | None


class ByDice(ABC):
    """The parts of a system whose dice are thrown first, as at a table, and make the face."""

    __slots__ = ()

    @property
    def hand(self) -> int:
        """One step is one roll."""
        return 1

    @abstractmethod
    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """The dice, whose total is the face, and the memory after them."""

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:  # noqa: ARG002 (the protocol's)
        """None: dice are not looked for behind a face."""
        return None


def step(system: System, memory: Memory, draws: Draws) -> tuple[Outcome, Memory]:
    """One step, the only way faces come out: what it was, and the memory after it."""
    if isinstance(system, ByDice):
        throw, after = system.throw(memory, draws)
        return Outcome(str(throw.total), throw), after
    chosen = draws.choose(system.weights(memory))
    outcome = Outcome(system.faces[chosen], system.show(memory, chosen, draws))
    return outcome, system.advance(memory, chosen)


@dataclass(frozen=True, slots=True)
class OnBase:
    """The parts that every system on one base table shares."""

    base: Base

    @property
    def faces(self) -> tuple[str, ...]:
        """The base's faces."""
        return self.base.faces

    @property
    def hand(self) -> int:
        """One step is one roll."""
        return 1

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw | None:  # noqa: ARG002 (the protocol's)
        """Dice of the base that make face `chosen`."""
        return self.base.show(chosen, draws)

    def continues(self, other: System) -> bool:
        """Whether `other` is the same rule on the same base."""
        return isinstance(other, OnBase) and type(other) is type(self) and other.base == self.base


def read_integer(spec: Spec, key: str, default: int, low: int, high: int) -> int:
    """The integer parameter `key` of low..high; SpecError otherwise."""
    value = spec.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SpecError(f"{key} is an integer of {low:,} to {high:,}, not {value!r}.")
    return value


def read_decimal(name: str, value: object) -> Fraction:
    """The rational that a decimal such as "1.5" means; SpecError over six digits on either side."""
    text = str(value).strip()
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not _DECIMAL.fullmatch(text):
        raise SpecError(f"{name} is a decimal number such as 1.5 (at most six decimals), not {value!r}.")
    return Fraction(text)


def print_decimal(value: Fraction) -> str:
    """The shortest decimal for a value that `read_decimal` read."""
    whole, rest = divmod(value.numerator * 10**6 // value.denominator, 10**6)
    return f"{whole}.{rest:06}".rstrip("0").rstrip(".")
