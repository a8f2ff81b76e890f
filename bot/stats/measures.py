"""The two measures of an evening of n rolls: entropy (unpredictability) and variance (unevenness).

Entropy is measured before each roll, as a fraction of the base table's own: 1 for plain dice. An evening's
entropy is the mean over its rolls. Variance is the mean squared error of the counts after
the rolls, over the faces: 0 is perfectly even. See docs/fairness.md, "Two figures".
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import log
from typing import Generic, TypeVar

from bot.dice.system import System

_System_co = TypeVar("_System_co", bound=System, covariant=True)


@dataclass(frozen=True, slots=True)
class Curve:
    """Both measures after 1, 2, ... rolls, and bounds on their errors.

    For exact figures the errors bound rounding and neglected states; for simulated ones they are standard
    errors.
    """

    entropies: tuple[float, ...]
    """The entropy before each roll."""
    variance: tuple[float, ...]
    entropy_error: float = 0.0
    variance_error: float = 0.0
    simulated: bool = False

    @property
    def entropy(self) -> tuple[float, ...]:
        """Return the mean entropy of the first 1, 2, ... rolls; its error is no larger than that of one."""
        return tuple(total / n for n, total in enumerate(accumulate(self.entropies), start=1))


@dataclass(frozen=True, slots=True)
class Robustness:
    """The mean and worst variance over a range of lengths, for evenings of uncertain length."""

    mean: float
    worst: float
    worst_at: int


def robust(evening: Curve, samples: range) -> Robustness:
    """Return the mean and the worst variance over these numbers of rolls; the first worst one of equals."""
    variances = [evening.variance[n - 1] for n in samples]
    worst = max(variances)
    return Robustness(sum(variances) / len(variances), worst, samples[variances.index(worst)])


@dataclass(frozen=True, slots=True)
class Candidate(Generic[_System_co]):
    """A system, its curve, and the likely lengths of the evening."""

    system: _System_co
    evening: Curve
    lengths: range

    @property
    def over(self) -> Robustness:
        """Return its variance over the lengths."""
        return robust(self.evening, self.lengths)


@lru_cache(maxsize=1 << 14)
def table_entropy(weights: tuple[int, ...]) -> float:
    """Return the entropy, in nats, of one draw by integer weights; they can be too large for a float."""
    total = sum(weights)
    return -sum(p * log(p) for w in weights if (p := w / total))
