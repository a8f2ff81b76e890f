"""Results that are numbers: their mean and variance, the chance of a range, and two rolls side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from bot.dice.errors import SpecError


@dataclass(frozen=True, slots=True)
class Span:
    """The totals from `low` to `high`, ends included; None is no end. SpecError if it holds nothing."""

    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise SpecError(f"Nothing is at least {self.low:,} and at most {self.high:,}: swap the two.")

    def __bool__(self) -> bool:
        """Whether anything is asked for at all."""
        return self.low is not None or self.high is not None

    def __contains__(self, total: int) -> bool:
        return (self.low is None or total >= self.low) and (self.high is None or total <= self.high)


@dataclass(frozen=True, slots=True)
class Totals:
    """Each total with its chance, ascending; the chances add up to 1."""

    chances: tuple[tuple[int, Fraction], ...]

    @property
    def mean(self) -> Fraction:
        """Return the expected total."""
        return sum((total * chance for total, chance in self.chances), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Return the expected square of how far a total is from the mean."""
        return sum((total * total * chance for total, chance in self.chances), -(self.mean**2))

    @property
    def deviation(self) -> float:
        """Return the standard deviation, the root of the variance."""
        return sqrt(self.variance)

    def within(self, span: Span) -> Fraction:
        """Return the chance of a total in the span."""
        return sum((chance for total, chance in self.chances if total in span), Fraction(0))

    def against(self, other: "Totals") -> tuple[Fraction, Fraction, Fraction]:
        """Return the chances to be higher than, equal to and lower than an independent roll of the other."""
        higher = equal = below = Fraction(0)
        rest = list(reversed(other.chances))
        for total, chance in self.chances:
            while rest and rest[-1][0] < total:
                below += rest.pop()[1]
            higher += chance * below
            if rest and rest[-1][0] == total:
                equal += chance * rest[-1][1]
        return higher, equal, 1 - higher - equal


def totals(faces: Sequence[str], chances: Sequence[Fraction]) -> Totals | None:
    """Return the faces as totals with their chances; None for words, and for several decks at once."""
    if not are_numbers(faces) or sum(chances) != 1:
        return None
    found: dict[int, Fraction] = {}
    for face, chance in zip(faces, chances, strict=True):
        found[int(face)] = found.get(int(face), Fraction(0)) + chance
    return Totals(tuple(sorted(found.items())))


def are_numbers(faces: Sequence[str]) -> bool:
    """Return whether all faces are whole numbers."""
    return all(face.removeprefix("-").isdecimal() for face in faces)
