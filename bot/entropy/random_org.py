"""random.org's two interfaces to atmospheric noise.

The plain one is free, with a quota of bits for each internet address; JSON-RPC, release 4, is for the holder
of a key. The rules of the plain one: one request at a time, large blocks, minutes of patience, an eye on the
quota, at least ten minutes of peace when it is used up, and an e-mail address in the User-Agent.
"""

import base64
import binascii
import re
import secrets
from datetime import datetime, timedelta

from bot.entropy.service import Fetched, Physics, WebService, json_object, part, sequence
from bot.entropy.web import Refused, Reply, Web

# Every address gets 200,000 bits a day on top of a million to begin with. A kilobyte an hour lives on the
# daily part for ever; while more than that is saved up, a busy evening may spend it.
_DAILY_BITS = 200_000
_SPARING_INTERVAL = 3600.0
_PEACE = 600.0
_TOO_MUCH = 10**12
_QUOTA = re.compile(r"-?[0-9]{1,12}", re.ASCII)
_BYTE = re.compile(r"[0-9a-f]{2}", re.ASCII)
# The service's numbers for: no such key, key not running, key not valid for this method.
_KEY_ERRORS = {400, 401, 404}
# Its numbers for: the day's requests are used up, the day's bits are.
_SPENT_ERRORS = {402, 403}


class RandomOrg(WebService):
    """The plain interface; it gives only what the quota has."""

    __slots__ = ()
    name = "random.org"
    kind = Physics.ATMOSPHERIC

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for the quota first, and then for numbers of one byte."""
        quota = await self._quota(web)
        bits = 8 * count
        if quota < bits:
            raise Refused("its quota for our address is used up", _PEACE, quota)
        reply = await web.get(
            f"{self.url.rstrip('/')}/integers/",
            {"num": count, "min": 0, "max": 255, "col": 1, "base": 16, "format": "plain", "rnd": "new"},
            within=self.timeout,
        )
        lines = _text(reply).split()
        if len(lines) != count:
            raise Refused("it sent {sent} numbers, not {asked}", reply.wait, sent=len(lines), asked=count)
        if not all(map(_BYTE.fullmatch, lines)):
            raise Refused("it sent something else than bytes", reply.wait)
        left = quota - bits
        return Fetched(
            bytes.fromhex("".join(lines)), wait=None if left > _DAILY_BITS else _SPARING_INTERVAL, quota=left
        )

    async def _quota(self, web: Web) -> int:
        reply = await web.get(f"{self.url.rstrip('/')}/quota/", {"format": "plain"}, within=self.timeout)
        text = _text(reply).strip()
        if not _QUOTA.fullmatch(text):
            raise Refused("its quota is not a number", reply.wait)
        return int(text)


def _text(reply: Reply) -> str:
    if reply.body.startswith(b"Error:"):
        raise Refused("it reports an error", reply.wait)
    return reply.text("text/plain")


class RandomOrgRpc(WebService):
    """The interface for holders of a key."""

    __slots__ = ()
    name = "random.org (key)"
    kind = Physics.ATMOSPHERIC

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Ask for one blob."""
        number = secrets.randbits(31)
        params = {"apiKey": self.key, "n": 1, "size": 8 * count, "format": "base64"}
        request = {"jsonrpc": "2.0", "method": "generateBlobs", "params": params, "id": number}
        reply = await web.post(self.url, request, within=self.timeout)
        answer = json_object(reply)
        today = _seconds_to_midnight(web.clock.utc())
        if answer.get("error") is not None:
            raise _refusal(part(answer, "error").get("code"), today)
        if answer.get("id") != number:
            raise Refused("it answered another question", reply.wait)
        result = part(answer, "result")
        data = _blob(sequence(part(result, "random").get("data"), 1)[0], count)
        left, delay = result.get("bitsLeft"), result.get("advisoryDelay")
        if type(left) is not int or type(delay) is not int or max(abs(left), abs(delay)) >= _TOO_MUCH:
            raise Refused("its answer lacks a part", reply.wait)
        return Fetched(data, wait=today if left < 8 * count else delay / 1000, quota=left)


def _blob(value: object, count: int) -> bytes:
    if not isinstance(value, str):
        raise Refused("it sent something else than base64")
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise Refused("it sent something else than base64") from None
    if len(data) != count:
        raise Refused("it sent {sent} bytes, not {asked}", sent=len(data), asked=count)
    return data


def _refusal(code: object, today: float) -> Refused:
    if type(code) is not int or abs(code) >= _TOO_MUCH:
        return Refused("it reports an error")
    if code in _SPENT_ERRORS:
        return Refused("our key's allowance for today is used up", today, 0)
    if code in _KEY_ERRORS:
        return Refused("it does not accept our key", today)
    return Refused("it reports error {code}", code=code)


def _seconds_to_midnight(now: datetime) -> float:
    tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (tomorrow - now).total_seconds()
