"""Proofs from the tree over a campaign's events: no leaf below a root can be changed.

That one event is in it, and that a larger tree only went on from a smaller one, is proved from the frontier
and a few stored tiles, and checked without either. Source: RFC 9162, 2.1, which proves what RFC 6962 proves.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bot.record.hashing import TILE_BITS, Spot, Tree, fold, node_hash

_Range = tuple[int, int]
"""The leaves from the first number up to, not including, the second."""


class Tile(NamedTuple):
    """Up to 256 stored hashes that stand side by side: which stretch of which level, counted from 0."""

    level: int
    number: int


class _Subtree(NamedTuple):
    """A perfect subtree of 2^height leaves: which one of that height, counted from 0."""

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


def prove_inclusion(
    tree: Tree, index: int, stored: Mapping[Spot, bytes], cut: Tree | None = None
) -> tuple[bytes, ...]:
    """Return the path from leaf number `index`, counted from 0, to the root; ValueError if there is none.

    Of what lies before `cut` nothing has to be stored.
    """
    return _path(tree, _inclusion(index, tree.size), stored, cut)


def consistency_tiles(tree: Tree, old: int) -> frozenset[Tile]:
    """Return the tiles that `prove_consistency` reads; ValueError unless the tree had that size."""
    return _tiles(tree, _consistency(old, tree.size))


def prove_consistency(
    tree: Tree, old: int, stored: Mapping[Spot, bytes], cut: Tree | None = None
) -> tuple[bytes, ...]:
    """Return the proof that the tree went on from its first `old` leaves; ValueError unless it has them."""
    return _path(tree, _consistency(old, tree.size), stored, cut)


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Return whether the path leads from a leaf, as number `index` of `size`, to the root."""
    if not 0 <= index < size:
        return False
    own, last, found = index, size - 1, leaf
    for one in path:
        if not last:
            return False
        if own & 1 or own == last:
            found = node_hash(one, found)
            own, last = _climb(own, last)
        else:
            found = node_hash(found, one)
        own, last = own >> 1, last >> 1
    return not last and found == root


def check_consistency(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> bool:
    """Return whether the path proves that the larger tree begins with the smaller one."""
    if not 0 <= old <= size:
        return False
    if old in {0, size}:
        return not path and old_root == (root if old else Tree().root)
    rest = [old_root, *path] if old.bit_count() == 1 else [*path]
    if not rest:
        return False
    own, last = old - 1, size - 1
    while own & 1:
        own, last = own >> 1, last >> 1
    before = after = rest[0]
    for one in rest[1:]:
        if not last:
            return False
        if own & 1 or own == last:
            before, after = node_hash(one, before), node_hash(one, after)
            own, last = _climb(own, last)
        else:
            after = node_hash(after, one)
        own, last = own >> 1, last >> 1
    return not last and before == old_root and after == root


def _climb(own: int, last: int) -> tuple[int, int]:
    """Go up to where a neighbour on the left is next, or to the top."""
    while own and not own & 1:
        own, last = own >> 1, last >> 1
    return own, last


def _inclusion(index: int, size: int) -> list[_Range]:
    """Return the ranges whose roots make up the path, from the leaf upwards."""
    if not 0 <= index < size:
        raise ValueError(f"there is no leaf {index} in a tree of {size}")
    return _around(index, size)[1:]


def _consistency(old: int, size: int) -> list[_Range]:
    if not 0 <= old <= size:
        raise ValueError(f"a tree of {size} did not go on from one of {old}")
    found = _around(old - 1, size, old) if old else []
    return found if found and found[0][0] else found[1:]


def _around(leaf: int, size: int, old: int = 0) -> list[_Range]:
    """Part the leaves, after the largest power of two that leaves something, and so on the part of one leaf.

    Return the last part with it, the one that ends with the `old` leaves if any does, and the others upwards.
    """
    start, end, found = 0, size, list[_Range]()
    while end - start > 1 and end != old:
        middle = start + (1 << (end - start - 1).bit_length() - 1)
        if leaf < middle:
            found.append((middle, end))
            end = middle
        else:
            found.append((start, middle))
            start = middle
    return [(start, end), *reversed(found)]


def _subtrees(start: int, end: int) -> Iterator[_Subtree]:
    """Return the perfect subtrees that a range is made of, from left to right."""
    while start < end:
        height = (end - start).bit_length() - 1
        yield _Subtree(height, start >> height)
        start += 1 << height


def _tiles(tree: Tree, ranges: Sequence[_Range]) -> frozenset[Tile]:
    known = set(_subtrees(0, tree.size))
    return frozenset(part.tile for one in ranges for part in _subtrees(*one) if part not in known)


def _path(
    tree: Tree, ranges: Sequence[_Range], stored: Mapping[Spot, bytes], cut: Tree | None
) -> tuple[bytes, ...]:
    known: dict[_Subtree, bytes] = {}
    for one in (cut or Tree(), tree):
        known.update(zip(_subtrees(0, one.size), one.frontier, strict=True))
    return tuple(fold(_root(part, known, stored) for part in _subtrees(*one)) for one in ranges)


def _root(subtree: _Subtree, known: Mapping[_Subtree, bytes], stored: Mapping[Spot, bytes]) -> bytes:
    found = known.get(subtree)
    level, above = divmod(subtree.height, TILE_BITS)
    if found is None and not above:
        found = stored.get(Spot(level, subtree.place))
    if found is None and not subtree.height:
        raise ValueError(f"the leaf {subtree.place} is not here any more")
    if found is None:
        halves = (_Subtree(subtree.height - 1, 2 * subtree.place + side) for side in (0, 1))
        found = node_hash(*(_root(half, known, stored) for half in halves))
    return found
