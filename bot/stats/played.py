"""The distribution of the counts of dependent rolls, from the memories that a stretch began with.

Exact if that is no slower; else one seeded simulation gives all figures, so equal stretches have the same.
With thousands of evenings the 95% level is accurate to half a percentage point; with 400 or more, for large
decks without repeats and with unequal cards and for 24 faces or more, to two percentage points.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from bot.d100.register import Register
from bot.dice.system import System
from bot.stats.arrays import Generator, Integers
from bot.stats.bands import CountLaw
from bot.stats.crowd import Crowd, chances_of
from bot.stats.crowds import MANY, crowd
from bot.stats.exact import ways
from bot.stats.stretches import MemorySpan, Stretch
from bot.systems.deck import Deck, NoRepeat
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares

_MOST_RUNS, _FEWEST_RUNS, _SLOW_RUNS = 8_000, 2_000, 400
_COUNTS = 1_000_000
"""Most counts in memory, one for each evening and face."""
_CELLS = 25_000_000
"""Approximate limit of simulated rolls × faces; 10^7 take a third of a second."""
_LEAP = 3
"""Cost of several rolls at once, in single rolls."""
_LOOSE_FACES = 64
_THINNED = 8
"""Cost of a roll of a table with many faces, in faces."""
_TIGHT = 7
_FEW = 8


@lru_cache(maxsize=10)
def usual(stretch: Stretch) -> CountLaw:
    """Return the distribution of a stretch's counts: exact if it has few enough ways, else simulated."""
    exact = ways(stretch)
    if exact is None:
        return play(stretch)
    return CountLaw(exact.counts, exact.chances, stretch.looked_at * chances_of(shares(stretch.system)))


def play(stretch: Stretch) -> CountLaw:
    """Simulate a stretch within the limit of time."""
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=0))
    share = chances_of(shares(stretch.system))
    dependent = [thread for thread in stretch.threads if not all(span.system.independent for span in thread)]
    cells = sum(_cells(span) for thread in dependent for span in thread) or 1
    loose = crowd(stretch.system, stretch.system.start(), 1).leap > _LEAP
    fewest = _FEWEST_RUNS if len(share) < (_LOOSE_FACES if loose else MANY) else _SLOW_RUNS
    runs = max(fewest, min(_MOST_RUNS, _CELLS // cells, _COUNTS // len(share)))
    if any(_is_slow(span.system) for thread in dependent for span in thread):
        runs = _SLOW_RUNS
    over = runs * cells / _CELLS
    alone = stretch.looked_at - sum(span.looked_at for thread in dependent for span in thread)
    counts = generator.multinomial(alone, share, size=runs)
    for thread in dependent:
        rollers = crowd(thread[0].system, thread[0].memory or thread[0].system.start(), runs)
        for span in thread:
            if span is not thread[0]:
                rollers.tune(span.system)
            _add_span(rollers, span, over, generator, counts)
    return CountLaw(counts, np.ones(runs), stretch.looked_at * share, runs)


def _add_span(rollers: Crowd, span: MemorySpan, over: float, generator: Generator, counts: Integers) -> None:
    """Add a span's simulated counts; simulating all of it would take `over` times the limit.

    If errors settle, simulate only the end of it, with several rolls at once if that is still too long. Else
    combine parts from different evenings, which are almost independent of each other.
    """
    import numpy as np

    share = chances_of(shares(span.system))
    pattern = (span.settled,) if span.settles else span.pattern
    # Single rolls that several rolls at once cost.
    leap_cost = _LEAP * len(share) * span.settled / _cells(span)
    stride = min(rollers.leap, ceil(leap_cost * over)) if over > 1 else 1
    stride = stride if stride > leap_cost else 1
    parts = 1 if stride > 1 or span.settles else max(1, min(span.looked_at, ceil(over)))
    looked_at = sum(pattern[::2]) // parts
    part_counts = np.zeros_like(counts)
    _roll(rollers, pattern, looked_at, stride, generator, part_counts)
    counts += part_counts
    for _ in range(1, parts):
        counts += generator.permutation(part_counts)
    rest = span.looked_at - parts * looked_at
    # Counts stay whole.
    settled = np.rint(rest * share).astype(np.int64)
    counts += settled if span.settles else generator.multinomial(rest, share, size=len(counts))


def _is_slow(system: System) -> bool:
    """Return True for large decks of unequal cards without repeats, whose orders are slow to count."""
    return isinstance(system, NoRepeat) and len({*system.base.weights}) > 1 and len(system.faces) > _FEW


def _cells(span: MemorySpan) -> int:
    """Return the cost of simulating a span in rolls × faces; a register's roll costs one face."""
    system, faces = span.system, len(span.system.faces)
    if isinstance(system, Register):
        faces = 1
    elif faces >= MANY and isinstance(system, Deck | Dynamic | Fair):
        faces = min(faces, _THINNED << (0 if len({*system.base.weights}) == 1 else _misses(system)))
    return span.settled * faces


def _misses(system: System) -> int:
    """Return the log2 of the mean number of rejected throws of a roller with unequal faces."""
    if not isinstance(system, Fair):
        return 0
    return _TIGHT if system.tightness is None else min(_TIGHT, ceil(max(0, system.tightness - 1)))


def _roll(
    rollers: Crowd,
    pattern: Sequence[int],
    looked_at: int,
    stride: int,
    generator: Generator,
    counts: Integers,
) -> None:
    """Roll until `looked_at` rolls are counted, at most `stride` at once, and add those to the counts."""
    import numpy as np

    others = np.zeros_like(counts)
    looks = [place % 2 == 0 for place, steps in enumerate(pattern) for _ in range(steps)]
    for start in range(0, len(looks), stride):
        turn = looks[start : start + stride]
        looked = min(sum(turn), looked_at)
        rollers.count(looked, generator, counts)
        looked_at -= looked
        if not looked_at:
            break
        rollers.count(len(turn) - looked, generator, others)
