"""Dice of any kind made from d6s: the scan of docs/d100.md, whose remainder continues in the next die.

The d6s are digits of a number, a six being the digit 0. A die takes its value from that number. The rest of
it is uniform and independent of the die, so the roll's next die starts with it. The rest is dropped after
each roll, since whoever saw the dice would know something about the next roll.
"""

from collections.abc import Sequence

from bot.dice.draws import Draws

_SIDES = 6


class Sixes:
    """Draws of one roll, each made from draws of d6s."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._number, self._size = 0, 1
        """A number that is uniform below the size, independent of earlier results."""

    def below(self, n: int) -> int:
        """Throw d6s until they make a uniform integer of 0..n-1; the scan's value 0 is the highest."""
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
