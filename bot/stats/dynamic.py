"""Dynamic dice, exactly: faces are exchangeable, so only how many have which count matters.

A state is the number of faces at each count above the smallest. Many factors share the states and are
carried as one array axis; states that none of them reaches with a chance worth counting are left out,
and what is left out is added up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from bot.stats.arrays import Floats
from bot.stats.histograms import Histograms
from bot.stats.measures import Curve

NEGLIGIBLE = 1e-14
"""A state less likely than this is left out; `lost` tells what that came to."""
ROOM = 5_000_000
"""Chances worked out at most, one for each factor, state and roll: a few seconds."""


class TooManyStates(Exception):
    """The exact figures would take longer than a simulation is worth."""


@dataclass(frozen=True, slots=True)
class FactorCurves:
    """The curves of several factors: one row a factor, one column a number of rolls."""

    each: Floats
    """The entropy before each roll."""
    variance: Floats
    lost: Floats
    """The chance of all that was left out; entropy is off by at most this, variance by n² times this."""

    @property
    def entropy(self) -> Floats:
        """Return the mean entropy of the first 1, 2, ... rolls."""
        import numpy as np

        each = self.each
        return np.cumsum(each, axis=1, out=np.empty_like(each)) / np.arange(1, each.shape[1] + 1, dtype=float)

    def of(self, row: int) -> Curve:
        """Return the curve of one factor."""
        n = self.each.shape[1]
        lost = float(self.lost[row])
        return Curve(
            tuple(map(float, self.each[row])),
            tuple(map(float, self.variance[row])),
            entropy_error=lost + 1e-13 * n,
            variance_error=lost * n * n + 1e-12 * n,
        )


def dynamic_curve(values: int, factor: float, samples: int, *, room: int = ROOM) -> Curve:
    """Compute the curve of dynamic dice of `values` faces; TooManyStates beyond the room."""
    return dynamic_curves(values, [factor], samples, room=room).of(0)


def dynamic_curves(
    values: int, factors: Sequence[float], samples: int, negligible: float = NEGLIGIBLE, *, room: int = ROOM
) -> FactorCurves:
    """Compute the curves of several factors at once, each in (0, 1]; quick if they are close together.

    TooManyStates beyond the room.
    """
    import numpy as np

    f = np.array(factors, dtype=float)[:, None]
    states = Histograms.start(values)
    chance = np.ones((len(f), 1))
    each = np.zeros((len(f), samples))
    variance = np.zeros((len(f), samples))
    lost = np.zeros(len(f))
    for n in range(samples):
        room -= chance.size
        if room < 0:
            raise TooManyStates
        faces = states.faces()
        levels = np.arange(len(faces), dtype=float)
        powers: Floats = f**levels
        total = _weighed(powers, faces)
        nats = np.log(total) - _weighed(powers * levels, faces) * np.log(f) / total
        each[:, n] = (chance * nats).sum(axis=1) / (1 - lost)
        chance = chance / total
        flows = [
            chance[:, here] * (powers[:, level, None] * faces[level, here])
            for level, here in states.choices(faces)
        ]
        states, groups = states.after(faces)
        chance = groups.sum(np.concatenate(flows, axis=1))
        kept = np.flatnonzero(chance.max(axis=0) >= negligible)
        if len(kept) < chance.shape[1]:
            whole = chance.sum(axis=1)
            states, chance = states.take(kept), chance[:, kept]
            lost += whole - chance.sum(axis=1)
        variance[:, n] = (chance * states.variances()).sum(axis=1) / (1 - lost)
    return FactorCurves(each / log(values) if values > 1 else np.ones_like(each), variance, lost)


def _weighed(rows: Floats, columns: Floats) -> Floats:
    """Multiply the matrices on this thread alone: they are too small for the library's own threads."""
    import numpy as np

    return np.einsum("fl,ls->fs", rows, columns)
