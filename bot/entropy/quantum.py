"""The services of quantum numbers: the Australian National University's two, Outshift, lfdr.de, qrandom.io.

ANU's old interface sends its "too often" with status 500, or with 200 and HTML: only a whole and right answer
counts. Outshift (by Cisco) gives the holder of a free key 100,000 bits a day. lfdr.de has a generator card
(ID Quantique) in Germany. Nobody says who runs qrandom.io, hence it is asked last.
"""

import re

from bot.dice.system import is_object
from bot.entropy.service import Fetched, Limits, WebService, hexadecimal, integers, json_object, sequence
from bot.entropy.web import Refused, Reply, Web

# Outshift and qrandom.io send at most 1,000 numbers at a time, so a block of 1,024 bytes is asked for as
# numbers of two bytes.
_SIZE = 2
_DECIMAL = re.compile(r"[0-9]{1,5}", re.ASCII)


class Anu(WebService):
    """ANU's old interface: vacuum fluctuations, one request a minute at most, 1,024 bytes at most."""

    __slots__ = ()
    name = "ANU"

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for numbers of one byte."""
        return _numbers(await web.get(self.url, _question(count), within=self.timeout), count)


class Aqn(WebService):
    """ANU's new interface, for the holder of a key."""

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


class Outshift(WebService):
    """Twelve blocks of 1,024 bytes are its day, so it is asked every two hours; bytes go in pairs."""

    __slots__ = ()
    name = "Outshift (key)"
    limits = Limits(interval=7200.0, retry=120.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for numbers of two bytes."""
        numbers = count // _SIZE
        question = {
            "encoding": "raw",
            "format": "all",
            "bits_per_block": 8 * _SIZE,
            "number_of_blocks": numbers,
        }
        reply = await web.post(self.url, question, within=self.timeout, headers={"x-id-api-key": self.key})
        rows = sequence(json_object(reply.keyed()).get("random_numbers"), numbers)
        return Fetched(integers([_decimal(row) for row in rows], _SIZE))


def _decimal(row: object) -> int:
    value = row.get("decimal") if is_object(row) else None
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        raise Refused("it sent something else than numbers")
    return int(value)


class Lfd(WebService):
    """lfdr.de's open interface."""

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


class Qrandom(WebService):
    """qrandom.io's open interface; the bytes are an even number."""

    __slots__ = ()
    name = "qrandom.io"
    limits = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for numbers of two bytes."""
        numbers = count // _SIZE
        reply = await web.get(self.url, {"min": 0, "max": 256**_SIZE - 1, "n": numbers}, within=self.timeout)
        return Fetched(integers(sequence(json_object(reply).get("numbers"), numbers), _SIZE))
