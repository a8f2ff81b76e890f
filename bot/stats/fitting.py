"""Find the deck and the fair roller for any base, and for evenings with a range of rolls.

The entropy has to meet the target at every number of rolls that the evening may have; of what does, the least
variance on the mean of them is the best. Decks are exact. A fair roller's entropy falls as its tightness
rises, so the tightest one that meets the target is the best; its figures are simulated where it has too many
memories, and then the entropy is above the target by three standard errors. See docs/fairness.md, "The dial".
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from bot.dice.errors import SpecError
from bot.dice.system import Base, OnBase
from bot.stats.curves import curve
from bot.stats.measures import Curve, Robustness, robust, table_entropy
from bot.stats.simulation import simulate
from bot.stats.tuner import (
    DECK_SIZES,
    SAMPLES_LIMIT,
    TunedDeck,
    check_target,
    distinct_decks,
    least_deck,
    telling,
)
from bot.systems.deck import Deck
from bot.systems.fair import Fair

_TIGHTEST = 2_000
"""In hundredths: hardly anything tells it from the hat."""
_DIGITS = len(str(SAMPLES_LIMIT))
_WORK = 400_000_000
"""Cells of all decks' chances, roll by roll: some fourteen seconds."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A system that meets the target, and its evening."""

    system: OnBase
    evening: Curve
    over: Robustness


@dataclass(frozen=True, slots=True)
class Fit:
    """The best deck, None where none is unpredictable enough, and the best fair roller."""

    deck: Fitted | None
    fair: Fitted
    searched: bool = True
    """Whether there was time for all decks."""

    @property
    def best(self) -> Fitted:
        """Return the one with the least variance on the mean, and of equals the less bad at its worst."""
        return min(filter(None, (self.fair, self.deck)), key=lambda one: (one.over.mean, one.over.worst))


def read_lengths(text: str) -> range:
    """Read how many rolls an evening has, "25" or "15-40"; SpecError for what is no such range."""
    parts = [end.strip() for end in text.replace("to", "-").split("-")]
    ends = [int(end) if end.isdecimal() and len(end) <= _DIGITS else 0 for end in parts]
    if len(ends) > 2 or not 1 <= ends[0] <= ends[-1] <= SAMPLES_LIMIT:
        raise SpecError(
            "Tuning is for 1 to {most} samples, not {text}. Write 25 or 15-40.",
            most=SAMPLES_LIMIT,
            text=text[:20],
        )
    return range(ends[0], ends[-1] + 1)


def fit(
    base: Base, lengths: range, unpredictability: Fraction, tell: Callable[[int, int], None] | None = None
) -> Fit:
    """Fit both kinds of systems to a base, whose faces may be unequal; decks only where there is time.

    `tell` hears at which step of how many at most it is: first the fair rollers, then the decks by size.
    SpecError for a base with one face, and outside 50 % to 99 %.
    """
    check_target(unpredictability)
    if len(base.faces) < 2:
        raise SpecError("Tuning needs two different results or more.")
    decks, first, last = distinct_decks(base, lengths[-1]), lengths[0] - 1, lengths[-1]
    searched = len(decks) * len({*base.weights}) * last**2 <= _WORK
    step = telling(_TIGHTEST.bit_length() + len(DECK_SIZES) * searched, tell)
    simulated = curve(Fair(base, Fraction(1)), last).simulated

    def played(hundredths: int) -> Curve:
        system = Fair(base, Fraction(hundredths, 100))
        return (
            simulate(system, last).evening(table_entropy(base.weights)) if simulated else curve(system, last)
        )

    def too_tight(hundredths: int) -> bool:
        step()
        evening = played(hundredths)
        sure = 3 * evening.entropy_error if simulated else 0.0
        return min(evening.entropy[first:]) - sure < unpredictability

    def fitted(system: OnBase, evening: Curve) -> Fitted:
        return Fitted(system, evening, robust(evening, lengths))

    tightness = bisect_left(range(1, _TIGHTEST + 1), True, key=too_tight)
    fair = fitted(Fair(base, Fraction(tightness, 100)), played(tightness))
    if not searched:
        return Fit(None, fair, searched)
    found: list[TunedDeck] = []
    for _, alike in groupby(decks, key=lambda deck: deck.size):
        step()
        found += filter(None, [least_deck([*alike], lengths, unpredictability)])
    tuned = min(found, key=lambda deck: deck.exact_variance, default=None)
    deck = tuned and Deck(base, tuned.size, tuned.refill)
    return Fit(fitted(deck, curve(deck, last)) if deck else None, fair)
