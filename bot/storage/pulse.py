"""What a writer has done since it was opened, for whoever watches over it: counts and times, no contents."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pulse:
    """How a writer fares; times are of the clock that only goes forward, in seconds."""

    written_at: float = field(default_factory=time.monotonic)
    """When something was last written, or found to be writable."""
    batches: int = 0
    requests: int = 0
    refused: int = 0
    """Requests that the database failed."""
    seconds: float = 0.0
    """What all batches together took."""

    def wrote(self, requests: int, began: float) -> None:
        """Count a batch that was written."""
        self.written_at = time.monotonic()
        self.batches += 1
        self.requests += requests
        self.seconds += self.written_at - began

    @property
    def silence(self) -> float:
        """Return for how many seconds nothing was written."""
        return time.monotonic() - self.written_at
