"""Inclusion and consistency proofs of a campaign's Merkle tree.

An inclusion proof shows that one event is in the tree, a consistency proof that a larger tree extends a
smaller one. Making them takes the frontier and a few stored tiles, checking them neither. Source: RFC 9162,
2.1, whose trees are those of RFC 6962.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.record.hashing import TILE_BITS, Hashes, HashPosition, Tree, fold, node_hash

_Range = tuple[int, int]
"""Start and end of a range of leaves, without the end."""


class Tile(NamedTuple):
    """Position of a tile, that is up to 256 neighbouring stored hashes; counted from 0."""

    level: int
    number: int


class _Subtree(NamedTuple):
    """A perfect subtree of 2^height leaves, and its position among those of its height, counted from 0."""

    height: int
    place: int

    @property
    def tile(self) -> Tile:
        """The tile that its root is made from."""
        level, above = divmod(self.height, TILE_BITS)
        return Tile(level, self.place << above >> TILE_BITS)


def inclusion_tiles(tree: Tree, index: int) -> frozenset[Tile]:
    """Return the tiles that `prove_inclusion` reads; ValueError unless the tree has that leaf."""
    return _tiles(tree, _inclusion(index, tree.size))


def prove_inclusion(tree: Tree, index: int, stored: Hashes, cut: Tree | None = None) -> tuple[bytes, ...]:
    """Return the path from leaf number `index`, counted from 0, to the root; ValueError if there is none.

    No hash inside of the tree `cut` has to be stored.
    """
    return _path(tree, _inclusion(index, tree.size), stored, cut)


def consistency_tiles(tree: Tree, old: int) -> frozenset[Tile]:
    """Return the tiles that `prove_consistency` reads; ValueError unless the tree had that size."""
    return _tiles(tree, _consistency(old, tree.size))


def prove_consistency(tree: Tree, old: int, stored: Hashes, cut: Tree | None = None) -> tuple[bytes, ...]:
    """Return the proof that the tree extends its first `old` leaves; ValueError if it is smaller."""
    return _path(tree, _consistency(old, tree.size), stored, cut)


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether the path leads from leaf number `index` of `size` to the root."""
    if not 0 <= index < size:
        return False
    ranges = _inclusion(index, size)
    node = leaf
    for (start, _), sibling in zip(ranges, path, strict=False):
        node = node_hash(sibling, node) if start < index else node_hash(node, sibling)
    return len(path) == len(ranges) and node == root


def check_consistency(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Return whether the path proves that the larger tree extends the smaller one."""
    if not 0 <= old <= size:
        return False
    if old in {0, size}:
        return not path and old_root == (root if old else Tree().root)
    (first, _), *ranges = _around(old - 1, size, old)
    nodes = [*path] if first else [old_root, *path]
    if len(nodes) != len(ranges) + 1:
        return False
    before = after = nodes[0]
    for (start, _), sibling in zip(ranges, nodes[1:], strict=True):
        if start < old:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
        else:
            after = node_hash(after, sibling)
    return before == old_root and after == root


def _inclusion(index: int, size: int) -> list[_Range]:
    """Return the ranges whose roots form the path, from the leaf upwards."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    return _around(index, size)[1:]


def _consistency(old: int, size: int) -> list[_Range]:
    """Return the ranges whose roots form the consistency proof."""
    if not 0 <= old <= size:
        raise ValueError(f"a tree of {size} did not go on from one of {old}")
    ranges = _around(old - 1, size, old) if old else []
    return ranges if ranges and ranges[0][0] else ranges[1:]


def _around(leaf: int, size: int, old: int = 0) -> list[_Range]:
    """Split the leaves at the largest power of two below their number, and again the half with one leaf.

    Return the last half with that leaf (the one that ends after the `old` leaves, if there is one), then the
    other halves upwards.
    """
    start, end, siblings = 0, size, list[_Range]()
    while end - start > 1 and end != old:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        if leaf < middle:
            siblings.append((middle, end))
            end = middle
        else:
            siblings.append((start, middle))
            start = middle
    return [(start, end), *reversed(siblings)]


def _subtrees(start: int, end: int) -> Iterator[_Subtree]:
    """Yield the perfect subtrees of a range, from left to right."""
    while start < end:
        height = (end - start).bit_length() - 1
        yield _Subtree(height, start >> height)
        start += 1 << height


def _tiles(tree: Tree, ranges: Sequence[_Range]) -> frozenset[Tile]:
    frontier = set(_subtrees(0, tree.size))
    return frozenset(part.tile for leaves in ranges for part in _subtrees(*leaves) if part not in frontier)


def _path(tree: Tree, ranges: Sequence[_Range], stored: Hashes, cut: Tree | None) -> tuple[bytes, ...]:
    roots: dict[_Subtree, bytes] = {}
    for known_tree in (cut or Tree(), tree):
        roots.update(zip(_subtrees(0, known_tree.size), known_tree.frontier, strict=True))
    return tuple(fold(_root(part, roots, stored) for part in _subtrees(*leaves)) for leaves in ranges)


def _root(subtree: _Subtree, roots: Mapping[_Subtree, bytes], stored: Hashes) -> bytes:
    node = roots.get(subtree)
    level, above = divmod(subtree.height, TILE_BITS)
    if node is None and not above:
        node = stored.get(HashPosition(level, subtree.place))
    if node is None and not subtree.height:
        raise ValueError(f"the leaf {subtree.place} is not here any more")
    if node is None:
        halves = (_Subtree(subtree.height - 1, 2 * subtree.place + side) for side in (0, 1))
        node = node_hash(*(_root(half, roots, stored) for half in halves))
    return node
