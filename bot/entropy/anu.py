"""The Australian National University's quantum numbers: the old open interface and the new one with a key.

The old one sends its "too often" with status 500, or with 200 and HTML: only a whole and right answer counts.
"""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import ClassVar

from bot.entropy.parsing import integers, json_object, sequence
from bot.entropy.service import Fetched, Physics
from bot.entropy.turns import Limits
from bot.entropy.web import Refused, Reply, Web

_KEY_REFUSED_WAIT = 3600.0


@dataclass(frozen=True, slots=True)
class Anu:
    """The old interface at `url`: vacuum fluctuations, one request a minute at most."""

    url: str
    timeout: float = 15.0
    name: ClassVar[str] = "ANU"
    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=120.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes, at most 1,024; Refused if the answer is late, wrong or a no."""
        reply = await web.get(self.url, {"length": count, "type": "uint8"}, within=self.timeout)
        return _numbers(reply, count)


@dataclass(frozen=True, slots=True)
class Aqn:
    """The new interface at `url`, for the holder of a key."""

    url: str
    key: str = field(repr=False)
    timeout: float = 15.0
    name: ClassVar[str] = "ANU (key)"
    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=120.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes, at most 1,024; Refused if the answer is late, wrong or a no."""
        reply = await web.get(
            self.url,
            {"length": count, "type": "uint8"},
            within=self.timeout,
            headers={"x-api-key": self.key},
        )
        if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise Refused("it does not accept our key", wait=_KEY_REFUSED_WAIT)
        return _numbers(reply, count)


def _numbers(reply: Reply, count: int) -> Fetched:
    answer = json_object(reply)
    if answer.get("success") is not True:
        raise reply.refused("it reports a failure")
    # The length has been seen as a number and as a string.
    if str(answer.get("length")) != str(count) or answer.get("type") != "uint8":
        raise reply.refused("it answered another question")
    return Fetched(integers(sequence(answer.get("data"), count), size=1))
