"""What becomes of cards in hands: kinds of events that are on record; nothing makes them yet.

The target of each is the roll that drew the card, or offered it. Source: docs/format.md, section 5.5.
"""

from dataclasses import dataclass, field

from bot.campaign.kinds import HOW, Body, Kind


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChosen(Body):
    """A card of an offer was taken."""

    kind = Kind.CHOOSE

    choice: int = -1
    """Its place among the offer's results."""
