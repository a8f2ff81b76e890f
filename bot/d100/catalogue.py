"""The table of /lab methods: every method for a die and a number of values, with its figures."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bot.d100.conversion import check
from bot.d100.general import GENERAL
from bot.d100.hundred import WAYS_TO_HUNDRED
from bot.d100.leftovers import LeftoversMethod
from bot.d100.pool import PoolMethod
from bot.d100.register import SHOWN_DICE, Register, RegisterFigures, register_figures
from bot.d100.ways import Figures, Way, best_score, best_weights
from bot.dice.throws import Remark

POWERS = range(11)


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """A method with its figures."""

    name: str
    words: str
    figures: Figures


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The methods for a die and a number of values."""

    sides: int
    values: int
    entries: tuple[MethodEntry, ...]
    scores: dict[int, Fraction]
    """Number of dice (0 to 10) to the best possible score."""
    registers: tuple[RegisterFigures, ...]


@lru_cache(maxsize=16)
def catalogue(sides: int, values: int) -> Catalogue:
    """Return all methods; SpecError for sides out of 2..100 or values out of 2..1,000."""
    check((sides,), values)
    return Catalogue(
        sides,
        values,
        tuple(_entries(sides, values)),
        {k: best_score(sides**k, values) for k in POWERS},
        tuple(register_figures(Register(k, sides, values)) for k in SHOWN_DICE),
    )


def _of_ways(ways: Iterable[Way], sides: int, values: int) -> Iterator[MethodEntry]:
    for way in ways:
        if way.fits((sides,), values):
            yield MethodEntry(way.name, way.words, way.figures((sides,), values))


def _entries(sides: int, values: int) -> Iterator[MethodEntry]:
    pool, leftovers = PoolMethod(sides, values), LeftoversMethod(sides, values)
    yield from _of_ways(GENERAL, sides, values)
    yield MethodEntry(pool.name, pool.words, pool.figures)
    yield from _of_ways(WAYS_TO_HUNDRED, sides, values)
    if leftovers.leftover:
        yield MethodEntry(leftovers.name, leftovers.words, leftovers.figures)
    for k in SHOWN_DICE:
        law = best_weights(sides**k, values)
        yield MethodEntry(
            Remark("register, {dice} dice", dice=k), "added to the value before", Figures(law, Fraction(k), k)
        )
