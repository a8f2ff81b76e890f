"""What a stretch of dependent rolls usually comes to: played many times from the memories it began with.

One simulation answers for all figures. It is seeded, so the same question has the same answer; of 19 in 20
evenings it is off by half an evening in 100 or less, as `played` has thousands of them; of a large deck
without repeats and of unequal cards, and of 64 faces and more, it has 400 or more, and is off by
two in 100 or less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.d100.register import Register
from bot.dice.system import System
from bot.stats.bands import USUAL, Band, Sum, Worst, narrowest
from bot.stats.crowds import MANY, Crowd, crowd
from bot.stats.stretches import MemorySpan, Stretch
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.norepeat import NoRepeat
from bot.systems.odds import shares

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_RUNS, _FEWEST_RUNS, _SLOW_RUNS = 8_000, 2_000, 400
_COUNTS = 1_000_000
"""How many counts are held in memory at most, one for each evening and face."""
_CELLS = 25_000_000
"""How many rolls of one face are played at most, about; 10^7 take a third of a second."""
_THINNED = 8
"""A roll of a table of many faces takes as long as that of so many faces, about."""
_LOOSE = 2
_ALIKE = 1e-6
_FEW = 8


@dataclass(frozen=True, slots=True)
class SimulatedStretch:
    """Evenings that were played: one row an evening, one column how often a face came out."""

    counts: "NDArray[np.float64]"
    expected: "NDArray[np.float64]"

    @property
    def runs(self) -> int:
        """Return how many evenings there are."""
        return len(self.counts)

    def bands(self) -> tuple[Band, ...]:
        """Return the usual counts of each face."""
        import numpy as np

        whole = np.rint(self.counts).astype(np.int64)
        return tuple(_band(column) for column in whole.T)

    def worst(self, counts: Sequence[int]) -> Worst:
        """Return the largest error of these counts against what is usual."""
        import numpy as np

        seen = float(np.abs(np.array(counts) - self.expected).max())
        errors = np.abs(self.counts - self.expected).max(axis=1)
        half, most = np.quantile(errors, [0.5, USUAL], method="higher")
        beyond = int((errors >= seen - _ALIKE).sum())
        return Worst(seen, float(half), float(most), (1 + beyond) / (1 + self.runs))

    def sum(self, values: Sequence[int], seen: int) -> Sum:
        """Return a sum of face values, such as `seen`, against what is usual."""
        import numpy as np

        sums = np.rint(self.counts @ np.array(values)).astype(np.int64)
        band = _band(sums)
        below, above = int((sums <= seen).sum()), int((sums >= seen).sum())
        return Sum(band.low, band.high, (1 + below) / (1 + self.runs), (1 + above) / (1 + self.runs))


@lru_cache(maxsize=32)
def played(stretch: Stretch, *, seed: int = 0) -> SimulatedStretch:
    """Play a stretch, as often as is worth the time."""
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=seed))
    table = np.array(shares(stretch.system), dtype=float)
    share = table / table.sum()
    dependent = [thread for thread in stretch.threads if not all(span.system.independent for span in thread)]
    cells = sum(_cells(span) for thread in dependent for span in thread) or 1
    fewest = _FEWEST_RUNS if len(table) < MANY else _SLOW_RUNS
    runs = max(fewest, min(_MOST_RUNS, _CELLS // cells, _COUNTS // len(table)))
    if any(_slow(span.system) for thread in dependent for span in thread):
        runs = _SLOW_RUNS
    # Where even so few would take too long, all of it is cut in proportion.
    room = min(1.0, _CELLS / (runs * cells))
    alone = stretch.looked_at - sum(span.looked_at for thread in dependent for span in thread)
    errors = generator.multinomial(alone, share, size=runs) - alone * share
    for thread in dependent:
        rollers = crowd(thread[0].system, thread[0].memory or thread[0].system.start(), runs)
        for span in thread:
            if span is not thread[0]:
                rollers.tune(span.system)
            plan = _plan(span)
            steps = max(1, round(room * sum(plan)))
            counts, looked = _play(rollers, plan, steps, generator, errors.shape)
            settles = span.system.evens_out and len(plan) == 1
            scale = 1.0 if settles else (span.looked_at / max(1, looked)) ** 0.5
            errors += scale * (counts - looked * share)
    expected = stretch.looked_at * share
    return SimulatedStretch(errors + expected, expected)


def _slow(system: System) -> bool:
    """Return whether every evening meets counts of cards of its own, whose orders take long to count."""
    return isinstance(system, NoRepeat) and len({*system.base.weights}) > 1 and len(system.faces) > _FEW


def _plan(span: MemorySpan) -> tuple[int, ...]:
    """Return the pattern that is played for a span: if all is looked at, only until errors have settled."""
    return span.pattern if len(span.pattern) > 1 else (span.system.settled(span.steps),)


def _cells(span: MemorySpan) -> int:
    """Return how many rolls of one face it takes to play a span; registers need not look at each."""
    system, each = span.system, len(span.system.faces)
    if isinstance(system, Register):
        each = 1
    elif each >= MANY and (
        isinstance(system, Deck | Dynamic) or (isinstance(system, Fair) and _loose(system))
    ):
        each = _THINNED
    return sum(_plan(span)) * each


def _loose(system: Fair) -> bool:
    """Return whether a face of the table is often one that a fair die can go on with."""
    return len({*system.base.weights}) == 1 or (system.tightness is not None and system.tightness <= _LOOSE)


def _band(numbers: "NDArray[np.int64]") -> Band:
    import numpy as np

    first = int(numbers.min())
    return narrowest(np.bincount(numbers - first).astype(float), first)


def _play(
    rollers: Crowd,
    plan: Sequence[int],
    steps: int,
    generator: "np.random.Generator",
    shape: tuple[int, ...],
) -> "tuple[NDArray[np.float64], int]":
    """Play so many steps of a pattern; return the counts of those looked at, and how many they are."""
    import numpy as np

    counts = np.zeros(shape)
    rows = np.arange(shape[0])
    looked = 0
    for place, wanted in enumerate(plan):
        for _ in range(min(wanted, steps)):
            chosen = rollers.roll(generator)
            if place % 2 == 0:
                counts[rows, chosen] += 1
        looked += min(wanted, steps) if place % 2 == 0 else 0
        steps -= min(wanted, steps)
    return counts, looked
