"""The score of a d100 method: the sum over all values of (p - 1/n)²; 0 is exactly uniform.

docs/d100.md, "How even: the score".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Figures:
    """A method's evenness and numbers of dice."""

    weights: tuple[int, ...]
    """The weight of each value; the first is the value n, which counts as 0."""
    expected: Fraction | None
    """The mean number of dice; None if it is too costly to compute."""
    most: int | None
    """The greatest number of dice; None if it is unlimited."""

    @property
    def score(self) -> Fraction:
        """The deviation from uniform; 0 is exact."""
        return score(self.weights)

    @property
    def exact(self) -> bool:
        """Whether all values are equally likely."""
        return min(self.weights) == max(self.weights)

    @property
    def rank(self) -> tuple[Fraction, float]:
        """The sort key of the contest: lowest score, then fewest dice."""
        return self.score, float("inf") if self.expected is None else float(self.expected)

    @property
    def missing(self) -> int:
        """The number of values that never occur."""
        return self.weights.count(0)


def score(weights: Sequence[int]) -> Fraction:
    """Return the score of values with these weights; ValueError if no weight is positive."""
    total, values = sum(weights), len(weights)
    if total <= 0:
        raise ValueError("a score needs a positive weight")
    return Fraction(
        values * sum(weight * weight for weight in weights) - total * total, values * total * total
    )


def best_weights(equal: int, values: int) -> tuple[int, ...]:
    """Return the values' weights if `equal` equally likely results are divided as evenly as possible."""
    quotient, remainder = divmod(equal, values)
    return tuple(quotient + (value < remainder) for value in range(values))


def best_score(equal: int, values: int) -> Fraction:
    """Return the lowest possible score of m equally likely results: m'(n-m')/(n m²), m' = m mod n."""
    remainder = equal % values
    return Fraction(remainder * (values - remainder), values * equal * equal)


def equal_weights(values: int) -> tuple[int, ...]:
    """Return the weights of an exact method."""
    return (1,) * values
