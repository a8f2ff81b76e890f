"""Cards in hands and on offer: what becomes of them, each an event of its own.

The target of each is the roll that drew the card, or offered it. Source: docs/format.md, section 5.5.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.campaigns import Remembers
from bot.campaign.kinds import HOW, Body, Kind
from bot.dice.system import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPlayed(Body):
    """A card in a hand was shown to everybody."""

    kind = Kind.PLAY

    results: tuple[str, ...] = ()
    """The face of the card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDiscarded(Body):
    """A card left a hand, and nobody is told which."""

    kind = Kind.DISCARD


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReturned(Body):
    """A card went back to its roller."""

    kind = Kind.RETURN

    place: int = field(default=-1, metadata=HOW)
    """The place of its face in the roller's table."""
    prev: int = field(default=-1, metadata=HOW)
    whose: Remembers | None = field(default=None, metadata=HOW)
    """Whose memory it went back to."""
    before: Memory | None = field(default=None, metadata=HOW)
    """That memory before it."""
    offered: bool = False
    """Whether it was on offer, and in no hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChosen(Body):
    """A card of an offer was taken."""

    kind = Kind.CHOOSE

    choice: int = -1
    """Its place among the offer's results."""


CardLeft: TypeAlias = CardPlayed | CardDiscarded | CardReturned
"""How a card leaves a hand."""
