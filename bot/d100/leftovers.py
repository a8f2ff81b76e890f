"""The leftovers method: throws that can't be dealt out evenly go to other values at every use.

Three d6 have 216 throws: two for each of 100 values, and 16 that are left. They go to 0, 6, 12 ... 90, at the
next use to 1, 7, 13 ..., so that nobody is favoured, and 100 uses treat all values alike. See docs/d100.md,
"All the others".
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from bot.d100.scores import Figures
from bot.d100.ways import Carried, Transcript, read
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec
from bot.dice.throws import Throw


@dataclass(frozen=True, slots=True)
class LeftoversMethod(Carried):
    """As few dice as have n throws. Memory: the uses, modulo n, after which all values were treated alike.

    What a value is short of evenness is under one throw over that period.
    """

    name: ClassVar[str] = "leftovers"
    words: ClassVar[str] = "throws that are left over go to other values at each use"

    @property
    def dice(self) -> int:
        """The dice of one roll."""
        dice = 1
        while self.sides**dice < self.values:
            dice += 1
        return dice

    @property
    def left(self) -> int:
        """The throws that are left over."""
        return self.sides**self.dice % self.values

    @property
    def apart(self) -> int:
        """How far apart the values lie that the throws left over go to."""
        return self.values // self.left

    @property
    def figures(self) -> Figures:
        """What each single roll comes to."""
        return Figures(self.weights(self.start()), Fraction(self.dice), self.dice)

    def start(self) -> Memory:
        """Return 0 uses."""
        return (0,)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return for each value how many throws make it at this use."""
        weights = [self.sides**self.dice // self.values] * self.values
        for n in range(self.left):
            weights[(memory[0] + n * self.apart) % self.values] += 1
        return tuple(weights)

    def advance(self, memory: Memory, chosen: int) -> Memory:  # noqa: ARG002 (every use shifts alike)
        """Count one more use, modulo n."""
        return ((memory[0] + 1) % self.values,)

    def throw(self, memory: Memory, draws: Draws) -> tuple[Throw, Memory]:
        """Throw the dice as one number, and shift it if it lies at or over the last multiple of n."""
        (uses,) = memory
        if not 0 <= uses < self.values:
            raise ValueError(f"{uses} uses are not below {self.values}")
        transcript, dice = Transcript(draws), (self.sides,) * self.dice
        number = read(transcript.throw(dice), dice)
        whole = self.sides**self.dice - self.left
        transcript.say("reads {number:,}", number=number)
        if number >= whole:
            over = number - whole
            transcript.say("{over:,} over {whole:,}", over=over, whole=whole)
            transcript.reckon(f"{uses} + {self.apart}·{over}")
            number = uses + self.apart * over
        return transcript.modulo(number, self.values), self.advance(memory, 0)

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read what any such method reads; SpecError where nothing is left over."""
        made = super(LeftoversMethod, cls).from_spec(spec)
        if not made.left:
            raise SpecError(
                "{dice} dice of {sides} sides leave nothing over for a d{values}.",
                dice=made.dice,
                sides=made.sides,
                values=made.values,
            )
        return made
