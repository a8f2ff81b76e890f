"""What a stretch of dependent rolls usually comes to, from the memories that it began with.

Exactly where that takes no longer; else it is played many times, and one simulation answers for all
figures. It is seeded, so the same question has the same answer; of 19 in 20 evenings it is off by half an
evening in 100 or less, as it has thousands of them; of a large deck without repeats and of unequal cards,
and of 24 faces and more, it has 400 or more, and is off by two in 100 or less.
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
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.norepeat import NoRepeat
from bot.systems.odds import shares

_MOST_RUNS, _FEWEST_RUNS, _SLOW_RUNS = 8_000, 2_000, 400
_COUNTS = 1_000_000
"""How many counts are held in memory at most, one for each evening and face."""
_CELLS = 25_000_000
"""How many rolls of one face are played at most, about; 10^7 take a third of a second."""
_LEAP = 3
"""Several rolls at once take about the time of this many."""
_LOOSE_FACES = 64
_THINNED = 8
"""A roll of a table of many faces takes about the time of one with this many."""
_TIGHT = 7
_FEW = 8


@lru_cache(maxsize=10)
def usual(stretch: Stretch) -> CountLaw:
    """Return what a stretch usually comes to: exactly where it has few enough ways, else played."""
    found = ways(stretch)
    if found is None:
        return play(stretch)
    return CountLaw(found.counts, found.chances, stretch.looked_at * chances_of(shares(stretch.system)))


def play(stretch: Stretch) -> CountLaw:
    """Play a stretch while it is worth the time."""
    import numpy as np

    generator = np.random.Generator(np.random.Philox(key=0))
    share = chances_of(shares(stretch.system))
    dependent = [thread for thread in stretch.threads if not all(span.system.independent for span in thread)]
    cells = sum(_cells(span) for thread in dependent for span in thread) or 1
    loose = crowd(stretch.system, stretch.system.start(), 1).leap > _LEAP
    fewest = _FEWEST_RUNS if len(share) < (_LOOSE_FACES if loose else MANY) else _SLOW_RUNS
    runs = max(fewest, min(_MOST_RUNS, _CELLS // cells, _COUNTS // len(share)))
    if any(_slow(span.system) for thread in dependent for span in thread):
        runs = _SLOW_RUNS
    over = runs * cells / _CELLS
    alone = stretch.looked_at - sum(span.looked_at for thread in dependent for span in thread)
    counts = generator.multinomial(alone, share, size=runs)
    for thread in dependent:
        rollers = crowd(thread[0].system, thread[0].memory or thread[0].system.start(), runs)
        for span in thread:
            if span is not thread[0]:
                rollers.tune(span.system)
            _played(rollers, span, over, generator, counts)
    return CountLaw(counts, np.ones(runs), stretch.looked_at * share, runs)


def _played(rollers: Crowd, span: MemorySpan, over: float, generator: Generator, counts: Integers) -> None:
    """Add a span's counts; all of it would take `over` times the time there is.

    Where errors settle only the end of it is played, but never less: rather several rolls are made at once.
    Elsewhere parts, each out of another evening, are put together: they hardly hang on one another.
    """
    import numpy as np

    share = chances_of(shares(span.system))
    pattern = (span.settled,) if span.settles else span.pattern
    # Several rolls at once take the time of a few.
    few = _LEAP * len(share) * span.settled / _cells(span)
    stride = min(rollers.leap, ceil(few * over)) if over > 1 else 1
    stride = stride if stride > few else 1
    parts = 1 if stride > 1 or span.settles else max(1, min(span.looked_at, ceil(over)))
    looked_at = sum(pattern[::2]) // parts
    found = np.zeros_like(counts)
    _roll(rollers, pattern, looked_at, stride, generator, found)
    counts += found
    for _ in range(1, parts):
        counts += generator.permutation(found)
    rest = span.looked_at - parts * looked_at
    # Counts stay whole.
    settled = np.rint(rest * share).astype(np.int64)
    counts += settled if span.settles else generator.multinomial(rest, share, size=len(counts))


def _slow(system: System) -> bool:
    """Return whether every evening meets counts of cards of its own, whose orders take long to count."""
    return isinstance(system, NoRepeat) and len({*system.base.weights}) > 1 and len(system.faces) > _FEW


def _cells(span: MemorySpan) -> int:
    """Return how many rolls of one face it takes to play a span; registers need not look at each."""
    system, each = span.system, len(span.system.faces)
    if isinstance(system, Register):
        each = 1
    elif each >= MANY and isinstance(system, Deck | Dynamic | Fair):
        each = min(each, _THINNED << (0 if len({*system.base.weights}) == 1 else _misses(system)))
    return span.settled * each


def _misses(system: System) -> int:
    """Return how often, as a power of 2, a roller of unequal faces throws the table's in vain."""
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
    """Roll until enough are looked at, at most `stride` at once, and add those to the counts."""
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
