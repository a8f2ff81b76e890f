"""Recency: recent faces have lower weights, or are rerolled.

The base is uniform, so that in the long run all faces are equally likely. Source: docs/checks.md,
"What came up just now".
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import ClassVar

from bot.dice.errors import SpecError
from bot.dice.system import (
    Base,
    Memory,
    OnBase,
    Spec,
    System,
    is_list,
    print_decimal,
    read_base,
    read_decimal,
    read_integer,
)

WINDOW_LIMIT = 20
TRIES_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Recency(OnBase):
    """Memory: the indices of the last faces from 1 on, newest first; 0 for none yet."""

    window: int
    """The number of last faces in the memory."""
    recent: tuple[Fraction, ...] = ()
    """The weight of a face by its newest position in the window; empty if faces are rerolled."""
    full: Fraction = Fraction(1)
    """The weight of a face that is not in the window."""
    tries: int = 1
    """The most throws to get a face that is not in the window."""

    name: ClassVar[str] = "recency"

    @property
    def independent(self) -> bool:
        """True for one try, or full weights everywhere."""
        return self.tries == 1 and {*self.recent} <= {self.full}

    def start(self) -> Memory:
        """Return an empty window."""
        return (0,) * self.window

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return the weights by recency, made integers, or those of the last throw of several."""
        faces = len(self.base.faces)
        if not self.recent:
            distinct = {*memory} - {0}
            inside, outside = by_tries(self.tries, faces, len(distinct))
            weighed = [outside] * faces
            for face in distinct:
                weighed[face - 1] = inside
            return tuple(weighed)
        unit = lcm(self.full.denominator, *(weight.denominator for weight in self.recent))
        weights = [self.full] * faces
        for face, weight in reversed([*zip(memory, self.recent, strict=True)]):
            if face:
                weights[face - 1] = weight
        return tuple(int(weight * unit) for weight in weights)

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Put the face before the others."""
        return (chosen + 1, *memory[:-1])

    def continues(self, other: System) -> bool:
        """Return whether `other` remembers the same number of faces of the same base."""
        return isinstance(other, Recency) and (other.base, other.window) == (self.base, self.window)

    def as_spec(self) -> Spec:
        """Return {"system": "recency", "base": "1d6", "weights": ["0", "0.5"], "full": "1"}, or by tries."""
        spec: Spec = {"system": self.name, "base": self.base.as_json()}
        if not self.recent:
            return {**spec, "last": self.window, "tries": self.tries}
        weights = [print_decimal(weight) for weight in self.recent]
        return {**spec, "weights": [*weights], "full": print_decimal(self.full)}

    @classmethod
    def from_spec(cls, spec: Spec) -> "Recency":
        """Read `base` with `weights` and `full`, or with `last` and `tries`; SpecError if they don't fit."""
        base = read_base(spec.get("base"))
        if not base.uniform:
            raise SpecError(
                "Recency takes faces that are equally likely, such as 1d6: of others the shares would drift."
            )
        if "weights" not in spec:
            tries = read_integer(spec, "tries", 2, 1, TRIES_LIMIT)
            return cls(base, read_integer(spec, "last", 1, 1, WINDOW_LIMIT), tries=tries)
        if "tries" in spec or "last" in spec:
            raise SpecError("Recency goes by weights, or by tries and last, not by both.")
        return _by_weights(base, spec)


@lru_cache(maxsize=1_024)
def by_tries(tries: int, faces: int, recent: int) -> tuple[int, int]:
    """Return the weights of a face in the window, which has `recent` different ones, and of any other."""
    return recent ** (tries - 1), sum(recent**j * faces ** (tries - 1 - j) for j in range(tries))


def _by_weights(base: Base, spec: Spec) -> Recency:
    values = spec["weights"]
    if not is_list(values) or not 1 <= len(values) <= WINDOW_LIMIT:
        raise SpecError(
            "The weights are a list of 1 to {most} decimals, the newest face's first.", most=WINDOW_LIMIT
        )
    full = read_decimal(spec.get("full", "1"))
    recent = tuple(read_decimal(weight) for weight in values)
    if not full or max(recent) > full:
        raise SpecError("Each weight is at most the full one, and that is over 0.")
    if recent.count(Fraction(0)) >= len(base.faces):
        raise SpecError("With {count} faces, fewer of the weights must be 0.", count=len(base.faces))
    return Recency(base, len(recent), recent, full)
