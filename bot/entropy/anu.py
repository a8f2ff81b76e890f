"""The Australian National University's quantum numbers: the old open interface and the new one with a key.

The old one sends its "too often" with status 500, or with 200 and HTML: only a whole and right answer counts.
"""

from bot.entropy.service import Fetched, WebService, integers, json_object, sequence
from bot.entropy.web import Refused, Reply, Web


class Anu(WebService):
    """The old interface: vacuum fluctuations, one request a minute at most, 1,024 bytes at most."""

    __slots__ = ()
    name = "ANU"

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for numbers of one byte."""
        return _numbers(await web.get(self.url, _question(count), within=self.timeout), count)


class Aqn(WebService):
    """The new interface, for the holder of a key."""

    __slots__ = ()
    name = "ANU (key)"

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for the same with a key."""
        headers = {"x-api-key": self.key}
        reply = await web.get(self.url, _question(count), within=self.timeout, headers=headers)
        return _numbers(reply.keyed(), count)


def _question(count: int) -> dict[str, str | int]:
    return {"length": count, "type": "uint8"}


def _numbers(reply: Reply, count: int) -> Fetched:
    answer = json_object(reply)
    if answer.get("success") is not True:
        raise Refused("it reports a failure", reply.wait)
    # The length has been seen as a number and as a string.
    if str(answer.get("length")) != str(count) or answer.get("type") != "uint8":
        raise Refused("it answered another question", reply.wait)
    return Fetched(integers(sequence(answer.get("data"), count), size=1))
