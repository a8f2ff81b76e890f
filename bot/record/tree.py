"""The Merkle tree over a campaign's events: RFC 6962 and RFC 9162, 2.1. No leaf below a root can be changed.

A campaign keeps the tree's frontier, some 20 hashes for a million events, and appends to it; the proofs are
in `bot.record.proofs`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

HASH_BYTES = 32
TILE_BITS = 8
"""A tile holds 2^8 hashes; a hash of the next level of tiles stands for one whole tile (C2SP tlog-tiles)."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the leaf of an event's entry."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash over two neighbours."""
    return sha256(b"\1" + left + right).digest()


def fold(hashes: Iterable[bytes]) -> bytes:
    """Return the root over the roots of perfect subtrees, from the largest to the smallest."""
    root = b""
    for one in reversed(tuple(hashes)):
        root = node_hash(one, root) if root else one
    return root or sha256().digest()


class Spot(NamedTuple):
    """A hash that is stored: which one of which level of tiles, counted from 0. Level 0 holds the leaves."""

    level: int
    place: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree by its size and the roots of its perfect subtrees, from the largest to the smallest."""

    size: int = 0
    frontier: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.frontier) != self.size.bit_count():
            raise ValueError(f"{self.size} events do not have a frontier of {len(self.frontier)} hashes")

    @property
    def root(self) -> bytes:
        """The root hash, which stands for all leaves and their order."""
        return fold(self.frontier)

    def append(self, leaf: bytes) -> "Grown":
        """Return the tree with one more leaf, and the hashes of tiles that it completes."""
        frontier = [*self.frontier]
        completed: dict[Spot, bytes] = {}
        joined, size, height = leaf, self.size, 0
        while size & 1:
            joined = node_hash(frontier.pop(), joined)
            size >>= 1
            height += 1
            if height % TILE_BITS == 0:
                completed[Spot(height // TILE_BITS, size)] = joined
        frontier.append(joined)
        return Grown(Tree(self.size + 1, tuple(frontier)), completed)


class Grown(NamedTuple):
    """A tree after one more leaf."""

    tree: Tree
    completed: dict[Spot, bytes]
    """The hashes of level 1 and above that are to be stored from now on."""
