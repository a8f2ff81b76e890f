"""The exact tuner against the article's own search, written here as the article has it: plain Monte Carlo.

    python -m benchmarks.tuner [trials]
    python -m benchmarks.tuner decks

The article tries 100 factors and 100 decks with 10,000 trials each (some four minutes). With fewer trials
its time is scaled up to 10,000, and the table says so. Times are wall clock; the exact tuner's is the
median of nine. With `decks` the decks that the tuner tries are held against all of one to ten sets, for 2 to
12 values and 1 to 40 samples.
"""

import math
import random
import statistics
import sys
import time
from fractions import Fraction

from rich.console import Console
from rich.table import Table

from bot.stats.curves import deck_curves
from bot.stats.tuner import DECK_SIZES, best_deck, distinct_decks, equal_faces, tune
from bot.systems import deck as system

TRIALS = 10_000
LIMIT = 1_000
CASES = ((6, 25), (4, 30))
TARGET = 0.9


class Deck:
    """The article's deck: refilled once, after the draw, when fewer cards are left than the constant."""

    def __init__(self, values: int, size: int, refill: int) -> None:
        self.size, self.refill = size, refill
        self.cards = [size] * values

    def probabilities(self) -> list[float]:
        """Return the chance of each value."""
        total = sum(self.cards)
        return [c / total for c in self.cards]

    def take(self, value: int) -> None:
        """One card of that value is gone."""
        self.cards[value] -= 1
        if sum(self.cards) < self.refill:
            self.cards = [c + self.size for c in self.cards]


class Dynamic:
    """The article's dynamic dice: the chosen chance is multiplied by the factor, then all are scaled to 1."""

    def __init__(self, values: int, factor: float) -> None:
        self.factor = factor
        self.chances = [1 / values] * values

    def probabilities(self) -> list[float]:
        """Return the chance of each value."""
        return self.chances

    def take(self, value: int) -> None:
        """Make that value rarer."""
        self.chances[value] *= self.factor
        total = sum(self.chances)
        self.chances = [p / total for p in self.chances]


def evening(dice: Deck | Dynamic, values: int, samples: int, source: random.Random) -> tuple[float, float]:
    """Return the average entropy and the variance of one evening."""
    counts = [0] * values
    entropy = 0.0
    for _ in range(samples):
        chances = dice.probabilities()
        entropy -= sum(p * math.log(p) for p in chances if p > 0)
        value = source.choices(range(values), chances)[0]
        counts[value] += 1
        dice.take(value)
    mean = samples / values
    return entropy / samples / math.log(values), sum((c - mean) ** 2 for c in counts) / values


def search(values: int, samples: int, trials: int) -> tuple[tuple[int, int], float]:
    """Return the deck and the factor that win, as the article picks them: `<=` on noisy variances."""
    source = random.Random(1)
    best_deck, best_factor = (0, 0), 0.0
    least = math.inf
    for size in range(1, 11):
        for refill in range(1, 11):
            runs = [evening(Deck(values, size, refill), values, samples, source) for _ in range(trials)]
            entropy, variance = (statistics.fmean(column) for column in zip(*runs, strict=True))
            if entropy >= TARGET and variance <= least:
                least, best_deck = variance, (size, refill)
    least = math.inf
    for i in range(100):
        factor = (i + 0.5) / 100
        runs = [evening(Dynamic(values, factor), values, samples, source) for _ in range(trials)]
        entropy, variance = (statistics.fmean(column) for column in zip(*runs, strict=True))
        if entropy >= TARGET and variance <= least:
            least, best_factor = variance, factor
    return best_deck, best_factor


def front(decks: list[system.Deck], samples: int) -> list[tuple[float, float]]:
    """Return the entropy and variance of each deck that no other one beats in both."""
    curves = deck_curves(decks, samples)
    rounded = {(round(curve.entropy[-1], 9), round(curve.variance[-1], 9)) for curve in curves}
    best: list[tuple[float, float]] = []
    for entropy, variance in sorted(rounded, key=lambda f: (-f[0], f[1])):
        if not best or variance < best[-1][1]:
            best.append((entropy, variance))
    return best


def leaves_out_none(values: int, samples: int) -> bool:
    """Whether the decks that the tuner tries are as good at any target as all of one to ten sets."""
    base = equal_faces(values)
    every = [system.Deck(base, s, r, "add") for s in DECK_SIZES for r in range(1, s * values + 1)]
    return front(distinct_decks(equal_faces(values), samples), samples) == front(every, samples)


def search_all() -> None:
    """Print the number of evenings for which the decks that are tried are as good as all."""
    gaps = [leaves_out_none(values, samples) for values in range(2, 13) for samples in range(1, 41)]
    print(f"{sum(gaps)} of {len(gaps)} evenings: as good as all decks, at any target.")


def main(trials: int) -> None:
    """Print the comparison."""
    table = Table(title=f"Tuning at {TARGET:.0%} unpredictability")
    for column in ("values, samples", "search", "time", "deck", "factor"):
        table.add_column(column, justify="right")
    ratios: list[float] = []
    for values, samples in CASES:
        start = time.perf_counter()
        deck, factor = search(values, samples, trials)
        slow = (time.perf_counter() - start) * TRIALS / trials
        tuned = tune(values, samples, Fraction(9, 10))
        times: list[float] = []
        for _ in range(9):
            best_deck.cache_clear()
            start = time.perf_counter()
            tune(values, samples, Fraction(9, 10))
            times.append(time.perf_counter() - start)
        quick = statistics.median(times)
        ratios.append(slow / quick)
        scaled = "" if trials == TRIALS else f" (from {trials:,})"
        table.add_row(
            f"{values}, {samples}", f"{TRIALS:,} trials{scaled}", f"{slow:.0f} s", str(deck), f"{factor:.3f}"
        )
        exact = tuned.deck
        assert exact is not None
        assert tuned.dynamic is not None
        table.add_row(
            "",
            "exact",
            f"{quick * 1000:.0f} ms",
            str((exact.size, exact.refill)),
            f"{float(tuned.dynamic.factor):.3f}, best {float(tuned.optimum.factor):.6f}",
        )
        table.add_row("", "ratio", f"{slow / quick:,.0f} ×", "", "", end_section=True)
    console = Console(width=100)
    console.print(table)
    is_kept = ratios[0] >= LIMIT
    console.print(
        f"At least {LIMIT:,} times faster for 6 values and 25 samples: {'kept' if is_kept else 'MISSED'}."
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["decks"]:
        search_all()
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS)
