"""lfdr.de: a quantum generator card (ID Quantique) behind an open interface in Germany."""

from bot.entropy.service import Fetched, Limits, WebService, hexadecimal, json_object
from bot.entropy.web import Refused, Web


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
            raise Refused("it reports an error", reply.wait)
        if answer.get("length") != count:
            raise Refused("it answered another question", reply.wait)
        return Fetched(hexadecimal(answer.get("qrn"), count))
