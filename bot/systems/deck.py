"""The generalized deck: `size` cards for each unit of a face's weight, refilled when few remain.

If fewer than `refill` cards remain after a draw, one whole new set is added (mode "add") or the deck is reset
(mode "reset"). See docs/fairness.md, "Cards".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from bot.dice.errors import SpecError
from bot.dice.system import Memory, OnBase, Spec, System, read_base, read_integer

SIZE_LIMIT = 1_000
REFILL_LIMIT = 1_000_000
DECK_LIMIT = 100_000_000


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
