"""The leftovers method: leftover throws are assigned to other values at every use.

Three d6 have 216 throws: two for each of 100 values, and 16 leftover ones. Those make 0, 6, 12 ... 90, at the
next use 1, 7, 13 ..., so that over 100 uses all values are equally likely. See docs/d100.md,
"All the others".
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import ClassVar, Self

from bot.d100.ways import Carried, Figures, Transcript, read
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec
from bot.dice.throws import Throw


@dataclass(frozen=True, slots=True)
class LeftoversMethod(Carried):
    """The fewest dice with at least n throws. Memory: the number of uses modulo n, a full period.

    Within a period, each value deviates from its expectation by less than one throw.
    """

    name: ClassVar[str] = "leftovers"
    words: ClassVar[str] = "throws that are left over go to other values at each use"

    @property
    def dice(self) -> int:
        """The number of dice of one roll."""
        return next(dice for dice in count(1) if self.sides**dice >= self.values)

    @property
    def leftover(self) -> int:
        """The number of leftover throws."""
        return self.sides**self.dice % self.values

    @property
    def stride(self) -> int:
        """The distance between the values that leftover throws make."""
        return self.values // self.leftover

    @property
    def figures(self) -> Figures:
        """The figures of a single roll."""
        return Figures(self.weights(self.start()), Fraction(self.dice), self.dice)

    def start(self) -> Memory:
        """Return the memory of 0 uses."""
        return (0,)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return for each value the number of throws that make it at this use."""
        weights = [self.sides**self.dice // self.values] * self.values
        for index in range(self.leftover):
            weights[(memory[0] + index * self.stride) % self.values] += 1
        return tuple(weights)

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (every use shifts alike)
        """Count one more use, modulo n."""
        return ((memory[0] + 1) % self.values,)

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice as one number, and reassign it if it is at or over the last multiple of n."""
        (uses,) = memory
        if not 0 <= uses < self.values:
            raise ValueError(f"{uses} uses are not below {self.values}")
        transcript, dice = Transcript(draws), (self.sides,) * self.dice
        number = read(transcript.throw(dice), dice)
        whole = self.sides**self.dice - self.leftover
        transcript.say("reads {number:,}", number=number)
        if number >= whole:
            over = number - whole
            transcript.say("{over:,} over {whole:,}", over=over, whole=whole)
            transcript.reckon(f"{uses} + {self.stride}·{over}")
            number = uses + self.stride * over
        return transcript.modulo(number, self.values), self.advance(memory, 0)

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read `sides` and `values`; SpecError if there are no leftover throws."""
        method = super(LeftoversMethod, cls).from_spec(spec)
        if not method.leftover:
            raise SpecError(
                "{dice} dice of {sides} sides leave nothing over for a d{values}.",
                dice=method.dice,
                sides=method.sides,
                values=method.values,
            )
        return method
