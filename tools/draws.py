"""The draws of a recorded roll, and the sums of dice that they make.

Stands beside rolls.py. Numbers are sections of docs/format.md.
"""

import re
from collections.abc import Iterator
from typing import Any

from proofs import LARGEST, Register, need

LONGEST = 200  # characters of a sum
WRONG = "does not come out as the dice that were thrown by hand"
TERM = r"([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?"


def whole(number: Any) -> int:
    """1.1: a whole number, as text where it is longer than JSON's."""
    if type(number) is int:
        return number
    long = re.fullmatch("-?[1-9][0-9]{15,4299}", number)
    need(long and abs(int(number)) > LARGEST, "has a number that is none")
    return int(number)


class Draws:
    """5.1: a roll's recorded draws; with the words of a key (6.2), each must be what they give."""

    def __init__(
        self, pairs: list[Any], words: Iterator[int] | None, thrown: Any = None, *, d6_only: bool = False
    ) -> None:
        self.d6_only, self.number, self.size = d6_only, 0, 1
        self.thrown = thrown and [whole(face) for face in reversed(thrown)]
        self.left = [(whole(total), whole(value)) for total, value in reversed(pairs)]
        self.register: Any = Register(words) if words else None
        self.differs = self.unknown = False

    def choose(self, weights: list[int]) -> int:
        """Give an index, with chance in proportion to its weight."""
        total, chosen = self.left.pop() if self.left else (0, 0)
        fits = total == sum(weights) and 0 <= chosen < len(weights) and weights[chosen]
        need(fits, "has a draw that its rule does not ask for")
        self.differs |= bool(self.register) and self.register.choose(weights) != chosen
        return chosen

    def below(self, total: int) -> int:
        """Give a number of 0 to total - 1, each equally likely."""
        said, chosen = self.left.pop() if self.left else (0, 0)
        need(said == total and 0 <= chosen < total, "has a draw that its rule does not ask for")
        if self.register:
            self.differs |= self.register.below(total) != chosen
        return chosen

    def fell(self, sides: int) -> int:
        """5.9: give the next die that was thrown by hand."""
        need(self.thrown and 1 <= self.thrown[-1] <= sides, WRONG)
        return self.thrown.pop() if self.thrown else 0

    def throw(self, sides: int) -> int:
        """5.1: give the next die; one that was thrown by hand is what it was drawn as."""
        face = 1 + self.below(sides)
        need(self.thrown is None or self.fell(sides) == face, WRONG)
        return face

    def made(self, sides: int) -> int:
        """5.1: make the next die of d6s, which spell a number; its rest goes on to the die behind it."""
        while self.number >= (whole := self.size - self.size % sides):
            self.number, self.size = (self.number - whole) * 6 + self.throw(6) % 6, (self.size - whole) * 6
        self.number, value = divmod(self.number, sides)
        self.size = whole // sides
        return value or sides

    def finish(self, lots: list[int]) -> None:
        """5.1: refuse draws and dice that are left over, and draw the lots."""
        need(not self.left, "has a draw that its rule does not ask for")
        need(not self.thrown, WRONG)
        self.differs |= bool(self.register) and any(self.register.below(10**6) != lot for lot in lots)

    def sums(self, text: str) -> list[str]:
        """Throw a sum of dice and numbers, such as 2#1d20+4."""
        repeat, _, body = text.rpartition("#")
        signed = body if body[:1] == "-" else "+" + body
        fits = len(text) <= LONGEST and re.fullmatch(r"\d?\d?", repeat, re.ASCII)
        if not fits or not re.fullmatch(f"(?:{TERM})+", signed, re.ASCII):
            raise NotImplementedError
        results = [0] * int(repeat or 1)
        for place in range(len(results)):
            for sign, dice, sides, number in re.findall(TERM, signed, re.ASCII):
                throw = self.made if self.d6_only else self.throw
                thrown = [throw(int(sides)) for _ in range(int(dice or 0))]
                results[place] += int(sign + "1") * (int(number or 0) + sum(thrown))
        return [str(result) for result in results]
