"""Dice of any kind out of six-sided ones: the scan of docs/d100.md, whose rest goes on to the next die.

A die is the value of a number that d6s spell, a six as the digit 0. What the number has beyond it is as even
and tells nothing of the die, so the roll's next die begins with it. Nobody keeps the rest of a roll: whoever
saw the dice would know something of the next one.
"""

from collections.abc import Sequence

from bot.dice.draws import Draws

_SIDES = 6


class Sixes:
    """The draws of one roll, each made of draws below six; a d6 shows what was thrown."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._number, self._size = 0, 1
        """A number that is uniform below the size, whatever the draws before it were."""

    def below(self, n: int) -> int:
        """Throw d6s until they make an integer of 0..n-1, each equally likely; a value 0 is the highest."""
        while self._number >= (whole := self._size - self._size % n):
            digit = (self._draws.below(_SIDES) + 1) % _SIDES
            self._number = (self._number - whole) * _SIDES + digit
            self._size = (self._size - whole) * _SIDES
        self._number, value = divmod(self._number, n)
        self._size = whole // n
        return (value - 1) % n

    def choose(self, weights: Sequence[int]) -> int:
        """Raise TypeError: plain dice have no weights."""
        raise TypeError(f"no d6s make a choice of {len(weights)}")
