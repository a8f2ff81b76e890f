"""The modifiers of dice as frozen values: rerolls, limits, explosions, keeping and counting.

`str` of each is its canonical text. A set of faces is written `<3`, or `{1,3,>=5}` where it needs brackets.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from bot.dice.errors import NotationError

MAX_NUMBER = 1_000_000
MAX_REROLLS = 10
MAX_CONDITIONS = 20


class Comparison(StrEnum):
    """How a face is compared with a number."""

    holds: Callable[[int, int], bool]

    def __new__(cls, sign: str, holds: Callable[[int, int], bool]) -> Self:
        """Make the member whose value is the sign."""
        member = str.__new__(cls, sign)
        member._value_, member.holds = sign, holds
        return member

    LESS = "<", int.__lt__
    AT_MOST = "<=", int.__le__
    EQUAL = "=", int.__eq__
    AT_LEAST = ">=", int.__ge__
    MORE = ">", int.__gt__


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of a number, such as `>=7`; NotationError if the number to compare with is out of bounds."""

    comparison: Comparison
    number: int

    def __post_init__(self) -> None:
        limit_number(abs(self.number))

    def holds(self, face: int) -> bool:
        """Return whether the face passes."""
        return self.comparison.holds(face, self.number)

    def span(self, low: int, high: int) -> tuple[int, int]:
        """Return the first and the last number from low to high that pass; the first is above if none do."""
        n, sign = self.number, self.comparison
        first = low if sign in {Comparison.LESS, Comparison.AT_MOST} else n + (sign is Comparison.MORE)
        last = high if sign in {Comparison.AT_LEAST, Comparison.MORE} else n - (sign is Comparison.LESS)
        return max(low, first), min(high, last)

    def __str__(self) -> str:
        return f"{self.comparison}{self.number}"


@dataclass(frozen=True, slots=True)
class Faces:
    """Faces that pass any of the conditions."""

    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        if len(self.conditions) > MAX_CONDITIONS:
            raise NotationError("At most {most} conditions in one pair of brackets.", most=MAX_CONDITIONS)

    def holds(self, face: int) -> bool:
        """Return whether the face is one of them."""
        return any(condition.holds(face) for condition in self.conditions)

    def spans(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of faces from low to high, ascending and apart, each as its first and last face."""
        end = low - 1
        for first, last in sorted(condition.span(low, high) for condition in self.conditions):
            if last > end and first <= last:
                yield max(first, end + 1), last
                end = last

    def number(self, low: int, high: int) -> int:
        """Return how many of the faces from low to high are in the set."""
        return sum(last - first + 1 for first, last in self.spans(low, high))

    @property
    def bracketed(self) -> str:
        """The set in brackets, `{1,>=5}`."""
        return f"{{{','.join(str(condition).removeprefix('=') for condition in self.conditions)}}}"

    def __str__(self) -> str:
        return str(self.conditions[0]) if len(self.conditions) == 1 else self.bracketed


class KeepKind(StrEnum):
    """The kind of a keep: keep or drop, of the highest, lowest or middle dice of a pool."""

    keeps: bool
    keeps_highest: bool

    def __new__(cls, letters: str) -> Self:
        """Make the member whose value is the letters."""
        member = str.__new__(cls, letters)
        member._value_ = letters
        member.keeps, member.keeps_highest = letters[0] == "k", letters in {"kh", "dl"}
        return member

    KEEP_HIGHEST = "kh"
    KEEP_LOWEST = "kl"
    KEEP_MIDDLE = "km"
    DROP_HIGHEST = "dh"
    DROP_LOWEST = "dl"


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep or drop a number of the highest, lowest or middle dice; `dl` may drop highest ones too."""

    kind: KeepKind
    number: int
    highest: int = 0

    def dropped(self, count: int) -> tuple[int, int]:
        """Return the numbers of lowest and of highest dice dropped from `count`; an odd one is a highest."""
        if not self.kind.keeps:
            return (self.number, self.highest) if self.kind.keeps_highest else (0, self.number)
        surplus = count - self.number
        if self.kind is KeepKind.KEEP_MIDDLE:
            return surplus // 2, surplus - surplus // 2
        return (surplus, 0) if self.kind.keeps_highest else (0, surplus)

    def __str__(self) -> str:
        return f"{self.kind}{self.number}" + (f"dh{self.highest}" if self.highest else "")


@dataclass(frozen=True, slots=True)
class Reroll:
    """Faces to reroll, up to a number of times or without limit (None)."""

    faces: Faces
    times: int | None = 1

    def __post_init__(self) -> None:
        if self.times is not None and not 1 <= self.times <= MAX_REROLLS:
            raise NotationError("A die is rerolled 1 to {most} times, or for ever: rr.", most=MAX_REROLLS)

    def __str__(self) -> str:
        word = {1: "ro", None: "rr"}.get(self.times, f"r{self.times}")
        # A bare number means equal, so the sign would say nothing.
        return word + (str(self.faces).removeprefix("=") if self.times in {1, None} else self.faces.bracketed)


@dataclass(frozen=True, slots=True)
class Clamp:
    """The lowest and the highest value that a die counts as."""

    least: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        for number in (self.least, self.most):
            limit_number(abs(number or 0))
        if self.least is not None and self.most is not None and self.least > self.most:
            raise NotationError("'min{least}' is more than 'max{most}'.", least=self.least, most=self.most)

    def apply(self, face: int) -> int:
        """Return the face, limited to the range."""
        if self.least is not None and face < self.least:
            return self.least
        return self.most if self.most is not None and face > self.most else face

    def __str__(self) -> str:
        least = "" if self.least is None else f"min{self.least}"
        return least + ("" if self.most is None else f"max{self.most}")


@dataclass(frozen=True, slots=True)
class Explode:
    """The faces on which a die explodes, its highest one by default, and the rule for the further dice.

    Further dice may penetrate (each counts one less), be separate dice when dice are kept, be thrown only
    once, or implode: be thrown once and subtracted.
    """

    faces: Faces | None = None
    penetrates: bool = False
    separate: bool = False
    once: bool = False
    implodes: bool = False

    def __post_init__(self) -> None:
        if self.implodes and (self.penetrates or self.separate or self.once or not self.faces):
            raise NotationError("'!i' goes with its faces alone, as in 4d6!i{1}.")

    def __str__(self) -> str:
        flags = (("i", self.implodes), ("o", self.once), ("p", self.penetrates), ("s", self.separate))
        letters = "".join(letter for letter, on in flags if on)
        return f"!{letters}{self.faces.bracketed if self.faces else ''}"


@dataclass(frozen=True, slots=True)
class Select:
    """Keep, or drop, the dice that show one of these faces."""

    faces: Faces
    keeps: bool = True

    def holds(self, face: int) -> bool:
        """Return whether a die with this face is kept."""
        return self.faces.holds(face) == self.keeps

    def __str__(self) -> str:
        return ("k" if self.keeps else "d") + self.faces.bracketed


@dataclass(frozen=True, slots=True)
class Success:
    """The faces that are successes, those that count twice and those that subtract one."""

    faces: Faces
    double: Faces | None = None
    failure: Faces | None = None

    def score(self, face: int) -> int:
        """Return the successes of the face: 2, 1, 0 or -1."""
        score = int(self.faces.holds(face))
        if score and self.double and self.double.holds(face):
            score = 2
        return score - (self.failure is not None and self.failure.holds(face))

    def __str__(self) -> str:
        text = str(self.faces) if len(self.faces.conditions) == 1 else f"#{self.faces.bracketed}"
        text += f"x2{self.double.bracketed}" if self.double else ""
        return text + (f"f{self.failure.bracketed}" if self.failure else "")


def limit_number(number: int) -> None:
    """Raise NotationError unless the number is from 0 to 1,000,000."""
    if not 0 <= number <= MAX_NUMBER:
        raise NotationError("A number is at most {most:,}.", most=MAX_NUMBER)
