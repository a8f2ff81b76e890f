"""lfdr.de: a quantum generator card (ID Quantique) behind an open interface in Germany."""

from dataclasses import dataclass
from typing import ClassVar

from bot.entropy.parsing import hexadecimal, json_object
from bot.entropy.service import Fetched, Physics
from bot.entropy.turns import Limits
from bot.entropy.web import Web


@dataclass(frozen=True, slots=True)
class Lfd:
    """The source at `url`."""

    url: str
    timeout: float = 15.0
    name: ClassVar[str] = "lfdr.de"
    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes; Refused if the answer is late, wrong in any way, or a no."""
        reply = await web.get(self.url, {"length": count, "format": "HEX"}, within=self.timeout)
        answer = json_object(reply)
        if "error" in answer:
            raise reply.refused("it reports an error")
        if answer.get("length") != count:
            raise reply.refused("it answered another question")
        return Fetched(hexadecimal(answer.get("qrn"), count))
