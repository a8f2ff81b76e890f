"""Health tests on the raw bytes of a source: they detect a broken source and never certify a good one.

Repetition count and adaptive proportion are NIST SP 800-90B's continuous tests at H = 7 bits a byte and a
false alarm rate of 2^-30. No test can tell a good generator from a replayed or chosen stream: the digests of
recent blocks and, above all, the mixing protect against those. Source: docs/entropy.md, "Health tests".
"""

import re
from enum import StrEnum
from hashlib import blake2b

from bot.newest import Newest

BLOCK = 1024
"""Bytes of a block: as many as SP 800-90B tests at start-up, so each block gets the start-up test."""

REPETITION_CUTOFF = 6
"""Repeats of one byte in a row that raise an alarm: 1 + ceil(30 / 7)."""

PROPORTION_WINDOW = 512
PROPORTION_CUTOFF = 23
"""Copies of its first byte in a window that raise an alarm: 2 + critbinom(511, 2^-7, 1 - 2^-30)."""

ONES = range(3819, 4374)
"""Allowed number of ones in 8,192 bits; two-sided 2^-30."""

LONG_BLOCKS = 32
LONG_ONES = range(129_505, 132_640)
"""Allowed number of ones in 32 blocks; two-sided 2^-30. A bias of 1 % shows here, not in one block."""

_REPEATED = re.compile(rb"(.)\1{%d}" % (REPETITION_CUTOFF - 1), re.DOTALL)
_CHUNK = 32


class Health(StrEnum):
    """Verdict of the tests on a block."""

    SOUND = "sound"
    STUCK = "stuck"
    """One byte repeated too many times in a row."""
    LOPSIDED = "lopsided"
    """One byte far too frequent."""
    UNBALANCED = "unbalanced"
    """Too many ones or zeros."""
    DRIFTING = "drifting"
    """Too many ones or zeros over many blocks."""
    SEEN = "seen"
    """The bytes were received before."""


class RecentBlocks:
    """Digests of the bytes of recent blocks, of all sources together, so that none is used twice.

    It detects any repeated run of 63 bytes, wherever it starts. By chance two equal runs of 32 bytes in a
    thousand million have a probability of 2^-197.
    """

    def __init__(self) -> None:
        self._digests = Newest[bytes, None](256 * BLOCK // _CHUNK)

    def holds(self, block: bytes) -> bool:
        """Return whether part of the block is in a recent block, or twice in this one."""
        chunks = [_digest(block, start) for start in range(0, len(block) - _CHUNK + 1, _CHUNK)]
        if len(set(chunks)) < len(chunks):
            return True
        return any(_digest(block, start) in self._digests for start in range(len(block) - _CHUNK + 1))

    def add(self, block: bytes) -> None:
        """Add a block; only the last 256 are kept."""
        for start in range(0, len(block) - _CHUNK + 1, _CHUNK):
            self._digests[_digest(block, start)] = None


class Monitor:
    """The tests of one source, continued from block to block and reset after an alarm."""

    def __init__(self, recent: RecentBlocks) -> None:
        self._recent = recent
        self._reset()

    def examine(self, block: bytes) -> Health:
        """Return the verdict on the next block; raise ValueError unless it has 1,024 bytes.

        Only a sound block may be used.
        """
        if len(block) != BLOCK:
            raise ValueError(f"a block has {BLOCK} bytes, not {len(block)}")
        verdict = self._judge(block)
        self._recent.add(block)
        if verdict is not Health.SOUND:
            self._reset()
        return verdict

    def _reset(self) -> None:
        self._last = b""
        self._blocks = 0
        self._ones = 0

    def _judge(self, block: bytes) -> Health:
        stream = self._last + block
        self._last = block[1 - REPETITION_CUTOFF :]
        if _REPEATED.search(stream):
            return Health.STUCK
        for start in range(0, BLOCK, PROPORTION_WINDOW):
            window = block[start : start + PROPORTION_WINDOW]
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
        return Health.SEEN if self._recent.holds(block) else Health.SOUND


def _digest(block: bytes, start: int) -> bytes:
    return blake2b(block[start : start + _CHUNK], digest_size=16).digest()
