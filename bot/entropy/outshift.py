"""Outshift by Cisco: quantum numbers for the holder of a free key, 100,000 bits a day."""

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import ClassVar, cast

from bot.entropy.parsing import integers, json_object, sequence
from bot.entropy.service import Fetched, Physics
from bot.entropy.turns import Limits
from bot.entropy.web import Refused, Web

# It sends at most 1,000 numbers at a time, so a block of 1,024 bytes is asked for as numbers of two bytes.
_SIZE = 2
_DECIMAL = re.compile(r"[0-9]{1,5}", re.ASCII)
_KEY_REFUSED_WAIT = 3600.0


@dataclass(frozen=True, slots=True)
class Outshift:
    """The source at `url`; twelve blocks of 1,024 bytes are its day, so it is asked every two hours."""

    url: str
    key: str = field(repr=False)
    timeout: float = 15.0
    name: ClassVar[str] = "Outshift (key)"
    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=7200.0, retry=120.0)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes, an even number; Refused if the answer is late, wrong or a no."""
        numbers = count // _SIZE
        question = {
            "encoding": "raw",
            "format": "all",
            "bits_per_block": 8 * _SIZE,
            "number_of_blocks": numbers,
        }
        reply = await web.post(self.url, question, within=self.timeout, headers={"x-id-api-key": self.key})
        if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            raise Refused("it does not accept our key", wait=_KEY_REFUSED_WAIT)
        rows = sequence(json_object(reply).get("random_numbers"), numbers)
        return Fetched(integers([_decimal(row) for row in rows], _SIZE))


def _decimal(row: object) -> int:
    value = cast("dict[str, object]", row).get("decimal") if isinstance(row, dict) else None
    if not isinstance(value, str) or not _DECIMAL.fullmatch(value):
        raise Refused("it sent something else than numbers")
    return int(value)
