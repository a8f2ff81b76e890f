"""The recorded draws of a roll, and sums of dice thrown with them.

Part of verify.py. Numbers are sections of docs/format.md.
"""

import re
from collections.abc import Iterator
from typing import Any

from proofs import LARGEST, Register, need

LONGEST = 200  # most characters of a sum of dice
WRONG = "does not come out as the dice that were thrown by hand"
TERM = r"([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?"


def whole(number: Any) -> int:
    """1.1: return a whole number, which is recorded as text if JSON can't hold it."""
    if type(number) is int:
        return number
    long = re.fullmatch("-?[1-9][0-9]{15,4299}", number)
    need(long and abs(int(number)) > LARGEST, "has a number that is none")
    return int(number)


class Draws:
    """5.1: a roll's recorded draws, compared with those of its key (6.2) if `words` are given."""

    def __init__(
        self, pairs: list[Any], words: Iterator[int] | None, thrown: Any = None, *, d6_only: bool = False
    ) -> None:
        self.d6_only, self.number, self.size = d6_only, 0, 1
        self.thrown = thrown and [whole(face) for face in reversed(thrown)]
        self.remaining = [(whole(total), whole(value)) for total, value in reversed(pairs)]
        self.register: Any = Register(words) if words else None
        self.differs = self.unknown = False

    def choose(self, weights: list[int]) -> int:
        """Return the next draw, an index whose chance is in proportion to its weight."""
        total, chosen = self.remaining.pop() if self.remaining else (0, 0)
        fits = total == sum(weights) and 0 <= chosen < len(weights) and weights[chosen]
        need(fits, "has a draw that its rule does not ask for")
        self.differs |= bool(self.register) and self.register.choose(weights) != chosen
        return chosen

    def below(self, total: int) -> int:
        """Return the next draw, a number from 0 to total - 1, each equally likely."""
        size, chosen = self.remaining.pop() if self.remaining else (0, 0)
        need(size == total and 0 <= chosen < total, "has a draw that its rule does not ask for")
        if self.register:
            self.differs |= self.register.below(total) != chosen
        return chosen

    def take_thrown(self, sides: int) -> int:
        """5.9: return the next die that was thrown by hand."""
        need(self.thrown and 1 <= self.thrown[-1] <= sides, WRONG)
        return self.thrown.pop() if self.thrown else 0

    def throw(self, sides: int) -> int:
        """5.1: return the next die; one thrown by hand must equal its recorded draw."""
        face = 1 + self.below(sides)
        need(self.thrown is None or self.take_thrown(sides) == face, WRONG)
        return face

    def make_die(self, sides: int) -> int:
        """5.1: make the next die out of d6s, the digits of a number whose rest serves the die after it."""
        while self.number >= (whole := self.size - self.size % sides):
            self.number, self.size = (self.number - whole) * 6 + self.throw(6) % 6, (self.size - whole) * 6
        self.number, value = divmod(self.number, sides)
        self.size = whole // sides
        return value or sides

    def finish(self, lots: list[int]) -> None:
        """5.1: refuse unused draws and dice, and compare the lots with those of the key."""
        need(not self.remaining, "has a draw that its rule does not ask for")
        need(not self.thrown, WRONG)
        self.differs |= bool(self.register) and any(self.register.below(10**6) != lot for lot in lots)

    def sums(self, text: str) -> list[str]:
        """Return the totals of a sum of dice and numbers, such as 2#1d20+4."""
        repeat, _, body = text.rpartition("#")
        signed = body if body[:1] == "-" else "+" + body
        fits = len(text) <= LONGEST and re.fullmatch(r"\d?\d?", repeat, re.ASCII)
        if not fits or not re.fullmatch(f"(?:{TERM})+", signed, re.ASCII):
            raise NotImplementedError
        results = [0] * int(repeat or 1)
        for place in range(len(results)):
            for sign, dice, sides, number in re.findall(TERM, signed, re.ASCII):
                throw = self.make_die if self.d6_only else self.throw
                thrown = [throw(int(sides)) for _ in range(int(dice or 0))]
                results[place] += int(sign + "1") * (int(number or 0) + sum(thrown))
        return [str(result) for result in results]
