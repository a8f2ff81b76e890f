"""Exact curves of dynamic dice: faces are exchangeable, so a state is a histogram of their counts.

A state is the number of faces at each count above the smallest: level l is the number of faces that came l
times more than the rarest one. States are packed into integers, so that a step is an addition, and finding
equal states a sort. Many factors share the states and form one array axis; states that are negligible for all
of them are dropped, and the dropped probability is summed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from bot.stats.arrays import Floats, Indices, Integers
from bot.stats.measures import Curve

NEGLIGIBLE = 1e-14
"""States less likely than this are dropped; `lost` is their total probability."""
ROOM = 5_000_000
"""Most chances to calculate, one for each factor, state and roll: a few seconds."""
_WORD_BITS = 62


@dataclass(frozen=True, slots=True)
class Histograms:
    """States of `values` faces: `words` has a column for each state and packs its levels, lowest first."""

    values: int
    words: Integers
    depth: int
    """Number of levels that can have faces."""

    def faces(self) -> Floats:
        """Return the number of faces on each level: one row for each level, one column for each state."""
        import numpy as np

        mask = (1 << self._width) - 1
        rows = np.empty((self.depth, self.words.shape[1]))
        for level in range(self.depth):
            word, shift = self._place(level)
            rows[level] = (self.words[word] >> shift) & mask
        return rows

    def variances(self) -> Floats:
        """Return the population variance of the counts of each state."""
        import numpy as np

        faces, levels = self.faces(), np.arange(self.depth, dtype=float)
        mean = (levels[:, None] * faces).sum(axis=0) / self.values
        return ((levels[:, None] - mean) ** 2 * faces).sum(axis=0) / self.values

    def choices(self, faces: Floats) -> Iterator[tuple[int, Indices]]:
        """Yield each level, with the states that have faces on it."""
        import numpy as np

        for level in range(self.depth):
            yield level, np.flatnonzero(faces[level])

    def after(self, faces: Floats, chances: Floats) -> tuple["Histograms", Floats]:
        """Return the distinct states one roll later, and the sums of the chances that lead to each.

        `chances` has a column for each entry of all `choices`.
        """
        import numpy as np

        rows = self._place(self.depth)[0] + 1
        words = np.pad(self.words, ((0, rows - len(self.words)), (0, 0)))
        parts: list[Integers] = []
        for level, columns in self.choices(faces):
            child = words[:, columns]
            word, shift = self._place(level)
            child[word] -= 1 << shift
            word, shift = self._place(level + 1)
            child[word] += 1 << shift
            if level == 0:
                lifted = np.flatnonzero(child[0] & (1 << self._width) - 1 == 0)
                child[:, lifted] = self._lower(child[:, lifted])
            parts.append(child)
        children = np.concatenate(parts, axis=1)
        order = np.argsort(children[0]) if rows == 1 else np.lexsort(children)
        ordered = children[:, order]
        first = np.flatnonzero(np.concatenate(([True], (np.diff(ordered, axis=1) != 0).any(axis=0))))
        sums = np.add.reduceat(chances[:, order], first, axis=1)
        return self._trim(ordered[:, first], self.depth + 1), sums

    def take(self, columns: Indices) -> "Histograms":
        """Return only these states, in this order."""
        return self._trim(self.words[:, columns], self.depth)

    def _trim(self, words: Integers, depth: int) -> "Histograms":
        """Return the states without top levels that are empty in all of them."""
        while depth > 1:
            word, shift = self._place(depth - 1)
            if (words[word] >> shift).any():
                break
            depth -= 1
        return Histograms(self.values, words[: self._place(depth - 1)[0] + 1], depth)

    def _lower(self, words: Integers) -> Integers:
        """Return the states with every face one level lower; level 0 has to be empty."""
        lowered = words >> self._width
        top = self._width * (self._levels - 1)
        lowered[:-1] |= (words[1:] & (1 << self._width) - 1) << top
        return lowered

    def _place(self, level: int) -> tuple[int, int]:
        """Return the row of words and the first bit of a level."""
        word, place = divmod(level, self._levels)
        return word, place * self._width

    @property
    def _width(self) -> int:
        return self.values.bit_length()

    @property
    def _levels(self) -> int:
        return _WORD_BITS // self._width


class TooManyStates(Exception):
    """Exact figures would take longer than a simulation."""


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
    states = Histograms(values, np.array([[values]], dtype=np.int64), 1)  # every face on level 0
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
