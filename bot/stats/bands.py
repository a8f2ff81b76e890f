"""Usual ranges: the narrowest band that contains at least 95% of the stretches.

Counts are integers, so a band seldom contains exactly 95%: it contains more, and any narrower one less.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from bot.stats.arrays import Flags, Floats, Integers

USUAL = 0.95
"""The least share of stretches in a band."""
ENOUGH_DICE = 30
"""Fewest dice for a verdict."""
_ROUNDING = 1e-12
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Band:
    """A range of integers, ends included."""

    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest error of any face, in dice, with its usual limit."""

    error: float
    most: float
    """19 of 20 stretches have no larger error."""
    chance: float
    """The share of stretches with an error at least this large: 0 to 1."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The usual range of a sum of faces, and both tails at one sum, each including it."""

    low: float
    high: float
    at_most: float
    """The share of stretches with this sum or less: 0 to 1."""
    at_least: float


def narrowest(chances: Floats, first: int) -> Band:
    """Return the narrowest band of a distribution; `chances` are those of `first` and the numbers after it.

    If several are equally narrow, return the one with the largest probability.
    """
    import numpy as np

    ends = np.concatenate([[0.0], np.cumsum(chances)])
    target = USUAL * ends[-1] - _ROUNDING
    widths = range(1, len(chances))
    width = 1 + bisect_left(widths, True, key=lambda width: (ends[width:] - ends[:-width]).max() >= target)
    covered = ends[width:] - ends[:-width]
    low = first + int(np.flatnonzero(covered >= covered.max() - _ROUNDING)[0])
    return Band(low, low + width - 1)


@dataclass(frozen=True, slots=True)
class CountLaw:
    """A distribution of the counts of each face: all exact outcomes, or simulated evenings.

    `counts` has a row for each outcome and a column for each face; `chances` is the weight of each row, 1 for
    evenings.
    """

    counts: Integers
    chances: Floats
    expected: Floats
    runs: int = 0
    """Number of simulated evenings; 0 if the distribution is exact."""

    def bands(self) -> tuple[Band, ...]:
        """Return the usual range of each face's count."""
        return tuple(self._band(column) for column in self.counts.T)

    def worst(self, counts: Sequence[int]) -> Worst:
        """Return the largest error of these counts, with its usual limit."""
        import numpy as np

        observed = float(np.abs(np.array(counts) - self.expected).max())
        errors = np.abs(self.counts - self.expected).max(axis=1)
        order = np.argsort(errors)
        covered = np.cumsum(self.chances[order])
        most = float(errors[order[np.searchsorted(covered, USUAL * covered[-1] - _ROUNDING)]])
        return Worst(observed, most, self._share(errors >= observed - _TOLERANCE))

    def sum(self, values: Sequence[int], observed: int) -> Sum:
        """Return the usual range of the sum of face values, and its tails at `observed`."""
        import numpy as np

        sums = self.counts @ np.array(values)
        band = self._band(sums)
        return Sum(band.low, band.high, self._share(sums <= observed), self._share(sums >= observed))

    def _band(self, numbers: Integers) -> Band:
        import numpy as np

        first = int(numbers.min())
        return narrowest(np.bincount(numbers - first, self.chances).astype(float), first)

    def _share(self, rows: Flags) -> float:
        """Return the probability of these rows; of simulated evenings the observed one counts as one more."""
        weight = float(self.chances[rows].sum())
        return (1 + weight) / (1 + self.runs) if self.runs else min(1.0, weight)
