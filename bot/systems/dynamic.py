"""Dynamic dice: each time a face comes out, its weight is multiplied by the decrease factor f.

The weight of face i is f^(c_i), c_i its count. Only for faces of equal weight: on others it would drive the
counts equal instead of true to the base. With f = 2^-t it is the fair die of tightness t on the same faces.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

from bot.dice.errors import SpecError
from bot.dice.system import Memory, OnBase, Spec, print_decimal, read_base, read_decimal

_FORGOTTEN = 5
"""An error counts as forgotten when it has shrunk by this power of e, to under a hundredth."""


@dataclass(frozen=True, slots=True)
class Dynamic(OnBase):
    """`factor` f is a rational, 0 < f <= 1; 1 is plain dice. Memory: counts minus the smallest one."""

    factor: Fraction

    name: ClassVar[str] = "dynamic"

    @property
    def independent(self) -> bool:
        """True for the factor 1 only."""
        return self.factor == 1

    @property
    def settling(self) -> tuple[int, int] | None:
        """An error shrinks by -ln f / k a roll, and all faces are a cycle; None for 1, plain dice."""
        if self.independent:
            return None
        faces = len(self.base.faces)
        # -ln f is at least 1 - f.
        return faces + ceil(_FORGOTTEN * faces / (1 - self.factor)), faces

    def start(self) -> Memory:
        """Return counts of 0."""
        return (0,) * len(self.base.faces)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return p^c q^(max - c) for f = p/q: proportional to f^c, in integers."""
        p, q = self.factor.as_integer_ratio()
        most = max(memory)
        return tuple(p**c * q ** (most - c) for c in memory)

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Count the chosen face, and bring the smallest count back to 0."""
        counts = [*memory]
        counts[chosen] += 1
        least = min(counts)
        return tuple(c - least for c in counts)

    def as_spec(self) -> Spec:
        """Return {"system": "dynamic", "base": ..., "factor": "0.355"}."""
        return {"system": self.name, "base": self.base.as_json(), "factor": print_decimal(self.factor)}

    @classmethod
    def from_spec(cls, spec: Spec) -> "Dynamic":
        """Read `base` and `factor`; SpecError for unequal faces and f outside (0, 1]."""
        base = read_base(spec.get("base"))
        if not base.uniform:
            raise SpecError(
                "Dynamic dice need faces of equal weight, such as 1d6; a fair roller suits this base."
            )
        factor = read_decimal(spec.get("factor"))
        if not 0 < factor <= 1:
            raise SpecError(
                "The decrease factor is over 0 and at most 1, not {value}.", value=spec.get("factor")
            )
        return cls(base, factor)
