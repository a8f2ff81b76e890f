"""One term of dice as a frozen value, such as 4d6kh3; one that exists keeps every limit on it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Self

from bot.dice.errors import NotationError

MAX_NUMBER = 1_000_000
MAX_SIDES = 1_000_000
MAX_DICE_IN_TERM = 100
MAX_FURTHER = 10
"""How many further dice one die may explode into."""


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
    """A test of a face, such as `>=7`; NotationError if the number is out of bounds."""

    comparison: Comparison
    number: int

    def __post_init__(self) -> None:
        limit_number(abs(self.number))

    def holds(self, face: int) -> bool:
        """Return whether the face passes."""
        return self.comparison.holds(face, self.number)

    def __str__(self) -> str:
        return f"{self.comparison}{self.number}"


class Which(StrEnum):
    """Which dice of a pool are meant: keep or drop, the highest or the lowest."""

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
        if self.success:
            self._check_target(self.success)

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
        if self.keep is None:
            return self.count
        return self.keep.number if self.keep.which.keeps else self.count - self.keep.number

    @property
    def keeps_highest(self) -> bool:
        """Whether the dice that count are the highest ones, if not all do."""
        return self.keep is None or self.keep.which.keeps_highest

    def _check_target(self, target: Condition) -> None:
        """Raise NotationError where the target says nothing, for most likely it was meant for the total."""
        ends = target.holds(self.lowest), target.holds(self.highest)
        inside = target.comparison is Comparison.EQUAL and self.lowest < target.number < self.highest
        if all(ends) or not (any(ends) or inside):
            dice = replace(self, success=None)
            die = str(replace(dice, count=1, keep=None, reroll=None, explode=False))[1:]
            raise NotationError(
                f"'{target}' is a target for each die, and {'every' if all(ends) else 'no'} {die} meets it. "
                f"For the total, write ({dice}){target}."
            )

    def __str__(self) -> str:
        text = f"{self.count}d{'F' if self.fate else self.sides}"
        if self.reroll:
            # A bare number means equal, so the sign would say nothing.
            text += f"ro{self.reroll}".replace("ro=", "ro")
        text += "!" if self.explode else ""
        text += f"{self.keep or ''}"
        # `!=` is refused: elsewhere it means "not equal". A blank tells the two signs apart.
        return f"{text}{self.success or ''}".replace("!=", "! =")


def limit_number(number: int) -> None:
    """Raise NotationError unless the number is from 0 to 1,000,000."""
    if not 0 <= number <= MAX_NUMBER:
        raise NotationError(f"A number is at most {MAX_NUMBER:,}.")
