"""Remote services as an interface: what one gives, when it may be asked again, and its state.

The states and counts are for players and admins: never a bit of the randomness. What a service sends is
parsed strictly: the right count, range and type, or `Refused`; never a repair.
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

_LONGEST_BACKOFF = 3600.0
_HEX = re.compile(r"[0-9a-fA-F]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Limits:
    """A service's manners, in seconds."""

    interval: float
    """The least time between two answers."""
    retry: float
    """The least time after a failure; it doubles with every further one, up to an hour."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """When a source may be asked again, and how often it has failed in a row."""

    next_try: float = float("-inf")
    failures: int = 0

    def ready(self, now: float) -> bool:
        """Return whether it may be asked now."""
        return now >= self.next_try

    def succeeded(self, now: float, limits: Limits, wait: float | None = None) -> "Backoff":
        """After an answer: the interval, or longer if the service said `wait`."""
        return Backoff(now + max(limits.interval, _bounded(wait)))

    def failed(self, now: float, limits: Limits, wait: float | None = None, jitter: float = 0.0) -> "Backoff":
        """After a failure: a wait that doubles from `retry`, or longer if the service said `wait`.

        `jitter` (0 to 1) adds up to half of it. Nobody is believed beyond a day.
        """
        # 2^12 seconds are beyond the longest back-off, whatever the retry.
        doubled = limits.retry * 2 ** min(self.failures, 12)
        backoff = max(limits.retry, min(doubled, _LONGEST_BACKOFF)) * (1 + jitter / 2)
        return Backoff(now + max(backoff, _bounded(wait)), self.failures + 1)


def _bounded(wait: float | None) -> float:
    return min(wait or 0.0, DAY)


class Physics(StrEnum):
    """The physics behind a source, which is also the lane that it feeds."""

    ATMOSPHERIC = "atmospheric noise"
    QUANTUM = "quantum"


@dataclass(frozen=True, slots=True)
class Fetched:
    """Bytes that were parsed strictly, not yet tested; what the service said about asking again."""

    data: bytes = field(repr=False)
    wait: float | None = None
    """Seconds that the service wants to be left alone."""
    quota: int | None = None
    """Bits that the service says are left to us."""


class Leasing(Protocol):
    """Leases that outlive a process, and that several processes share."""

    async def take(self, name: str) -> tuple[float, int]:
        """Take a source's lease; return the seconds until it may be asked and its failures in a row."""
        ...

    async def give_back(self, name: str, seconds: float, failures: int) -> None:
        """Say in how many seconds a source may be asked again."""
        ...


class RemoteService(Protocol):
    """A remote service."""

    name: ClassVar[str]
    """What it is called in front of people."""
    kind: ClassVar[Physics]
    """The physics behind it."""
    limits: ClassVar[Limits]
    """Its manners."""

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes; Refused if the answer is late, wrong in any way, or a no."""
        ...


@dataclass(frozen=True, slots=True)
class WebService(RemoteService):
    """What the remote services have in common: an address, how many seconds they may take, a key or none."""

    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=120.0)

    url: str
    timeout: float = 15.0
    key: str = field(default="", repr=False)


class ServiceState(StrEnum):
    """Where a source stands, in a word for an admin."""

    OFF = "off"
    NEW = "not asked yet"
    ASKING = "being asked"
    FINE = "fine"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One source."""

    name: str
    kind: Physics
    state: ServiceState
    error: LocalizedError | None = None
    """The last error in our words, or why it is off; None when its last answer was good."""
    health: Health | None = None
    """The last verdict of the tests; None if no bytes came yet."""
    quota: int | None = None
    """Bits left to us, for a service that says so."""
    next_try: float | None = None
    """Seconds until it may be asked again, 0 if it may now; None if it is off."""
    blocks: int = 0
    """Blocks of 1,024 bytes that were used since the start."""


@dataclass(frozen=True, slots=True)
class EntropyStatus:
    """The whole room."""

    source: Source
    """What a roll would be called now."""
    bits: dict[Physics, int]
    """Remote bits that wait, by kind; a roll of a d20 takes 4.3 of each."""
    sources: tuple[ServiceStatus, ...]


def json_object(reply: Reply) -> dict[str, Json]:
    """Return the JSON object that the reply consists of."""
    try:
        value: object = json.loads(reply.text("application/json"))
    except (ValueError, RecursionError):
        # The error itself carries the text it could not read.
        raise Refused("its answer is not JSON", reply.wait) from None
    if not is_object(value):
        raise Refused("its answer is not a JSON object", reply.wait)
    return value


def part(of: dict[str, Json], name: str) -> dict[str, Json]:
    """Return the object that a JSON object has under a name."""
    value = of.get(name)
    if not is_object(value):
        raise Refused("its answer lacks a part")
    return value


def sequence(value: object, count: int) -> Sequence[object]:
    """Return a JSON array of exactly `count` things."""
    if not is_list(value):
        raise Refused("its answer has no list of numbers")
    if len(value) != count:
        raise Refused("it sent {sent} numbers, not {asked}", sent=len(value), asked=count)
    return value


def integers(items: Sequence[object], size: int) -> bytes:
    """Integers that fit into `size` bytes each, as these bytes."""
    top = 256**size
    out = bytearray()
    for item in items:
        # A bool is an int in Python and must not pass for a random number.
        if type(item) is not int or not 0 <= item < top:
            raise Refused("it sent something else than numbers of the right size")
        out += item.to_bytes(size)
    return bytes(out)


def hexadecimal(value: object, count: int) -> bytes:
    """Return exactly `count` bytes out of their hex digits."""
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Refused("it sent something else than hex digits")
    if len(value) != 2 * count:
        raise Refused("it sent {sent} hex digits, not {asked}", sent=len(value), asked=2 * count)
    return bytes.fromhex(value)
