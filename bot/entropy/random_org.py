"""Clients of random.org's two interfaces to atmospheric noise.

The plain one is free, with a quota of bits for each IP address; JSON-RPC, release 4, needs a key. The rules
of the plain one: one request at a time, large blocks, a timeout of minutes, checking the quota first, a pause
of at least ten minutes if it is used up, and an e-mail address in the User-Agent.
"""

import base64
import binascii
import re
import secrets
from datetime import datetime, timedelta

from bot.dice.errors import LocalizedError
from bot.entropy.service import Fetched, Physics, RemoteService, json_object, part, sequence
from bot.entropy.web import Refused, Reply, Web

# Every address gets a million bits at first and 200,000 more a day. One kilobyte an hour stays within the
# daily part; while more than that is left, a busy evening may use it.
_DAILY_BITS = 200_000
_SPARING_INTERVAL = 3600.0
_EMPTY_QUOTA_WAIT = 600.0
_NUMBER_LIMIT = 10**12
_QUOTA = re.compile(r"-?[0-9]{1,12}", re.ASCII)
_BYTE = re.compile(r"[0-9a-f]{2}", re.ASCII)
# Error codes: no such key, key not running, key not valid for this method.
_KEY_ERRORS = {400, 401, 404}
# Error codes: the daily requests are used up, the daily bits are used up.
_ALLOWANCE_ERRORS = {402, 403}


class RandomOrg(RemoteService):
    """The plain interface; never requests more than its quota."""

    name = "random.org"
    kind = Physics.ATMOSPHERIC
    lack = LocalizedError("needs the operator's e-mail address")

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request the quota first, then numbers of one byte."""
        quota = await self._fetch_quota(web)
        bits = 8 * count
        if quota < bits:
            raise Refused("its quota for our address is used up", _EMPTY_QUOTA_WAIT, quota)
        reply = await web.get(
            f"{self.url.rstrip('/')}/integers/",
            {"num": count, "min": 0, "max": 255, "col": 1, "base": 16, "format": "plain", "rnd": "new"},
            within=self.timeout,
        )
        lines = _plain_text(reply).split()
        if len(lines) != count:
            raise Refused("it sent {sent} numbers, not {asked}", reply.wait, sent=len(lines), asked=count)
        if not all(map(_BYTE.fullmatch, lines)):
            raise Refused("it sent something else than bytes", reply.wait)
        remaining = quota - bits
        wait = None if remaining > _DAILY_BITS else _SPARING_INTERVAL
        return Fetched(bytes.fromhex("".join(lines)), wait=wait, quota=remaining)

    async def _fetch_quota(self, web: Web) -> int:
        reply = await web.get(f"{self.url.rstrip('/')}/quota/", {"format": "plain"}, within=self.timeout)
        text = _plain_text(reply).strip()
        if not _QUOTA.fullmatch(text):
            raise Refused("its quota is not a number", reply.wait)
        return int(text)


def _plain_text(reply: Reply) -> str:
    if reply.body.startswith(b"Error:"):
        raise Refused("it reports an error", reply.wait)
    return reply.text("text/plain")


class RandomOrgRpc(RemoteService):
    """The JSON-RPC interface, which needs a key."""

    name = "random.org (key)"
    kind = Physics.ATMOSPHERIC

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Request one blob."""
        number = secrets.randbits(31)
        params = {"apiKey": self.key, "n": 1, "size": 8 * count, "format": "base64"}
        request = {"jsonrpc": "2.0", "method": "generateBlobs", "params": params, "id": number}
        reply = await web.post(self.url, request, within=self.timeout)
        answer = json_object(reply)
        until_midnight = _seconds_to_midnight(web.clock.utc())
        if answer.get("error") is not None:
            raise _to_refusal(part(answer, "error").get("code"), until_midnight)
        if answer.get("id") != number:
            raise Refused("it answered another question", reply.wait)
        result = part(answer, "result")
        data = _parse_blob(sequence(part(result, "random").get("data"), 1)[0], count)
        quota, delay = result.get("bitsLeft"), result.get("advisoryDelay")
        if type(quota) is not int or type(delay) is not int or max(abs(quota), abs(delay)) >= _NUMBER_LIMIT:
            raise Refused("its answer lacks a part", reply.wait)
        return Fetched(data, wait=until_midnight if quota < 8 * count else delay / 1000, quota=quota)


def _parse_blob(value: object, count: int) -> bytes:
    if not isinstance(value, str):
        raise Refused("it sent something else than base64")
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise Refused("it sent something else than base64") from None
    if len(data) != count:
        raise Refused("it sent {sent} bytes, not {asked}", sent=len(data), asked=count)
    return data


def _to_refusal(code: object, until_midnight: float) -> Refused:
    if type(code) is not int or abs(code) >= _NUMBER_LIMIT:
        return Refused("it reports an error")
    if code in _ALLOWANCE_ERRORS:
        return Refused("our key's allowance for today is used up", until_midnight, 0)
    if code in _KEY_ERRORS:
        return Refused("it does not accept our key", until_midnight)
    return Refused("it reports error {code}", code=code)


def _seconds_to_midnight(now: datetime) -> float:
    tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (tomorrow - now).total_seconds()
