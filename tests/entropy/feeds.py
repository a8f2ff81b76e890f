"""Sources that need no network: scripted ones, and ones whose every word carries a number."""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import ClassVar

from bot.entropy.feed import Feed
from bot.entropy.health import BLOCK, RecentBlocks
from bot.entropy.service import Fetched, Limits, Physics, RemoteService
from bot.entropy.supply import Lane, Local
from bot.entropy.web import Clock, Web

WORDS = BLOCK // 8


class Fixed(Local):
    """A local generator that is known: it counts."""

    def word(self) -> int:
        """Return the next number."""
        self.given += 1
        return self.given

    def reseed(self) -> None:
        """From the start."""
        self.given = 0


class NoWeb(Web):
    """HTTP that no request goes through; only its clock is used."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock


class Scripted(RemoteService):
    """A source that answers as its script says, and counts how often it was asked."""

    name: ClassVar[str] = "scripted"
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=60.0)

    def __init__(self, answer: Callable[[], Fetched]) -> None:
        super().__init__("")
        self._answer = answer
        self.asked = 0

    async def fetch(self, web: Web, count: int) -> Fetched:  # noqa: ARG002
        """Return what the script has next."""
        self.asked += 1
        return self._answer()


class Noise(Scripted):
    """A scripted source with random.org's manners."""

    kind: ClassVar[Physics] = Physics.ATMOSPHERIC
    limits: ClassVar[Limits] = Limits(interval=600.0, retry=120.0)


class Tags:
    """Blocks whose words are hashes of 0, 1, 2, ...: sound to every test, and each to be recognised."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = 0
        self.known: dict[int, str] = {}
        """The tag behind each word that was given out."""

    def block(self) -> bytes:
        """Return the next 128 words."""
        return b"".join(self._words())

    def _words(self) -> Iterator[bytes]:
        for _ in range(WORDS):
            tag = f"{self._name} {self._next}"
            word = blake2b(tag.encode(), digest_size=8).digest()
            self.known[int.from_bytes(word)] = tag
            self._next += 1
            yield word


def feed(source: Scripted, clock: Clock, seen: RecentBlocks | None = None) -> Feed:
    """Return a feed of the source, without jitter."""
    return Feed(source, NoWeb(clock), seen or RecentBlocks(), jitter=lambda: 0.0)


def lane(*remote: int) -> Lane:
    """Return a lane that holds these words, and counts when it is dry."""
    made = Lane(Fixed())
    made.add(b"".join(word.to_bytes(8) for word in remote))
    return made
