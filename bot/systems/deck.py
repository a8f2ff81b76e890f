"""The generalized deck: `size` cards for each unit of a face's weight, refilled when few remain.

If fewer than `refill` cards remain after a draw, one whole new set is added (mode "add") or the deck is reset
(mode "reset"). See docs/fairness.md, "Cards".

A deck without repeats never gives the same card twice in a row, not even across a refill. All orders of the
remaining cards without equal neighbours, that do not begin with the card dealt last, are equally likely: a
card's weight is the number of such orders that begin with it. A deal never gets stuck: the remaining cards
have such an order, a new set has one, and so have both together.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from math import comb, factorial, gcd, prod
from typing import ClassVar, Self

from bot.dice.errors import SpecError
from bot.dice.system import Memory, OnBase, Spec, System, read_base, read_integer

SIZE_LIMIT = 1_000
REFILL_LIMIT = 1_000_000
DECK_LIMIT = 100_000_000
CARDS_LIMIT = 120
"""The most cards of a deck without repeats."""


@dataclass(frozen=True, slots=True)
class RefilledDeck(OnBase):
    """`size` >= 1 is the size factor, `refill` the refill constant: 1 to the number of cards."""

    size: int = 1
    refill: int = 1
    mode: str = "add"

    name: ClassVar[str] = "deck"

    @property
    def settling(self) -> tuple[int, int] | None:
        """Some refills; None if the deck is reset before its last card, since deviations then remain."""
        if self.mode == "reset" and self.refill > 1:
            return None
        cards = self.size * self.base.total
        # Each refill keeps at most r of r + cards.
        return 6 * (cards + self.refill), cards

    def continues(self, other: System) -> bool:
        """Return whether `other` is an equal deck: any other has different cards."""
        return other == self

    def as_spec(self) -> Spec:
        """Return {"system": "deck", "base": ..., "size": 1, "refill": 6, "mode": "add"}."""
        return {"system": self.name, "base": self.base.as_json(), **self.refilling}

    @property
    def refilling(self) -> Spec:
        """The parameters of refilling in its spec."""
        return {"size": self.size, "refill": self.refill, "mode": self.mode}

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of each face in a full deck."""
        return tuple(self.size * a for a in self.base.weights)

    def dealt(self, remaining: Sequence[int], chosen: int) -> tuple[int, ...]:
        """Return the `remaining` cards without one of face `chosen`, refilled at most once."""
        remaining = [*remaining]
        remaining[chosen] -= 1
        if sum(remaining) >= self.refill:
            return tuple(remaining)
        if self.mode == "reset":
            return self.cards
        return tuple(c + n for c, n in zip(remaining, self.cards, strict=True))

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Read `base`, `size` (1 by default), `refill` (1; at most the cards) and `mode` ("add")."""
        mode = spec.get("mode", "add")
        if not isinstance(mode, str) or mode not in {"add", "reset"}:
            raise SpecError("The mode is add or reset, not {mode!r}.", mode=mode)
        size = read_integer(spec, "size", 1, 1, SIZE_LIMIT)
        base = read_base(spec.get("base"))
        if (cards := size * base.total) > DECK_LIMIT:
            raise SpecError(
                "A deck has at most {most:,} cards, and these dice give {cards:,}. "
                "Take a fair roller for them.",
                most=DECK_LIMIT,
                cards=cards,
            )
        refill = read_integer(spec, "refill", 1, 1, REFILL_LIMIT)
        if refill > cards:
            raise SpecError(
                "With {cards:,} cards the refill is at most {cards:,}, not {refill:,}.",
                cards=cards,
                refill=refill,
            )
        return cls(base, size, refill, mode)


@dataclass(frozen=True, slots=True)
class Deck(RefilledDeck):
    """A plain deck. Memory: remaining cards of each face."""

    def start(self) -> Memory:
        """Return a full deck, whatever the refill constant."""
        return self.cards

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return the number of remaining cards of each face."""
        return memory

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Take one card, and then refill, at most once."""
        return self.dealt(memory, chosen)

    def put_back(self, memory: Memory, place: int) -> Memory:
        """Add one card."""
        return tuple(c + (face == place) for face, c in enumerate(memory))


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
