"""What a roll says, as frozen values; a `Roll` that exists keeps every limit, so it may be thrown.

`str` of any of them is its canonical text: no blanks, lower case, no needless parentheses.
"""

import operator
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from bot.core.errors import NotationError

MAX_TEXT = 200
MAX_NESTING = 20
MAX_NUMBER = 1_000_000
MAX_SIDES = 1_000_000
MAX_DICE_IN_TERM = 100
MAX_DICE = 500
MAX_REPEAT = 20
MAX_TAG = 30
MAX_RESULT = 10**12
MAX_FURTHER = 10
"""How many further dice one die may explode into."""


class Comparison(StrEnum):
    """How a face is compared with a number."""

    LESS = "<"
    AT_MOST = "<="
    EQUAL = "="
    AT_LEAST = ">="
    MORE = ">"


_COMPARE = {
    Comparison.LESS: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.EQUAL: operator.eq,
    Comparison.AT_LEAST: operator.ge,
    Comparison.MORE: operator.gt,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A question asked of a face, such as `>=7`; NotationError if the number is out of bounds."""

    comparison: Comparison
    number: int

    def __post_init__(self) -> None:
        _limit_number(abs(self.number))

    def holds(self, face: int) -> bool:
        """Whether the face passes."""
        return _COMPARE[self.comparison](face, self.number)

    def __str__(self) -> str:
        return f"{self.comparison}{self.number}"


class Which(StrEnum):
    """Which dice of a pool are meant: keep or drop, the highest or the lowest."""

    KEEP_HIGHEST = "kh"
    KEEP_LOWEST = "kl"
    DROP_HIGHEST = "dh"
    DROP_LOWEST = "dl"


@dataclass(frozen=True, slots=True)
class Keep:
    """How many of the highest or lowest dice are kept, or dropped."""

    which: Which
    number: int

    def __str__(self) -> str:
        return f"{self.which}{self.number}"


@dataclass(frozen=True, slots=True)
class Dice:
    """One term of dice: thrown, rerolled, exploded, kept or dropped, counted, in this order.

    Fate dice have three sides that show -1, 0 and 1. NotationError beyond the limits.
    """

    count: int
    sides: int
    fate: bool = False
    reroll: Condition | None = None
    explode: bool = False
    keep: Keep | None = None
    success: Condition | None = None
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        if self.count < 1:
            raise NotationError("A term needs at least one die.")
        if self.count > MAX_DICE_IN_TERM:
            raise NotationError(f"At most {MAX_DICE_IN_TERM} dice in one term.")
        if self.sides < 1:
            raise NotationError("A die needs at least one side.")
        if self.sides > MAX_SIDES:
            raise NotationError(f"A die has at most {MAX_SIDES:,} sides.")
        if self.explode and self.sides == 1:
            raise NotationError("A die with one side would always explode.")
        if self.keep and self.keep.number < 1:
            raise NotationError(f"'{self.keep}' needs a number from 1 on.")
        if not 1 <= self.kept <= self.count:
            raise NotationError(f"'{self.keep}' is too many for {self.count} dice.")

    @property
    def lowest(self) -> int:
        """The lowest face."""
        return -1 if self.fate else 1

    @property
    def highest(self) -> int:
        """The highest face, the one that explodes."""
        return 1 if self.fate else self.sides

    @property
    def kept(self) -> int:
        """How many dice count."""
        match self.keep:
            case None:
                return self.count
            case Keep(Which.KEEP_HIGHEST | Which.KEEP_LOWEST, number):
                return number
            case Keep(_, number):
                return self.count - number

    @property
    def keeps_highest(self) -> bool:
        """Whether the dice that count are the highest ones, if not all do."""
        return self.keep is None or self.keep.which in {Which.KEEP_HIGHEST, Which.DROP_LOWEST}

    def __str__(self) -> str:
        text = f"{self.count}d{'F' if self.fate else self.sides}"
        if self.reroll:
            # A bare number means equal, so the sign would say nothing.
            text += f"ro{self.reroll}".replace("ro=", "ro")
        text += "!" if self.explode else ""
        text += f"{self.keep or ''}"
        # `!=` is refused: elsewhere it means "not equal". A blank tells the two signs apart.
        return f"{text}{self.success or ''}".replace("!=", "! =")


class Operator(StrEnum):
    """An operation on two results."""

    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    FLOOR = "//"

    def apply(self, left: int, right: int) -> int:
        """The result; division rounds down, towards minus infinity."""
        match self:
            case Operator.PLUS:
                return left + right
            case Operator.MINUS:
                return left - right
            case Operator.TIMES:
                return left * right
            case Operator.FLOOR:
                return left // right


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from 0 to 1,000,000; NotationError beyond."""

    value: int
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        _limit_number(self.value)

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Tagged:
    """A part with the word that says what it is for; NotationError unless the tag is clean.

    A tag is 1 to 30 letters, digits, single blanks, hyphens and apostrophes.
    """

    body: "Node"
    tag: str
    binds: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if len(self.tag) > MAX_TAG:
            raise NotationError(f"A tag has at most {MAX_TAG} characters.")
        words = self.tag.split(" ")
        if not all(words) or unicodedata.normalize("NFC", self.tag) != self.tag:
            raise NotationError("A tag needs a word in it, such as [fire].")
        if not all(letter.isalpha() or letter.isdecimal() or letter in "-'" for letter in "".join(words)):
            raise NotationError("A tag is made of letters, digits, blanks, - and '.")

    def __str__(self) -> str:
        return f"{_enclosed(self.body, 4)}[{self.tag}]"


@dataclass(frozen=True, slots=True)
class Negative:
    """Minus a part."""

    body: "Node"
    binds: ClassVar[int] = 2

    def __str__(self) -> str:
        return f"-{_enclosed(self.body, 3)}"


@dataclass(frozen=True, slots=True)
class Binary:
    """Two parts and what is done with them.

    NotationError unless a divisor is free of dice and not zero: then no throw can divide by zero.
    """

    operator: Operator
    left: "Node"
    right: "Node"

    def __post_init__(self) -> None:
        if self.operator is Operator.FLOOR:
            if any(dice_in(self.right)):
                raise NotationError("I only divide by plain numbers, not by dice.")
            if bounds(self.right) == (0, 0):
                raise NotationError("I can't divide by zero.")

    @property
    def binds(self) -> int:
        """How tightly the operator holds its parts."""
        return 1 if self.operator in {Operator.TIMES, Operator.FLOOR} else 0

    def __str__(self) -> str:
        return f"{_enclosed(self.left, self.binds)}{self.operator}{_enclosed(self.right, self.binds + 1)}"


Node: TypeAlias = Number | Dice | Tagged | Negative | Binary


@dataclass(frozen=True, slots=True)
class Roll:
    """A whole expression, rolled `repeat` times; NotationError beyond the limits."""

    body: Node
    repeat: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.repeat <= MAX_REPEAT:
            raise NotationError(f"A roll is repeated 1 to {MAX_REPEAT} times.")
        dice = self.repeat * sum(term.count for term in dice_in(self.body))
        if dice == 0:
            raise NotationError("There are no dice in it.")
        if dice > MAX_DICE:
            raise NotationError(f"At most {MAX_DICE} dice in one roll, not {dice:,}.")
        bounds(self.body)
        if len(str(self)) > MAX_TEXT:
            raise NotationError(f"Written out in full, that is longer than {MAX_TEXT} characters.")

    def times(self, number: int) -> "Roll":
        """The same, so many times over; NotationError beyond the limits."""
        return Roll(self.body, self.repeat * number)

    def __str__(self) -> str:
        return str(self.body) if self.repeat == 1 else f"{self.repeat}#{self.body}"


def dice_in(node: Node) -> Iterator[Dice]:
    """The terms of dice, from left to right."""
    match node:
        case Dice():
            yield node
        case Tagged(body) | Negative(body):
            yield from dice_in(body)
        case Binary(_, left, right):
            yield from dice_in(left)
            yield from dice_in(right)
        case Number():
            pass


def bounds(node: Node) -> tuple[int, int]:
    """Two numbers that no result lies outside of; NotationError if one is beyond 10^12."""
    match node:
        case Number(value):
            low = high = value
        case Dice():
            most = MAX_FURTHER + 1 if node.explode else 1
            low = 0 if node.success else node.kept * node.lowest
            high = node.kept * most * (1 if node.success else node.highest)
        case Tagged(body):
            low, high = bounds(body)
        case Negative(body):
            low, high = (-end for end in reversed(bounds(body)))
        case Binary():
            ends = [
                node.operator.apply(left, right) for left in bounds(node.left) for right in bounds(node.right)
            ]
            low, high = min(ends), max(ends)
    if max(-low, high) > MAX_RESULT:
        raise NotationError(f"The result could pass {MAX_RESULT:,}.")
    return low, high


def _enclosed(node: Node, level: int) -> str:
    return f"({node})" if node.binds < level else str(node)


def _limit_number(number: int) -> None:
    if not 0 <= number <= MAX_NUMBER:
        raise NotationError(f"A number is at most {MAX_NUMBER:,}.")
