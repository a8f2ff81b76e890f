"""Clients of quantum random services: the two of ANU (Australia), Outshift, lfdr.de, qrandom.io.

ANU's old interface reports its rate limit with status 500, or with 200 and HTML, so only a complete and valid
answer counts. Outshift (by Cisco) gives 100,000 bits a day for a free key. lfdr.de has a generator card (ID
Quantique) in Germany. The operator of qrandom.io is unknown, so it is asked last.
"""

import re

from bot.dice.system import is_object
from bot.entropy.service import Fetched, Limits, RemoteService, hexadecimal, integers, json_object, sequence
from bot.entropy.web import Refused, Reply, Web

# Outshift and qrandom.io send at most 1,000 numbers at a time, so a block of 1,024 bytes is requested as
# numbers of two bytes.
_NUMBER_BYTES = 2
_DECIMAL = re.compile(r"[0-9]{1,5}", re.ASCII)


class Anu(RemoteService):
    """ANU's old interface: vacuum fluctuations, at most one request a minute and 1,024 bytes a request."""

    name = "ANU"

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request numbers of one byte."""
        return _parse_numbers(await web.get(self.url, _parameters(count), within=self.timeout), count)


class Aqn(RemoteService):
    """ANU's new interface, which needs a key."""

    name = "ANU (key)"

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request numbers of one byte with the key."""
        headers = {"x-api-key": self.key}
        reply = await web.get(self.url, _parameters(count), within=self.timeout, headers=headers)
        return _parse_numbers(reply.keyed(), count)


def _parameters(count: int) -> dict[str, str | int]:
    return {"length": count, "type": "uint8"}


def _parse_numbers(reply: Reply, count: int) -> Fetched:
    answer = json_object(reply)
    if answer.get("success") is not True:
        raise Refused("it reports a failure", reply.wait)
    # The service has sent the length as a number and as a string.
    if str(answer.get("length")) != str(count) or answer.get("type") != "uint8":
        raise Refused("it answered another question", reply.wait)
    return Fetched(integers(sequence(answer.get("data"), count), size=1))


class Outshift(RemoteService):
    """Outshift: the daily limit is twelve blocks of 1,024 bytes, so it is asked every two hours."""

    name = "Outshift (key)"
    limits = Limits(interval=7200.0, retry=120.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request numbers of two bytes."""
        numbers = count // _NUMBER_BYTES
        payload = {
            "encoding": "raw",
            "format": "all",
            "bits_per_block": 8 * _NUMBER_BYTES,
            "number_of_blocks": numbers,
        }
        reply = await web.post(self.url, payload, within=self.timeout, headers={"x-id-api-key": self.key})
        rows = sequence(json_object(reply.keyed()).get("random_numbers"), numbers)
        return Fetched(integers([_parse_decimal(row) for row in rows], _NUMBER_BYTES))


def _parse_decimal(row: object) -> int:
    value = row.get("decimal") if is_object(row) else None
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        raise Refused("it sent something else than numbers")
    return int(value)


class Lfd(RemoteService):
    """lfdr.de's open interface."""

    name = "lfdr.de"
    limits = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request hex digits."""
        reply = await web.get(self.url, {"length": count, "format": "HEX"}, within=self.timeout)
        answer = json_object(reply)
        if "error" in answer:
            raise Refused("it reports an error", reply.wait)
        if answer.get("length") != count:
            raise Refused("it answered another question", reply.wait)
        return Fetched(hexadecimal(answer.get("qrn"), count))


class Qrandom(RemoteService):
    """qrandom.io's open interface; `count` has to be even."""

    name = "qrandom.io"
    limits = Limits(interval=600.0, retry=60.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request numbers of two bytes."""
        numbers = count // _NUMBER_BYTES
        reply = await web.get(
            self.url, {"min": 0, "max": 256**_NUMBER_BYTES - 1, "n": numbers}, within=self.timeout
        )
        return Fetched(integers(sequence(json_object(reply).get("numbers"), numbers), _NUMBER_BYTES))
