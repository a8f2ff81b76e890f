from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

import proofs
from bot.record.hashing import Tree, leaf_hash
from bot.record.tree_proofs import (
    check_consistency,
    check_inclusion,
    consistency_tiles,
    inclusion_tiles,
    prove_consistency,
    prove_inclusion,
)
from tests.support.logs import tiles_of, tree_of
from tests.support.vectors import CERTIFICATE_TRANSPARENCY

ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""As Certificate Transparency's own tests have them, for 1 to 8 inputs."""
PATHS = {
    (0, 1): (),
    (0, 8): ("96a296d2", "5f083f0a", "6b47aaf2"),
    (5, 8): ("bc1a0643", "ca854ea1", "d37ee418"),
    (2, 3): ("fac54203",),
    (1, 5): ("6e340b9c", "5f083f0a", "bc1a0643"),
}
CONSISTENCY = {
    (1, 1): (),
    (1, 8): ("96a296d2", "5f083f0a", "6b47aaf2"),
    (6, 8): ("0ebc5d34", "ca854ea1", "d37ee418"),
    (2, 5): ("5f083f0a", "bc1a0643"),
    (3, 7): ("0298d122", "07506a85", "fac54203", "837dbb15"),
    (4, 8): ("6b47aaf2",),
    (7, 8): ("b08693ec", "46f6ffad", "0ebc5d34", "d37ee418"),
}
"""Published proofs by place or size and size, each hash by its first eight digits."""
PUBLISHED = [leaf_hash(bytes.fromhex(one)) for one in CERTIFICATE_TRANSPARENCY]


def leaves(size: int) -> list[bytes]:
    """Leaves that differ."""
    return [sha256(b"%d" % n).digest() for n in range(size)]


def root(part: Sequence[bytes]) -> bytes:
    """The root by the definition of RFC 6962, 2.1."""
    if len(part) < 2:
        return part[0] if part else sha256(b"").digest()
    half = _half(len(part))
    return sha256(b"\1" + root(part[:half]) + root(part[half:])).digest()


def path(index: int, part: Sequence[bytes]) -> list[bytes]:
    """The audit path by the definition of RFC 6962, 2.1.1."""
    if len(part) == 1:
        return []
    half = _half(len(part))
    if index < half:
        return [*path(index, part[:half]), root(part[half:])]
    return [*path(index - half, part[half:]), root(part[:half])]


def subproof(old: int, part: Sequence[bytes], *, whole: bool) -> list[bytes]:
    """The consistency proof by the definition of RFC 6962, 2.1.2."""
    if old == len(part):
        return [] if whole else [root(part)]
    half = _half(len(part))
    if old <= half:
        return [*subproof(old, part[:half], whole=whole), root(part[half:])]
    return [*subproof(old - half, part[half:], whole=False), root(part[:half])]


def _half(size: int) -> int:
    half = 1
    while half * 2 < size:
        half *= 2
    return half


WALKED = [*((size, 1) for size in range(1, 71)), (256, 51), (300, 59), (513, 101)]
"""Sizes and steps: up to 70 leaves every proof there is is walked, of larger trees some."""


@cache
def grown(size: int) -> Tree:
    """The tree over so many leaves."""
    return tree_of(leaves(size))


def test_every_leaf_of_every_small_tree_is_proved() -> None:
    """The path is the definition's; the bot and the stand-alone verifier take it, for that leaf alone."""
    for size, step in WALKED:
        all_leaves, tree = leaves(size), grown(size)
        stored = tiles_of(all_leaves)
        checkpoint = ("log", size, root(all_leaves))

        for index in range(0, size, step):
            leaf = all_leaves[index]
            found = [*prove_inclusion(tree, index, stored)]
            assert found == path(index, all_leaves), (size, index)
            assert check_inclusion(leaf, index, size, found, tree.root), (size, index)
            assert proofs.includes(leaf, index, found, checkpoint), (size, index)
            wrong = [
                (all_leaves[index - 1], index, found),
                (leaf, index ^ 1, found),
                (leaf, index, [*found, leaf]),
                (leaf, index, found[1:]),
            ]
            for claim in wrong if size > 1 else wrong[2:3]:
                assert not check_inclusion(claim[0], claim[1], size, claim[2], tree.root), (size, claim)
                assert not proofs.includes(*claim, checkpoint), (size, claim)


def test_every_small_tree_goes_on_from_all_before_it() -> None:
    """The proof is the definition's; the bot and the stand-alone verifier take it, for these two alone."""
    for size, step in WALKED:
        all_leaves, tree = leaves(size), grown(size)
        stored = tiles_of(all_leaves)
        new = ("log", size, root(all_leaves))

        assert check_consistency(0, Tree().root, size, tree.root, prove_consistency(tree, 0, stored))
        for old in range(1, size + 1, step):
            found, before = [*prove_consistency(tree, old, stored)], grown(old).root
            assert found == subproof(old, all_leaves, whole=True), (size, old)
            assert check_consistency(old, before, size, tree.root, found), (size, old)
            assert proofs.goes_on(("log", old, before), found, new), (size, old)
            wrong = [(old, all_leaves[0] if old > 1 else bytes(32), found), (old, before, [*found, before])]
            wrong += [(old, before, found[1:])] * bool(found) + [(old - 1, before, found)] * (old > 1)
            for claim in wrong:
                assert not check_consistency(claim[0], claim[1], size, tree.root, claim[2]), (size, claim)
                assert not proofs.goes_on(("log", claim[0], claim[1]), claim[2], new), (size, claim)


def test_roots_are_the_published_ones() -> None:
    """Certificate Transparency's eight inputs have the roots that its tests have."""
    assert [tree_of(PUBLISHED[:size]).root.hex() for size in range(1, 9)] == [*ROOTS]
    assert Tree().root.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(("place", "wanted"), PATHS.items())
def test_paths_are_the_published_ones(place: tuple[int, int], wanted: tuple[str, ...]) -> None:
    """Audit paths are those that Certificate Transparency's tests have."""
    index, size = place
    found = prove_inclusion(tree_of(PUBLISHED[:size]), index, tiles_of(PUBLISHED))

    assert tuple(one.hex()[:8] for one in found) == wanted


@pytest.mark.parametrize(("sizes", "wanted"), CONSISTENCY.items())
def test_consistency_proofs_are_the_published_ones(sizes: tuple[int, int], wanted: tuple[str, ...]) -> None:
    """Consistency proofs are those that Certificate Transparency's tests have."""
    old, size = sizes
    found = prove_consistency(tree_of(PUBLISHED[:size]), old, tiles_of(PUBLISHED))

    assert tuple(one.hex()[:8] for one in found) == wanted


@given(st.integers(1, 3_000), st.data())
def test_a_proof_reads_few_tiles(size: int, data: st.DataObject) -> None:
    """With the frontier at hand a proof reads one stretch of 256 leaves and one tile of each level above."""
    index = data.draw(st.integers(0, size - 1))
    levels = [tile.level for tile in inclusion_tiles(Tree(size, (bytes(32),) * size.bit_count()), index)]
    older = [tile.level for tile in consistency_tiles(Tree(size, (bytes(32),) * size.bit_count()), index + 1)]

    assert len(levels) == len(set(levels))
    assert len(older) == len(set(older))


@pytest.mark.parametrize("call", [lambda: Tree(3, (bytes(32),)), lambda: Tree(-1, (bytes(32),))])
def test_a_frontier_fits_its_size(call: object) -> None:
    """A tree of three leaves has two hashes in its frontier; there is no tree of fewer than none."""
    assert callable(call)
    with pytest.raises(ValueError, match="frontier"):
        call()


def test_there_is_no_proof_of_what_is_not_there() -> None:
    """Neither a leaf behind the last one nor a larger tree in the past is proved."""
    with pytest.raises(ValueError, match="no leaf"):
        prove_inclusion(tree_of(leaves(5)), 5, {})
    with pytest.raises(ValueError, match="go on"):
        prove_consistency(tree_of(leaves(5)), 6, {})
