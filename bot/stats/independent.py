"""Exact usual ranges of independent dice: of their counts, their largest error, their sum.

A count is binomial. The probability that no error exceeds h is that of independent Poisson counts, each
truncated at h, to add up to the number of dice, over the same for untruncated ones (Levin, Annals of
Statistics 9, 1981). Sums are convolutions by Fourier transforms; if one is too long, the normal law is used.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, erf, lgamma, log, sqrt
from typing import ClassVar

from bot.stats.arrays import Floats
from bot.stats.bands import USUAL, Band, Sum, Worst, narrowest

_LENGTH_LIMIT = 1 << 20
_SIDE = 1.959964
"""Standard deviations on either side that contain 95% of a normal law."""
_TAIL = 12
"""Standard deviations beyond which probabilities are below rounding errors."""


@dataclass(frozen=True, slots=True)
class Independent:
    """A number of independent dice with these weights."""

    weights: tuple[int, ...]
    dice: int
    runs: ClassVar[int] = 0
    """Always 0: nothing is simulated."""

    def bands(self) -> tuple[Band, ...]:
        """Return the usual range of each face's count."""
        band_by_weight = {a: self._band(a) for a in {*self.weights}}
        return tuple(band_by_weight[a] for a in self.weights)

    def worst(self, counts: Sequence[int]) -> Worst:
        """Return the largest error of these counts, with its usual limit."""
        total = sum(self.weights)
        # Errors are integers in units of 1/A, A being the total of the weights.
        observed = max(abs(c * total - a * self.dice) for c, a in zip(counts, self.weights, strict=True))
        beyond = 1 - self._within(observed - 1) if observed else 1.0
        return Worst(observed / total, self._most() / total, min(1.0, max(0.0, beyond)))

    def _most(self) -> int:
        """Return the smallest error, in units of 1/A, that at least 95% of throws don't exceed.

        Search whole dice first; between two of them each weight has two possible errors.
        """

        def is_enough(error: int) -> bool:
            return self._within(error) >= USUAL

        total, high = sum(self.weights), 1
        while not is_enough(high * total):
            high *= 2
        whole = bisect_left(range(high + 1), True, key=lambda n: is_enough(n * total))
        rests = {a * self.dice % total for a in self.weights}
        errors = sorted({whole * total - r for r in rests} | {(whole - 1) * total + r for r in rests if r})
        return errors[bisect_left(errors, True, key=is_enough)] if whole else 0

    def sum(self, values: Sequence[int], observed: int) -> Sum:
        """Return the usual range of the sum of face values, and its tails at `observed`."""
        import numpy as np

        total = sum(self.weights)
        low, span = min(values), max(values) - min(values)
        if span * self.dice >= _LENGTH_LIMIT:
            return self._normal(values, observed)
        single = np.zeros(span + 1)
        for value, a in zip(values, self.weights, strict=True):
            single[value - low] += a / total
        length = span * self.dice + 1
        size = 1 << length.bit_length()
        law = np.fft.irfft(np.fft.rfft(single, size) ** self.dice, size)[:length].clip(0)
        first = low * self.dice
        band = narrowest(law, first)
        at = observed - first
        return Sum(band.low, band.high, min(1.0, float(law[: at + 1].sum())), min(1.0, float(law[at:].sum())))

    def _normal(self, values: Sequence[int], observed: int) -> Sum:
        total = sum(self.weights)
        mean = sum(v * a for v, a in zip(values, self.weights, strict=True)) / total
        square = sum(v * v * a for v, a in zip(values, self.weights, strict=True)) / total
        middle, spread = mean * self.dice, sqrt((square - mean**2) * self.dice)
        # Sums are integers: half a point more includes the sum itself.
        at_most, below = (
            (1 + erf((observed + shift - middle) / spread / sqrt(2))) / 2 for shift in (0.5, -0.5)
        )
        return Sum(middle - _SIDE * spread, middle + _SIDE * spread, at_most, 1 - below)

    def _band(self, weight: int) -> Band:
        total = sum(self.weights)
        if weight == total:
            return Band(self.dice, self.dice)
        p = weight / total
        spread = sqrt(self.dice * p * (1 - p))
        first, law = _walk(
            self.dice * p, spread, self.dice, lambda c: (self.dice - c) * p / ((c + 1) * (1 - p))
        )
        return narrowest(law, first)

    def _within(self, error: int) -> float:
        """Return the probability that no count is off by more than `error`/A."""
        import numpy as np

        total, dice = sum(self.weights), self.dice
        laws: list[tuple[Floats, int]] = []
        start = 0
        for a, faces in Counter(self.weights).items():
            low, high = max(0, -((error - a * dice) // total)), min(dice, (a * dice + error) // total)
            mean = dice * a / total
            first, law = _walk(mean, sqrt(mean), None, lambda c, mean=mean: mean / (c + 1))
            cut = law[max(0, low - first) : max(0, high - first + 1)]
            if not len(cut):
                return 0.0
            start += max(low, first) * faces
            laws.append((cut, faces))
        length = sum((len(cut) - 1) * faces for cut, faces in laws) + 1
        if not 0 <= dice - start < length:
            return 0.0
        # The counts add up to about `dice`: beyond this size nothing significant would wrap around.
        size = 1 << min(length, ceil(3 * _TAIL * (sqrt(dice) + 1))).bit_length()
        product = np.ones(size // 2 + 1, dtype=complex)
        for cut, faces in laws:
            product *= np.fft.rfft(cut, size) ** faces
        truncated = float(np.fft.irfft(product, size)[(dice - start) % size])
        whole = dice * log(dice) - dice - lgamma(dice + 1)
        return min(1.0, truncated / float(np.exp(whole)))


def _walk(
    mean: float, spread: float, most: int | None, ratio: Callable[[Floats], Floats]
) -> tuple[int, Floats]:
    """Return a distribution's first count, and the probabilities from there on.

    `ratio` is the quotient of successive probabilities. `most`, if given, is the largest possible count.
    """
    import numpy as np

    first = max(0, int(mean - _TAIL * (spread + 1)))
    last = ceil(mean + _TAIL * (spread + 1))
    last = last if most is None else min(most, last)
    with np.errstate(divide="ignore"):
        logs = np.concatenate([[0.0], np.cumsum(np.log(ratio(np.arange(first, last, dtype=float))))])
    law = np.exp(logs - logs.max())
    return first, law / law.sum()
