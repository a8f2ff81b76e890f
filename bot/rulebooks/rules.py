"""The rule of one roll of a game as data: dice pools, measures on them, and classes of outcomes.

Pools are thrown in order, die after die. Measures of earlier pools may set the number of dice of later ones,
so that "each hit is rolled again" needs no special rule. docs/games.md describes the format.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from bot.dice.errors import SpecError
from bot.dice.system import Json, is_list, require_integer
from bot.dice.terms import MAX_FURTHER
from bot.rulebooks.fields import GameFields, require_name, require_text
from bot.rulebooks.formula import Amounts, Formula, check_names, formula_at

DICE_LIMIT = 100
SIDES_LIMIT = 1_000
FAR = 10_000
"""Largest absolute value of an option or a face."""
CLASSES_LIMIT = 25
POOLS_LIMIT, MEASURES_LIMIT = 10, 10
FACE = "x"
"""The name of a die's number in formulas."""
RULE_FIELDS = (
    "dice",
    "measures",
    "values",
    "classes",
    "number",
    "show",
    "against",
    "missing",
    "goal",
    "notes",
    "amount",
)
_POOL_FIELDS = ("pool", "count", "faces", "explode", "most", "together")
_WAYS = ("count", "sum", "highest", "lowest")

Tally: TypeAlias = tuple[int, ...]
"""The state of a measure: one number for counts and sums, the best dice in order for the others."""


@dataclass(frozen=True, slots=True)
class GameFace:
    """One face of a die: its text, its number (0 for none), and the count of each symbol on it."""

    text: str
    number: int
    symbols: tuple[tuple[str, int], ...] = ()

    def values(self) -> dict[str, int]:
        """Return its values for formulas."""
        return {FACE: self.number, **dict(self.symbols)}


@dataclass(frozen=True, slots=True)
class DicePool:
    """Dice of one kind, thrown together."""

    name: str
    count: Formula
    sides: Formula | None
    """The number of sides, numbered from 1; None if the faces are listed."""
    faces: tuple[GameFace, ...] = ()
    explode: Formula | None = None
    """The condition for faces that add a further die."""
    most: int = MAX_FURTHER
    """The most further dice that one die adds."""
    together: bool = False
    """True if a die and its further dice count as one number, their sum."""

    def dice(self, values: Amounts) -> int:
        """Return the number of dice; raise SpecError over 100."""
        return max(self.limited(self.count.value(values)), 0)

    def limited(self, count: int) -> int:
        """Return a number of dice unchanged; raise SpecError over 100."""
        if count > DICE_LIMIT:
            raise SpecError(
                "{name}: at most {most} dice, not {count:,}.", name=self.name, most=DICE_LIMIT, count=count
            )
        return count

    def faces_for(self, values: Amounts) -> tuple[GameFace, ...]:
        """Return the faces of its dice; raise SpecError unless there are 1 to 1,000."""
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
        """Return the faces of a die that measures count: each one, or their sum as one face."""
        if not self.together:
            return die
        total = sum(face.number for face in die)
        return (GameFace(str(total), total),)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number computed from the dice: a count, a sum, or the sum of the best or worst few."""

    name: str
    way: str
    formula: Formula
    keep: int = 0
    """The number of best or worst dice that are added; 0 for counts and sums."""
    pools: frozenset[str] = frozenset()
    """The pools that it measures."""

    @property
    def empty(self) -> Tally:
        """Return its tally before the first die."""
        return () if self.keep else (0,)

    def evaluate(self, values: Amounts) -> Tally:
        """Return the tally of one die."""
        value = self.formula.value(values)
        return (int(value != 0),) if self.way == "count" else (value,)

    def join(self, first: Tally, second: Tally) -> Tally:
        """Return the tally of both together."""
        if not self.keep:
            return (first[0] + second[0],)
        return tuple(sorted(first + second, reverse=self.way == "highest")[: self.keep])


@dataclass(frozen=True, slots=True)
class GameRule:
    """A whole roll. Its class is the first whose condition holds; without classes it gives a number."""

    pools: tuple[DicePool, ...]
    measures: tuple[Measure, ...]
    values: tuple[tuple[str, Formula], ...] = ()
    classes: tuple[tuple[str, Formula], ...] = ()
    """From the worst outcome to the best."""
    number: str = ""
    """The value that is the result, if there are no classes."""
    show: tuple[str, ...] = ()
    """The values shown beside the class."""
    against: str = ""
    """The option that the number is compared with."""
    missing: int = 0
    """The value of that option if it was left out, so that there is no class."""
    goal: str = ""
    """The value that the number is really compared with, unless it is 0: half a skill."""
    notes: tuple[tuple[str, Formula], ...] = ()
    """Texts shown beside a number, each if its condition holds."""
    amount: str = ""
    """The value with odds of its own beside the class, such as damage."""
    symbols: tuple[str, ...] = ()
    """All symbols on its dice."""

    @property
    def value_names(self) -> set[str]:
        """The names of its measures and computed values."""
        return {measure.name for measure in self.measures} | dict(self.values).keys()

    def reading(self, options: Amounts) -> "GameRule":
        """Return the rule for these options: without classes if the option `against` was left out."""
        return replace(self, classes=()) if self.against and options[self.against] == self.missing else self

    def judgement(self, values: Amounts) -> tuple[int, str, int] | None:
        """Return the number, the option it is compared with, and its value; None without a comparison."""
        if not self.classes or not self.against:
            return None
        return values[self.number], self.against, values[self.against]

    def outcome(self, values: Amounts) -> int:
        """Return the index of the class, or the number; raise SpecError if no class holds."""
        if not self.classes:
            return values[self.number]
        for index, (_, condition) in enumerate(self.classes):
            if condition.value(values):
                return index
        raise SpecError("No class of this roll fits the dice: its last one needs an empty condition.")

    def empty_tallies(self) -> tuple[Tally, ...]:
        """Return the measures' tallies before the first die."""
        return tuple(measure.empty for measure in self.measures)

    def values_after(
        self, options: Amounts, tallies: Sequence[Tally], pools: int | None = None
    ) -> dict[str, int]:
        """Return the values by name that are final once so many pools are thrown, all by default.

        They are options, measures, and computed values.
        """
        thrown = {pool.name for pool in self.pools[:pools]}
        pairs = zip(self.measures, tallies, strict=True)
        settled = {measure.name: sum(tally) for measure, tally in pairs if measure.pools <= thrown}
        values = {**dict.fromkeys(self.symbols, 0), **options, **settled}
        for name, formula in self.values:
            if formula.names <= values.keys():
                values[name] = formula.value(values)
        return values


@lru_cache(maxsize=64)
def numbered(sides: int) -> tuple[GameFace, ...]:
    """Return the faces 1 to `sides`."""
    return tuple(GameFace(str(n), n) for n in range(1, sides + 1))


def read_rule(path: str, value: object, options: Sequence[str]) -> GameRule:
    """Parse a rule whose formulas may use `options`; raise SpecError with the path of a fault."""
    fields = GameFields(path, value, RULE_FIELDS)
    pools = tuple(
        _read_pool(GameFields(f"{path}.dice[{n}]", pool, _POOL_FIELDS))
        for n, pool in enumerate(fields.list("dice"))
    )
    if len(pools) > POOLS_LIMIT:
        raise SpecError("{at}.dice has at most {most} pools.", at=path, most=POOLS_LIMIT)
    symbols = {symbol for pool in pools for face in pool.faces for symbol, _ in face.symbols}
    entries = fields.fields("measures", {})
    pool_names = tuple(pool.name for pool in pools)
    if len(entries.values) > MEASURES_LIMIT:
        raise SpecError("{at}.measures has at most {most} of them.", at=path, most=MEASURES_LIMIT)
    measures = tuple(_read_measure(entries, name, pool_names) for name in entries.values)
    texts = fields.fields("values", {})
    values = tuple((require_name(texts.path, name), texts.formula(name)) for name in texts.values)
    rule = GameRule(pools, measures, values, symbols=tuple(sorted(symbols)))
    _check_order(path, rule, options)
    value_names = {*options} | rule.value_names
    classes, notes = (
        _read_conditions(fields.fields(field, {}), value_names) for field in ("classes", "notes")
    )
    show = tuple(map(str, fields.list("show"))) if fields.values.get("show") else ()
    names = {field: str(fields.values.get(field, "")) for field in ("number", "amount", "against", "goal")}
    number, amount, against, goal = names.values()
    for name in (*show, number, amount, goal):
        if name and name not in value_names:
            raise SpecError(
                "{at} shows {name!r}, which is none of its values: {known}.",
                at=path,
                name=name,
                known=", ".join(sorted(value_names)),
            )
    missing = fields.integer("missing", -FAR, 0, 0)
    if against and against not in options:
        raise SpecError(
            "{at}.against names {against!r}, which is none of the options.", at=path, against=against
        )
    if len(classes) > CLASSES_LIMIT or not (classes and number if against else bool(classes) != bool(number)):
        raise SpecError(
            "{at} has either 1 to {most} classes, worst first, or a number; both with `against`.",
            at=path,
            most=CLASSES_LIMIT,
        )
    return replace(rule, classes=classes, show=show, missing=missing, notes=notes, **names)


def _read_conditions(fields: GameFields, names: set[str]) -> tuple[tuple[str, Formula], ...]:
    """Read formulas by their texts; an empty one always holds."""
    texts = GameFields(fields.path, {name: text or "1" for name, text in fields.values.items()})
    return tuple(
        (require_text(texts.path, name, 40), texts.formula(name, names=names)) for name in texts.values
    )


def _check_order(path: str, rule: GameRule, options: Sequence[str]) -> None:
    """Raise SpecError if a formula uses a value that is not yet known when its dice are thrown."""
    for n, pool in enumerate(rule.pools):
        names = _known_names(rule, options, n)
        for name, formula, most in (("count", pool.count, DICE_LIMIT), ("faces", pool.sides, SIDES_LIMIT)):
            if formula:
                check_names(f"{path}.dice[{n}].{name}", formula, names)
            if formula and not formula.names:
                require_integer(f"{path}.dice[{n}].{name}", formula.value({}), 1, most)
        on_die = names | {*rule.symbols, FACE}
        if pool.explode:
            check_names(f"{path}.dice[{n}].explode", pool.explode, on_die)
        for measure in rule.measures:
            if pool.name in measure.pools:
                check_names(f"{path}.measures.{measure.name}", measure.formula, on_die)
    names = {*options, *(measure.name for measure in rule.measures)}
    for name, formula in rule.values:
        check_names(f"{path}.values.{name}", formula, names)
        names.add(name)


def _known_names(rule: GameRule, options: Sequence[str], pools: int) -> set[str]:
    """Return the names that have a value once so many pools are thrown."""
    thrown = {pool.name for pool in rule.pools[:pools]}
    names = {*options, *(measure.name for measure in rule.measures if measure.pools <= thrown)}
    for name, formula in rule.values:
        if formula.names <= names:
            names.add(name)
    return names


def _read_pool(fields: GameFields) -> DicePool:
    raw_faces = fields.values.get("faces", "")
    listed = raw_faces if is_list(raw_faces) else []
    faces = tuple(_read_face(fields.at("faces"), face) for face in listed)
    together = fields.values.get("together", False)
    if not isinstance(together, bool):
        raise SpecError("{at}.together is true or false.", at=fields.path)
    if together and any(face.symbols for face in faces):
        raise SpecError("{at}.together adds numbers, and these dice have symbols.", at=fields.path)
    return DicePool(
        require_name(fields.path, fields.text("pool")),
        formula_at(fields.at("count"), str(fields.values.get("count", 1))),
        None if faces else formula_at(fields.at("faces"), str(raw_faces)),
        faces,
        fields.formula("explode") if fields.values.get("explode") is not None else None,
        fields.integer("most", 1, MAX_FURTHER, MAX_FURTHER),
        together,
    )


def _read_face(path: str, face: Json) -> GameFace:
    if isinstance(face, int) and not isinstance(face, bool):
        return GameFace(str(face), require_integer(path, face, -FAR, FAR))
    if not isinstance(face, str) or len(face) > 8 or (face and not (face.isascii() and face.isalpha())):
        raise SpecError(
            "{at}: a face is a number, or a letter for each symbol on it, such as 'sa', or ''.", at=path
        )
    return GameFace(face or "–", 0, tuple((symbol, face.count(symbol)) for symbol in sorted(set(face))))


def _read_measure(measures: GameFields, name: str, pools: Sequence[str]) -> Measure:
    fields = measures.fields(name, allowed=(*_WAYS, "of", "in"))
    ways = [way for way in _WAYS if way in fields.values]
    if len(ways) != 1:
        raise SpecError("{at} has exactly one of: {ways}.", at=fields.path, ways=", ".join(_WAYS))
    way, listed = ways[0], read_pools(fields, pools)
    require_name(fields.path, name)
    if way in {"highest", "lowest"}:
        return Measure(name, way, fields.formula("of", FACE), fields.integer(way, 1, DICE_LIMIT), listed)
    return Measure(name, way, fields.formula(way), pools=listed)


def read_pools(fields: GameFields, pools: Sequence[str]) -> frozenset[str]:
    """Return the pools that `in` names, one or a list, or all of them; raise SpecError for others."""
    name = fields.values.get("in")
    listed = [name] if isinstance(name, str) else fields.list("in", [*pools])
    for pool in listed:
        if pool not in pools:
            raise SpecError(
                "{at}.in names {pool!r}, which is none of the pools: {pools}.",
                at=fields.path,
                pool=pool,
                pools=", ".join(pools),
            )
    return frozenset(map(str, listed))
