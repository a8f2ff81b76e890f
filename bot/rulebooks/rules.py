"""The rule of one roll of a game, as data: its dice, what is counted on them, and the classes of outcomes.

A rule is thrown in order: pool after pool, die after die. What was counted on earlier pools may say how many
dice a later one has, so that "each hit is rolled again" needs no rule of its own. docs/games.md tells how to
write one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from bot.dice.errors import SpecError
from bot.dice.system import Json
from bot.dice.terms import MAX_FURTHER
from bot.rulebooks.fields import a_list, a_name, a_text, an_integer, an_object
from bot.rulebooks.formula import Amounts, Formula, check_names, read_formula

DICE_LIMIT = 100
SIDES_LIMIT = 1_000
CLASSES_LIMIT = 25
POOLS_LIMIT, MEASURES_LIMIT = 10, 10
FACE = "x"
"""What a formula calls the number on a die."""
RULE_FIELDS = ("dice", "measures", "values", "classes", "number", "show")
_WAYS = ("count", "sum", "highest", "lowest")
_NO_FORMULA = read_formula("1")

Kept: TypeAlias = tuple[int, ...]
"""What a measure has seen so far: one number for counts and sums, the best dice in order for the others."""


@dataclass(frozen=True, slots=True)
class GameFace:
    """One face of a die: its text, its number (0 where it has none), and how often each symbol is on it."""

    text: str
    number: int
    symbols: tuple[tuple[str, int], ...] = ()

    def values(self) -> dict[str, int]:
        """Return what formulas may ask of it."""
        return {FACE: self.number, **dict(self.symbols)}


@dataclass(frozen=True, slots=True)
class DicePool:
    """Dice of one kind that are thrown together."""

    name: str
    count: Formula
    sides: Formula | None
    """How many sides its dice have, from 1 up; None where the faces are listed."""
    faces: tuple[GameFace, ...] = ()
    explode: Formula | None = None
    """Which faces bring a further die."""
    most: int = MAX_FURTHER
    """How many further dice one die brings at most."""
    together: bool = False
    """Whether a die and its further dice are one number, their sum."""

    def dice(self, values: Amounts) -> int:
        """Return how many dice there are; SpecError over 100."""
        count = self.count.value(values)
        if count > DICE_LIMIT:
            raise SpecError(f"{self.name}: at most {DICE_LIMIT} dice, not {count:,}.")
        return max(count, 0)

    def shown(self, values: Amounts) -> tuple[GameFace, ...]:
        """Return the faces of its dice; SpecError unless there are 1 to 1,000."""
        if self.sides is None:
            return self.faces
        sides = self.sides.value(values)
        if not 1 <= sides <= SIDES_LIMIT:
            raise SpecError(f"{self.name}: a die has 1 to {SIDES_LIMIT:,} sides, not {sides:,}.")
        return numbered(sides)


@dataclass(frozen=True, slots=True)
class Measure:
    """One number that the dice add up to: how many fit, a sum, or the best or worst few."""

    name: str
    way: str
    formula: Formula
    keep: int = 0
    """How many of the best or worst dice are added up."""
    pools: frozenset[str] = frozenset()
    """The pools that it looks at."""

    @property
    def empty(self) -> Kept:
        """What it has seen before the first die."""
        return () if self.keep else (0,)

    def of(self, values: Amounts) -> Kept:
        """Return what one die adds to it."""
        value = self.formula.value(values)
        return (int(value != 0),) if self.way == "count" else (value,)

    def join(self, one: Kept, other: Kept) -> Kept:
        """Return what was seen on both."""
        if not self.keep:
            return (one[0] + other[0],)
        return tuple(sorted(one + other, reverse=self.way == "highest")[: self.keep])


@dataclass(frozen=True, slots=True)
class GameRule:
    """A whole roll. The class is the first whose condition holds; a rule without classes gives a number."""

    pools: tuple[DicePool, ...]
    measures: tuple[Measure, ...]
    values: tuple[tuple[str, Formula], ...] = ()
    classes: tuple[tuple[str, Formula], ...] = ()
    """From the worst outcome to the best."""
    number: str = ""
    """The value that is the result, where there are no classes."""
    show: tuple[str, ...] = ()
    """The values that are shown beside the class."""
    symbols: tuple[str, ...] = ()
    """All symbols that are on any of its dice."""

    def settle(self, given: Amounts, kept: Sequence[Kept]) -> dict[str, int]:
        """Return every value by its name: what was given, the measures, and what follows from them."""
        values = self.known(given, kept, frozenset(pool.name for pool in self.pools))
        for name, formula in self.values:
            values[name] = formula.value(values)
        return values

    def outcome(self, values: Amounts) -> int:
        """Return the place of the class, or the number; SpecError where no class holds."""
        if self.number:
            return values[self.number]
        for place, (_, condition) in enumerate(self.classes):
            if condition.value(values):
                return place
        raise SpecError("No class of this roll fits the dice: its last one needs an empty condition.")

    def beginning(self) -> tuple[Kept, ...]:
        """Return what the measures have seen before the first die."""
        return tuple(measure.empty for measure in self.measures)

    def known(self, given: Amounts, kept: Sequence[Kept], done: frozenset[str]) -> dict[str, int]:
        """Return the values that are settled once the pools `done` have fallen."""
        seen = zip(self.measures, kept, strict=True)
        settled = {measure.name: sum(part) for measure, part in seen if measure.pools <= done}
        return {**dict.fromkeys(self.symbols, 0), **given, **settled}


@lru_cache(maxsize=64)
def numbered(sides: int) -> tuple[GameFace, ...]:
    """Return the faces 1 to `sides`."""
    return tuple(GameFace(str(n), n) for n in range(1, sides + 1))


def read_rule(at: str, value: object, given: Sequence[str]) -> GameRule:
    """Read a rule whose formulas may use the `given` names; SpecError with the place of what is wrong."""
    fields = an_object(at, value, RULE_FIELDS)
    pools = tuple(
        _pool(f"{at}.dice[{n}]", entry) for n, entry in enumerate(a_list(f"{at}.dice", fields.get("dice")))
    )
    if len(pools) > POOLS_LIMIT:
        raise SpecError(f"{at}.dice has at most {POOLS_LIMIT} pools.")
    symbols = {symbol for pool in pools for face in pool.faces for symbol, _ in face.symbols}
    named = an_object(f"{at}.measures", fields.get("measures", {}))
    names = tuple(pool.name for pool in pools)
    if len(named) > MEASURES_LIMIT:
        raise SpecError(f"{at}.measures has at most {MEASURES_LIMIT} of them.")
    measures = tuple(_measure(f"{at}.measures.{name}", name, entry, names) for name, entry in named.items())
    _check_order(pools, measures, given, symbols)
    known = {*given, *(measure.name for measure in measures)}
    values: list[tuple[str, Formula]] = []
    for name, text in an_object(f"{at}.values", fields.get("values", {})).items():
        values.append((a_name(f"{at}.values", name), _formula(f"{at}.values.{name}", text, known)))
        known.add(name)
    classes = tuple(
        (
            a_text(f"{at}.classes", name, 40),
            _formula(f"{at}.classes.{name}", text, known) if text else _NO_FORMULA,
        )
        for name, text in an_object(f"{at}.classes", fields.get("classes", {})).items()
    )
    number = str(fields.get("number", ""))
    shown = fields.get("show", [])
    show = tuple(str(name) for name in a_list(f"{at}.show", shown)) if shown else ()
    for name in (*show, number):
        if name and name not in known:
            raise SpecError(f"{at} shows {name!r}, which is none of its values: {', '.join(sorted(known))}.")
    if bool(classes) == bool(number) or len(classes) > CLASSES_LIMIT:
        raise SpecError(f"{at} has either 1 to {CLASSES_LIMIT} classes, worst first, or a number.")
    return GameRule(pools, measures, tuple(values), classes, number, show, tuple(sorted(symbols)))


def _check_order(
    pools: Sequence[DicePool], measures: Sequence[Measure], given: Sequence[str], symbols: set[str]
) -> None:
    """Raise SpecError where a formula uses what is not known yet when its dice fall."""
    done: set[str] = set()
    for pool in pools:
        known = {*given, *(m.name for m in measures if m.pools <= done)}
        for formula in (pool.count, pool.sides):
            if formula:
                check_names(formula, known)
        on_die = known | symbols | {FACE}
        for formula in (pool.explode, *(m.formula for m in measures if pool.name in m.pools)):
            if formula:
                check_names(formula, on_die)
        done.add(pool.name)


def _pool(at: str, value: object) -> DicePool:
    fields = an_object(at, value, ("pool", "count", "faces", "explode", "most", "together"))
    listed = fields.get("faces")
    faces = tuple(_face(f"{at}.faces", face) for face in listed) if isinstance(listed, list) else ()
    explode = fields.get("explode")
    together = fields.get("together", False)
    if not isinstance(together, bool):
        raise SpecError(f"{at}.together is true or false.")
    if together and any(face.symbols for face in faces):
        raise SpecError(f"{at}.together adds numbers, and these dice have symbols.")
    return DicePool(
        a_name(at, a_text(f"{at}.pool", fields.get("pool"))),
        read_formula(str(fields.get("count", 1))),
        None if faces else read_formula(str(fields.get("faces", ""))),
        faces,
        read_formula(a_text(f"{at}.explode", explode)) if explode is not None else None,
        an_integer(f"{at}.most", fields.get("most", MAX_FURTHER), 1, MAX_FURTHER),
        together,
    )


def _face(at: str, face: Json) -> GameFace:
    if isinstance(face, int) and not isinstance(face, bool):
        return GameFace(str(face), face)
    if not isinstance(face, str) or len(face) > 8 or (face and not (face.isascii() and face.isalpha())):
        raise SpecError(f"{at}: a face is a number, or a letter for each symbol on it, such as 'sa', or ''.")
    return GameFace(face or "–", 0, tuple((symbol, face.count(symbol)) for symbol in sorted(set(face))))


def _measure(at: str, name: str, value: object, pools: Sequence[str]) -> Measure:
    fields = an_object(at, value, (*_WAYS, "of", "in"))
    ways = [way for way in _WAYS if way in fields]
    if len(ways) != 1:
        raise SpecError(f"{at} has exactly one of: {', '.join(_WAYS)}.")
    way = ways[0]
    keeps = way in {"highest", "lowest"}
    inside = fields.get("in", [*pools])
    looked = [inside] if isinstance(inside, str) else a_list(f"{at}.in", inside)
    for pool in looked:
        if pool not in pools:
            raise SpecError(f"{at}.in names {pool!r}, which is none of the pools: {', '.join(pools)}.")
    return Measure(
        a_name(at, name),
        way,
        read_formula(str(fields.get("of", FACE)) if keeps else a_text(f"{at}.{way}", fields[way])),
        an_integer(f"{at}.{way}", fields[way], 1, DICE_LIMIT) if keeps else 0,
        frozenset(map(str, looked)),
    )


def _formula(at: str, text: object, known: set[str]) -> Formula:
    formula = read_formula(a_text(at, text, 300))
    check_names(formula, known)
    return formula
