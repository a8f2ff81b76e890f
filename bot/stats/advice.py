"""Recommend a system for an evening: the tuned ones roll by roll, and over evenings of uncertain length."""

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
"""Variances this close are called equal: nobody could tell such systems apart."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A tuning, with each system's evening, and how many rolls an evening may well have."""

    tuning: Tuning
    plain: Curve
    plain_deck: Curve
    """A deck of one card each, dealt to its end."""
    deck: Curve | None
    """None where no deck of the grid is unpredictable enough."""
    dice: Curve
    """Dynamic dice of the best factor of all."""
    lengths: range
    """A third fewer rolls than asked for, to a third more; 200 at most."""

    @property
    def deck_over_lengths(self) -> Robustness | None:
        """The deck's variance where the number of rolls is uncertain."""
        return robust(self.deck, self.lengths) if self.deck else None

    @property
    def dice_over_lengths(self) -> Robustness:
        """The same of the dynamic dice."""
        return robust(self.dice, self.lengths)

    @property
    def deck_wins_at_n(self) -> bool:
        """Whether the deck has less variance after exactly the rolls asked for."""
        deck = self.tuning.deck
        return deck is not None and deck.variance < self.tuning.optimum.variance - _TIE

    @property
    def deck_wins_over_lengths(self) -> bool:
        """Whether the deck has less variance on the mean of the lengths."""
        deck = self.deck_over_lengths
        return deck is not None and deck.mean < self.dice_over_lengths.mean - _TIE


@lru_cache(maxsize=64)
def advise(
    values: int, samples: int, unpredictability: Fraction, tell: Callable[[int, int], None] | None = None
) -> Advice:
    """Advise for an evening of equal faces; raise what `tune` raises, and tell what it tells."""
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
