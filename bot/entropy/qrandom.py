"""qrandom.io: quantum numbers from an unnamed operator, hence asked last."""

from bot.entropy.service import Fetched, Limits, WebService, integers, json_object, sequence
from bot.entropy.web import Web

# It sends at most 1,000 numbers at a time, so a block of 1,024 bytes is asked for as numbers of two bytes.
_SIZE = 2


class Qrandom(WebService):
    """The open interface; the bytes are an even number."""

    __slots__ = ()
    name = "qrandom.io"
    limits = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for numbers of two bytes."""
        numbers = count // _SIZE
        reply = await web.get(self.url, {"min": 0, "max": 256**_SIZE - 1, "n": numbers}, within=self.timeout)
        return Fetched(integers(sequence(json_object(reply).get("numbers"), numbers), _SIZE))
