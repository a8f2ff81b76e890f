"""Mix remote bytes with local ones into the draws of a roll.

Every 64-bit word is lane XOR lane XOR the kernel, mixed when it is used. The lanes hold unmixed remote bytes,
and the kernel's part of a word does not exist before, so the pool alone reveals nothing about a future roll.
Source: docs/entropy.md, "Mixing".

A lane without remote bytes falls back to a local generator: one to the kernel's, the other to a BLAKE2b chain
with more than the kernel's seed, so that two empty lanes still give two different streams.

The register holds bits of one source only. It is cleared when the source changes, on a health alarm, in a
forked child and at shutdown, which loses at most its content (about 130 bits).
"""

import os
from collections import deque
from collections.abc import Callable, Sequence
from hashlib import blake2b
from struct import unpack
from time import perf_counter_ns
from weakref import WeakSet

from bot.dice.draws import RecyclingDraws, Source

WORD_BYTES = 8

# A call of the kernel costs as much as two dice, so a lane fetches several words at once. That is safe: the
# pool mixes each word with a fresh one of the kernel, which is unknown until it is used.
_WORDS_AT_ONCE = 16
_KEY_BYTES = 32
_JITTER_SAMPLES = 256


class Secret:
    """Base of objects with secret bits: the repr is the class name only, and pickling fails."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce__(self) -> str:
        raise TypeError(f"a {type(self).__name__} is a secret and is never pickled")


class Local(Secret):
    """A local generator of 64-bit words, which generates several at a time."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        self._words: list[int] = []
        self.reseed()

    def word(self) -> int:
        """Return a fresh word of 64 bits."""
        if not self._words:
            self._words.extend(self._generate())
        return self._words.pop()

    def reseed(self) -> None:
        """Discard all state, so that a forked or cloned process shares nothing with its twin."""
        self._words.clear()

    def _generate(self) -> tuple[int, ...]:
        raise NotImplementedError


class Kernel(Local):
    """The operating system's generator, which is safe after a fork."""

    __slots__ = ()

    def _generate(self) -> tuple[int, ...]:
        return unpack(f">{_WORDS_AT_ONCE}Q", os.urandom(_WORDS_AT_ONCE * WORD_BYTES))


class ChainedBlake2(Local):
    """BLAKE2b in a chain: every step gives a new key and 32 bytes, and forgets the old key.

    Its seed is the kernel's bytes and the jitter of this machine's clock, so that it differs from the
    kernel's stream even on a clone whose kernel starts with the same state.
    """

    __slots__ = ("_key",)

    def reseed(self) -> None:
        """Take a new key from the kernel and the clock's jitter, and drop the generated words."""
        seed = blake2b(os.urandom(2 * _KEY_BYTES), digest_size=_KEY_BYTES)
        for _ in range(_JITTER_SAMPLES):
            seed.update(perf_counter_ns().to_bytes(WORD_BYTES))
        self._key = seed.digest()
        super().reseed()

    def _generate(self) -> tuple[int, ...]:
        output = blake2b(key=self._key, digest_size=2 * _KEY_BYTES).digest()
        self._key = output[:_KEY_BYTES]
        return unpack(">4Q", output[_KEY_BYTES:])


_BY_FED_LANES = (Source.LOCAL, Source.HALF, Source.TRUE)


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

    def word(self) -> int:
        """Return a fresh word of 64 bits, of the current `source`."""
        # No part of a word is assigned to a variable, so that a dump of this frame shows none of them.
        return self.atmospheric.take() ^ self.quantum.take() ^ int.from_bytes(self._fresh(WORD_BYTES))

    @property
    def source(self) -> Source:
        """Return the source label of the next word."""
        return _BY_FED_LANES[self.atmospheric.fed + self.quantum.fed]

    def forget(self) -> None:
        """Drop all remote bytes and reseed the local generators."""
        self.atmospheric.forget()
        self.quantum.forget()


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
        if (source := self._pool.source) is not self.register_source:
            self._register.clear()
            self.register_source = source
        return self._pool.word()


_open_supplies = WeakSet[Supply]()


def _forget_all() -> None:
    """Close all supplies, since a forked child with its parent's bits would roll its parent's dice."""
    for supply in _open_supplies:
        supply.close()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_forget_all)
