"""Several decks, one for each category: a roll deals the next card of each, in turn.

The decks are independent, with or without repeats; a roll takes one step for each category.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from math import lcm
from typing import ClassVar, TypeAlias

from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec, System, read_flag
from bot.systems.deck import Deck, NoRepeat

DECKS_LIMIT = 10

CategoryDeck: TypeAlias = Deck | NoRepeat


@dataclass(frozen=True, slots=True)
class Decks(System):
    """The categories' names and decks. Memory: the index of the next deck, then the memory of each deck."""

    categories: tuple[str, ...]
    decks: tuple[CategoryDeck, ...]

    name: ClassVar[str] = "decks"

    @property
    def faces(self) -> tuple[str, ...]:
        """The cards of all categories."""
        return tuple(chain.from_iterable(deck.faces for deck in self.decks))

    @property
    def hand(self) -> int:
        """One card of each category."""
        return len(self.decks)

    @property
    def evens_out(self) -> bool:
        """Whether every deck evens out."""
        return all(deck.evens_out for deck in self.decks)

    def start(self) -> Memory:
        """Return full decks; the first category deals."""
        return (0, *chain.from_iterable(deck.start() for deck in self.decks))

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return the weights of the next deck's cards, 0 for all others."""
        place, parts = memory[0], self.split(memory)
        tables = [(0,) * len(deck.faces) for deck in self.decks]
        tables[place] = self.decks[place].weights(parts[place])
        return tuple(chain.from_iterable(tables))

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Take the card off its deck, and go to the next deck."""
        place, parts = memory[0], self.split(memory)
        before = sum(len(deck.faces) for deck in self.decks[:place])
        parts[place] = self.decks[place].advance(parts[place], chosen - before)
        return ((place + 1) % len(self.decks), *chain.from_iterable(parts))

    def shares(self) -> tuple[int, ...]:
        """Return the cards' weights, scaled so that every deck has the same total."""
        cards = lcm(*(deck.base.total for deck in self.decks))
        return tuple(a * (cards // deck.base.total) for deck in self.decks for a in deck.base.weights)

    def as_spec(self) -> Spec:
        """Return {"system": "decks", "decks": {"attack": {"sword": 3, ...}, ...}, "size": 1, ...}."""
        return {
            "system": self.name,
            "decks": {c: d.base.as_json() for c, d in zip(self.categories, self.decks, strict=True)},
            **self.decks[0].refilling,
            "no_repeat": isinstance(self.decks[0], NoRepeat),
        }

    @classmethod
    def from_spec(cls, spec: Spec) -> "Decks":
        """Read `decks` and their shared parameters: `size`, `refill`, `mode`, `no_repeat` (false by default).

        SpecError for a card in two categories.
        """
        categories = spec.get("decks")
        if not isinstance(categories, Mapping) or not 1 <= len(categories) <= DECKS_LIMIT:
            raise SpecError(
                "decks holds 1 to {most} categories, each with its cards and their copies.", most=DECKS_LIMIT
            )
        kind = NoRepeat if read_flag(spec, "no_repeat") else Deck
        shared = {key: spec[key] for key in ("size", "refill", "mode") if key in spec}
        decks: list[CategoryDeck] = []
        for name, cards in categories.items():
            if not isinstance(cards, Mapping):
                raise SpecError("The category {name} lists its cards with their copies.", name=name)
            decks.append(kind.from_spec({**shared, "base": cards}))
        refuse_shared(dict(zip(categories, (deck.faces for deck in decks), strict=True)))
        return cls(tuple(categories), tuple(decks))

    def split(self, memory: Memory) -> list[Memory]:
        """Return the memory of each deck."""
        ends = accumulate((len(deck.start()) for deck in self.decks), initial=1)
        return [memory[first:last] for first, last in pairwise(ends)]


def refuse_shared(categories: Mapping[str, tuple[str, ...]]) -> None:
    """Raise SpecError if a card is in two categories, or twice in one."""
    category_of: dict[str, str] = {}
    for category, cards in categories.items():
        for card in cards:
            if card in category_of:
                raise SpecError(
                    "The card {card} is in {seen} and again in {category}.",
                    card=card,
                    seen=category_of[card],
                    category=category,
                )
            category_of[card] = category
