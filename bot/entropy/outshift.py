"""Outshift by Cisco: quantum numbers for the holder of a free key, 100,000 bits a day."""

import re

from bot.dice.system import is_object
from bot.entropy.service import Fetched, Limits, WebService, integers, json_object, sequence
from bot.entropy.web import Refused, Web

# It sends at most 1,000 numbers at a time, so a block of 1,024 bytes is asked for as numbers of two bytes.
_SIZE = 2
_DECIMAL = re.compile(r"[0-9]{1,5}", re.ASCII)


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
