"""lfdr.de: a quantum generator card (ID Quantique) behind an open interface in Germany."""

from bot.entropy.service import Fetched, Limits, WebService, hexadecimal, json_object
from bot.entropy.web import Web


class Lfd(WebService):
    """The open interface."""

    __slots__ = ()
    name = "lfdr.de"
    limits = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for hex digits."""
        reply = await web.get(self.url, {"length": count, "format": "HEX"}, within=self.timeout)
        answer = json_object(reply)
        if "error" in answer:
            raise reply.refused("it reports an error")
        if answer.get("length") != count:
            raise reply.refused("it answered another question")
        return Fetched(hexadecimal(answer.get("qrn"), count))
