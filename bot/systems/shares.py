"""What each face's share of the rolls is in the long run: the table that errors are measured against."""

from math import lcm

from bot.d100.register import Register
from bot.dice.system import OnBase, System
from bot.systems.decks import Decks


def shares(system: System) -> tuple[int, ...]:
    """Integer weights in proportion to the long-run shares of the faces.

    Of blocks it is the chance before the first card, which all later cards have too.
    """
    if isinstance(system, OnBase):
        return system.base.weights
    if isinstance(system, Register):
        return (1,) * system.values
    if isinstance(system, Decks):
        cards = lcm(*(deck.base.total for deck in system.decks))
        return tuple(a * (cards // deck.base.total) for deck in system.decks for a in deck.base.weights)
    return system.weights(system.start())
