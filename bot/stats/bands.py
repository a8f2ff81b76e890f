"""What is usual: the narrowest band that holds at least 19 of 20 stretches.

Counts are whole, so a band can seldom hold exactly 19 of 20: it holds more, and any narrower one less.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

USUAL = 0.95
"""The share of stretches that a band holds at the least."""
ENOUGH_DICE = 30
"""Below this no verdict is given: so few can't tell anything."""
_ROUNDING = 1e-12


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
    half: float
    """Every second stretch stays within this."""
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
    """How many stretches come to as much or less: 0 to 1."""
    at_least: float


def narrowest(chances: "NDArray[np.float64]", first: int) -> Band:
    """Return the narrowest band of a law, whose chances are of `first` and the numbers after it.

    Of several as narrow it is the one that holds most.
    """
    import numpy as np

    ends = np.concatenate([[0.0], np.cumsum(chances)])
    wanted = USUAL * ends[-1] - _ROUNDING
    short, wide = 0, len(chances)
    while wide - short > 1:
        middle = (short + wide) // 2
        if (ends[middle:] - ends[:-middle]).max() >= wanted:
            wide = middle
        else:
            short = middle
    held = ends[wide:] - ends[:-wide]
    low = first + int(np.flatnonzero(held >= held.max() - _ROUNDING)[0])
    return Band(low, low + wide - 1)
