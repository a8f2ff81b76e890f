"""Mix remote bytes with local ones into the draws of a roll.

Every 64-bit word is lane XOR lane XOR the kernel, mixed when it is used. The lanes hold unmixed remote bytes,
and the kernel's part of a word does not exist before, so the pool alone reveals nothing about a future roll.
Source: docs/entropy.md, "Mixing".

The register holds bits of one source only. It is cleared when the source changes, on a health alarm, in a
forked child and at shutdown, which loses at most its content (about 130 bits).
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
    """64 mixed bits and their source; a tuple, since one is made in every roll."""

    bits: int
    source: Source

    def __repr__(self) -> str:
        return f"<Word {self.source}>"

    def __reduce__(self) -> str:
        raise TypeError("a word is a secret and is never pickled")


class Lane(Secret):
    """A queue of remote bytes, each used once; while it is empty, words of a local generator."""

    __slots__ = ("_local", "_waiting", "_words")

    def __init__(self, local: Local) -> None:
        self._local = local
        self._words: deque[int] = deque()
        """Words of the current source; empty only if no other source has any."""
        self._waiting: dict[str, deque[int]] = {}

    def add(self, block: bytes, source: str = "") -> None:
        """Add a source's tested block; a last part shorter than a word is left out."""
        count = len(block) // WORD_BYTES
        self._waiting.setdefault(source, deque()).extend(unpack(f">{count}Q", block[: count * WORD_BYTES]))
        self._advance()

    def take(self) -> int:
        """Return the next word: remote if there is one, else local."""
        try:
            word = self._words.popleft()
        except IndexError:
            return self._local.word()
        if not self._words:
            self._advance()
        return word

    def drop(self, source: str) -> None:
        """Drop a source's waiting words: after a failed test, earlier blocks may be bad too."""
        if source in self._waiting:
            self._waiting.pop(source).clear()
            self._advance()

    def forget(self) -> None:
        """Drop all remote bytes and reseed the local generator."""
        self._waiting.clear()
        self._words = deque()
        self._local.reseed()

    @property
    def fed(self) -> bool:
        """Return whether the next word is remote."""
        return bool(self._words)

    @property
    def bits(self) -> int:
        """Return the number of waiting remote bits."""
        return sum(map(len, self._waiting.values())) * WORD_BYTES * 8

    def _advance(self) -> None:
        """Switch to another source if the current one has no words left."""
        if not self._words:
            self._words = next(filter(None, self._waiting.values()), self._words)

    def __repr__(self) -> str:
        return f"<Lane of {self.bits} bits>"


class WordPool(Secret):
    """Two lanes and the kernel's generator; `word` never waits and never fails."""

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
        # No part of a word is assigned to a variable, so that a dump of this frame shows none of them.
        source = self.source
        return Word(
            self.atmospheric.take() ^ self.quantum.take() ^ int.from_bytes(self._fresh(WORD_BYTES)), source
        )

    @property
    def source(self) -> Source:
        """Return the source label of the next word."""
        return _BY_FED_LANES[self.atmospheric.fed + self.quantum.fed]

    def forget(self) -> None:
        """Drop all remote bytes and reseed the local generators."""
        self.atmospheric.forget()
        self.quantum.forget()

    def __repr__(self) -> str:
        return f"<Pool of {self.atmospheric.bits} and {self.quantum.bits} bits>"


class RollDraws(Secret):
    """The draws of one roll; `source` is that of the weakest word, including bits left from before."""

    __slots__ = ("_register", "_source", "_supply")

    def __init__(self, register: RecyclingDraws, supply: "Supply") -> None:
        self._register = register
        self._supply = supply
        self._source: Source | None = None

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to n-1; raise ValueError unless n >= 1."""
        number = self._register.below(n)
        if self._supply.register_source is not self._source:
            self._note_source()
        return number

    def choose(self, weights: Sequence[int]) -> int:
        """Return an index with a chance in proportion to its weight; ValueError if no weight is positive."""
        index = self._register.choose(weights)
        if self._supply.register_source is not self._source:
            self._note_source()
        return index

    @property
    def source(self) -> Source:
        """Return the weakest source so far; before the first draw `LOCAL`, the weakest of all."""
        return self._source or Source.LOCAL

    def _note_source(self) -> None:
        source = self._supply.register_source
        self._source = source if self._source is None else self._source.weaker(source)

    def __repr__(self) -> str:
        return f"<RollDraws {self.source}>"


class Supply(Secret):
    """Exact draws from a pool, with a `RollDraws` for each roll; never waits, not thread-safe."""

    __slots__ = ("__weakref__", "_pool", "_register", "register_source")

    def __init__(self, pool: WordPool) -> None:
        self._pool = pool
        self._register = RecyclingDraws(self._next_word)
        self.register_source = pool.source
        """The source of the bits in the register."""
        _open_supplies.add(self)

    @classmethod
    def local(cls) -> "Supply":
        """Return a supply of local bits only, for the command line and without a network."""
        return cls(WordPool())

    def open(self) -> RollDraws:
        """Return the draws of one roll."""
        if self.register_source is not self._pool.source:
            self.clear()
        return RollDraws(self._register, self)

    def clear(self) -> None:
        """Erase the bits in the register, but not those in the pool."""
        self._register.clear()

    def close(self) -> None:
        """Erase all bits; later rolls use local ones."""
        self._pool.forget()
        self._register.clear()

    def _next_word(self) -> int:
        word = self._pool.word()
        if word.source is not self.register_source:
            self._register.clear()
            self.register_source = word.source
        return word.bits


_open_supplies = WeakSet[Supply]()


def _forget_all() -> None:
    """Close all supplies, since a forked child with its parent's bits would roll its parent's dice."""
    for supply in _open_supplies:
        supply.close()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_forget_all)
