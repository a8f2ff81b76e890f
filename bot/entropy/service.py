"""What a remote source is to the rest of the room: something that is asked for bytes and may refuse."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

from bot.entropy.turns import Limits
from bot.entropy.web import Web


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


class Book(Protocol):
    """Where turns are kept that outlive a process, and that several processes share."""

    async def take(self, name: str) -> tuple[float, int]:
        """Take a source's turn: in how many seconds it may be asked, 0 for now, and its failures in a row."""
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
class WebService:
    """What the remote services have in common: an address, how many seconds they may take, a key or none."""

    name: ClassVar[str]
    kind: ClassVar[Physics] = Physics.QUANTUM
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=120.0)

    url: str
    timeout: float = 15.0
    key: str = field(default="", repr=False)

    async def fetch(self, web: Web, count: int) -> Fetched:
        """Return exactly `count` bytes; Refused if the answer is late, wrong in any way, or a no."""
        raise NotImplementedError
