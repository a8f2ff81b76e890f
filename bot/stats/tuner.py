"""Find the exact parameters with the least variance at a required unpredictability.

Entropy and variance both grow with the factor of dynamic dice, so the best factor is where the entropy
meets the target; all distinct generalized decks are tried. The advice compares the tuned systems at the
length of an evening, and over a range of lengths. See docs/fairness.md, "The dial".
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import ceil, log2
from typing import TypeAlias, TypeVar

from bot.dice.errors import SpecError
from bot.dice.system import Base, System
from bot.stats.curves import curve, deck_curves, deck_variance
from bot.stats.dynamic import FactorCurves, TooManyStates, dynamic_curves
from bot.stats.measures import Candidate, Curve
from bot.stats.simulation import simulate
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.plain import PlainDice

VALUES_LIMIT = 100
SAMPLES_LIMIT = 200
LEAST, MOST = Fraction(1, 2), Fraction(99, 100)
"""The range of targets."""
DECK_SIZES = range(1, 11)
Tell: TypeAlias = Callable[[int, int], None]
"""A function to call with each step of a search and the largest number of steps."""
FACTORS = tuple(Fraction(2 * i + 1, 200) for i in range(100))
"""The grid of the text: 0.005, 0.015 ... 0.995."""

_ROUNDING = 1e-9
_TIE = 1e-4
"""Largest difference of variances that count as equal; nobody could tell such systems apart."""
_MICRO = 10**6
# Below this factor dynamic dice are practically a hat, so the search ends here.
_SMALLEST = 1 / _MICRO
_LADDER = ((0.02, 0.08, 0.16, 0.3), (0.45, 0.6), (0.7,), (0.8,), (0.87,), (0.93,), (0.98,))
_EXACT_STEPS = len(_LADDER) + 2
# Probabilities of negligible states: for the search, and for six certain digits.
_COARSE, _FINE = 1e-9, 1e-13
_System = TypeVar("_System", bound=System)


@dataclass(frozen=True, slots=True)
class TunedDeck:
    """The generalized deck with the least variance of those tried."""

    size: int
    refill: int
    entropy: float
    variance: float
    exact_variance: Fraction


@dataclass(frozen=True, slots=True)
class TunedDice:
    """Dynamic dice; a fair die with this tightness and the same faces is the same system."""

    factor: Fraction
    tightness: float
    """-log2 of the factor."""
    entropy: float
    variance: float
    simulated: bool = False
    """True if the figures are simulated, since there are too many states for exact ones."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The request, and the best system of each kind; None if none of that kind meets the target."""

    values: int
    samples: int
    unpredictability: Fraction
    deck: TunedDeck | None
    grid_deck: TunedDeck | None
    """The best of the text's grid: sizes and refill constants of 1 to 10, some over the number of cards."""
    dynamic: TunedDice | None
    """The best of the text's grid of factors."""
    optimum: TunedDice


def tune(values: int, samples: int, unpredictability: Fraction, tell: Tell | None = None) -> Tuning:
    """Find the best deck, the best factor of the grid and the best factor of all, for equal faces.

    `tell` is called with each step and the largest number of steps: first exact ones, then simulated ones.
    `unpredictability` is the required entropy as a fraction of plain dice's. Raise SpecError outside 2 to 100
    values, 1 to 200 samples or 50 % to 99 %.
    """
    if not 2 <= values <= VALUES_LIMIT:
        raise SpecError("Tuning is for 2 to {most} values, not {values:,}.", most=VALUES_LIMIT, values=values)
    if not 1 <= samples <= SAMPLES_LIMIT:
        raise SpecError(
            "Tuning is for 1 to {most} samples, not {samples:,}.", most=SAMPLES_LIMIT, samples=samples
        )
    check_target(unpredictability)
    optimum, on_grid = best_factors(values, samples, unpredictability, tell)
    grid = [Deck(equal_faces(values), size, refill) for size in DECK_SIZES for refill in DECK_SIZES]
    on_deck_grid = least_deck(grid, range(samples, samples + 1), unpredictability)
    decks = best_deck(values, samples, unpredictability), on_deck_grid
    return Tuning(values, samples, unpredictability, *decks, on_grid, optimum)


def check_target(unpredictability: Fraction) -> None:
    """Raise SpecError unless it is 50 % to 99 %; plain dice are best above that, a plain deck below."""
    if not LEAST <= unpredictability <= MOST:
        raise SpecError(
            "The unpredictability is 50 % to 99 %, not {percent:g} %.", percent=float(unpredictability * 100)
        )


def telling(total: int, tell: Tell | None) -> Callable[[], None]:
    """Return a function to call at each step, which reports its number and the total to `tell`."""
    steps = count(1)

    def step() -> None:
        if tell:
            tell(next(steps), total)

    return step


@lru_cache(maxsize=64)
def best_deck(values: int, samples: int, unpredictability: Fraction) -> TunedDeck | None:
    """Return the deck of at most ten sets with the least variance; of equally good ones the smallest."""
    decks = distinct_decks(equal_faces(values), samples)
    return least_deck(decks, range(samples, samples + 1), unpredictability)


def distinct_decks(base: Base, samples: int) -> list[Deck]:
    """Return every deck of 1 to 10 sets, without those that deal `samples` cards like another one.

    The refill constant is at most the number of cards c. A deck is first refilled after c - r + 1 draws; all
    that are not refilled before the last sample are equal, and the constant 1 represents them. So there is at
    most one deck of a size for each sample.
    """
    return [
        Deck(base, size, refill)
        for size in DECK_SIZES
        for refill in (1, *range(max(2, size * base.total - samples + 2), size * base.total + 1))
    ]


def least_deck(decks: Sequence[Deck], lengths: range, unpredictability: Fraction) -> TunedDeck | None:
    """Return the deck with the least mean variance over these numbers of rolls.

    Return None if the entropy of every deck is below the target at one of them.
    """
    shortest, longest = lengths[0] - 1, lengths[-1]
    figures = [
        (min(evening.entropy[shortest:]), sum(evening.variance[shortest:]))
        for evening in deck_curves(decks, longest)
    ]
    fit = [(deck, *f) for deck, f in zip(decks, figures, strict=True) if f[0] >= unpredictability]
    least = min((variance for *_, variance in fit), default=0.0)
    # Floats can't tell equal variances from nearly equal ones; rationals can.
    close = [(deck, entropy) for deck, entropy, variance in fit if variance <= least + _ROUNDING]
    exact = [sum(deck_variance(deck, longest)[shortest:], Fraction(0)) / len(lengths) for deck, _ in close]
    tuned_decks = [
        TunedDeck(d.size, d.refill, e, float(v), v) for (d, e), v in zip(close, exact, strict=True)
    ]
    return min(tuned_decks, key=lambda deck: deck.exact_variance, default=None)


def best_factors(
    values: int, samples: int, unpredictability: Fraction, tell: Tell | None = None
) -> tuple[TunedDice, TunedDice | None]:
    """Return the best factor, and the best of the grid: exactly, or by simulation if that takes too long.

    The exact one is the smallest factor of six digits whose entropy meets the target: one digit lower it does
    not. The simulated one is the smallest factor of three digits whose entropy is above the target by more
    than three standard errors.
    """
    thousandths = range(1, 1_001)
    step = telling(_EXACT_STEPS + len(thousandths).bit_length() + 1, tell)
    with suppress(TooManyStates):
        return _factors(values, samples, unpredictability, step)

    def is_enough(thousandth: int) -> bool:
        step()
        return _simulated(values, samples, Fraction(thousandth, 1_000))[1] >= unpredictability

    index = bisect_left(thousandths, True, key=is_enough)
    factor = Fraction(thousandths[min(index, 999)], 1_000)
    on_grid = next((f for f in FACTORS if f >= factor), None)
    best = _simulated(values, samples, factor)[0]
    return best, _simulated(values, samples, on_grid)[0] if on_grid else None


def _simulated(values: int, samples: int, factor: Fraction) -> tuple[TunedDice, float]:
    """Return the figures of evenings with one seed for all factors, and a lower bound of the entropy."""
    evenings = simulate(Dynamic(equal_faces(values), factor), samples)
    entropies = evenings.entropy.mean(axis=1)
    entropy, error = float(entropies.mean()), float(entropies.std()) / len(entropies) ** 0.5
    variance = float(evenings.square[:, -1].mean())
    return TunedDice(factor, -log2(factor), entropy, variance, simulated=True), entropy - 3 * error


def equal_faces(values: int) -> Base:
    """Return the faces 1, 2, 3 ... with equal weights."""
    return Base(tuple(map(str, range(1, values + 1))), (1,) * values)


def _factors(
    values: int, samples: int, unpredictability: Fraction, step: Callable[[], None]
) -> tuple[TunedDice, TunedDice | None]:
    """Return the best factor, and the smallest factor of the grid that meets the target."""
    target = float(unpredictability)
    candidate = max(1, round(_guess(values, samples, target, step) * _MICRO))
    while True:
        step()
        neighbours = [(candidate - 1) / _MICRO or _SMALLEST / 2, candidate / _MICRO]
        first = max(0, candidate * 100 // _MICRO - 1)
        grid = FACTORS[first : first + 3]
        evenings = dynamic_curves(values, [*neighbours, *map(float, grid)], samples, _FINE)
        low, high = map(float, evenings.entropy[:2, -1])
        if low < target <= high or (candidate == 1 and high >= target):
            fit = [row for row in range(len(grid)) if evenings.entropy[2 + row, -1] >= target]
            on_grid = _tuned(grid[fit[0]], evenings, 2 + fit[0]) if fit else None
            return _tuned(Fraction(candidate, _MICRO), evenings, 1), on_grid
        slope = max(high - low, 1e-12)
        change = ceil((target - high) / slope) or (1 if high < target else -1)
        candidate = min(_MICRO - 1, max(1, candidate + change))


def _guess(values: int, samples: int, target: float, step: Callable[[], None]) -> float:
    """Estimate the factor at which the entropy meets the target, by a polynomial through a few points."""
    import numpy as np

    low, high = _bracket(values, samples, target, step)
    step()
    points = np.linspace(low, high, 6)
    entropies = dynamic_curves(values, list(map(float, points)), samples, _COARSE).entropy[:, -1]
    middle, half = (low + high) / 2, (high - low) / 2
    polynomial = np.polynomial.Polynomial.fit(points - middle, entropies - target, 5)
    for _ in range(40):
        if float(polynomial(low - middle + half)) < 0:
            low += half
        half /= 2
    return low


def _bracket(values: int, samples: int, target: float, step: Callable[[], None]) -> tuple[float, float]:
    """Return two factors that enclose the best one."""
    low = _SMALLEST
    for rungs in _LADDER:
        step()
        entropies = dynamic_curves(values, rungs, samples, _COARSE).entropy[:, -1]
        for rung, entropy in zip(rungs, entropies, strict=True):
            if entropy >= target:
                return low, rung
            low = rung
    return low, 1.0


def _tuned(factor: Fraction, evenings: FactorCurves, row: int) -> TunedDice:
    entropy, variance = evenings.entropy[row, -1], evenings.variance[row, -1]
    return TunedDice(factor, -log2(factor), float(entropy), float(variance))


@dataclass(frozen=True, slots=True)
class Advice:
    """A tuning, its systems, and the likely lengths of the evening."""

    tuning: Tuning
    plain: Candidate[PlainDice]
    plain_deck: Curve
    """A deck of one card each, dealt to its end."""
    deck: Candidate[Deck] | None
    """None if no deck of the grid is unpredictable enough."""
    dice: Candidate[Dynamic]
    """Dynamic dice with the optimal factor."""
    lengths: range
    """From a third fewer rolls than requested to a third more, at most 200."""

    @property
    def deck_wins_at_n(self) -> bool:
        """True if the deck has less variance after exactly the requested number of rolls."""
        deck = self.tuning.deck
        return deck is not None and deck.variance < self.tuning.optimum.variance - _TIE

    @property
    def deck_wins_over_lengths(self) -> bool:
        """True if the deck has less variance on the mean of the lengths."""
        return self.deck is not None and self.deck.over.mean < self.dice.over.mean - _TIE


@lru_cache(maxsize=64)
def advise(values: int, samples: int, unpredictability: Fraction, tell: Tell | None = None) -> Advice:
    """Return the advice for an evening of equal faces; errors and progress (`tell`) are those of `tune`."""
    tuning = tune(values, samples, unpredictability, tell)
    lengths = range(max(1, 2 * samples // 3), min(SAMPLES_LIMIT, max(1, 4 * samples // 3)) + 1)
    base, deck = equal_faces(values), tuning.deck

    def candidate(system: _System) -> Candidate[_System]:
        return Candidate(system, curve(system, lengths[-1]), lengths)

    return Advice(
        tuning,
        candidate(PlainDice(base)),
        curve(Deck(base), lengths[-1]),
        candidate(Deck(base, deck.size, deck.refill)) if deck else None,
        candidate(Dynamic(base, tuning.optimum.factor)),
        lengths,
    )
