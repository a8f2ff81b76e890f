"""The rule of one roll of a game, as data: its dice, what is counted on them, and the classes of outcomes.

A rule is thrown in order: pool after pool, die after die. What was counted on earlier pools may say how many
dice a later one has, so that "each hit is rolled again" needs no rule of its own. docs/games.md tells how to
write one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from bot.dice.errors import SpecError
from bot.dice.system import Json
from bot.dice.terms import MAX_FURTHER
from bot.rulebooks.fields import a_list, a_name, a_text, an_integer, an_object
from bot.rulebooks.formula import Amounts, Formula, check_names, formula_at

DICE_LIMIT = 100
SIDES_LIMIT = 1_000
FAR = 10_000
"""How far from 0 an option and a face go."""
CLASSES_LIMIT = 25
POOLS_LIMIT, MEASURES_LIMIT = 10, 10
FACE = "x"
"""What a formula calls the number on a die."""
RULE_FIELDS = ("dice", "measures", "values", "classes", "number", "show", "against", "notes", "amount")
_WAYS = ("count", "sum", "highest", "lowest")
_CONDITIONS = ("classes", "notes")

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
        return max(self.limited(self.count.value(values)), 0)

    def limited(self, count: int) -> int:
        """Return a number of its dice; SpecError over 100."""
        if count > DICE_LIMIT:
            raise SpecError(
                "{name}: at most {most} dice, not {count:,}.", name=self.name, most=DICE_LIMIT, count=count
            )
        return count

    def shown(self, values: Amounts) -> tuple[GameFace, ...]:
        """Return the faces of its dice; SpecError unless there are 1 to 1,000."""
        if self.sides is None:
            return self.faces
        sides = self.sides.value(values)
        if not 1 <= sides <= SIDES_LIMIT:
            raise SpecError(
                "{name}: a die has 1 to {most:,} sides, not {sides:,}.",
                name=self.name,
                most=SIDES_LIMIT,
                sides=sides,
            )
        return numbered(sides)

    def counted(self, die: tuple[GameFace, ...]) -> tuple[GameFace, ...]:
        """Return what the measures see of a die: each of its faces, or their sum as one number."""
        if not self.together:
            return die
        total = sum(face.number for face in die)
        return (GameFace(str(total), total),)


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
    against: str = ""
    """The option that the number is held against; where it is 0 nobody gave it, and no class is told."""
    notes: tuple[tuple[str, Formula], ...] = ()
    """What is said beside a number, each where its condition holds."""
    amount: str = ""
    """The value beside the class that has odds of its own, such as damage."""
    symbols: tuple[str, ...] = ()
    """All symbols that are on any of its dice."""

    def settle(self, given: Amounts, kept: Sequence[Kept]) -> dict[str, int]:
        """Return every value by its name: what was given, the measures, and what follows from them."""
        return self.known(given, kept, frozenset(pool.name for pool in self.pools))

    def reading(self, given: Amounts) -> "GameRule":
        """Return the rule as it is read with these options: what is held against nothing has no classes."""
        return replace(self, classes=()) if self.against and not given[self.against] else self

    def judgement(self, values: Amounts) -> tuple[int, str, int] | None:
        """Return what the class was judged by; None where the number is not held against one."""
        if not self.classes or not self.against:
            return None
        return values[self.number], self.against, values[self.against]

    def outcome(self, values: Amounts) -> int:
        """Return the place of the class, or the number; SpecError where no class holds."""
        if not self.classes:
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
        values = {**dict.fromkeys(self.symbols, 0), **given, **settled}
        for name, formula in self.values:
            if formula.names <= values.keys():
                values[name] = formula.value(values)
        return values


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
        raise SpecError("{at}.dice has at most {most} pools.", at=at, most=POOLS_LIMIT)
    symbols = {symbol for pool in pools for face in pool.faces for symbol, _ in face.symbols}
    named = an_object(f"{at}.measures", fields.get("measures", {}))
    names = tuple(pool.name for pool in pools)
    if len(named) > MEASURES_LIMIT:
        raise SpecError("{at}.measures has at most {most} of them.", at=at, most=MEASURES_LIMIT)
    measures = tuple(_measure(f"{at}.measures.{name}", name, entry, names) for name, entry in named.items())
    texts = an_object(f"{at}.values", fields.get("values", {}))
    values = tuple(
        (a_name(f"{at}.values", name), _formula(f"{at}.values.{name}", text)) for name, text in texts.items()
    )
    rule = GameRule(pools, measures, values, symbols=tuple(sorted(symbols)))
    _check_order(at, rule, given)
    known = {*given, *(measure.name for measure in measures), *texts}
    classes, notes = (_conditions(f"{at}.{field}", fields.get(field, {}), known) for field in _CONDITIONS)
    shown = fields.get("show", [])
    show = tuple(str(name) for name in a_list(f"{at}.show", shown)) if shown else ()
    number, amount, against = (str(fields.get(field, "")) for field in ("number", "amount", "against"))
    for name in (*show, number, amount):
        if name and name not in known:
            raise SpecError(
                "{at} shows {name!r}, which is none of its values: {known}.",
                at=at,
                name=name,
                known=", ".join(sorted(known)),
            )
    if against and against not in given:
        raise SpecError(
            "{at}.against names {against!r}, which is none of the options.", at=at, against=against
        )
    if len(classes) > CLASSES_LIMIT or not (classes and number if against else bool(classes) != bool(number)):
        raise SpecError(
            "{at} has either 1 to {most} classes, worst first, or a number; both with `against`.",
            at=at,
            most=CLASSES_LIMIT,
        )
    return replace(
        rule, classes=classes, number=number, show=show, against=against, notes=notes, amount=amount
    )


def _conditions(at: str, value: object, known: set[str]) -> tuple[tuple[str, Formula], ...]:
    texts = an_object(at, value)
    read = {a_text(at, name, 40): _formula(f"{at}.{name}", text or "1") for name, text in texts.items()}
    for name, formula in read.items():
        check_names(f"{at}.{name}", formula, known)
    return tuple(read.items())


def _check_order(at: str, rule: GameRule, given: Sequence[str]) -> None:
    """Raise SpecError where a formula uses what is not known yet when its dice fall."""
    done: set[str] = set()
    for n, pool in enumerate(rule.pools):
        known = _known(rule, given, done)
        for name, formula, most in (("count", pool.count, DICE_LIMIT), ("faces", pool.sides, SIDES_LIMIT)):
            if formula:
                check_names(f"{at}.dice[{n}].{name}", formula, known)
            if formula and not formula.names:
                an_integer(f"{at}.dice[{n}].{name}", formula.value({}), 1, most)
        on_die = known | {*rule.symbols, FACE}
        if pool.explode:
            check_names(f"{at}.dice[{n}].explode", pool.explode, on_die)
        for measure in rule.measures:
            if pool.name in measure.pools:
                check_names(f"{at}.measures.{measure.name}", measure.formula, on_die)
        done.add(pool.name)
    known = {*given, *(measure.name for measure in rule.measures)}
    for name, formula in rule.values:
        check_names(f"{at}.values.{name}", formula, known)
        known.add(name)


def _known(rule: GameRule, given: Sequence[str], done: set[str]) -> set[str]:
    """Return the names that have a value once the pools `done` have fallen."""
    known = {*given, *(m.name for m in rule.measures if m.pools <= done)}
    for name, formula in rule.values:
        if formula.names <= known:
            known.add(name)
    return known


def _pool(at: str, value: object) -> DicePool:
    fields = an_object(at, value, ("pool", "count", "faces", "explode", "most", "together"))
    listed = fields.get("faces")
    faces = tuple(_face(f"{at}.faces", face) for face in listed) if isinstance(listed, list) else ()
    explode = fields.get("explode")
    together = fields.get("together", False)
    if not isinstance(together, bool):
        raise SpecError("{at}.together is true or false.", at=at)
    if together and any(face.symbols for face in faces):
        raise SpecError("{at}.together adds numbers, and these dice have symbols.", at=at)
    return DicePool(
        a_name(at, a_text(f"{at}.pool", fields.get("pool"))),
        formula_at(f"{at}.count", str(fields.get("count", 1))),
        None if faces else formula_at(f"{at}.faces", str(fields.get("faces", ""))),
        faces,
        _formula(f"{at}.explode", explode) if explode is not None else None,
        an_integer(f"{at}.most", fields.get("most", MAX_FURTHER), 1, MAX_FURTHER),
        together,
    )


def _face(at: str, face: Json) -> GameFace:
    if isinstance(face, int) and not isinstance(face, bool):
        return GameFace(str(face), an_integer(at, face, -FAR, FAR))
    if not isinstance(face, str) or len(face) > 8 or (face and not (face.isascii() and face.isalpha())):
        raise SpecError(
            "{at}: a face is a number, or a letter for each symbol on it, such as 'sa', or ''.", at=at
        )
    return GameFace(face or "–", 0, tuple((symbol, face.count(symbol)) for symbol in sorted(set(face))))


def _measure(at: str, name: str, value: object, pools: Sequence[str]) -> Measure:
    fields = an_object(at, value, (*_WAYS, "of", "in"))
    ways = [way for way in _WAYS if way in fields]
    if len(ways) != 1:
        raise SpecError("{at} has exactly one of: {ways}.", at=at, ways=", ".join(_WAYS))
    way = ways[0]
    keeps = way in {"highest", "lowest"}
    inside = fields.get("in", [*pools])
    looked = [inside] if isinstance(inside, str) else a_list(f"{at}.in", inside)
    for pool in looked:
        if pool not in pools:
            raise SpecError(
                "{at}.in names {pool!r}, which is none of the pools: {pools}.",
                at=at,
                pool=pool,
                pools=", ".join(pools),
            )
    return Measure(
        a_name(at, name),
        way,
        _formula(f"{at}.of", fields.get("of", FACE)) if keeps else _formula(f"{at}.{way}", fields[way]),
        an_integer(f"{at}.{way}", fields[way], 1, DICE_LIMIT) if keeps else 0,
        frozenset(map(str, looked)),
    )


def _formula(at: str, text: object) -> Formula:
    return formula_at(at, a_text(at, text, 300))
