"""The parts of a dice expression as frozen values; an `Expression` that exists keeps every limit.

`str` of any of them is its canonical text: no blanks, lower case, no needless parentheses.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Self, TypeAlias

from bot.dice.errors import NotationError
from bot.dice.terms import MAX_FURTHER, Condition, Dice, limit_number

MAX_TEXT = 200
MAX_NESTING = 20
MAX_DICE = 500
MAX_REPEAT = 20
MAX_TAG = 30
MAX_RESULT = 10**12


class Operator(StrEnum):
    """An operation on two results; division rounds down, towards minus infinity."""

    binds: int
    """How tightly it holds its parts."""
    apply: Callable[[int, int], int]

    def __new__(cls, sign: str, binds: int, apply: Callable[[int, int], int]) -> Self:
        """Make the member whose value is the sign."""
        member = str.__new__(cls, sign)
        member._value_, member.binds, member.apply = sign, binds, apply
        return member

    PLUS = "+", 0, int.__add__
    MINUS = "-", 0, int.__sub__
    TIMES = "*", 1, int.__mul__
    FLOOR = "//", 1, int.__floordiv__


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from 0 to 1,000,000; NotationError beyond."""

    value: int
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        limit_number(self.value)

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
        return self.operator.binds

    def __str__(self) -> str:
        return f"{_enclosed(self.left, self.binds)}{self.operator}{_enclosed(self.right, self.binds + 1)}"


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether a total passes: 1 if so, else 0."""

    body: "Node"
    condition: Condition
    binds: ClassVar[int] = -1

    def __str__(self) -> str:
        return f"({self.body}){self.condition}"


Node: TypeAlias = Number | Dice | Tagged | Negative | Binary | Truth


@dataclass(frozen=True, slots=True)
class Expression:
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

    def times(self, number: int) -> "Expression":
        """Repeat the expression so many times over; NotationError beyond the limits."""
        return Expression(self.body, self.repeat * number)

    def __str__(self) -> str:
        return str(self.body) if self.repeat == 1 else f"{self.repeat}#{self.body}"


def dice_in(node: Node) -> Iterator[Dice]:
    """Yield the terms of dice, from left to right."""
    match node:
        case Dice():
            yield node
        case Tagged(body) | Negative(body) | Truth(body):
            yield from dice_in(body)
        case Binary(_, left, right):
            yield from dice_in(left)
            yield from dice_in(right)
        case Number():
            pass


def bounds(node: Node) -> tuple[int, int]:
    """Return a lower and an upper bound of all results; NotationError if one is beyond 10^12."""
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
        case Truth(body, condition):
            ends = [condition.holds(end) for end in bounds(body)]
            low, high = int(all(ends)), int(any(ends) or any(dice_in(body)))
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
