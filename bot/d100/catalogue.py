"""The table of /lab methods: every method for a die and a number of values, with its figures."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bot.d100.conversion import check
from bot.d100.leftovers import LeftoversMethod
from bot.d100.method import WAYS
from bot.d100.pool import PoolMethod
from bot.d100.register import SHOWN_DICE, Register, RegisterFigures, register_figures
from bot.d100.scores import Figures, best_score, best_weights
from bot.dice.remarks import Remark

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


def _entries(sides: int, values: int) -> Iterator[MethodEntry]:
    ways = [way for way in WAYS.values() if way.fits((sides,), values)]
    for way in ways:
        if way.general:
            yield MethodEntry(way.name, way.words, way.figures((sides,), values))
    pool, shifted = PoolMethod(sides, values), LeftoversMethod(sides, values)
    yield MethodEntry(pool.name, pool.words, pool.figures)
    for way in ways:
        if not way.general:
            yield MethodEntry(way.name, way.words, way.figures((sides,), values))
    if shifted.leftover:
        yield MethodEntry(shifted.name, shifted.words, shifted.figures)
    for k in SHOWN_DICE:
        law = best_weights(sides**k, values)
        yield MethodEntry(
            Remark("register, {dice} dice", dice=k), "added to the value before", Figures(law, Fraction(k), k)
        )
