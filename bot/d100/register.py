"""The accumulation register: read k dice as one number and add it to the last value, modulo n.

The dice are digits to the base of their sides, each one less than its face (so 1, 1, 1 adds 0 and 6, 1, 5
adds 5·36 + 0·6 + 4); the value 0 is shown as n.
See docs/d100.md, "The register: always the same number of dice".
"""

from dataclasses import dataclass
from typing import ClassVar

from bot.d100.ways import OneToN, spell
from bot.dice.draws import Draws
from bot.dice.system import Memory, Spec, System, read_integer
from bot.dice.throws import Throw

DICE_LIMIT = 9


@dataclass(frozen=True, slots=True)
class Register(OneToN):
    """`dice` k dice of `sides` faces, `values` n. Memory: the value, 0..n-1."""

    dice: int
    sides: int
    values: int

    name: ClassVar[str] = "register"
    has_state: ClassVar[bool] = True

    def start(self) -> Memory:
        """Return the value 0."""
        return (0,)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return for each value how many throws of the dice lead to it from the last one."""
        return tuple(self._throws((value - memory[0]) % self.values) for value in range(self.values))

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (the new value says it all)
        """Return the chosen value."""
        return (chosen,)

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw:
        """Draw dice that lead from the last value to the chosen one, uniform among those that do."""
        added = (chosen - memory[0]) % self.values
        number = added + self.values * draws.below(self._throws(added))
        return spell(number, self.dice, self.sides)

    def continues(self, other: System) -> bool:
        """Return whether `other` makes the same values, whatever its dice."""
        return isinstance(other, Register) and other.values == self.values

    def as_spec(self) -> Spec:
        """Return {"system": "register", "dice": 4, "sides": 6, "values": 100}."""
        return {"system": self.name, "dice": self.dice, "sides": self.sides, "values": self.values}

    @classmethod
    def from_spec(cls, spec: Spec) -> "Register":
        """Read `dice` (4 by default), `sides` (6) and `values` (100)."""
        return cls(
            read_integer(spec, "dice", 4, 1, DICE_LIMIT),
            read_integer(spec, "sides", 6, 2, 100),
            read_integer(spec, "values", 100, 2, 1_000),
        )

    def _throws(self, added: int) -> int:
        """Return how many of the sides^dice numbers are `added` modulo n."""
        most, more = divmod(self.sides**self.dice, self.values)
        return most + (added < more)
