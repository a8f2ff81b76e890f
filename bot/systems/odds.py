"""A roller's odds: each face's exact chance and long-run share, and the memory that given rolls leave."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from bot.d100.register import Register
from bot.d100.shifted import Shifted
from bot.dice.errors import SpecError
from bot.dice.system import Memory, OnBase, System
from bot.systems.decks import Decks
from bot.systems.fair import Fair
from bot.systems.luck import LuckAccount
from bot.systems.renewal import Renewal

_FACES_NAMED = 12


def odds(system: System, memory: Memory) -> tuple[Fraction, ...]:
    """Return each face's chance to come out next, in the order of `system.faces`; they add up to 1."""
    weights = system.weights(memory)
    total = sum(weights)
    return tuple(Fraction(w, total) for w in weights)


def chances(system: System, memory: Memory) -> tuple[Fraction, ...]:
    """Return each face's chance to be in the next roll: of several decks, each card's within its own deck."""
    if not isinstance(system, Decks):
        return odds(system, memory)
    parts = zip(system.decks, system.split(memory), strict=True)
    return tuple(chance for deck, part in parts for chance in odds(deck, part))


def shares(system: System) -> tuple[int, ...]:
    """Return integer weights proportional to the long-run shares of the faces.

    Of blocks it is the chance before the first card, which all later cards have too.
    """
    if isinstance(system, OnBase):
        return system.base.weights
    if isinstance(system, LuckAccount):
        return system.outcomes.weights
    if isinstance(system, Renewal):
        tries, events = system.gap.as_integer_ratio()
        return events, tries - events
    if isinstance(system, Register | Shifted):
        return (1,) * system.values
    if isinstance(system, Decks):
        cards = lcm(*(deck.base.total for deck in system.decks))
        return tuple(a * (cards // deck.base.total) for deck in system.decks for a in deck.base.weights)
    return system.weights(system.start())


def after(system: System, faces: Sequence[str]) -> Memory:
    """Return the memory of a new roller after these faces came out, the oldest first.

    Raises SpecError for a face that isn't there, and for a card that was out of the deck just then.
    """
    index = {face: i for i, face in enumerate(system.faces)}
    memory = system.start()
    for n, face in enumerate(faces, start=1):
        chosen = index.get(face)
        if chosen is None:
            raise SpecError(f"{face!r} is no face of this roller. Its faces are: {_list(system.faces)}.")
        # A fair roller takes every history: it may have been looser before somebody tuned it to the hat.
        if not isinstance(system, Fair) and not system.weights(memory)[chosen]:
            raise SpecError(f"{face!r} can't have come out as number {n}: its chance was 0 then.")
        memory = system.advance(memory, chosen)
    return memory


def _list(faces: Sequence[str]) -> str:
    if len(faces) <= _FACES_NAMED:
        return ", ".join(faces)
    return f"{', '.join(faces[: _FACES_NAMED - 2])} … {faces[-1]} ({len(faces):,} in all)"
