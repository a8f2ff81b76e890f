"""A roller's odds: each face's exact chance and long-run share, and the memory after given rolls.

For numbers also the mean and variance, the chance of a range, and the comparison of two rolls.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from bot.dice.die_distribution import add_up
from bot.dice.errors import SpecError
from bot.dice.system import Memory, System
from bot.systems.decks import Decks
from bot.systems.fair import Fair
from bot.systems.game import GameRoll

_FACES_NAMED = 12
_SCALE = 1 << 53
"""Floats hold every integer up to this."""


class Chances(NamedTuple):
    """The possible faces with their chances."""

    faces: tuple[str, ...]
    base: tuple[Fraction, ...]
    """In the long run."""
    now: tuple[Fraction, ...]
    """For the next roll."""


def odds(system: System, memory: Memory) -> tuple[Fraction, ...]:
    """Return each face's chance in the next step, in the order of `system.faces`; the sum is 1."""
    weights = system.weights(memory)
    total = sum(weights)
    return tuple(Fraction(w, total) for w in weights)


def chances(system: System, memory: Memory) -> tuple[Fraction, ...]:
    """Return each face's chance to be in the next roll: of several decks, each card's within its own deck."""
    if not isinstance(system, Decks):
        return odds(system, memory)
    parts = zip(system.decks, system.split(memory), strict=True)
    return tuple(chance for deck, part in parts for chance in odds(deck, part))


def long_run(system: System) -> tuple[Fraction, ...]:
    """Return each face's chance to be in a roll, with unknown memory."""
    if isinstance(system, Decks):
        return chances(system, system.start())
    table = system.shares()
    return tuple(Fraction(a, sum(table)) for a in table)


def usually(system: System) -> tuple[Fraction, ...]:
    """Return each face's chance in the first roll; a fair roller's `after` is ignored."""
    return long_run(system) if isinstance(system, Fair) else odds(system, system.start())


def has_odds(system: System) -> bool:
    """Return whether a system has exact odds; those of a game's many dice may exceed the budget."""
    try:
        return bool(system.faces)
    except SpecError:
        return False


def shares(system: System) -> tuple[int, ...]:
    """Return integers in proportion to the long-run shares of the faces, with a sum of about 2^53 at most.

    Floats represent them exactly. Larger ones are scaled, to at least 1 for a possible face.
    """
    table = system.shares()
    total = sum(table)
    if total <= _SCALE:
        return table
    return tuple(a and max(1, a * _SCALE // total) for a in table)


def after(system: System, faces: Sequence[str], began: Memory | None = None) -> Memory:
    """Return the memory after these faces, the oldest first, from `began` or a new roller's memory.

    Raise SpecError for an unknown face, and for a card that was not in the deck.
    """
    index = {face: i for i, face in enumerate(system.faces)}
    memory = system.start() if began is None else began
    for n, face in enumerate(faces, start=1):
        chosen = index.get(face)
        if chosen is None:
            raise SpecError(
                "{face!r} is no face of this roller. Its faces are: {list}.",
                face=face,
                list=_list(system.faces),
            )
        # A fair roller takes every history: it may have been looser before somebody tuned it to the hat.
        if not isinstance(system, Fair) and not system.weights(memory)[chosen]:
            raise SpecError(
                "{face!r} can't have come out as number {n}: its chance was 0 then.", face=face, n=n
            )
        memory = system.advance(memory, chosen)
    return memory


def _list(faces: Sequence[str]) -> str:
    if len(faces) <= _FACES_NAMED:
        return ", ".join(faces)
    return f"{', '.join(faces[: _FACES_NAMED - 2])} … {faces[-1]} ({len(faces):,} in all)"


@dataclass(frozen=True, slots=True)
class Span:
    """The totals from `low` to `high`, inclusive; None for no bound. SpecError if it is empty."""

    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise SpecError(
                "Nothing is at least {low:,} and at most {high:,}: swap the two.",
                low=self.low,
                high=self.high,
            )

    def __bool__(self) -> bool:
        """Whether it has a bound."""
        return self.low is not None or self.high is not None

    def __contains__(self, total: int) -> bool:
        return (self.low is None or total >= self.low) and (self.high is None or total <= self.high)


@dataclass(frozen=True, slots=True)
class Totals:
    """Each total with its chance, ascending; the chances add up to 1."""

    chances: tuple[tuple[int, Fraction], ...]

    @property
    def mean(self) -> Fraction:
        """Return the expected total."""
        return sum((total * chance for total, chance in self.chances), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Return the expected squared distance of a total from the mean."""
        return sum((total * total * chance for total, chance in self.chances), -(self.mean**2))

    @property
    def deviation(self) -> float:
        """Return the standard deviation, the root of the variance."""
        return sqrt(self.variance)

    def within(self, span: Span) -> Fraction:
        """Return the chance of a total in the span."""
        return sum((chance for total, chance in self.chances if total in span), Fraction(0))

    def against(self, other: "Totals") -> tuple[Fraction, Fraction, Fraction]:
        """Return the chances to be higher than, equal to and lower than an independent roll of `other`."""
        higher = equal = below = Fraction(0)
        rest = list(reversed(other.chances))
        for total, chance in self.chances:
            while rest and rest[-1][0] < total:
                below += rest.pop()[1]
            higher += chance * below
            if rest and rest[-1][0] == total:
                equal += chance * rest[-1][1]
        return higher, equal, 1 - higher - equal


def totals(faces: Sequence[str], weights: Sequence[Fraction]) -> Totals | None:
    """Return the faces as totals with their chances; None for words, and for several decks at once."""
    if not faces or not are_numbers(faces) or sum(weights) != 1:
        return None
    return Totals(tuple(sorted(add_up(zip(map(int, faces), weights, strict=True)).items())))


def amounts(system: System) -> Totals | None:
    """Return a game's results beside its class, such as damage, with their chances; None if it has none."""
    weighted = system.amounts if isinstance(system, GameRoll) else ()
    whole = sum(weight for _, weight in weighted)
    return totals([amount for amount, _ in weighted], [Fraction(weight, whole) for _, weight in weighted])


def are_numbers(faces: Sequence[str]) -> bool:
    """Return whether all faces are whole numbers."""
    return all(face.removeprefix("-").isdecimal() for face in faces)
