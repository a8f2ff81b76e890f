"""Roll an expression, and hold the result: every die that fell, and the total it adds up to.

A die that shows a face to reroll is thrown once more, and the second face stands. A die that shows its
highest face then explodes: a further die is thrown and counts as part of it, rerolled and exploded in its
turn, up to ten further dice. Of equal dice, the earlier ones are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from bot.dice.draws import Draws
from bot.dice.expressions import Binary, Expression, Negative, Node, Number, Tagged, Truth
from bot.dice.terms import MAX_FURTHER, Condition, Dice

Toss: TypeAlias = tuple[int, bool]
"""A face as it fell, and whether the die was then thrown again in its place (a reroll)."""

Thrower: TypeAlias = Callable[[Dice, str | None], "Pool"]
"""Give a term, with its tag, its dice."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face as it fell."""

    value: int
    rerolled: bool = False
    """Whether the die was thrown again, so that this face counts for nothing."""
    success: bool = False
    """Whether it is one of the successes counted."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die of a pool with all that it rerolled and exploded into, in the order thrown."""

    faces: tuple[Face, ...]
    kept: bool = True

    @property
    def value(self) -> int:
        """The sum of its faces, rerolled ones left out."""
        return sum(face.value for face in self.faces if not face.rerolled)


class Pool(NamedTuple):
    """The dice of one term; `total` is their sum, or how many successes they have."""

    term: Dice
    tag: str | None
    dice: tuple[Die, ...]
    total: int


Part: TypeAlias = Pool | str


class Unit(Enum):
    """What the total of a throw counts."""

    SUM = auto()
    SUCCESSES = auto()
    TRUTH = auto()
    """1 for a success, 0 for a failure."""


class Throw(NamedTuple):
    """The result of one roll. Its parts, joined without a separator, read as the expression does.

    Parts that are text carry their own blanks: " + ", "(", "-", "3", " [fire]".
    """

    total: int
    parts: tuple[Part, ...]
    unit: Unit = Unit.SUM


def roll(expression: Expression, draws: Draws) -> Throw:
    """Roll an expression once, with one draw a toss, from left to right, and no other draw.

    For an expression that is repeated, call it `expression.repeat` times.
    """

    def thrower(term: Dice, tag: str | None) -> Pool:
        lowest, sides, below = term.lowest, term.sides, draws.below
        if term.reroll is None and not term.explode:
            return single_faces(term, [lowest + below(sides) for _ in range(term.count)], tag)
        return pool_of(term, [_toss(term, draws) for _ in range(term.count)], tag)

    return assemble(expression.body, thrower)


def assemble(body: Node, thrower: Thrower) -> Throw:
    """Build the result of an expression, asking `thrower` for the dice of each term from left to right."""
    parts: list[Part] = []
    return Throw(_add(body, 0, thrower, parts), tuple(parts), _unit(body))


def _unit(body: Node) -> Unit:
    while isinstance(body, Tagged):
        body = body.body
    if isinstance(body, Truth):
        return Unit.TRUTH
    return Unit.SUCCESSES if isinstance(body, Dice) and body.success else Unit.SUM


def single_faces(term: Dice, faces: Sequence[int], tag: str | None = None) -> Pool:
    """Build the pool of dice that show one face each, neither rerolled nor exploded."""
    if term.keep or term.success:
        return pool_of(term, [((face, False),) for face in faces], tag)
    return Pool(term, tag, tuple([_plain_die(face) for face in faces]), sum(faces))


def pool_of(term: Dice, dice: Sequence[tuple[Toss, ...]], tag: str | None = None) -> Pool:
    """Build the pool of these tosses, one tuple a die: settle which dice are kept, and add them up."""
    kept = range(term.count) if term.keep is None else _kept(term, dice)
    scored = [_die(tosses, place in kept, term.success) for place, tosses in enumerate(dice)]
    return Pool(term, tag, tuple([die for die, _ in scored]), sum([score for _, score in scored]))


def _toss(term: Dice, draws: Draws) -> tuple[Toss, ...]:
    """Throw one die, with its rerolls and explosions."""
    tosses: list[Toss] = []
    for _ in range(1 + MAX_FURTHER if term.explode else 1):
        face = term.lowest + draws.below(term.sides)
        if term.reroll and term.reroll.holds(face):
            tosses.append((face, True))
            face = term.lowest + draws.below(term.sides)
        tosses.append((face, False))
        if face != term.highest:
            break
    return tuple(tosses)


def _add(node: Node, level: int, thrower: Thrower, parts: list[Part]) -> int:
    """Append the parts that the node shows to `parts`, and return its value."""
    if level and node.binds < level:
        parts.append("(")
        total = _add(node, 0, thrower, parts)
        parts.append(")")
        return total
    match node:  # the common cases first and without subpatterns, which would take as long as the dice
        case Dice():
            parts.append(pool := thrower(node, None))
            total = pool.total
        case Number():
            total = node.value
            parts.append(str(total))
        case Binary():
            operator = node.operator
            first = _add(node.left, operator.binds, thrower, parts)
            parts.append(f" {operator} ")
            total = operator.apply(first, _add(node.right, operator.binds + 1, thrower, parts))
        case Tagged(Dice() as term, tag):
            parts.append(pool := thrower(term, tag))
            total = pool.total
        case Tagged(body, tag):
            total = _add(body, 4, thrower, parts)
            parts.append(f" [{tag}]")
        case Negative(body):
            parts.append("-")
            total = -_add(body, 3, thrower, parts)
        case Truth(body, condition):
            parts.append("(")
            reached = _add(body, 0, thrower, parts)
            by = f" by {abs(reached - condition.number)}" if reached != condition.number else ""
            parts.append(f" = {reached}) {condition.comparison} {condition.number}{by}")
            total = int(condition.holds(reached))
    return total


def _kept(term: Dice, dice: Sequence[tuple[Toss, ...]]) -> list[int]:
    """Return the places of the dice that are kept."""
    values = [tosses[0][0] if len(tosses) == 1 else sum(_lasting(tosses)) for tosses in dice]
    best = sorted(range(len(values)), key=values.__getitem__, reverse=term.keeps_highest)
    return best[: term.kept]


@lru_cache(maxsize=2_048)  # there are few different dice, and making one anew costs more than all the rest
def _die(tosses: tuple[Toss, ...], kept: bool, success: Condition | None) -> tuple[Die, int]:  # noqa: FBT001
    """Return the die, and how much it adds to the total of its pool."""
    faces = [
        Face(value, rerolled, success is not None and kept and not rerolled and success.holds(value))
        for value, rerolled in tosses
    ]
    score = sum(face.success for face in faces) if success else sum(_lasting(tosses))
    return Die(tuple(faces), kept), score if kept else 0


@lru_cache(maxsize=1_024)
def _plain_die(face: int) -> Die:
    """Return a kept die that shows one face."""
    return Die((Face(face),))


def _lasting(tosses: tuple[Toss, ...]) -> list[int]:
    return [value for value, rerolled in tosses if not rerolled]
