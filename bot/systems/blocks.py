"""Blocks of cards: one card of every category and any others, without duplicates, in random order.

The chance of a block is in proportion to the product of its cards' copies, times the number of its cards of
each category. It is dealt card by card, by the conditional chances given the cards dealt so far, so that no
future card is stored. See docs/fairness.md, "Cards".
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, chain, count
from math import gcd
from typing import ClassVar, TypeAlias

from bot.dice.errors import SpecError
from bot.dice.names import LABEL_LIMIT
from bot.dice.system import (
    FACES_LIMIT,
    Json,
    Memory,
    Spec,
    System,
    is_label,
    is_list,
    is_object,
    read_integer,
    require_integer,
)
from bot.systems.deck import multiplied
from bot.systems.decks import refuse_shared

BLOCK_LIMIT = 40
COPIES_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Blocks(System):
    """The categories' names, cards and copies, and the size of a block. Memory: the block's cards so far."""

    categories: tuple[str, ...]
    cards: tuple[tuple[str, ...], ...]
    copies: tuple[tuple[int, ...], ...]
    """A card with more copies is in a block more often, but never twice."""
    block: int

    name: ClassVar[str] = "blocks"

    @property
    def faces(self) -> tuple[str, ...]:
        """The cards of all categories."""
        return tuple(chain.from_iterable(self.cards))

    @property
    def settling(self) -> tuple[int, int] | None:
        """One block: they are independent. None if it leaves cards out, which no later one makes up for."""
        return (self.block, self.block) if self.block == len(self.faces) else None

    def start(self) -> Memory:
        """Return an empty block."""
        return ()

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return weights proportional to the chance of each card not yet in the block; 0 for the others."""
        in_block, places = {*memory}, count()
        remaining = tuple(
            tuple(sorted([c for c in copies if next(places) not in in_block])) for copies in self.copies
        )
        dealt = tuple(len(copies) - len(rest) for copies, rest in zip(self.copies, remaining, strict=True))
        tables = next_weights(remaining, dealt, self.block - len(memory))
        pairs = zip(self.copies, tables, strict=True)
        weights = [weight_of.get(c, 0) for copies, weight_of in pairs for c in copies]
        return tuple(0 if place in in_block else weight for place, weight in enumerate(weights))

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Put one more card into the block; begin a new one after its last card."""
        return () if len(memory) + 1 == self.block else tuple(sorted((*memory, chosen)))

    def put_back(self, memory: Memory, place: int) -> Memory | None:
        """Take the card out of the current block; None if it is of an earlier block."""
        return tuple(card for card in memory if card != place) if place in memory else None

    def shares(self) -> tuple[int, ...]:
        """Return the weights of a block's first card; every position of a shuffled block has the same."""
        return self.weights(())

    def as_spec(self) -> Spec:
        """Return {"system": "blocks", "categories": {"road": ["r1", "r2"], "farm": ["f1"]}, "block": 3}."""
        categories: dict[str, Json] = {}
        for name, cards, copies in zip(self.categories, self.cards, self.copies, strict=True):
            listed: Json = dict(zip(cards, copies, strict=True))
            categories[name] = [*cards] if {*copies} == {1} else listed
        return {"system": self.name, "categories": categories, "block": self.block}

    @classmethod
    def from_spec(cls, spec: Spec) -> "Blocks":
        """Read `categories` and `block`; SpecError for an empty category, or a card in two of them.

        A block of fewer cards than categories, or of more than there are, is refused as well.
        """
        categories = spec.get("categories")
        if not isinstance(categories, dict) or not categories:
            raise SpecError('categories is an object of lists of cards, such as {"road": ["r1", "r2"]}.')
        read = {name: _read_cards(name, value) for name, value in categories.items()}
        cards = {name: tuple(card for card, _ in entries) for name, entries in read.items()}
        refuse_shared(cards)
        total = sum(map(len, cards.values()))
        if total > FACES_LIMIT:
            raise SpecError("{total:,} cards are too many: at most {most:,}.", total=total, most=FACES_LIMIT)
        block = read_integer(spec, "block", len(cards), 1, BLOCK_LIMIT)
        if block < len(cards):
            raise SpecError(
                "A block of {block} can't hold one card of each of {count} categories.",
                block=block,
                count=len(cards),
            )
        if block > total:
            raise SpecError(
                "A block of {block} is more than the {total} cards there are.", block=block, total=total
            )
        copies = tuple(tuple(number for _, number in entries) for entries in read.values())
        return cls(tuple(cards), tuple(cards.values()), copies, block)


def _read_cards(category: str, value: object) -> list[tuple[str, int]]:
    """Read a category's cards with their copies: a list, or each card with a number."""
    listed: list[tuple[Json, Json]] = [(card, 1) for card in value] if is_list(value) else []
    listed += value.items() if is_object(value) else []
    if not listed:
        raise SpecError("The category {category} has no cards.", category=category)
    cards: list[tuple[str, int]] = []
    for card, copies in listed:
        if not is_label(card):
            raise SpecError(
                "{card!r} can't be a card: a card's name has 1 to {most} printable characters.",
                card=card,
                most=LABEL_LIMIT,
            )
        cards.append((card, require_integer(card, copies, 1, COPIES_LIMIT)))
    return cards


CopiesLeft: TypeAlias = tuple[int, ...]
"""The copies of a category's cards that are not in the block yet, sorted."""


@lru_cache(maxsize=1 << 14)
def next_weights(
    remaining: tuple[CopiesLeft, ...], dealt: tuple[int, ...], needed: int
) -> tuple[dict[int, int], ...]:
    """Return, for each category, the weight of the next card by its copies; the block lacks `needed` cards.

    It is the weight of all blocks that continue with that card. A block's chance is in proportion to the
    product of its cards' copies, times the number of cards m of every category, since any one of them may
    be the category's own pick. Summed over all blocks that hold the `dealt` cards, s of a category, that is
    the coefficient of x^needed in the product of s R(x) + x R'(x), R the product of 1 + c x over its
    remaining cards.
    """
    all_ways = [_ways_to_take(cards, needed) for cards in remaining]
    weighed = [_weighed(ways, s) for ways, s in zip(all_ways, dealt, strict=True)]
    up_to_needed = partial(multiplied, most=needed)
    before = [*accumulate(weighed, up_to_needed, initial=(1,))]
    after = [*accumulate(reversed(weighed), up_to_needed, initial=(1,))]
    result: list[dict[int, int]] = []
    for j, cards in enumerate(remaining):
        others = multiplied(before[j], after[len(remaining) - 1 - j], needed - 1)
        weight_of: dict[int, int] = {}
        for copies in {*cards}:
            way = weight = 0
            for i, ways in enumerate(all_ways[j][:needed]):
                # R(x) / (1 + c x), the R(x) without one card, has coefficients r_i - c r_(i-1) + ...
                way = ways - copies * way
                if needed - 1 - i < len(others):
                    weight += (dealt[j] + 1 + i) * way * others[needed - 1 - i]
            weight_of[copies] = copies * weight
        result.append(weight_of)
    common = gcd(*(weight for weight_of in result for weight in weight_of.values()))
    return tuple({copies: weight // common for copies, weight in weight_of.items()} for weight_of in result)


@lru_cache(maxsize=1 << 12)
def _ways_to_take(cards: CopiesLeft, most: int) -> tuple[int, ...]:
    """Return the coefficients of R(x) up to x^most."""
    product = [1]
    for copies in cards:
        shifted = [copies * way for way in product[:most]]
        product = [way + more for way, more in zip((*product, 0), (0, *shifted), strict=False)]
    return tuple(product)


def _weighed(ways: tuple[int, ...], dealt: int) -> tuple[int, ...]:
    """Return the coefficients of s R(x) + x R'(x)."""
    return tuple((dealt + i) * a for i, a in enumerate(ways))
