"""Find the deck and the fair roller for any base, and for evenings with a range of rolls.

The entropy has to meet the target at every possible number of rolls; the best system of those has the least
mean variance. Decks are exact. A fair roller's entropy falls as its tightness rises, so the tightest one that
meets the target is the best; its figures are simulated if it has too many memories. Then
the entropy is above the target by three standard errors. See docs/fairness.md, "The dial".
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from bot.dice.errors import SpecError
from bot.dice.system import Base
from bot.stats.curves import curve
from bot.stats.measures import Candidate, Curve
from bot.stats.simulation import simulate
from bot.stats.tuner import (
    DECK_SIZES,
    SAMPLES_LIMIT,
    Tell,
    TunedDeck,
    check_target,
    distinct_decks,
    least_deck,
    telling,
)
from bot.systems.deck import Deck
from bot.systems.fair import Fair

_TIGHTEST = 2_000
"""The highest tightness to try, in hundredths: almost a hat."""
_DIGITS = len(str(SAMPLES_LIMIT))
_WORK = 400_000_000
"""Most cells of all decks' chances over all rolls: about fourteen seconds."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The best fair roller, and the best deck; None if no deck is unpredictable enough."""

    deck: Candidate[Deck] | None
    fair: Candidate[Fair]
    searched: bool = True
    """True if there was time to search all decks."""

    @property
    def best(self) -> Candidate[Deck | Fair]:
        """Return the one with the least mean variance, of equals the one with the least worst variance."""
        candidates = filter(None, (self.fair, self.deck))
        return min(candidates, key=lambda candidate: (candidate.over.mean, candidate.over.worst))


def read_lengths(text: str) -> range:
    """Parse the number of rolls of an evening, "25" or "15-40"; raise SpecError if it is no such range."""
    parts = [end.strip() for end in text.replace("to", "-").split("-")]
    ends = [int(end) if end.isdecimal() and len(end) <= _DIGITS else 0 for end in parts]
    if len(ends) > 2 or not 1 <= ends[0] <= ends[-1] <= SAMPLES_LIMIT:
        raise SpecError(
            "Tuning is for 1 to {most} samples, not {text}. Write 25 or 15-40.",
            most=SAMPLES_LIMIT,
            text=text[:20],
        )
    return range(ends[0], ends[-1] + 1)


def fit(base: Base, lengths: range, unpredictability: Fraction, tell: Tell | None = None) -> Fit:
    """Fit both kinds of systems to a base, whose faces may be unequal; decks only if there is time.

    `tell` is called with each step and the largest number of steps: first fair rollers, then decks by size.
    Raise SpecError for a base with one face, and outside 50 % to 99 %.
    """
    check_target(unpredictability)
    if len(base.faces) < 2:
        raise SpecError("Tuning needs two different results or more.")
    decks, first, last = distinct_decks(base, lengths[-1]), lengths[0] - 1, lengths[-1]
    searched = len(decks) * len({*base.weights}) * last**2 <= _WORK
    step = telling(_TIGHTEST.bit_length() + len(DECK_SIZES) * searched, tell)
    simulated = curve(Fair(base, Fraction(1)), last).simulated

    def evening_at(hundredths: int) -> Curve:
        system = Fair(base, Fraction(hundredths, 100))
        return simulate(system, last).evening() if simulated else curve(system, last)

    def too_tight(hundredths: int) -> bool:
        step()
        evening = evening_at(hundredths)
        margin = 3 * evening.entropy_error if simulated else 0.0
        return min(evening.entropy[first:]) - margin < unpredictability

    tightness = bisect_left(range(1, _TIGHTEST + 1), True, key=too_tight)
    fair = Candidate(Fair(base, Fraction(tightness, 100)), evening_at(tightness), lengths)
    if not searched:
        return Fit(None, fair, searched)
    tuned_decks: list[TunedDeck] = []
    for _, same_size in groupby(decks, key=lambda deck: deck.size):
        step()
        tuned_decks += filter(None, [least_deck([*same_size], lengths, unpredictability)])
    tuned = min(tuned_decks, key=lambda deck: deck.exact_variance, default=None)
    if tuned is None:
        return Fit(None, fair)
    deck = Deck(base, tuned.size, tuned.refill)
    return Fit(Candidate(deck, curve(deck, last), lengths), fair)
