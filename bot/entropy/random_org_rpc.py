"""random.org's JSON-RPC interface, release 4: atmospheric noise for the holder of a key."""

import base64
import binascii
import secrets
from datetime import datetime, timedelta

from bot.entropy.parsing import json_object, part, sequence
from bot.entropy.service import Fetched, Physics, WebService
from bot.entropy.web import Refused, Web

# The service's numbers for: no such key, key not running, key not valid for this method.
_KEY_ERRORS = {400, 401, 404}
# Its numbers for: the day's requests are used up, the day's bits are.
_SPENT_ERRORS = {402, 403}


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
            raise reply.refused("it answered another question")
        result = part(answer, "result")
        data = _blob(sequence(part(result, "random").get("data"), 1)[0], count)
        left, delay = result.get("bitsLeft"), result.get("advisoryDelay")
        if type(left) is not int or type(delay) is not int:
            raise reply.refused("its answer lacks a part")
        return Fetched(data, wait=today if left < 8 * count else delay / 1000, quota=left)


def _blob(value: object, count: int) -> bytes:
    if not isinstance(value, str):
        raise Refused("it sent something else than base64")
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise Refused("it sent something else than base64") from None
    if len(data) != count:
        raise Refused(f"it sent {len(data)} bytes, not {count}")
    return data


def _refusal(code: object, today: float) -> Refused:
    if type(code) is not int:
        return Refused("it reports an error")
    if code in _SPENT_ERRORS:
        return Refused("our key's allowance for today is used up", wait=today, quota=0)
    if code in _KEY_ERRORS:
        return Refused("it does not accept our key", wait=today)
    return Refused(f"it reports error {code}")


def _seconds_to_midnight(now: datetime) -> float:
    tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (tomorrow - now).total_seconds()
