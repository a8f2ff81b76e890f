"""Numbers of events, told as a bounded list of spans."""

from dataclasses import dataclass, field

_SPANS = 20


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
