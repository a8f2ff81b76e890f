"""What an audit raises where a history does not hold, and what it found often, told up to a bound.

A long file must not fill the memory.
"""

from dataclasses import dataclass, field
from typing import TypeVar

from bot.dice.errors import LocalizedError

_T = TypeVar("_T")
_SPANS = 20
_FEW = 20


class Broken(LocalizedError, ValueError):
    """A history that does not hold; `number` is the first event that it does not hold at.

    It is one of the sentence's values too.
    """

    def __init__(self, number: int, text: str, /, **values: object) -> None:
        super().__init__(text, **{"number": number, **values})
        self.number = number


class Few(list[_T]):
    """The first of many things, and how many more there were."""

    more = 0

    def add(self, one: _T) -> None:
        """Take the next one."""
        if len(self) < _FEW:
            self.append(one)
        else:
            self.more += 1


@dataclass(slots=True)
class Spans:
    """Numbers that came in order: the first spans of neighbours, and how many more there were."""

    count: int = 0
    spans: list[list[int]] = field(default_factory=list[list[int]])
    later: int = 0
    """How many numbers behind those spans are not told."""

    def add(self, seq: int) -> None:
        """Take the next number."""
        self.count += 1
        if self.spans and self.spans[-1][1] == seq - 1:
            self.spans[-1][1] = seq
        elif len(self.spans) < _SPANS:
            self.spans.append([seq, seq])
        else:
            self.later += 1

    def __str__(self) -> str:
        told = ", ".join(
            f"#{first}" if first == last else f"#{first} to #{last}" for first, last in self.spans
        )
        return f"{told} and {self.later} more" if self.later else told or "none"
