"""Recommend a system for an evening: compare the tuned ones at its length and over a range of lengths."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from bot.dice.system import System
from bot.stats.curves import curve
from bot.stats.measures import Candidate, Curve
from bot.stats.tuner import SAMPLES_LIMIT, Tuning, equal_faces, tune
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.plain import PlainDice

_System = TypeVar("_System", bound=System)
_TIE = 1e-4
"""Largest difference of variances that count as equal; nobody could tell such systems apart."""


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
def advise(
    values: int, samples: int, unpredictability: Fraction, tell: Callable[[int, int], None] | None = None
) -> Advice:
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
