"""A deck that never gives the same card twice in a row, not even across a refill.

All orders of the remaining cards without equal neighbours, that do not begin with the card dealt last, are
equally likely: a card's weight is the number of such orders that begin with it. A deal never gets stuck: the
remaining cards have such an order, a new set has one, and so have both together. See docs/fairness.md,
"Cards".
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import comb, factorial, gcd, prod
from typing import Self

from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec
from bot.systems.deck import RefilledDeck

CARDS_LIMIT = 120


@dataclass(frozen=True, slots=True)
class NoRepeat(RefilledDeck):
    """Memory: remaining cards of each face, then the index of the last face from 1 on, or 0."""

    def start(self) -> Memory:
        """Return a full deck, and no card dealt."""
        return (*self.cards, 0)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return the number of orders that begin with each face, divided by their common divisor."""
        remaining, last = memory[:-1], memory[-1] - 1
        ways = ways_from(tuple(sorted(c for c in remaining if c)))
        weights = [0 if i == last or not c else ways[c] for i, c in enumerate(remaining)]
        common = gcd(*weights)
        return tuple(w // common for w in weights)

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Take one card, and then refill, at most once."""
        return (*self.dealt(memory[:-1], chosen), chosen + 1)

    def as_spec(self) -> Spec:
        """Return the spec of a deck, with "no_repeat": true."""
        return {**RefilledDeck.as_spec(self), "no_repeat": True}

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read what `Deck` reads; SpecError for over 120 cards at once, and a face with over half of them."""
        read = super(NoRepeat, cls).from_spec(spec)
        base = read.base
        cards = read.size * base.total + (read.refill - 1 if read.mode == "add" else 0)
        if cards > CARDS_LIMIT:
            raise SpecError(
                "A deck without repeats has at most {most} cards at once, not {cards:,}.",
                most=CARDS_LIMIT,
                cards=cards,
            )
        most = max(base.weights)
        if 2 * most > base.total:
            face = base.faces[base.weights.index(most)]
            raise SpecError(
                "{face} has {most} of the {total} cards. Without repeats no card can be more than "
                "half of them.",
                face=face,
                most=most,
                total=base.total,
            )
        return read


@lru_cache(maxsize=1 << 14)
def ways_from(counts: tuple[int, ...]) -> dict[int, int]:
    """Return the number of orders without repeats that begin with a face, by the face's number of cards.

    `counts` holds every face's cards. Inclusion and exclusion over the ways to glue a face's cards into j
    runs: C(c-1, j-1) ways with sign (-1)^(c-j), and m runs have m!/(j_1! j_2! ...) orders, of which a
    face of j runs begins the fraction j/m.
    """
    orders = prod(map(factorial, counts))
    numbers = Counter(counts)
    result: dict[int, int] = {}
    for count in numbers:
        others = (_all_glued(c, number - (c == count)) for c, number in numbers.items())
        runs = reduce(multiplied, others, _glued(count, first=True))
        result[count] = sum(factorial(m) * ways for m, ways in enumerate(runs)) // orders
    return result


@lru_cache(maxsize=1 << 12)
def _all_glued(count: int, number: int) -> tuple[int, ...]:
    """Return the product of the coefficients of `number` faces with `count` cards each, no face first."""
    if not number:
        return (1,)
    return multiplied(_all_glued(count, number - 1), _glued(count, first=False))


@lru_cache(maxsize=2 * CARDS_LIMIT)
def _glued(count: int, *, first: bool) -> tuple[int, ...]:
    """Return coefficients m: signed ways to make runs of a face's cards, m free to move, times count!/m!.

    The first run of all is not free.
    """
    bound = 1 if first else 0
    ways = [0] * (count + 1 - bound)
    for runs in range(1, count + 1):
        sign = (-1) ** (count - runs)
        ways[runs - bound] = sign * comb(count - 1, runs - 1) * factorial(count) // factorial(runs - bound)
    return tuple(ways)


def multiplied(first: Sequence[int], second: Sequence[int], most: int | None = None) -> tuple[int, ...]:
    """Multiply two polynomials, up to the power `most`."""
    highest = len(first) + len(second) - 2
    product = [0] * (1 + (highest if most is None else min(highest, most)))
    for i, a in enumerate(first):
        for j, b in enumerate(second[: len(product) - i] if a else ()):
            product[i + j] += a * b
    return tuple(product)
