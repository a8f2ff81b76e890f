"""The accumulation register: read k dice as one number and add it to the last value, modulo n.

The dice are digits to the base of their sides, each one less than its face (so 1, 1, 1 adds 0 and 6, 1, 5
adds 5·36 + 0·6 + 4); the value 0 is shown as n.
By exact convolution, it is uniform in the long run, but its values are not independent. See docs/d100.md,
"The register: always the same number of dice".
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import log2
from typing import ClassVar

from bot.d100.ways import OneToN, best_weights, read_throw, score, show, spell
from bot.dice.by_hand import ByHand
from bot.dice.draws import Draws
from bot.dice.system import Memory, Spec, read_flag, read_integer
from bot.dice.throws import Throw

DICE_LIMIT = 9
SHOWN_DICE = (3, 4)
SHOWN_ROLLS = (1, 2, 3, 5, 10, 25)


@dataclass(frozen=True, slots=True)
class Register(OneToN):
    """A register of `dice` k dice with `sides` faces and `values` n. Memory: the value, 0..n-1."""

    dice: int
    sides: int
    values: int
    zero: bool = False

    name: ClassVar[str] = "register"

    def start(self) -> Memory:
        """Return the value 0."""
        return (0,)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return for each value the number of throws that lead to it from the last one."""
        added, start = best_weights(self.sides**self.dice, self.values), self.values - memory[0]
        return added[start:] + added[:start]

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (the new value says it all)
        """Return the chosen value."""
        return (chosen,)

    def show(self, memory: Memory, chosen: int, draws: Draws) -> Throw:
        """Draw dice uniformly among those that lead from the last value to the chosen one."""
        added = (chosen - memory[0]) % self.values
        number = added + self.values * draws.below(self._throws(added))
        return spell(number, self.dice, self.sides)

    def by_hand(self, memory: Memory, hand: ByHand) -> tuple[int, Throw]:
        """Return the value and the throw of dice thrown by hand."""
        throw = show([1 + hand.below(self.sides) for _ in range(self.dice)], self.sides)
        return (memory[0] + read_throw(throw)) % self.values, throw

    def as_spec(self) -> Spec:
        """Return {"system": "register", "dice": 4, "sides": 6, "values": 100}."""
        return self.spec_of(dice=self.dice, sides=self.sides)

    @classmethod
    def from_spec(cls, spec: Spec) -> "Register":
        """Read `dice` (4 by default), `sides` (6) and `values` (100)."""
        return cls(
            read_integer(spec, "dice", 4, 1, DICE_LIMIT),
            read_integer(spec, "sides", 6, 2, 100),
            read_integer(spec, "values", 100, 2, 1_000),
            read_flag(spec, "zero"),
        )

    def _throws(self, added: int) -> int:
        """Return the number of the sides^dice numbers that are `added` modulo n."""
        quotient, remainder = divmod(self.sides**self.dice, self.values)
        return quotient + (added < remainder)


@dataclass(frozen=True, slots=True)
class RegisterFigures:
    """Evenness and dependence of a register's values."""

    register: Register
    scores: dict[int, Fraction]
    """Number of rolls to the score of the value after them, given the first value only."""
    information: float
    """The mutual information of one value and the next, in bits."""
    correlation: Fraction
    """The correlation of one value and the next, the first one being uniform."""


def register_figures(register: Register) -> RegisterFigures:
    """Return a register's figures, with scores after `SHOWN_ROLLS` rolls."""
    added = best_weights(register.sides**register.dice, register.values)
    laws = after_rolls(added, max(SHOWN_ROLLS))
    return RegisterFigures(
        register,
        {m: score(laws[m - 1]) for m in SHOWN_ROLLS},
        information(added),
        correlation(added),
    )


def after_rolls(added: tuple[int, ...], rolls: int) -> list[tuple[int, ...]]:
    """Return the value's weights after 1 to `rolls` rolls from 0; `added` are those of the added number.

    In `added` the first weights are one more than the others. So a convolution is the sum of all weights
    times the smaller weight, plus a sliding sum.
    """
    values, few = len(added), min(added)
    more = sum(added) - few * values
    if added != best_weights(sum(added), values):
        raise ValueError("the numbers of throws differ by more than one")
    laws = [added]
    while len(laws) < rolls:
        law = laws[-1]
        ends = [0, *accumulate((*law, *law))]
        base = few * ends[values]
        laws.append(tuple(base + ends[v + values + 1] - ends[v + values + 1 - more] for v in range(values)))
    return laws


def information(added: tuple[int, ...]) -> float:
    """Return the mutual information of a uniform value and the next, in bits: log2 n - H(added)."""
    total = sum(added)
    return log2(len(added)) + sum(w / total * log2(w / total) for w in added if w)


def correlation(added: tuple[int, ...]) -> Fraction:
    """Return the correlation of a uniform value and the next: the mean of 1 - 6y(n-y)/(n²-1) over `added`."""
    values, total = len(added), sum(added)
    weighted = sum(w * y * (values - y) for y, w in enumerate(added))
    return 1 - Fraction(6 * weighted, total * (values * values - 1))
