"""Bands of what is usual: the narrowest that holds at least 19 of 20 stretches.

Counts are whole, so a band can seldom hold exactly 19 of 20: it holds more, and any narrower one less.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from bot.stats.arrays import Flags, Floats, Integers

USUAL = 0.95
"""The share of stretches that a band holds at the least."""
ENOUGH_DICE = 30
"""Below this no verdict is given: so few can't tell anything."""
_ROUNDING = 1e-12
_ALIKE = 1e-6


@dataclass(frozen=True, slots=True)
class Band:
    """Whole numbers that are usual, ends included."""

    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest error of any face, in dice, against what is usual."""

    error: float
    most: float
    """19 of 20 stretches stay within this."""
    chance: float
    """How many stretches have an error as large or larger: 0 to 1."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of faces against what is usual; both chances count the sum itself."""

    low: float
    high: float
    at_most: float
    """The share of stretches with this sum or less: 0 to 1."""
    at_least: float


def narrowest(chances: Floats, first: int) -> Band:
    """Return the narrowest band of a law, whose chances are of `first` and the numbers after it.

    Of several as narrow it is the one that holds most.
    """
    import numpy as np

    ends = np.concatenate([[0.0], np.cumsum(chances)])
    wanted = USUAL * ends[-1] - _ROUNDING
    widths = range(1, len(chances))
    wide = 1 + bisect_left(widths, True, key=lambda wide: (ends[wide:] - ends[:-wide]).max() >= wanted)
    held = ends[wide:] - ends[:-wide]
    low = first + int(np.flatnonzero(held >= held.max() - _ROUNDING)[0])
    return Band(low, low + wide - 1)


@dataclass(frozen=True, slots=True)
class CountLaw:
    """How often each face comes out of some dice: all ways, or evenings that were played.

    `counts` has one row for each, and `chances` how likely it is; evenings weigh 1.
    """

    counts: Integers
    chances: Floats
    expected: Floats
    runs: int = 0
    """How many evenings were played; 0 where all is exact."""

    def bands(self) -> tuple[Band, ...]:
        """Return the usual counts of each face."""
        return tuple(self._band(column) for column in self.counts.T)

    def worst(self, counts: Sequence[int]) -> Worst:
        """Return the largest error of these counts against what is usual."""
        import numpy as np

        seen = float(np.abs(np.array(counts) - self.expected).max())
        errors = np.abs(self.counts - self.expected).max(axis=1)
        order = np.argsort(errors)
        held = np.cumsum(self.chances[order])
        most = float(errors[order[np.searchsorted(held, USUAL * held[-1] - _ROUNDING)]])
        return Worst(seen, most, self._share(errors >= seen - _ALIKE))

    def sum(self, values: Sequence[int], seen: int) -> Sum:
        """Return a sum of face values, such as `seen`, against what is usual."""
        import numpy as np

        sums = self.counts @ np.array(values)
        band = self._band(sums)
        return Sum(band.low, band.high, self._share(sums <= seen), self._share(sums >= seen))

    def _band(self, numbers: Integers) -> Band:
        import numpy as np

        first = int(numbers.min())
        return narrowest(np.bincount(numbers - first, self.chances).astype(float), first)

    def _share(self, which: Flags) -> float:
        """Return how likely these are; of evenings that were played, the one that is asked about is one."""
        found = float(self.chances[which].sum())
        return (1 + found) / (1 + self.runs) if self.runs else min(1.0, found)
