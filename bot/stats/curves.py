"""The entropy and variance of any system, roll by roll: exact if that is fast, else simulated.

In a deck, one face's cards are a Markov chain of their own: the number of remaining cards is known before, so
the next card is face i with probability (cards of i)/(remaining cards), independent of the others. For a
system with few memories the probability of each memory and the mean error of every face in it are propagated,
which is all that the variance's next step needs. See docs/fairness.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache

from bot.dice.system import Base, Memory, OnBase, System
from bot.stats.dynamic import TooManyStates, dynamic_curves
from bot.stats.measures import Curve, table_entropy
from bot.stats.simulation import simulate
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

_STATES_SAMPLES = 60
_ROOM = 2_000_000
STATES_LIMIT = 4_000
"""Most memories after one number of rolls; more would take longer than a simulation."""
_WORK = 500_000
"""Most errors of a face to propagate from one number of rolls to the next."""


@lru_cache(maxsize=128)
def curve(system: System, samples: int) -> Curve:
    """Compute the curve of 1 to `samples` rolls from the start, exact unless marked as simulated."""
    if isinstance(system, PlainDice):
        return _plain(system.base, samples)
    if isinstance(system, Deck):
        return deck_curves([system], samples)[0]
    factor = _factor(system)
    if isinstance(system, OnBase) and factor == 1:
        return _plain(system.base, samples)
    with suppress(TooManyStates):
        if factor:
            return dynamic_curves(len(system.faces), [factor], samples, room=_ROOM).of(0)
        if samples <= _STATES_SAMPLES:
            return states_curve(system, samples)
    return simulate(system, samples).evening()


def ends(system: System) -> tuple[PlainDice, Deck]:
    """Return plain dice and the plain deck of a system's shares: the bounds of all systems that even out."""
    base = Base(system.faces, shares(system))
    return PlainDice(base), Deck(base, 1, 1, "add")


def _factor(system: System) -> float | None:
    """Return the factor of the dynamic dice that equal this system; None if none do."""
    if isinstance(system, Dynamic):
        return float(system.factor)
    if isinstance(system, Fair) and system.base.uniform and not system.after and system.tightness is not None:
        return 2.0 ** -float(system.tightness)
    return None


def _plain(base: Base, samples: int) -> Curve:
    """Compute plain dice: full entropy, and a variance that grows by the same amount with each roll."""
    total = base.total
    per_roll = sum(a * (total - a) for a in base.weights) / (total * total * len(base.weights))
    return Curve((1.0,) * samples, tuple(per_roll * n for n in range(1, samples + 1)))


def states_curve(system: System, samples: int) -> Curve:
    """Compute the exact curve of 1 to `samples` rolls; raise TooManyStates if there are too many memories."""
    import numpy as np

    table = shares(system)
    faces = len(table)
    share = np.array([a / sum(table) for a in table])
    full_entropy = table_entropy(table)
    memories = [system.start()]
    # The probability of each memory, and the mean error of each face in it times that probability.
    chance, errors = np.ones(1), np.zeros((1, faces))
    square = 0.0
    entropies: list[float] = []
    variances: list[float] = []
    for _ in range(samples):
        if len(memories) * faces**2 > _WORK:
            raise TooManyStates
        weights = [system.weights(memory) for memory in memories]
        chances = np.array([[w / total for w in row] for row in weights if (total := sum(row))])
        square += 2 * float((errors * (chances - share)).sum())
        square += float(chance @ (chances * (1 - 2 * share) + share**2).sum(axis=1))
        nats = -float(chance @ (chances * np.log(np.where(chances > 0, chances, 1))).sum(axis=1))
        rows, chosen = np.nonzero(chances)
        memories, steps = _advance_all(system, memories, rows.tolist(), chosen.tolist())
        p = chances[rows, chosen]
        moved_errors = p[:, None] * (errors - chance[:, None] * share)[rows]
        moved_errors[np.arange(len(p)), chosen] += p * chance[rows]
        to = np.array(steps)
        chance = np.bincount(to, p * chance[rows])
        cells = to[:, None] * faces + np.arange(faces)
        errors = np.bincount(cells.ravel(), moved_errors.ravel()).reshape(-1, faces)
        entropies.append(nats / full_entropy if full_entropy else 1.0)
        variances.append(square / faces)
    return Curve(tuple(entropies), tuple(variances), 1e-12 * samples, 1e-12 * samples**2)


def _advance_all(
    system: System, memories: Sequence[Memory], rows: Sequence[int], chosen: Sequence[int]
) -> tuple[list[Memory], list[int]]:
    """Advance the memory of each row by the face beside it; raise TooManyStates beyond the limit.

    Return the distinct memories, and each step's index in them.
    """
    numbers: dict[Memory, int] = {}
    to: list[int] = []
    for row, face in zip(rows, chosen, strict=True):
        memory = system.advance(memories[row], face)
        to.append(numbers.setdefault(memory, len(numbers)))
        if len(numbers) > STATES_LIMIT:
            raise TooManyStates
    return [*numbers], to


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
    """Compute the curves of several generalized decks on one base, side by side, exact up to rounding."""
    import numpy as np

    weights = decks[0].base.weights
    total = decks[0].base.total
    kinds = np.array(sorted(Counter(weights).items()), dtype=float)
    cards_each, faces = kinds[:, 0][None, :, None], kinds[:, 1]
    set_size = np.array([deck.size for deck in decks], dtype=float)[:, None, None] * cards_each
    resets = np.array([deck.mode == "reset" for deck in decks])
    schedule = [[*_schedule(deck, samples)] for deck in decks]
    # Axes: deck, kind of face, number of cards of one such face dealt since the last reset.
    dealt_of_face = np.arange(samples + 1, dtype=float)
    chance = np.zeros((len(decks), len(kinds), samples + 1))
    chance[:, :, 0] = 1
    stock, dealt, settled = set_size, np.zeros(len(decks)), np.zeros((len(decks), len(kinds)))
    nats, square = np.zeros((samples, len(decks))), np.zeros((samples, len(decks)))
    for n in range(samples):
        cards = np.array([plan[n][0] for plan in schedule], dtype=float)[:, None, None]
        refilled = np.array([plan[n][1] for plan in schedule])
        p = np.clip((stock - dealt_of_face) / cards, 0, 1)
        nats[n] = (chance * -p * np.log(np.where(p > 0, p, 1))).sum(axis=2) @ faces
        moved = chance * p
        chance = chance - moved
        chance[:, :, 1:] += moved[:, :, :-1]
        dealt = dealt + 1
        off = dealt_of_face - dealt[:, None, None] * cards_each / total
        spread = settled + (chance * off**2).sum(axis=2)
        square[n] = spread @ faces / len(weights)
        stock = stock + set_size * (refilled & ~resets)[:, None, None]
        was_reset = refilled & resets
        settled[was_reset], dealt[was_reset] = spread[was_reset], 0
        chance[was_reset] = np.eye(1, samples + 1)
    most = table_entropy(weights)
    entropy = nats / most if most else np.ones_like(nats)
    figures = zip(entropy.T.tolist(), square.T.tolist(), strict=True)
    return [Curve(tuple(e), tuple(v), 1e-12, 1e-12 * samples) for e, v in figures]


def _schedule(deck: Deck, samples: int) -> Iterator[tuple[int, bool]]:
    """Yield for each roll the number of cards before it, and whether a refill follows it."""
    new = deck.size * deck.base.total
    cards = new
    for _ in range(samples):
        refilled = cards - 1 < deck.refill
        yield cards, refilled
        cards = cards - 1 if not refilled else new if deck.mode == "reset" else cards - 1 + new
