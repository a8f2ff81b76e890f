"""Client of drand (chain quicknet): a public random number every three seconds, unknown before it is due.

It is public, so it feeds no roll; it proves that a value was fixed before that time.
Source: docs.drand.love, version 1 of its HTTP API.
"""

import hashlib

from bot.entropy.service import hexadecimal, json_object
from bot.entropy.web import Refused, Web

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
_VALUE_BYTES, _SIGNATURE_BYTES = 32, 48
_SPREAD_SECONDS, _WAIT_LIMIT = 1.0, 6.0
"""Seconds until a round reaches the public servers, and the longest wait for one."""


class Drand:
    """Public rounds from the server at `url`; None if switched off in the settings."""

    def __init__(self, web: Web, url: str | None, timeout: float) -> None:
        self.url = url
        self._web = web
        self._timeout = timeout

    async def round(self, number: int, due: int) -> tuple[int, str, str]:
        """Return a round's number, value and signature, the last two in hexadecimal digits.

        Wait until it is `due`, in milliseconds since 1970. Raise Refused if it is not available, or its value
        is not the hash of its signature; the signature itself is not checked.
        """
        if self.url is None:
            raise Refused("switched off in the settings")
        wait = due / 1000 - self._web.clock.utc().timestamp() + _SPREAD_SECONDS
        if wait > 0:
            await self._web.clock.sleep(min(wait, _WAIT_LIMIT))
        reply = await self._web.get(
            f"{self.url.rstrip('/')}/{CHAIN}/public/{number}", {}, within=self._timeout
        )
        answer = json_object(reply)
        if type(answer.get("round")) is not int or answer["round"] != number:
            raise Refused("it answered another question", reply.wait)
        value = hexadecimal(answer.get("randomness"), _VALUE_BYTES)
        signature = hexadecimal(answer.get("signature"), _SIGNATURE_BYTES)
        if hashlib.sha256(signature).digest() != value:
            raise Refused("its value is not the hash of its signature", reply.wait)
        return number, value.hex(), signature.hex()
