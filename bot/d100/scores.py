"""How far from even a d100 is: the score, the sum over all values of (p - 1/n)². 0 is exact.

Source: text 004; spec "fairness", section D.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


def score(law: Sequence[int]) -> Fraction:
    """The score of values with these weights; ValueError where no weight is positive."""
    total, values = sum(law), len(law)
    if total <= 0:
        raise ValueError("a law has at least one positive weight")
    return Fraction(values * sum(w * w for w in law) - total * total, values * total * total)


def best_weights(equal: int, values: int) -> tuple[int, ...]:
    """The weights when that many equal results are dealt out to the values as evenly as they can be."""
    most, more = divmod(equal, values)
    return tuple(most + (value < more) for value in range(values))


def best_score(equal: int, values: int) -> Fraction:
    """The lowest score that so many equal results allow: m'(n-m')/(n m²), m' = m mod n."""
    more = equal % values
    return Fraction(more * (values - more), values * equal * equal)


@dataclass(frozen=True, slots=True)
class Figures:
    """What a method comes to."""

    law: tuple[int, ...]
    """Each value's weight; the first one is the value n, which counts as 0."""
    expected: Fraction | None
    """The dice that it takes on average; None where that is too long to work out."""
    most: int | None
    """The dice that it takes at most; None where there is no end that is sure."""

    @property
    def score(self) -> Fraction:
        """How far from even it is; 0 is exact."""
        return score(self.law)

    @property
    def exact(self) -> bool:
        """Whether all values are equally likely."""
        return min(self.law) == max(self.law)

    @property
    def missing(self) -> int:
        """How many values never come up."""
        return self.law.count(0)


def equal_weights(values: int) -> tuple[int, ...]:
    """The law of a method that is exact."""
    return (1,) * values
