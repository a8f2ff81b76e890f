"""Exact figures of a stretch: all ways its counts can fall, each with its probability.

Of decks, dynamic and fair dice the counts since they began say what the memory is, so nothing else has to
be walked through; and faces that began alike may change places, so one order of their counts stands for all.
Chances are floating point, and the least likely ways are left out: no chance is off by more than one in a
million, or there is no answer.
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
from bot.stats.stretches import MemorySpan, Stretch
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares

_HELD = 3_000_000
"""How many counts are held at a time."""
_WORK = 10_000_000
"""How many are worked out at most: about a second."""
_NEGLIGIBLE = 1e-13
"""A way less likely than this is left out."""
_OFF = 1e-6
"""By how much a chance may be off, all in all."""


_FACES = 63
_WALKED = (Deck, Dynamic, Fair)


class TooManyWays(Exception):
    """It would take longer than playing evenings out is worth."""


@dataclass(frozen=True, slots=True)
class Ways:
    """One row of counts for each way, each once; and how likely each is."""

    counts: Integers
    chances: Floats
    alike: tuple[tuple[int, ...], ...]
    """Faces that may change places; their counts are in order, and the row stands for all other orders."""
    work: int = 0
    """How many counts were worked out for it."""

    def rolled(self, weights: Floats) -> "Ways":
        """Return the ways after one more roll; each row of weights goes with a row of counts."""
        import numpy as np

        chances = weights * (self.chances / weights.sum(axis=1))[:, None]
        rows, faces = np.nonzero(chances > _NEGLIGIBLE)
        self._hold(len(rows))
        after = self.counts[rows]
        after[np.arange(len(rows)), faces] += 1
        return self._each_once(after, chances[rows, faces])

    def __add__(self, other: "Ways") -> "Ways":
        """Return the ways of both together, where neither tells of the other."""
        mine, every = self._likely(), other.every()._likely()
        rows = len(mine.chances) * len(every.chances)
        self._hold(rows)
        counts = (mine.counts[:, None] + every.counts).reshape(rows, -1)
        return self._each_once(counts, (mine.chances[:, None] * every.chances).ravel())

    def after(self, counts: Integers) -> "Ways":
        """Return the ways after a number of each face."""
        return replace(self, counts=self.counts + counts)

    def apart(self, other: "Ways") -> float:
        """Return how far the chances are apart, all added up."""
        import numpy as np

        both = np.concatenate([self.counts, other.counts])
        change = self._each_once(both, np.concatenate([self.chances, -other.chances])).chances
        return float(np.abs(change).sum())

    def every(self) -> "Ways":
        """Return the ways with a row for each order."""
        import numpy as np

        counts, of = self.counts, np.arange(len(self.chances))
        for faces in map(np.array, self.alike):
            for place in range(len(faces) - 1):
                # Any count of those left comes next, each once; the others stay in order.
                left = counts[:, faces[place:]]
                new = np.diff(left, axis=1, prepend=left[:, :1] - 1) != 0
                rows, chosen = np.nonzero(new)
                self._hold(len(rows))
                others = np.arange(len(faces) - place - 1)
                order = np.c_[chosen, others + (others >= chosen[:, None])]
                counts, of = counts[rows], of[rows]
                counts[:, faces[place:]] = np.take_along_axis(left[rows], order, axis=1)
        each = self.chances / np.bincount(of)
        return Ways(counts, each[of], ())

    def _likely(self) -> "Ways":
        """Return all but the least likely ways."""
        import numpy as np

        order = np.argsort(self.chances)
        kept = order[np.cumsum(self.chances[order]) > _OFF / 16]
        return replace(self, counts=self.counts[kept], chances=self.chances[kept])

    def _hold(self, rows: int) -> None:
        held = rows * self.counts.shape[1]
        if held > _HELD or self.work + held > _WORK:
            raise TooManyWays

    def _each_once(self, counts: Integers, chances: Floats) -> "Ways":
        """Return each way once; two of them have the same sum of random words once in 10^7 answers."""
        import numpy as np

        for faces in self.alike:
            counts[:, faces] = np.sort(counts[:, faces], axis=1)
        words = np.random.Generator(np.random.Philox(key=0)).integers(2**63, size=int(counts.shape[1]))
        sums: Integers = counts @ words
        order = np.argsort(sums)
        first = np.flatnonzero(np.diff(sums[order], prepend=~sums[order[0]]))
        return Ways(
            counts[order[first]], np.add.reduceat(chances[order], first), self.alike, self.work + counts.size
        )


def ways(stretch: Stretch) -> Ways | None:
    """Return all ways of a stretch, each in every order; None where there are too many, as of many faces.

    None too where its counts alone don't say what its memories are, as where rolls of others are in between.
    """
    import numpy as np

    table = shares(stretch.system)
    if len(table) > _FACES:
        return None
    if not all(len(span.pattern) == 1 and isinstance(span.system, _WALKED) for span in stretch.spans):
        return None
    threads = [(thread[0].memory or thread[0].system.start(), thread) for thread in stretch.threads]
    alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for face, began in enumerate(zip(table, *(memory for memory, _ in threads), strict=True)):
        alike[began].append(face)
    none = Ways(np.zeros((1, len(table)), dtype=np.int64), np.ones(1), tuple(map(tuple, alike.values())))
    try:
        found = reduce(add, (part for memory, thread in threads for part in _walk(none, memory, thread)))
        return found.every() if found.chances.sum() > 1 - _OFF / 2 else None
    except TooManyWays:
        return None


def _walk(none: Ways, began: Memory, thread: Iterable[MemorySpan]) -> Iterator[Ways]:
    """Walk through the rolls of one memory; yield the ways whenever a deck begins anew, and at the end."""
    import numpy as np

    memory, now = None, none
    rolls, cards = 0, sum(began)
    for span in thread:
        system = span.system
        if not isinstance(system, _WALKED):
            raise TypeError(f"a {system.name} is not walked through")
        before, had = none, -1
        table = shares(system)
        share: Integers = np.array(
            system.start() if isinstance(system, Deck) else [a // gcd(*table) for a in table]
        )
        if memory is None:
            memory = np.array(began) if isinstance(system, Deck) else errors(system, began, sum(table))
        cycle = int(share.sum())
        for left in range(span.steps, 0, -1):
            if left % cycle == 0:
                # No cycle moves the chances further than the one before it did.
                if had == cards and before.apart(now) * (left // cycle) < _OFF:
                    now, rolls = now.after(left // cycle * share), rolls + left
                    break
                before, had = now.after(share), cards
            now = now.rolled(_weights(system, memory, now.counts, rolls))
            rolls += 1
            if isinstance(system, Deck):
                cards -= 1
                if cards < system.refill:
                    memory, cards = memory + share, cards + cycle
                    if system.mode == "reset":
                        yield now
                        memory, cards, now, had = share, cycle, none, -1
    yield now


def _weights(
    system: Deck | Dynamic | Fair, memory: "Integers | Floats", counts: Integers, rolls: int
) -> Floats:
    """Return what each face weighs after these counts; of a deck `memory` has all cards that it ever got."""
    import numpy as np

    if isinstance(system, Deck):
        return (memory - counts).astype(float)
    table = np.array(shares(system), dtype=float)
    ahead = memory + table.sum() * counts - rolls * table
    return table * rarer(system, ahead - ahead.min(axis=1, keepdims=True), int(table.sum()))
