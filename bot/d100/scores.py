"""How far from even a d100 is: the score, the sum over all values of (p - 1/n)²; 0 is exact.

docs/d100.md, "How even: the score".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Figures:
    """How even a method is, and how many dice it takes."""

    weights: tuple[int, ...]
    """Each value's weight; the first one is the value n, which counts as 0."""
    expected: Fraction | None
    """The dice that it takes on average; None where that is too long to work out."""
    most: int | None
    """The dice that it takes at most; None where it may take any number."""

    @property
    def score(self) -> Fraction:
        """How far from even it is; 0 is exact."""
        return score(self.weights)

    @property
    def exact(self) -> bool:
        """Whether all values are equally likely."""
        return min(self.weights) == max(self.weights)

    @property
    def rank(self) -> tuple[Fraction, float]:
        """What the contest goes by: the lowest score first, and of equal ones the fewest dice."""
        return self.score, float("inf") if self.expected is None else float(self.expected)

    @property
    def missing(self) -> int:
        """How many values never come up."""
        return self.weights.count(0)


def score(weights: Sequence[int]) -> Fraction:
    """Return the score of values with these weights; ValueError if no weight is positive."""
    total, values = sum(weights), len(weights)
    if total <= 0:
        raise ValueError("a score needs a positive weight")
    return Fraction(values * sum(w * w for w in weights) - total * total, values * total * total)


def best_weights(equal: int, values: int) -> tuple[int, ...]:
    """Return the weights of the values when that many equal results are dealt out most evenly."""
    most, more = divmod(equal, values)
    return tuple(most + (value < more) for value in range(values))


def best_score(equal: int, values: int) -> Fraction:
    """Return the lowest score that m equal results allow: m'(n-m')/(n m²), m' = m mod n."""
    more = equal % values
    return Fraction(more * (values - more), values * equal * equal)


def equal_weights(values: int) -> tuple[int, ...]:
    """Return the weights of an exact method."""
    return (1,) * values
