"""Draws that a seed decides: SHA-256 of a key and a counter, read as 64-bit words.

The same seed gives the same draws on every machine, for ever. They are as secret as the seed.
"""

from collections.abc import Callable
from hashlib import sha256

from bot.dice.draws import RecyclingDraws

_WORD_BYTES = RecyclingDraws.WORD_BITS // 8


def seeded(seed: int | str | bytes) -> RecyclingDraws:
    """Make draws for simulations and proofs; equal seeds of one type give equal draws."""
    return RecyclingDraws(words(_key(seed)))


def words(key: bytes) -> Callable[[], int]:
    """Make a source of words: four from each SHA-256(key, number as eight bytes), big-endian."""
    number = 0
    held = b""

    def word() -> int:
        nonlocal number, held
        if not held:
            held = sha256(key + number.to_bytes(8)).digest()
            number += 1
        taken, held = held[:_WORD_BYTES], held[_WORD_BYTES:]
        return int.from_bytes(taken)

    return word


def _key(seed: int | str | bytes) -> bytes:
    """Hash the seed to 32 bytes, so that a key and a counter can't be confused with a longer key."""
    named = seed if isinstance(seed, bytes) else f"{type(seed).__name__} {seed}".encode()
    return sha256(named).digest()
