"""The interface of remote services: their answers, limits and back-off, their status, and strict parsers.

A status is for players and admins and contains no random bits. An answer has the right count, range and type,
or it is `Refused`; it is never repaired.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

from bot.dice.draws import Source
from bot.dice.errors import LocalizedError
from bot.dice.system import Json, is_list, is_object
from bot.entropy.health import Health
from bot.entropy.web import Refused, Reply, Web
from bot.times import DAY

_BACKOFF_LIMIT = 3600.0
_HEX = re.compile(r"[0-9a-fA-F]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Limits:
    """A service's rate limits, in seconds."""

    interval: float
    """Shortest time between two answers."""
    retry: float
    """Shortest time after a failure; doubled for every further one, up to an hour."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Time of a source's next request, and its failures in a row."""

    next_try: float = float("-inf")
    failures: int = 0

    def ready(self, now: float) -> bool:
        """Return whether it may be asked now."""
        return now >= self.next_try

    def succeeded(self, now: float, limits: Limits, wait: float | None = None) -> "Backoff":
        """Return the back-off after an answer: the interval, or the service's own `wait` if longer."""
        return Backoff(now + max(limits.interval, _limit_wait(wait)))

    def failed(self, now: float, limits: Limits, wait: float | None = None, jitter: float = 0.0) -> "Backoff":
        """Return the back-off after a failure: doubling from `retry`, or the service's own `wait` if longer.

        `jitter` (0 to 1) adds up to half of it. A `wait` is limited to a day.
        """
        # 2^12 seconds are more than the longest back-off, whatever the retry.
        doubled = limits.retry * 2 ** min(self.failures, 12)
        backoff = max(limits.retry, min(doubled, _BACKOFF_LIMIT)) * (1 + jitter / 2)
        return Backoff(now + max(backoff, _limit_wait(wait)), self.failures + 1)


def _limit_wait(wait: float | None) -> float:
    return min(wait or 0.0, DAY)


class Physics(StrEnum):
    """The physical process of a source, which determines the lane that it feeds."""

    ATMOSPHERIC = "atmospheric noise"
    QUANTUM = "quantum"


@dataclass(frozen=True, slots=True)
class Fetched:
    """Strictly parsed but untested bytes, and the service's own limits."""

    data: bytes = field(repr=False)
    wait: float | None = None
    """Seconds until the service wants the next request."""
    quota: int | None = None
    """Our remaining bits, according to the service."""


class Leasing(Protocol):
    """Leases that are shared by processes and outlive them."""

    async def take(self, name: str) -> tuple[float, int]:
        """Take a source's lease; return the seconds until it may be asked and its failures in a row."""
        ...

    async def give_back(self, name: str, seconds: float, failures: int) -> None:
        """Set in how many seconds a source may be asked again."""
        ...


@dataclass(slots=True, eq=False)
class RemoteService:
    """A remote service: its address, a timeout in seconds, and a key or ""."""

    name: ClassVar[str]
    """Its name as shown to people."""
    kind: ClassVar[Physics] = Physics.QUANTUM
    """The physical process behind it."""
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=120.0)
    """Its rate limits."""
    lack: ClassVar[LocalizedError] = LocalizedError("needs a key")
    """Why it is off without a key."""

    url: str
    timeout: float = 15.0
    key: str = field(default="", repr=False)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes; raise Refused if the answer is late, invalid or an error."""
        raise NotImplementedError


class ServiceState(StrEnum):
    """A source's state, in words for an admin."""

    OFF = "off"
    NEW = "not asked yet"
    ASKING = "being asked"
    FINE = "fine"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """Status of one source."""

    name: str
    kind: Physics
    state: ServiceState
    error: LocalizedError | None = None
    """The last error in our words, or why it is off; None if its last answer was good."""
    health: Health | None = None
    """The last verdict of the health tests; None if no bytes were received yet."""
    quota: int | None = None
    """Our remaining bits, if the service reports them."""
    next_try: float | None = None
    """Seconds until the next request, 0 if it is due; None if the source is off."""
    blocks: int = 0
    """Blocks of 1,024 bytes used since the start."""


@dataclass(frozen=True, slots=True)
class EntropyStatus:
    """Status of the supply and of all sources."""

    source: Source
    """The source label that a roll would get now."""
    bits: dict[Physics, int]
    """Waiting remote bits by kind; a roll of a d20 takes 4.3 of each."""
    sources: tuple[ServiceStatus, ...]


def json_object(reply: Reply) -> dict[str, Json]:
    """Parse a reply as a JSON object; raise Refused if it is none."""
    try:
        value: object = json.loads(reply.text("application/json"))
    except (ValueError, RecursionError):
        # The error itself contains the text that it could not parse.
        raise Refused("its answer is not JSON", reply.wait) from None
    if not is_object(value):
        raise Refused("its answer is not a JSON object", reply.wait)
    return value


def part(parent: dict[str, Json], name: str) -> dict[str, Json]:
    """Return the object under a name of a JSON object; raise Refused if there is none."""
    value = parent.get(name)
    if not is_object(value):
        raise Refused("its answer lacks a part")
    return value


def sequence(value: object, count: int) -> Sequence[object]:
    """Return a value that is a JSON array of exactly `count` items; raise Refused if it is not."""
    if not is_list(value):
        raise Refused("its answer has no list of numbers")
    if len(value) != count:
        raise Refused("it sent {sent} numbers, not {asked}", sent=len(value), asked=count)
    return value


def integers(items: Sequence[object], size: int) -> bytes:
    """Encode integers in `size` bytes each; raise Refused for an item of another type or range."""
    limit = 256**size
    output = bytearray()
    for item in items:
        # A bool is an int in Python, but no random number.
        if type(item) is not int or not 0 <= item < limit:
            raise Refused("it sent something else than numbers of the right size")
        output += item.to_bytes(size)
    return bytes(output)


def hexadecimal(value: object, count: int) -> bytes:
    """Decode exactly `count` bytes from hex digits; raise Refused for any other value."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Refused("it sent something else than hex digits")
    if len(value) != 2 * count:
        raise Refused("it sent {sent} hex digits, not {asked}", sent=len(value), asked=2 * count)
    return bytes.fromhex(value)
