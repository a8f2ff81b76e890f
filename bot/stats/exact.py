"""Exact distribution of the counts of a stretch: all possible counts, each with its probability.

For decks, dynamic and fair dice the counts determine the memory, so they are the only state. Faces with the
same start are exchangeable, so one order of their counts represents all orders. Probabilities are floats, and
the least likely outcomes are dropped: the error is at most one in a million, or there is no answer.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd
from operator import add

from bot.dice.system import Memory
from bot.stats.arrays import Floats, Integers
from bot.stats.crowds import errors, rarer
from bot.stats.dynamic import TooManyStates
from bot.stats.stretches import MemorySpan, Stretch
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares

_MEMORY_LIMIT = 3_000_000
"""Most counts in memory at a time."""
_WORK = 10_000_000
"""Most counts to calculate: about a second."""
_NEGLIGIBLE = 1e-13
"""Ways less likely than this are dropped."""
_MAX_ERROR = 1e-6
"""Largest total error of a probability."""
_FACES = 63
_WALKED = (Deck, Dynamic, Fair)


@dataclass(frozen=True, slots=True)
class Ways:
    """A distribution of counts: one row of counts for each way, and its probability."""

    counts: Integers
    chances: Floats
    alike: tuple[tuple[int, ...], ...]
    """Groups of exchangeable faces; their counts are sorted, and the row represents all orders."""
    work: int = 0
    """Number of counts calculated so far."""

    def rolled(self, weights: Floats) -> "Ways":
        """Return the ways after one more roll; each row of weights belongs to a row of counts."""
        import numpy as np

        chances = weights * (self.chances / weights.sum(axis=1))[:, None]
        rows, faces = np.nonzero(chances > _NEGLIGIBLE)
        self._check_work(len(rows))
        after = self.counts[rows]
        after[np.arange(len(rows)), faces] += 1
        return self._merge(after, chances[rows, faces])

    def __add__(self, other: "Ways") -> "Ways":
        """Return the distribution of the sum of two independent counts."""
        mine, every = self._likely(), other.every()._likely()
        rows = len(mine.chances) * len(every.chances)
        self._check_work(rows)
        counts = (mine.counts[:, None] + every.counts).reshape(rows, -1)
        return self._merge(counts, (mine.chances[:, None] * every.chances).ravel())

    def after(self, counts: Integers) -> "Ways":
        """Return the ways with a fixed number of each face added."""
        return replace(self, counts=self.counts + counts)

    def apart(self, other: "Ways") -> float:
        """Return the sum of the differences of all probabilities."""
        import numpy as np

        both = np.concatenate([self.counts, other.counts])
        change = self._merge(both, np.concatenate([self.chances, -other.chances])).chances
        return float(np.abs(change).sum())

    def every(self) -> "Ways":
        """Return the ways with a row for each order of exchangeable faces."""
        import numpy as np

        counts, origin = self.counts, np.arange(len(self.chances))
        for faces in map(np.array, self.alike):
            for index in range(len(faces) - 1):
                # Each distinct remaining count comes next once; the others stay sorted.
                remaining = counts[:, faces[index:]]
                new = np.diff(remaining, axis=1, prepend=remaining[:, :1] - 1) != 0
                rows, chosen = np.nonzero(new)
                self._check_work(len(rows))
                others = np.arange(len(faces) - index - 1)
                order = np.c_[chosen, others + (others >= chosen[:, None])]
                counts, origin = counts[rows], origin[rows]
                counts[:, faces[index:]] = np.take_along_axis(remaining[rows], order, axis=1)
        share = self.chances / np.bincount(origin)
        return Ways(counts, share[origin], ())

    def _likely(self) -> "Ways":
        """Return the ways without the least likely ones."""
        import numpy as np

        order = np.argsort(self.chances)
        likely = order[np.cumsum(self.chances[order]) > _MAX_ERROR / 16]
        return replace(self, counts=self.counts[likely], chances=self.chances[likely])

    def _check_work(self, rows: int) -> None:
        """Raise TooManyStates if so many rows take too much memory or time."""
        cells = rows * self.counts.shape[1]
        if cells > _MEMORY_LIMIT or self.work + cells > _WORK:
            raise TooManyStates

    def _merge(self, counts: Integers, chances: Floats) -> "Ways":
        """Return the ways with equal rows merged; unequal rows collide once in 10^7 answers."""
        import numpy as np

        for faces in self.alike:
            counts[:, faces] = np.sort(counts[:, faces], axis=1)
        words = np.random.Generator(np.random.Philox(key=0)).integers(2**63, size=int(counts.shape[1]))
        sums: Integers = counts @ words
        order = np.argsort(sums)
        first = np.flatnonzero(np.diff(sums[order], prepend=~sums[order[0]]))
        merged = np.add.reduceat(chances[order], first)
        return Ways(counts[order[first]], merged, self.alike, self.work + counts.size)


def ways(stretch: Stretch) -> Ways | None:
    """Return all ways of a stretch, each in every order; None if there are too many ways or faces.

    Return None too if the counts don't determine the memories, such as with other people's rolls in between.
    """
    import numpy as np

    table = shares(stretch.system)
    if len(table) > _FACES:
        return None
    if not all(len(span.pattern) == 1 and isinstance(span.system, _WALKED) for span in stretch.spans):
        return None
    threads = [(thread[0].memory or thread[0].system.start(), thread) for thread in stretch.threads]
    alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for face, start in enumerate(zip(table, *(memory for memory, _ in threads), strict=True)):
        alike[start].append(face)
    none = Ways(np.zeros((1, len(table)), dtype=np.int64), np.ones(1), tuple(map(tuple, alike.values())))
    try:
        total = reduce(add, (part for memory, thread in threads for part in _walk(none, memory, thread)))
        return total.every() if total.chances.sum() > 1 - _MAX_ERROR / 2 else None
    except TooManyStates:
        return None


def _walk(none: Ways, start: Memory, thread: Iterable[MemorySpan]) -> Iterator[Ways]:
    """Process the rolls of one memory; yield the ways at each reset of a deck, and at the end."""
    import numpy as np

    memory, now = None, none
    rolls, cards = 0, sum(start)
    for span in thread:
        system = span.system
        if not isinstance(system, _WALKED):
            raise TypeError(f"a {system.name} is not walked through")
        before, cards_before = none, -1
        table = shares(system)
        cycle_counts = system.start() if isinstance(system, Deck) else [a // gcd(*table) for a in table]
        share: Integers = np.array(cycle_counts)
        if memory is None:
            memory = np.array(start) if isinstance(system, Deck) else errors(system, start, sum(table))
        cycle = int(share.sum())
        for remaining in range(span.steps, 0, -1):
            if remaining % cycle == 0:
                # No cycle changes the probabilities more than the one before it.
                if cards_before == cards and before.apart(now) * (remaining // cycle) < _MAX_ERROR:
                    now, rolls = now.after(remaining // cycle * share), rolls + remaining
                    break
                before, cards_before = now.after(share), cards
            now = now.rolled(_weights(system, memory, now.counts, rolls))
            rolls += 1
            if isinstance(system, Deck):
                cards -= 1
                if cards < system.refill:
                    memory, cards = memory + share, cards + cycle
                    if system.mode == "reset":
                        yield now
                        memory, cards, now, cards_before = share, cycle, none, -1
    yield now


def _weights(
    system: Deck | Dynamic | Fair, memory: "Integers | Floats", counts: Integers, rolls: int
) -> Floats:
    """Return the weights after these counts; for a deck `memory` has all cards ever added."""
    import numpy as np

    if isinstance(system, Deck):
        return (memory - counts).astype(float)
    table = np.array(shares(system), dtype=float)
    ahead = memory + table.sum() * counts - rolls * table
    return table * rarer(system, ahead - ahead.min(axis=1, keepdims=True), int(table.sum()))
