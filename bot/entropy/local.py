"""The local generators: the kernel's, and a BLAKE2b chain with more than the kernel's seed.

Each lane of the pool falls back to one of them, so that two empty lanes still give two different streams.
"""

import os
from hashlib import blake2b
from struct import unpack
from time import perf_counter_ns

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
