"""Dice as a person at a table throws them, one after another, with what is said about them in between."""

from collections.abc import Sequence
from itertools import groupby

from bot.dice.draws import Draws
from bot.dice.terms import Dice
from bot.dice.throws import Part, Throw, Toss, settle


class Hand:
    """Throws dice out of draws, one draw a die, and keeps all that is to be shown."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._parts: list[Part] = []

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        """The faces of dice of so many sides, thrown in this order; equal ones side by side are one term."""
        faces = tuple(self._face(s) for s in sides)
        left = iter(faces)
        for n, (s, group) in enumerate(groupby(sides)):
            fallen = [((next(left), False),) for _ in group]
            if n:
                self.say(", ")
            self._parts.append(settle(Dice(len(fallen), s), None, fallen))
        return faces

    def until(self, sides: int, highest: int) -> int:
        """One die, thrown again as long as it shows more than `highest`."""
        tosses: list[Toss] = [(self._face(sides), False)]
        while tosses[-1][0] > highest:
            tosses[-1] = (tosses[-1][0], True)
            tosses.append((self._face(sides), False))
        self._parts.append(settle(Dice(1, sides), None, [tuple(tosses)]))
        return tosses[-1][0]

    def say(self, words: str) -> None:
        """Words between the dice, with their blanks."""
        self._parts.append(words)

    def made(self, value: int, values: int) -> Throw:
        """All that was thrown and said; the value counts modulo n, and 0 is shown as n."""
        return Throw(value % values or values, tuple(self._parts))

    def _face(self, sides: int) -> int:
        return 1 + self._draws.below(sides)


def read(faces: Sequence[int], sides: Sequence[int], before: int = 0) -> int:
    """The number that dice spell behind the number before them; each one's highest face is the digit 0."""
    number = before
    for face, s in zip(faces, sides, strict=True):
        number = number * s + face % s
    return number
