"""Generalized decks, exactly: one face's cards are a Markov chain of their own.

How many cards are left is known beforehand, so the next card is face i with probability (cards of i)/(cards
left), whatever the others are. See docs/fairness.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from bot.stats.measures import Curve, table_entropy
from bot.systems.deck import Deck


def deck_curve(deck: Deck, samples: int) -> Curve:
    """Compute the curve of a generalized deck, exact up to rounding."""
    return deck_curves([deck], samples)[0]


def deck_variance(deck: Deck, samples: int) -> tuple[Fraction, ...]:
    """Compute the variance after 1 to `samples` rolls as exact rationals, from the second moments alone."""
    total = deck.base.total
    groups = Counter(deck.base.weights)
    squares = {a: Fraction((deck.size * a) ** 2) for a in groups}
    settled = dict.fromkeys(groups, Fraction(0))
    result: list[Fraction] = []
    for cards, refilled in _schedule(deck, samples):
        variance = Fraction(0)
        for a, faces in groups.items():
            share = Fraction(a, total)
            square = squares[a] = squares[a] * Fraction(cards - 2, cards) + share
            variance += faces * (settled[a] + square - ((cards - 1) * share) ** 2)
            if refilled and deck.mode == "reset":
                settled[a] += square - ((cards - 1) * share) ** 2
                squares[a] = Fraction((deck.size * a) ** 2)
            elif refilled:
                new = deck.size * a
                squares[a] += 2 * new * (cards - 1) * share + new * new
        result.append(variance / len(deck.base.weights))
    return tuple(result)


def deck_curves(decks: Sequence[Deck], samples: int) -> list[Curve]:
    """Compute the curves of several decks on one base, side by side."""
    import numpy as np

    weights = decks[0].base.weights
    total = decks[0].base.total
    kinds = np.array(sorted(Counter(weights).items()), dtype=float)
    cards_each, faces = kinds[:, 0][None, :, None], kinds[:, 1]
    set_size = np.array([deck.size for deck in decks], dtype=float)[:, None, None] * cards_each
    resets = np.array([deck.mode == "reset" for deck in decks])
    schedule = [[*_schedule(deck, samples)] for deck in decks]
    # By deck, by kind of face, by number of cards of one such face taken since the last reset.
    taken = np.arange(samples + 1, dtype=float)
    chance = np.zeros((len(decks), len(kinds), samples + 1))
    chance[:, :, 0] = 1
    held, dealt, settled = set_size, np.zeros(len(decks)), np.zeros((len(decks), len(kinds)))
    nats, square = np.zeros((samples, len(decks))), np.zeros((samples, len(decks)))
    for n in range(samples):
        cards = np.array([plan[n][0] for plan in schedule], dtype=float)[:, None, None]
        refilled = np.array([plan[n][1] for plan in schedule])
        p = np.clip((held - taken) / cards, 0, 1)
        nats[n] = (chance * -p * np.log(np.where(p > 0, p, 1))).sum(axis=2) @ faces
        moved = chance * p
        chance = chance - moved
        chance[:, :, 1:] += moved[:, :, :-1]
        dealt = dealt + 1
        off = taken - dealt[:, None, None] * cards_each / total
        spread = settled + (chance * off**2).sum(axis=2)
        square[n] = spread @ faces / len(weights)
        held = held + set_size * (refilled & ~resets)[:, None, None]
        again = refilled & resets
        settled[again], dealt[again] = spread[again], 0
        chance[again] = np.eye(1, samples + 1)
    entropy = nats / table_entropy(weights) if len(weights) > 1 else np.ones_like(nats)
    return [
        Curve(tuple(map(float, entropy[:, d])), tuple(map(float, square[:, d])), 1e-12, 1e-12 * samples)
        for d in range(len(decks))
    ]


def _schedule(deck: Deck, samples: int) -> Iterator[tuple[int, bool]]:
    """Yield for each roll the number of cards before it, and whether a refill follows it."""
    new = deck.size * deck.base.total
    cards = new
    for _ in range(samples):
        refilled = cards - 1 < deck.refill
        yield cards, refilled
        cards = cards - 1 if not refilled else new if deck.mode == "reset" else cards - 1 + new
