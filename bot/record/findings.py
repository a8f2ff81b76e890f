"""The error of an audit, and bounded lists of its findings, so that a long file can't fill the memory."""

from dataclasses import dataclass, field
from typing import TypeVar

from bot.dice.errors import LocalizedError

_T = TypeVar("_T")
_SPANS = 20
_FEW = 20


class Broken(LocalizedError, ValueError):
    """A history does not hold; `number` is the first event at fault, and a value of the sentence too."""

    def __init__(self, number: int, text: str, /, **values: object) -> None:
        super().__init__(text, **{"number": number, **values})
        self.number = number


class Few(list[_T]):
    """The first items of many, and how many more there were."""

    more = 0

    def add(self, item: _T) -> None:
        """Add the next item."""
        if len(self) < _FEW:
            self.append(item)
        else:
            self.more += 1


@dataclass(slots=True)
class Spans:
    """Ascending numbers as spans of neighbours: the first spans, and how many more numbers there were."""

    count: int = 0
    spans: list[list[int]] = field(default_factory=list[list[int]])
    later: int = 0
    """Number of numbers after those spans."""

    def add(self, seq: int) -> None:
        """Add the next number."""
        self.count += 1
        if self.spans and self.spans[-1][1] == seq - 1:
            self.spans[-1][1] = seq
        elif len(self.spans) < _SPANS:
            self.spans.append([seq, seq])
        else:
            self.later += 1

    def __str__(self) -> str:
        text = ", ".join(
            f"#{first}" if first == last else f"#{first} to #{last}" for first, last in self.spans
        )
        return f"{text} and {self.later} more" if self.later else text or "none"
