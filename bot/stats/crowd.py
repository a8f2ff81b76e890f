"""A crowd: many copies of one roller side by side, each with its own memory, rolled all at once.

Floating point and numpy's generator: good enough for expectations, never used to roll.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from bot.dice.system import Memory, System
from bot.stats.arrays import Floats, Generator, Indices, Integers

_TABLE_LIMIT = 4_000_000
"""Size of the table of memories above which unused ones are dropped."""


class Crowd(ABC):
    """Copies of a roller: one row for each copy, one column for each face."""

    @abstractmethod
    def weights(self) -> Floats:
        """Return the weight of each face for each copy's next roll."""

    @abstractmethod
    def advance(self, chosen: Indices) -> None:
        """Advance each copy's memory by its face."""

    def tune(self, system: System) -> None:
        """Continue with the same memories under a system that continues this one."""
        raise TypeError(f"a {system.name} is not tuned")

    @property
    def leap(self) -> int:
        """Number of rolls that may be made at once."""
        return 1

    def roll(self, generator: Generator) -> Indices:
        """Roll each copy once, and return the faces."""
        chosen = choose(self.weights(), generator)
        self.advance(chosen)
        return chosen

    def count(self, rolls: int, generator: Generator, counts: Integers) -> None:
        """Roll each copy `rolls` times, at most `leap`, and add to the counts of its faces."""
        import numpy as np

        rows = np.arange(len(counts))
        for _ in range(rolls):
            counts[rows, self.roll(generator)] += 1


def chances_of(weights: Sequence[int]) -> Floats:
    """Return the weights normalized to probabilities."""
    import numpy as np

    table = np.array(weights, dtype=float)
    return table / table.sum()


def choose(weights: Floats, generator: Generator) -> Indices:
    """Return a face for each row of weights."""
    import numpy as np

    ends = np.cumsum(weights, axis=1)
    at = generator.random(len(ends))[:, None] * ends[:, -1:]
    chosen = (ends <= at).sum(axis=1)
    # Rounding must not go past the last face with a weight.
    last = weights.shape[1] - 1 - (weights[:, ::-1] > 0).argmax(axis=1)
    return np.minimum(chosen, last)


def fallen(share: Floats, rolls: int, runs: int, generator: Generator) -> Indices:
    """Return the faces of `rolls` rolls in each of `runs` runs; `share` is each face's chance.

    For few rolls of many faces this is faster than counting all faces.
    """
    import numpy as np

    ends: Floats = np.cumsum(share)
    at: Floats = generator.random((runs, rolls)) * float(ends[-1])
    # Rounding must not go past the last face with a weight.
    return ends.searchsorted(at, side="right").clip(max=int(np.flatnonzero(share)[-1]))


class KnownCrowd(Crowd):
    """A crowd of any system: each memory is numbered and calculated once, by the system itself."""

    def __init__(self, system: System, memory: Memory, copies: int) -> None:
        import numpy as np

        self._at = np.zeros(copies, dtype=np.intp)
        self._begin(system, [memory])

    def tune(self, system: System) -> None:
        """Continue with the memories in use."""
        import numpy as np

        used, self._at = np.unique(self._at, return_inverse=True)
        numbers: list[int] = used.tolist()
        self._begin(system, [self._memories[number] for number in numbers])

    def _begin(self, system: System, memories: Sequence[Memory]) -> None:
        """Restart the numbering with these memories, and drop all others."""
        import numpy as np

        self._system = system
        self._numbers: dict[Memory, int] = {}
        self._memories: list[Memory] = []
        self._weights = np.zeros((64, len(system.faces)))
        self._next = np.full((64, len(system.faces)), -1)
        for memory in memories:
            self._number(memory)

    def weights(self) -> Floats:
        """Return the weight of each face for each copy's next roll."""
        return self._weights[self._at]

    def advance(self, chosen: Indices) -> None:
        """Advance each copy's memory by its face."""
        import numpy as np

        after = self._next[self._at, chosen]
        faces = len(self._system.faces)
        new: list[int] = np.unique(self._at[after < 0] * faces + chosen[after < 0]).tolist()
        for at, face in (divmod(step, faces) for step in new):
            number = self._number(self._system.advance(self._memories[at], face))
            self._next[at, face] = number
        self._at = self._next[self._at, chosen]
        if self._next.size > _TABLE_LIMIT:
            self.tune(self._system)

    def _number(self, memory: Memory) -> int:
        """Return a memory's number; assign a new one if it has none."""
        import numpy as np

        number = self._numbers.setdefault(memory, len(self._numbers))
        if number == len(self._memories):
            self._memories.append(memory)
            if number == len(self._weights):
                self._weights = np.concatenate([self._weights, np.zeros_like(self._weights)])
                self._next = np.concatenate([self._next, np.full_like(self._next, -1)])
            weights = self._system.weights(memory)
            total = sum(weights)
            self._weights[number] = [weight / total for weight in weights]
        return number
