"""Recommend a system for an evening: compare the tuned ones at its length and over a range of lengths."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bot.stats.curves import curve
from bot.stats.measures import Curve, Robustness, robust
from bot.stats.tuner import SAMPLES_LIMIT, Tuning, equal_faces, tune
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.plain import PlainDice

_TIE = 1e-4
"""Largest difference of variances that count as equal; nobody could tell such systems apart."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A tuning, the curve of each system, and the likely lengths of the evening."""

    tuning: Tuning
    plain: Curve
    plain_deck: Curve
    """A deck of one card each, dealt to its end."""
    deck: Curve | None
    """None if no deck of the grid is unpredictable enough."""
    dice: Curve
    """Dynamic dice with the optimal factor."""
    lengths: range
    """From a third fewer rolls than requested to a third more, at most 200."""

    @property
    def deck_over_lengths(self) -> Robustness | None:
        """The deck's variance over the lengths."""
        return robust(self.deck, self.lengths) if self.deck else None

    @property
    def dice_over_lengths(self) -> Robustness:
        """The variance of the dynamic dice over the lengths."""
        return robust(self.dice, self.lengths)

    @property
    def deck_wins_at_n(self) -> bool:
        """True if the deck has less variance after exactly the requested number of rolls."""
        deck = self.tuning.deck
        return deck is not None and deck.variance < self.tuning.optimum.variance - _TIE

    @property
    def deck_wins_over_lengths(self) -> bool:
        """True if the deck has less variance on the mean of the lengths."""
        deck = self.deck_over_lengths
        return deck is not None and deck.mean < self.dice_over_lengths.mean - _TIE


@lru_cache(maxsize=64)
def advise(
    values: int, samples: int, unpredictability: Fraction, tell: Callable[[int, int], None] | None = None
) -> Advice:
    """Return the advice for an evening of equal faces; errors and progress (`tell`) are those of `tune`."""
    tuning = tune(values, samples, unpredictability, tell)
    lengths = range(max(1, 2 * samples // 3), min(SAMPLES_LIMIT, max(1, 4 * samples // 3)) + 1)
    base = equal_faces(values)
    return Advice(
        tuning,
        curve(PlainDice(base), lengths[-1]),
        curve(Deck(base), lengths[-1]),
        curve(Deck(base, tuning.deck.size, tuning.deck.refill), lengths[-1]) if tuning.deck else None,
        curve(Dynamic(base, tuning.optimum.factor), lengths[-1]),
        lengths,
    )
