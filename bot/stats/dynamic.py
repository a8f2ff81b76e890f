"""Exact curves of dynamic dice: faces are exchangeable, so a state is a histogram of their counts.

A state is the number of faces at each count above the smallest. Many factors share the states and form one
array axis; states that are negligible for all of them are dropped, and the dropped probability is summed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from bot.stats.arrays import Floats
from bot.stats.histograms import Histograms
from bot.stats.measures import Curve

NEGLIGIBLE = 1e-14
"""States less likely than this are dropped; `lost` is their total probability."""
ROOM = 5_000_000
"""Most chances to calculate, one for each factor, state and roll: a few seconds."""


class TooManyStates(Exception):
    """The exact figures would take longer than a simulation."""


@dataclass(frozen=True, slots=True)
class FactorCurves:
    """The curves of several factors: one row for each factor, one column for each number of rolls."""

    entropies: Floats
    """The entropy before each roll."""
    variance: Floats
    lost: Floats
    """The dropped probability; the error of entropy is at most this, that of variance n² times this."""

    @property
    def entropy(self) -> Floats:
        """Return the mean entropy of the first 1, 2, ... rolls."""
        import numpy as np

        totals = np.cumsum(self.entropies, axis=1, out=np.empty_like(self.entropies))
        return totals / np.arange(1, totals.shape[1] + 1, dtype=float)

    def of(self, row: int) -> Curve:
        """Return the curve of one factor."""
        n = self.entropies.shape[1]
        lost = float(self.lost[row])
        return Curve(
            tuple(map(float, self.entropies[row])),
            tuple(map(float, self.variance[row])),
            entropy_error=lost + 1e-13 * n,
            variance_error=lost * n * n + 1e-12 * n,
        )


def dynamic_curves(
    values: int, factors: Sequence[float], samples: int, negligible: float = NEGLIGIBLE, *, room: int = ROOM
) -> FactorCurves:
    """Compute the curves of several factors in (0, 1] at once; fast if they are close together.

    Raise TooManyStates beyond `room`.
    """
    import numpy as np

    f = np.array(factors, dtype=float)[:, None]
    states = Histograms.start(values)
    chance = np.ones((len(f), 1))
    entropies = np.zeros((len(f), samples))
    variance = np.zeros((len(f), samples))
    lost = np.zeros(len(f))
    for n in range(samples):
        room -= chance.size
        if room < 0:
            raise TooManyStates
        faces = states.faces()
        levels = np.arange(len(faces), dtype=float)
        powers: Floats = f**levels
        total = _multiply(powers, faces)
        nats = np.log(total) - _multiply(powers * levels, faces) * np.log(f) / total
        entropies[:, n] = (chance * nats).sum(axis=1) / (1 - lost)
        chance = chance / total
        flows = [
            chance[:, columns] * (powers[:, level, None] * faces[level, columns])
            for level, columns in states.choices(faces)
        ]
        states, chance = states.after(faces, np.concatenate(flows, axis=1))
        likely = np.flatnonzero(chance.max(axis=0) >= negligible)
        if len(likely) < chance.shape[1]:
            total_chance = chance.sum(axis=1)
            states, chance = states.take(likely), chance[:, likely]
            lost += total_chance - chance.sum(axis=1)
        variance[:, n] = (chance * states.variances()).sum(axis=1) / (1 - lost)
    return FactorCurves(entropies / log(values) if values > 1 else np.ones_like(entropies), variance, lost)


def _multiply(rows: Floats, columns: Floats) -> Floats:
    """Multiply the matrices on this thread; they are too small for the library's own threads."""
    import numpy as np

    return np.einsum("fl,ls->fs", rows, columns)
