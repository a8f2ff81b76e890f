"""Exact odds may take at most so much work, counted before it is done: the clock is never asked."""

from bot.dice.errors import SpecError

_WORK = 30_000
"""About as many microseconds on a machine of 2020."""


class Budget:
    """The work that is left; a microsecond or so is one unit."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = _WORK

    def spend(self, work: int) -> None:
        """Take it off; SpecError if that is more than is left."""
        self._left -= work
        if self._left < 0:
            raise SpecError("Its exact odds would take too long to work out: use fewer dice, or fewer sides.")
