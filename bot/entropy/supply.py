"""Mix waiting remote bytes with local ones into the draws of a roll.

Every 64-bit word is lane XOR lane XOR the kernel, mixed at the moment it is used. The lanes hold remote bytes
as they came, so the pool alone tells nothing about any roll to come: the kernel's part of a word does not
exist before the word does. Source: docs/entropy.md, "Mixing".

The register holds bits of one source only. It is cleared when the source changes, on a health alarm, in
a forked child and at shutdown; what that loses is at most what it holds (about 130 bits).
"""

import os
from collections import deque
from collections.abc import Callable, Sequence
from struct import unpack
from typing import NamedTuple
from weakref import WeakSet

from bot.dice.draws import RecyclingDraws, Source
from bot.entropy.local import WORD_BYTES, ChainedBlake2, Kernel, Local, Secret

_BY_FED_LANES = (Source.LOCAL, Source.HALF, Source.TRUE)


class Word(NamedTuple):
    """64 mixed bits, and the source of what went into them; a tuple, for it is made on the roll's path."""

    bits: int
    source: Source

    def __repr__(self) -> str:
        return f"<Word {self.source}>"

    def __reduce__(self) -> str:
        raise TypeError("a word is a secret and is never pickled")


class Lane(Secret):
    """Remote bytes that wait to be mixed, each used once; when they run out, a local generator's words."""

    __slots__ = ("_local", "_waiting", "_words")

    def __init__(self, local: Local) -> None:
        self._local = local
        self._words: deque[int] = deque()
        """The words of the source whose turn it is; empty only if no other source has any."""
        self._waiting: dict[str, deque[int]] = {}

    def add(self, block: bytes, source: str = "") -> None:
        """Keep a source's block that passed its tests; a last part shorter than a word is left out."""
        count = len(block) // WORD_BYTES
        self._waiting.setdefault(source, deque()).extend(unpack(f">{count}Q", block[: count * WORD_BYTES]))
        self._turn()

    def take(self) -> int:
        """Return the next word, remote if the lane is fed, else local."""
        try:
            word = self._words.popleft()
        except IndexError:
            return self._local.word()
        if not self._words:
            self._turn()
        return word

    def drop(self, source: str) -> None:
        """Drop what waits of a source: its tests have failed, and what came before may be no better."""
        if source in self._waiting:
            self._waiting.pop(source).clear()
            self._turn()

    def forget(self) -> None:
        """Drop all remote bytes and start the local generator afresh."""
        self._waiting.clear()
        self._words = deque()
        self._local.reseed()

    @property
    def fed(self) -> bool:
        """Return whether the next word is a remote one."""
        return bool(self._words)

    @property
    def bits(self) -> int:
        """Return how many remote bits wait."""
        return sum(map(len, self._waiting.values())) * WORD_BYTES * 8

    def _turn(self) -> None:
        """Go on with another source where the one at hand has no words left."""
        if not self._words:
            self._words = next(filter(None, self._waiting.values()), self._words)

    def __repr__(self) -> str:
        return f"<Lane of {self.bits} bits>"


class WordPool(Secret):
    """Two lanes and the kernel; `word` never waits and never fails."""

    __slots__ = ("_fresh", "atmospheric", "quantum")

    def __init__(
        self,
        atmospheric: Lane | None = None,
        quantum: Lane | None = None,
        fresh: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._fresh = fresh
        self.atmospheric = atmospheric or Lane(Kernel())
        """The lane that random.org feeds."""
        self.quantum = quantum or Lane(ChainedBlake2())
        """The lane that the quantum services feed."""

    def word(self) -> Word:
        """Return a fresh word with its source."""
        # No part of a word is ever given a name here: a dump of this frame shows none of them.
        source = self.source
        return Word(
            self.atmospheric.take() ^ self.quantum.take() ^ int.from_bytes(self._fresh(WORD_BYTES)), source
        )

    @property
    def source(self) -> Source:
        """Return what the next word will be called."""
        return _BY_FED_LANES[self.atmospheric.fed + self.quantum.fed]

    def forget(self) -> None:
        """Drop all remote bytes and start the local generators afresh."""
        self.atmospheric.forget()
        self.quantum.forget()

    def __repr__(self) -> str:
        return f"<Pool of {self.atmospheric.bits} and {self.quantum.bits} bits>"


class RollDraws(Secret):
    """The draws of one roll; `source` names the weakest word that fed it, bits held over included."""

    __slots__ = ("_register", "_source", "_supply")

    def __init__(self, register: RecyclingDraws, supply: "Supply") -> None:
        self._register = register
        self._supply = supply
        self._source: Source | None = None

    def below(self, n: int) -> int:
        """Return an integer of 0..n-1, each equally likely; ValueError unless n >= 1."""
        x = self._register.below(n)
        if self._supply.held is not self._source:
            self._weaken()
        return x

    def choose(self, weights: Sequence[int]) -> int:
        """Return an index, with chance in proportion to its weight; ValueError if no weight is positive."""
        i = self._register.choose(weights)
        if self._supply.held is not self._source:
            self._weaken()
        return i

    @property
    def source(self) -> Source:
        """Return the weakest source so far; local before the first draw, which claims the least."""
        return self._source or Source.LOCAL

    def _weaken(self) -> None:
        held = self._supply.held
        self._source = held if self._source is None else self._source.weaker(held)

    def __repr__(self) -> str:
        return f"<RollDraws {self.source}>"


class Supply(Secret):
    """Exact draws out of a pool, one `RollDraws` a roll; it never waits, and is for one thread only."""

    __slots__ = ("__weakref__", "_pool", "_register", "held")

    def __init__(self, pool: WordPool) -> None:
        self._pool = pool
        self._register = RecyclingDraws(self._word)
        self.held = pool.source
        """The source of the bits that the register holds."""
        _open.add(self)

    @classmethod
    def local(cls) -> "Supply":
        """Return a supply of this machine's own bits, for the command line and without a network."""
        return cls(WordPool())

    def open(self) -> RollDraws:
        """Return the draws of one roll."""
        if self.held is not self._pool.source:
            self.clear()
        return RollDraws(self._register, self)

    def clear(self) -> None:
        """Forget the bits that the register holds; the pool keeps its own."""
        self._register.clear()

    def close(self) -> None:
        """Forget everything; a roll that still comes is fed by the machine's own bits."""
        self._pool.forget()
        self._register.clear()

    def _word(self) -> int:
        word = self._pool.word()
        if word.source is not self.held:
            self._register.clear()
            self.held = word.source
        return word.bits


_open = WeakSet[Supply]()


def _forget_all() -> None:
    """Close all supplies: a child that kept the parent's bits would roll the parent's dice."""
    for supply in _open:
        supply.close()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_forget_all)
