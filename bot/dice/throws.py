"""What fell, as frozen values: enough to show every die, and nothing about how to show it.

What a pool's faces come to is settled here alone, so thrown and arranged dice keep the same rules. Of
equal dice, the earlier ones are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from bot.dice.expressions import Binary, Negative, Node, Number, Tagged
from bot.dice.terms import Condition, Dice

Toss: TypeAlias = tuple[int, bool]
"""A face as it fell, and whether the die was then thrown again in its place (a reroll)."""


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


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of one term; `total` is what they add up to, or how many successes they have."""

    term: Dice
    tag: str | None
    dice: tuple[Die, ...]
    total: int


Part: TypeAlias = Pool | str


@dataclass(frozen=True, slots=True)
class Throw:
    """One result. The parts one after another, nothing between them, read as the expression does.

    Parts that are text have their blanks with them: " + ", "(", "-", "3", " [fire]".
    """

    total: int
    parts: tuple[Part, ...]

    @classmethod
    def of_digits(cls, number: int, dice: int, sides: int) -> "Throw":
        """Dice that spell `number` to the base of their sides; the highest face is the digit 0.

        ValueError unless 0 <= number < sides^dice.
        """
        faces: list[tuple[Toss, ...]] = []
        left = number
        for _ in range(dice):
            left, digit = divmod(left, sides)
            faces.append(((digit or sides, False),))
        if left:
            raise ValueError(f"{dice} dice of {sides} sides can't spell {number}")
        pool = settle(Dice(dice, sides), None, faces[::-1])
        return cls(pool.total, (pool,))

    def read_digits(self) -> int:
        """The number that one pool of dice spells: `of_digits` the other way."""
        number = 0
        for part in self.parts:
            if isinstance(part, Pool):
                for die in part.dice:
                    number = number * part.term.sides + die.value % part.term.sides
        return number


def settle(term: Dice, tag: str | None, fallen: Sequence[tuple[Toss, ...]]) -> Pool:
    """The pool that these tosses make, die by die: which dice are kept, and what they come to."""
    kept = range(term.count) if term.keep is None else _kept(term, fallen)
    scored = [_die(tosses, place in kept, term.success) for place, tosses in enumerate(fallen)]
    return Pool(term, tag, tuple([die for die, _ in scored]), sum([score for _, score in scored]))


def assemble(body: Node, throw: Callable[[Dice, str | None], Pool]) -> Throw:
    """The result of an expression; `throw` gives each term its dice, from left to right."""
    parts: list[Part] = []
    return Throw(_add(body, 0, throw, parts), tuple(parts))


def _add(node: Node, level: int, throw: Callable[[Dice, str | None], Pool], parts: list[Part]) -> int:
    """Appends what the node shows to `parts`; its value comes back."""
    if node.binds < level:
        parts.append("(")
        total = _add(node, 0, throw, parts)
        parts.append(")")
        return total
    match node:
        case Dice():
            parts.append(pool := throw(node, None))
            total = pool.total
        case Tagged(Dice() as term, tag):
            parts.append(pool := throw(term, tag))
            total = pool.total
        case Number(total):
            parts.append(str(total))
        case Tagged(body, tag):
            total = _add(body, 4, throw, parts)
            parts.append(f" [{tag}]")
        case Negative(body):
            parts.append("-")
            total = -_add(body, 3, throw, parts)
        case Binary(operator, left, right):
            first = _add(left, node.binds, throw, parts)
            parts.append(f" {operator} ")
            total = operator.apply(first, _add(right, node.binds + 1, throw, parts))
    return total


def _kept(term: Dice, fallen: Sequence[tuple[Toss, ...]]) -> set[int]:
    """The places of the dice that are kept."""
    sign = -1 if term.keeps_highest else 1
    values = [sign * sum(_lasting(tosses)) for tosses in fallen]
    return set(sorted(range(len(values)), key=values.__getitem__)[: term.kept])


@lru_cache(maxsize=2_048)  # there are few different dice, and making one anew costs more than all the rest
def _die(tosses: tuple[Toss, ...], kept: bool, success: Condition | None) -> tuple[Die, int]:  # noqa: FBT001
    """The die, and what it adds to its pool's total."""
    faces = [
        Face(value, rerolled, success is not None and kept and not rerolled and success.holds(value))
        for value, rerolled in tosses
    ]
    score = sum(face.success for face in faces) if success else sum(_lasting(tosses))
    return Die(tuple(faces), kept), score if kept else 0


def _lasting(tosses: tuple[Toss, ...]) -> list[int]:
    return [value for value, rerolled in tosses if not rerolled]
