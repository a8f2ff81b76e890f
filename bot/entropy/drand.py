"""drand (chain quicknet): a public number every three seconds, which nobody can know before it is due.

Everybody knows it afterwards, so it feeds no roll; it shows when something was fixed.
Source: docs.drand.love, version 1 of its HTTP API.
"""

import hashlib

from bot.entropy.service import hexadecimal, json_object
from bot.entropy.web import Refused, Web

CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
_VALUE_BYTES, _SIGNATURE_BYTES = 32, 48
_SPREADS, _LONGEST_WAIT = 1.0, 6.0
"""Seconds that a round takes to reach the public servers, and that are waited for one at most."""


class Drand:
    """The public rounds, as the server at `url` has them; None where the settings forbid to ask."""

    def __init__(self, web: Web, url: str | None, timeout: float) -> None:
        self.url = url
        self._web = web
        self._timeout = timeout

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return round(self._web.clock.utc().timestamp() * 1000)

    async def round(self, number: int, due: int) -> tuple[int, str, str]:
        """Return a round's number, value and signature, the last two in hexadecimal digits.

        It is waited for until it is `due`, in milliseconds since 1970. Refused where it can't be had, or its
        value is not the hash of its signature; the signature itself is not checked.
        """
        if self.url is None:
            raise Refused("switched off in the settings")
        wait = (due - self.now()) / 1000 + _SPREADS
        if wait > 0:
            await self._web.clock.sleep(min(wait, _LONGEST_WAIT))
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
