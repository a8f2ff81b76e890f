"""The entropy and variance of any system, roll by roll: exact where that is quick, else simulated.

Of a deck, one face's cards are a Markov chain of their own: how many are left is known beforehand, so the
next card is face i with probability (cards of i)/(cards left), whatever the others are. Of a system with few
enough memories the probability of each memory is known, and the mean error of every face there, which is all
that the variance's next step needs. See docs/fairness.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.dice.system import Base, Memory, OnBase, System
from bot.stats.dynamic import TooManyStates, dynamic_curve
from bot.stats.measures import Curve, table_entropy
from bot.stats.simulation import simulate
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STATES_SAMPLES = 60
_ROOM = 2_000_000
STATES_LIMIT = 4_000
"""Memories of one number of rolls; more would take longer than a simulation is worth."""
_WORK = 500_000
"""How many errors of a face are passed on from one number of rolls to the next."""


@lru_cache(maxsize=32)
def curve(system: System, samples: int) -> Curve:
    """Compute the curve of 1 to `samples` rolls from the start, exact unless marked as simulated."""
    if isinstance(system, PlainDice):
        return _plain(system.base, samples)
    if isinstance(system, Deck):
        return deck_curves([system], samples)[0]
    factor = _factor(system)
    if isinstance(system, OnBase) and factor == 1:
        return _plain(system.base, samples)
    if factor:
        with suppress(TooManyStates):
            return dynamic_curve(len(system.faces), factor, samples, room=_ROOM)
    exact = states_curve(system, samples) if samples <= _STATES_SAMPLES else None
    return exact or simulate(system, samples).evening(table_entropy(shares(system)))


def ends(system: System) -> tuple[PlainDice, Deck]:
    """Return plain dice and the plain deck of a system's shares: all that evens out lies between these."""
    base = Base(system.faces, shares(system))
    return PlainDice(base), Deck(base, 1, 1, "add")


def _factor(system: System) -> float | None:
    """Return the factor of the dynamic dice that equal this system; None if none do."""
    if isinstance(system, Dynamic):
        return float(system.factor)
    fresh = isinstance(system, Fair) and system.base.uniform and not system.after
    if isinstance(system, Fair) and fresh and system.tightness is not None:
        return 2.0 ** -float(system.tightness)
    return None


def _plain(base: Base, samples: int) -> Curve:
    """Compute plain dice: full entropy, and a variance that grows by the same amount with each roll."""
    total = base.total
    each = sum(a * (total - a) for a in base.weights) / (total * total * len(base.weights))
    return Curve((1.0,) * samples, tuple(each * n for n in range(1, samples + 1)))


@dataclass(slots=True)
class _MemoryState:
    """The probability of a memory, and each face's error there times that probability."""

    chance: float
    errors: "NDArray[np.float64]"


def states_curve(system: System, samples: int) -> Curve | None:
    """Compute the exact curve of 1 to `samples` rolls; None if there are too many memories."""
    import numpy as np

    table = shares(system)
    share = np.array([a / sum(table) for a in table])
    most = table_entropy(table)
    now = {system.start(): _MemoryState(1.0, np.zeros(len(table)))}
    square = 0.0
    entropies: list[float] = []
    variances: list[float] = []
    for _ in range(samples):
        nats = 0.0
        after: dict[Memory, _MemoryState] = {}
        for memory, state in now.items():
            weights = system.weights(memory)
            total = sum(weights)
            chances = np.array([weight / total for weight in weights])
            square += 2 * float(state.errors @ (chances - share))
            square += state.chance * float((chances * (1 - 2 * share) + share**2).sum())
            some = chances[chances > 0]
            nats -= state.chance * float((some * np.log(some)).sum())
            _flow(after, system, memory, state, chances, share)
            if len(after) > STATES_LIMIT or len(now) * len(table) ** 2 > _WORK:
                return None
        now = after
        entropies.append(nats / most if most else 1.0)
        variances.append(square / len(table))
    return Curve(tuple(entropies), tuple(variances), 1e-12 * samples, 1e-12 * samples**2)


def _flow(
    after: dict[Memory, _MemoryState],
    system: System,
    memory: Memory,
    state: _MemoryState,
    chances: "NDArray[np.float64]",
    share: "NDArray[np.float64]",
) -> None:
    """Add the probability that one memory passes on by each face."""
    errors = state.errors - state.chance * share
    for chosen, p in enumerate(chances.tolist()):
        if not p:
            continue
        order, key = _canonical(system, system.advance(memory, chosen))
        target = after.get(key)
        if target is None:
            target = after[key] = _MemoryState(0.0, errors * 0)
        target.chance += state.chance * p
        passed = p * errors
        passed[chosen] += p * state.chance
        target.errors += passed if order is None else passed[order]


def _canonical(system: System, memory: Memory) -> tuple[list[int] | None, Memory]:
    """Return the order of the faces, and the memory in it, that stands for all that differ by naming only.

    None is the order that they have.
    """
    if not isinstance(system, Fair):
        return None, memory
    weights, faces = system.base.weights, range(len(memory))
    # Faces of one weight are exchangeable; a stable sort leaves each face among those of its weight.
    ranked = sorted(faces, key=[*zip(weights, memory, strict=True)].__getitem__)
    order = [*faces]
    for place, i in zip(sorted(faces, key=weights.__getitem__), ranked, strict=True):
        order[place] = i
    return order, tuple([memory[i] for i in order])


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
    most = table_entropy(weights)
    entropy = nats / most if most else np.ones_like(nats)
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
