"""Blocks of cards: each has one card of every category, the rest are any others, and none is in it twice.

A block is one uniform card of each category, then uniform cards of all that are not in it yet, shuffled.
It is dealt card by card from the chances that this law leaves after the cards dealt so far, so nothing
that lies ahead is kept anywhere. See docs/fairness.md, "Cards".
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import comb, gcd
from typing import ClassVar, cast

from bot.dice.bases import FACES_LIMIT, LABEL_LIMIT, is_label
from bot.dice.errors import SpecError
from bot.dice.system import Memory, Spec, System, read_integer, settle
from bot.systems.decks import refuse_shared

BLOCK_LIMIT = 40


@dataclass(frozen=True, slots=True)
class Blocks(System):
    """The categories' names and cards, and the size of a block. Memory: the cards of the block so far."""

    categories: tuple[str, ...]
    cards: tuple[tuple[str, ...], ...]
    block: int

    name: ClassVar[str] = "blocks"
    has_state: ClassVar[bool] = True

    @property
    def faces(self) -> tuple[str, ...]:
        """The cards of all categories."""
        return tuple(chain.from_iterable(self.cards))

    @property
    def evens_out(self) -> bool:
        """If a block holds all cards; otherwise each leaves out some, and no later one makes up for it."""
        return self.block == len(self.faces)

    def settled(self, rolls: int) -> int:
        """Return a number at the same place of a block: blocks know nothing of one another."""
        return settle(rolls, self.block, self.block) if self.evens_out else rolls

    def start(self) -> Memory:
        """Return an empty block."""
        return ()

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return weights proportional to the chance of each card not yet in the block; 0 for the others."""
        sizes = tuple(map(len, self.cards))
        dealt = [0] * len(sizes)
        category = [j for j, size in enumerate(sizes) for _ in range(size)]
        for card in memory:
            dealt[category[card]] += 1
        each = next_weights(sizes, tuple(dealt), self.block)
        gone = {*memory}
        return tuple(0 if card in gone else each[j] for card, j in enumerate(category))

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Put one more card into the block; begin a new one after its last card."""
        return () if len(memory) + 1 == self.block else tuple(sorted((*memory, chosen)))

    def as_spec(self) -> Spec:
        """Return {"system": "blocks", "categories": {"road": ["r1", "r2"], "farm": ["f1"]}, "block": 3}."""
        return {
            "system": self.name,
            "categories": {c: [*cards] for c, cards in zip(self.categories, self.cards, strict=True)},
            "block": self.block,
        }

    @classmethod
    def from_spec(cls, spec: Spec) -> "Blocks":
        """Read `categories` and `block`; SpecError for an empty category, or a card in two of them.

        A block of fewer cards than categories, or of more than there are, is refused as well.
        """
        categories = spec.get("categories")
        if not isinstance(categories, dict) or not categories:
            raise SpecError('categories is an object of lists of cards, such as {"road": ["r1", "r2"]}.')
        cards = {name: _read_cards(name, value) for name, value in categories.items()}
        refuse_shared(cards)
        total = sum(map(len, cards.values()))
        if total > FACES_LIMIT:
            raise SpecError(f"{total:,} cards are too many: at most {FACES_LIMIT:,}.")
        block = read_integer(spec, "block", len(cards), 1, BLOCK_LIMIT)
        if block < len(cards):
            raise SpecError(f"A block of {block} can't hold one card of each of {len(cards)} categories.")
        if block > total:
            raise SpecError(f"A block of {block} is more than the {total} cards there are.")
        return cls(tuple(cards), tuple(cards.values()), block)


def _read_cards(category: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise SpecError(f"The category {category} has no cards.")
    cards: list[str] = []
    for card in cast("list[object]", value):
        if not is_label(card):
            raise SpecError(
                f"{card!r} can't be a card: a card's name has 1 to {LABEL_LIMIT} printable characters."
            )
        cards.append(card)
    return tuple(cards)


@lru_cache(maxsize=1 << 14)
def next_weights(sizes: tuple[int, ...], dealt: tuple[int, ...], block: int) -> tuple[int, ...]:
    """Return the weight of one more card of each category, with `dealt` of each in the block already."""
    weights = tuple(
        _blocks_with(sizes, tuple(d + (i == j) for i, d in enumerate(dealt)), block) if dealt[j] < size else 0
        for j, size in enumerate(sizes)
    )
    common = gcd(*weights)
    return tuple(w // common for w in weights)


def _blocks_with(sizes: tuple[int, ...], dealt: tuple[int, ...], block: int) -> int:
    """Return the weight of all blocks that hold certain cards, `dealt` of each category.

    A block with m_j cards of category j comes out with a chance in proportion to the product of the m_j,
    since any one of them may be the category's own pick. Summed over all blocks that is the coefficient
    of x^(block - dealt) in the product of (1+x)^(n-s-1) (s + n x), with n cards and s of them dealt.
    """
    open_ones = [(n, s) for n, s in zip(sizes, dealt, strict=True) if s < n]
    wanted = block - sum(dealt)
    product = [1] + [0] * wanted
    for n, s in open_ones:
        product = [s * a + n * (product[i - 1] if i else 0) for i, a in enumerate(product)]
    free = sum(n - s - 1 for n, s in open_ones)
    closed = 1
    for n, s in zip(sizes, dealt, strict=True):
        closed *= n if s == n else 1
    return closed * sum(a * comb(free, wanted - i) for i, a in enumerate(product))
