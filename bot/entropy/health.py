"""Health tests on the raw bytes of a source: they recognise a broken one and never certify a good one.

Repetition count and adaptive proportion are NIST SP 800-90B's continuous tests at H = 7 bits a byte and a
chance of 2^-30 for a false alarm. No test here can tell a good generator from a replayed or chosen stream:
against those stand the memory of seen bytes and, above all, the mixing. Source: docs/entropy.md, "Health
tests".
"""

import re
from enum import StrEnum
from hashlib import blake2b

BLOCK = 1024
"""The bytes of one block: SP 800-90B wants this number tested at start-up, so each is tested like a first."""

REPETITION_CUTOFF = 6
"""Repeats of one byte in a row that raise an alarm: 1 + ceil(30 / 7)."""

PROPORTION_WINDOW = 512
PROPORTION_CUTOFF = 23
"""Copies of its first byte in a window that raise an alarm: 2 + critbinom(511, 2^-7, 1 - 2^-30)."""

ONES = range(3819, 4374)
"""The ones that 8,192 bits may have; two-sided 2^-30."""

LONG_BLOCKS = 32
LONG_ONES = range(129_505, 132_640)
"""The ones that 32 blocks together may have; two-sided 2^-30. A bias of 1 % shows here, not in one block."""

_REPEATED = re.compile(rb"(.)\1{%d}" % (REPETITION_CUTOFF - 1), re.DOTALL)
_CHUNK = 32
_REMEMBERED = 256 * BLOCK // _CHUNK


class Health(StrEnum):
    """What the tests say of a block."""

    SOUND = "sound"
    STUCK = "stuck"
    """One byte came too many times in a row."""
    LOPSIDED = "lopsided"
    """One byte came far too often."""
    UNBALANCED = "unbalanced"
    """There were too many ones or zeros."""
    DRIFTING = "drifting"
    """There were too many over many blocks."""
    SEEN = "seen"
    """The bytes had come before."""


class Seen:
    """Digests of the bytes of recent blocks, of every source together, so that none is used twice.

    It finds any run of 63 bytes that came before, wherever it starts. By chance two equal runs of 32 bytes
    in a thousand million have a probability of 2^-197.
    """

    def __init__(self) -> None:
        self._digests: dict[bytes, None] = {}

    def holds(self, block: bytes) -> bool:
        """Return whether part of the block came in a remembered block, or twice in this one."""
        chunks = [_digest(block, at) for at in range(0, len(block) - _CHUNK + 1, _CHUNK)]
        if len(set(chunks)) < len(chunks):
            return True
        return any(_digest(block, at) in self._digests for at in range(len(block) - _CHUNK + 1))

    def add(self, block: bytes) -> None:
        """Remember a block; the oldest of the last 256 goes."""
        for at in range(0, len(block) - _CHUNK + 1, _CHUNK):
            self._digests[_digest(block, at)] = None
        while len(self._digests) > _REMEMBERED:
            del self._digests[next(iter(self._digests))]


class Monitor:
    """The tests of one source, continued from block to block; after an alarm they begin afresh."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._begin()

    def examine(self, block: bytes) -> Health:
        """Judge the next block; only a sound one may be used. ValueError unless it has 1,024 bytes."""
        if len(block) != BLOCK:
            raise ValueError(f"a block has {BLOCK} bytes, not {len(block)}")
        verdict = self._judge(block)
        self._seen.add(block)
        if verdict is not Health.SOUND:
            self._begin()
        return verdict

    def _begin(self) -> None:
        self._last = b""
        self._blocks = 0
        self._ones = 0

    def _judge(self, block: bytes) -> Health:
        run = self._last + block
        self._last = block[1 - REPETITION_CUTOFF :]
        if _REPEATED.search(run):
            return Health.STUCK
        for at in range(0, BLOCK, PROPORTION_WINDOW):
            window = block[at : at + PROPORTION_WINDOW]
            if window.count(window[0]) >= PROPORTION_CUTOFF:
                return Health.LOPSIDED
        ones = int.from_bytes(block).bit_count()
        if ones not in ONES:
            return Health.UNBALANCED
        self._blocks += 1
        self._ones += ones
        if self._blocks == LONG_BLOCKS:
            long_ones, self._blocks, self._ones = self._ones, 0, 0
            if long_ones not in LONG_ONES:
                return Health.DRIFTING
        return Health.SEEN if self._seen.holds(block) else Health.SOUND


def _digest(block: bytes, at: int) -> bytes:
    return blake2b(block[at : at + _CHUNK], digest_size=16).digest()
