"""Discord's ids (snowflakes), which hold the millisecond of their making and never run back."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

DISCORD_EPOCH_MS = 1_420_070_400_000
_TIME_SHIFT = 22
_ID = re.compile(r"[0-9]{1,19}")


@dataclass(slots=True)
class Ids:
    """Hands out ids: each is greater than all before, also if the clock is set back.

    `latest` is the greatest id of an earlier run, `clock` returns seconds since 1970, `keep` is told each id.
    """

    latest: int = 0
    clock: Callable[[], float] = time.time
    keep: Callable[[int], None] = lambda _: None

    def new(self) -> int:
        """Return an id of now, or the one after the latest."""
        now = int(self.clock() * 1000) - DISCORD_EPOCH_MS << _TIME_SHIFT
        self.latest = max(now, self.latest + 1)
        self.keep(self.latest)
        return self.latest


def milliseconds(snowflake: int) -> int:
    """Return the time an id was made, in milliseconds since 1970."""
    return (snowflake >> _TIME_SHIFT) + DISCORD_EPOCH_MS


def read_id(value: object) -> int | None:
    """Return the id that a request carries as a string of digits, or None if it is no id."""
    if isinstance(value, str) and _ID.fullmatch(value) and int(value) < 1 << 63:
        return int(value)
    return None
