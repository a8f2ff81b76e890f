"""A way to make a dN out of dice that remembers nothing: how it is played, and what it comes to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.d100.scores import Figures
from bot.dice.draws import Draws
from bot.dice.throws import Throw

Dice: TypeAlias = tuple[int, ...]
"""The sides of dice that take turns; mostly one die, such as (6,)."""

HUNDRED = ((6,), 100)
"""What most of text 004's ways are for: a d100 out of six-sided dice."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way; general ones take any dice and any number of values, the others only (6,) and 100."""

    name: str
    words: str
    """What it does, in a line for people who choose."""
    general: bool
    play: Callable[[Draws, Dice, int], Throw]
    figures: Callable[[Dice, int], Figures]

    def fits(self, dice: Dice, values: int) -> bool:
        """Whether it can make that many values out of these dice."""
        return self.general or (dice, values) == HUNDRED
