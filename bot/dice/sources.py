"""The source of a roll's random bits. A roll is labelled with the source of its weakest word."""

from enum import StrEnum
from typing import Protocol

from bot.dice.draws import Draws


class Source(StrEnum):
    """The source of a 64-bit word, the strongest first; the last two are for whole rolls."""

    TRUE = "true"
    """Two physical sources and the machine's own generator, mixed."""
    HALF = "half"
    """One physical source and the machine's own generator, mixed."""
    LOCAL = "local"
    """The machine's own generator alone."""
    KEYED = "keyed"
    """A key that was committed to before: in proof mode, where a roll's bits are to be checked by others."""
    PHYSICAL = "physical"
    """Dice that somebody threw by hand and typed in; no bits of ours."""

    def weaker(self, other: "Source") -> "Source":
        """Return the weaker one of the two."""
        order = list(Source)
        return max(self, other, key=order.index)


class SourcedDraws(Draws, Protocol):
    """The draws of one roll, which know where their bits came from."""

    @property
    def source(self) -> Source:
        """The weakest source of all bits drawn so far."""
        ...
