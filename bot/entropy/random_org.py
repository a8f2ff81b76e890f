"""random.org's plain interface: atmospheric noise, free, with a quota of bits for each internet address.

Its rules: one request at a time, large blocks, minutes of patience, an eye on the quota, at least ten
minutes of peace when it is used up, and an e-mail address in the User-Agent.
"""

import re

from bot.entropy.service import Fetched, Physics, WebService
from bot.entropy.web import Refused, Reply, Web

# Every address gets 200,000 bits a day on top of a million to begin with. A kilobyte an hour lives on the
# daily part for ever; while more than that is saved up, a busy evening may spend it.
_DAILY_BITS = 200_000
_SPARING_INTERVAL = 3600.0
_PEACE = 600.0
_QUOTA = re.compile(r"-?[0-9]{1,12}", re.ASCII)
_BYTE = re.compile(r"[0-9a-f]{2}", re.ASCII)


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
            raise Refused("its quota for our address is used up", wait=_PEACE, quota=quota)
        reply = await web.get(
            f"{self.url}/integers/",
            {"num": count, "min": 0, "max": 255, "col": 1, "base": 16, "format": "plain", "rnd": "new"},
            within=self.timeout,
        )
        lines = _text(reply).split()
        if len(lines) != count:
            raise reply.refused(f"it sent {len(lines)} numbers, not {count}")
        if not all(map(_BYTE.fullmatch, lines)):
            raise reply.refused("it sent something else than bytes")
        left = quota - bits
        return Fetched(
            bytes.fromhex("".join(lines)), wait=None if left > _DAILY_BITS else _SPARING_INTERVAL, quota=left
        )

    async def _quota(self, web: Web) -> int:
        reply = await web.get(f"{self.url}/quota/", {"format": "plain"}, within=self.timeout)
        text = _text(reply).strip()
        if not _QUOTA.fullmatch(text):
            raise reply.refused("its quota is not a number")
        return int(text)


def _text(reply: Reply) -> str:
    if reply.body.startswith(b"Error:"):
        raise reply.refused("it reports an error")
    return reply.text("text/plain")
