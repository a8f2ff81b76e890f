"""qrandom.io: quantum numbers from an operator who does not say who they are, hence the last to be asked."""

from dataclasses import dataclass
from typing import ClassVar

from bot.entropy.parsing import integers, json_object, sequence
from bot.entropy.service import Fetched, Physics
from bot.entropy.turns import Limits
from bot.entropy.web import Web

# It sends at most 1,000 numbers at a time, so a block of 1,024 bytes is asked for as numbers of two bytes.
_SIZE = 2


@dataclass(frozen=True, slots=True)
class Qrandom:
    """The source at `url`."""

    url: str
    timeout: float = 15.0
    name: ClassVar[str] = "qrandom.io"
    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes, an even number; Refused if the answer is late, wrong or a no."""
        numbers = count // _SIZE
        reply = await web.get(self.url, {"min": 0, "max": 256**_SIZE - 1, "n": numbers}, within=self.timeout)
        return Fetched(integers(sequence(json_object(reply).get("numbers"), numbers), _SIZE))
