"""The parts of a dice expression as frozen values; an `Expression` that exists keeps every limit.

`str` of any of them is its canonical text: no blanks, lower case, no needless parentheses.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar, Self, TypeAlias

from bot.dice.errors import NotationError
from bot.dice.modifiers import Condition, Faces, Keep, limit_number
from bot.dice.terms import Dice

MAX_TEXT = 200
MAX_NESTING = 20
MAX_DICE = 500
MAX_TOSSES = 2_000
"""Throws in one roll with all rerolls and explosions, on average: about 10 ms of work."""
MAX_REPEAT = 20
MAX_PARTS = 10
MAX_TAG = 30
MAX_RESULT = 10**12


class Operator(StrEnum):
    """An operation on two results; division rounds down, towards minus infinity, and % is its remainder."""

    binds: int
    """The precedence."""
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
    MODULO = "%", 1, int.__mod__


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
    """A part with a tag; NotationError unless that is 1 to 30 letters, digits, single blanks, - and '."""

    body: "Node"
    tag: str
    binds: ClassVar[int] = 3

    def __post_init__(self) -> None:
        if len(self.tag) > MAX_TAG:
            raise NotationError("A tag has at most {most} characters.", most=MAX_TAG)
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


class ZeroDivisor(NotationError):
    """A division by zero, which no program allows."""


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation on two parts.

    NotationError if a divisor may be zero, and for a remainder of negative numbers, where programs differ.
    """

    operator: Operator
    left: "Node"
    right: "Node"

    def __post_init__(self) -> None:
        if self.operator in {Operator.FLOOR, Operator.MODULO}:
            low, high = bounds(self.right)
            if low <= 0 <= high:
                if low == high:
                    raise ZeroDivisor("I can't divide by zero.")
                raise ZeroDivisor("I can't divide by what may be zero.")
            if self.operator is Operator.MODULO and min(low, bounds(self.left)[0]) < 0:
                raise NotationError("A remainder needs numbers that are never below zero.")

    @property
    def binds(self) -> int:
        """The precedence of the operator."""
        return self.operator.binds

    def __str__(self) -> str:
        return f"{_enclosed(self.left, self.binds)}{self.operator}{_enclosed(self.right, self.binds + 1)}"


@dataclass(frozen=True, slots=True)
class Truth:
    """A test of a total: 1 if it passes, else 0; one less for a failure."""

    body: "Node"
    condition: Condition
    failure: Faces | None = None
    binds: ClassVar[int] = -1

    def judge(self, total: int) -> int:
        """Return 1, 0 or -1 for a total."""
        return self.condition.holds(total) - (self.failure is not None and self.failure.holds(total))

    def __str__(self) -> str:
        failure = f"f{self.failure.bracketed}" if self.failure else ""
        return f"({self.body}){self.condition}{failure}"


@dataclass(frozen=True, slots=True)
class Opposed:
    """An opposed roll: the first total minus the second."""

    left: "Node"
    right: "Node"
    binds: ClassVar[int] = -2

    def __str__(self) -> str:
        return f"{_enclosed(self.left, -1)} vs {_enclosed(self.right, -1)}"


@dataclass(frozen=True, slots=True)
class Best:
    """The sum of the highest or lowest totals of several parts; NotationError beyond 10 parts."""

    parts: tuple["Node", ...]
    keep: Keep
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        if not 2 <= len(self.parts) <= MAX_PARTS:
            raise NotationError("A group has 2 to {most} parts.", most=MAX_PARTS)
        _check_keep(self.keep, len(self.parts))

    def __str__(self) -> str:
        return f"{{{','.join(map(str, self.parts))}}}{self.keep}"


@dataclass(frozen=True, slots=True)
class Together:
    """Terms of different dice as one pool, of which some dice are kept."""

    terms: tuple[Dice, ...]
    keep: Keep
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        if any(
            term.keep or term.success or term.select or term.unique or term.explode for term in self.terms
        ):
            raise NotationError(
                "Dice that are kept together neither explode nor have a keep or count of their own."
            )
        _check_keep(self.keep, sum(term.count for term in self.terms))

    def __str__(self) -> str:
        return f"{{{'+'.join(map(str, self.terms))}}}{self.keep}"


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice whose number, at least one, is itself rolled; `term` is one of them."""

    number: "Node"
    term: Dice
    binds: ClassVar[int] = 4

    def __post_init__(self) -> None:
        low, high = bounds(self.number)
        if low < 1 or self.term.keep:
            raise NotationError("The number of dice is thrown: it must be 1 or more, and none can be kept.")
        replace(self.term, count=high)

    def __str__(self) -> str:
        return f"({self.number}){str(self.term)[1:]}"


Node: TypeAlias = Number | Dice | Tagged | Negative | Binary | Truth | Opposed | Best | Together | Thrown


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole expression, rolled `repeat` times; NotationError beyond the limits."""

    body: Node
    repeat: int = 1
    more: tuple["Expression", ...] = ()
    """Further rolls, separated by semicolons."""
    dice: int = field(init=False, repr=False, compare=False)
    """The number of dice, without explosions and rerolls."""
    text: str = field(init=False, repr=False, compare=False)
    """The canonical text."""

    def __post_init__(self) -> None:
        if len(self.more) >= MAX_PARTS:
            raise NotationError("At most {most} rolls in one line.", most=MAX_PARTS)
        if not 1 <= self.repeat <= MAX_REPEAT:
            raise NotationError("A roll is repeated 1 to {most} times.", most=MAX_REPEAT)
        own = self.repeat * sum(term.count for term in dice_in(self.body))
        if own == 0:
            raise NotationError("That has no dice. Dice look like `2d6+3`.")
        dice = own + sum(other.dice for other in self.more)
        if dice > MAX_DICE:
            raise NotationError("At most {most} dice in one roll, not {dice:,}.", most=MAX_DICE, dice=dice)
        rolls = (self, *self.more)
        tosses = sum(roll.repeat * term.tosses for roll in rolls for term in dice_in(roll.body))
        if tosses > MAX_TOSSES:
            raise NotationError(
                "At most {most:,} throws in one roll. With rerolls this may take {tosses:,}.",
                most=MAX_TOSSES,
                tosses=tosses,
            )
        bounds(self.body)
        own_text = f"{self.body}" if self.repeat == 1 else f"{self.repeat}#{self.body}"
        text = "; ".join([own_text, *(other.text for other in self.more)])
        if len(text) > MAX_TEXT:
            raise NotationError("Written out in full, that is longer than {most} characters.", most=MAX_TEXT)
        # Computed once, since every roll needs them.
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "text", text)

    def times(self, number: int) -> "Expression":
        """Repeat the expression `number` times over; NotationError beyond the limits."""
        if number == 1:
            return self
        return Expression(self.body, self.repeat * number, tuple(roll.times(number) for roll in self.more))

    def __str__(self) -> str:
        return self.text


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the direct parts of a node, from left to right; of a rolled number of dice, the most dice."""
    match node:
        case Tagged(body) | Negative(body) | Truth(body):
            return (body,)
        case Binary(_, left, right) | Opposed(left, right):
            return left, right
        case Best(parts) | Together(parts):
            return parts
        case Thrown(number, term):
            return number, replace(term, count=bounds(number)[1])
        case Number() | Dice():
            return ()


def dice_in(node: Node) -> Iterator[Dice]:
    """Yield the terms of dice, from left to right."""
    if isinstance(node, Dice):
        yield node
    for part in parts_of(node):
        yield from dice_in(part)


def bounds(node: Node) -> tuple[int, int]:
    """Return a lower and an upper bound of all results; NotationError if one is beyond 10^12."""
    match node:
        case Number(value):
            low = high = value
        case Dice():
            low, high = _bounds_of_dice(node)
        case Opposed(left, right):
            (low, most), (least, high) = bounds(left), bounds(right)
            low, high = low - high, most - least
        case Best() | Together() | Thrown():
            low, high = _bounds_of_many(node)
        case Tagged(body):
            low, high = bounds(body)
        case Negative(body):
            low, high = (-end for end in reversed(bounds(body)))
        case Truth(body, condition, failure):
            ends = [condition.holds(end) for end in bounds(body)]
            low, high = int(all(ends)), int(any(ends) or any(dice_in(body)))
            low -= failure is not None
        case Binary():
            low, high = _bounds_of_two(node)
    if max(-low, high) > MAX_RESULT:
        raise NotationError("The result could pass {most:,}.", most=MAX_RESULT)
    return low, high


def _bounds_of_two(node: Binary) -> tuple[int, int]:
    left, right = bounds(node.left), bounds(node.right)
    if node.operator is Operator.MODULO:
        return 0, min(left[1], right[1] - 1)
    ends = [node.operator.apply(first, second) for first in left for second in right]
    return min(ends), max(ends)


def _bounds_of_many(node: Best | Together | Thrown) -> tuple[int, int]:
    if isinstance(node, Thrown):
        ends = [number * end for number in bounds(node.number) for end in _bounds_of_dice(node.term)]
        return min(ends), max(ends)
    if isinstance(node, Best):
        ranges = [bounds(part) for part in node.parts]
    else:
        ranges = [
            (term.worth(0, term.lowest), term.worth(0, term.highest))
            for term in node.terms
            for _ in range(term.count)
        ]
    below, above = node.keep.dropped(len(ranges))
    low, high = (sum(sorted(end)[below : len(ranges) - above]) for end in zip(*ranges, strict=True))
    return low, high


def _bounds_of_dice(term: Dice) -> tuple[int, int]:
    ends = [term.lowest, term.highest]
    if term.limits:
        ends = [term.limits.apply(end) for end in ends]
    dice_count, chain = term.kept_count, 1 + term.further
    if term.keep and term.explode and term.explode.separate:
        # First and further dice are kept alike.
        dice_count, chain = (dice_count if term.keep.kind.keeps else term.count * chain), 1
        ends += [term.worth(1, face) for face in ends]
        ends = [min(ends), max(ends)]
    most = dice_count * chain
    if term.success:
        return (-most if term.success.failure else 0), most * (2 if term.success.double else 1)
    values = [term.worth(1, face) * (chain - 1) for face in ends]
    # Of dice that explode into dice of their own more are kept than are thrown at first, or only these.
    die_bounds = ends[0] + min(0, *values), ends[1] + max(0, *values)
    low = min(count * die_bounds[0] for count in (term.kept_count, dice_count))
    high = dice_count * die_bounds[1]
    return (min(low, 0), max(high, 0)) if term.select else (low, high)


def _check_keep(keep: Keep, count: int) -> None:
    if keep.number < 1 or not 1 <= count - sum(keep.dropped(count)) <= count:
        raise NotationError("'{keep}' is too many, or too few, of {count}.", keep=keep, count=count)


def _enclosed(node: Node, level: int) -> str:
    return f"({node})" if node.binds < level else str(node)
