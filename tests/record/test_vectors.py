"""docs/vectors.json against the bot's own code and against the stand-alone tools."""

import json
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import proofs
import rolls
import verify
from bot.dice.draws import Recorder
from bot.record.checkpoint import read_checkpoint, read_consistency, read_inclusion
from bot.record.hashing import PARTS, NotCanonical, canon, leaf_hash, read_line, seal
from bot.record.proof_mode import KeyedDraws, Press
from bot.record.tree_proofs import check_consistency, check_inclusion
from tests.record.test_tree_proofs import path, root, subproof
from tests.support.parts import close_parts, leaf_of
from tests.support.vectors import FILE, printed

VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
TREES = [pytest.param(tree, id=tree["name"]) for tree in VECTORS["trees"]]


def unhex(hashes: list[str]) -> list[bytes]:
    """Hashes as bytes."""
    return [bytes.fromhex(one) for one in hashes]


def leaves(tree: dict[str, Any]) -> list[bytes]:
    """The leaves of one of the file's two trees."""
    if "inputs" in tree:
        return [leaf_hash(one) for one in unhex(tree["inputs"])]
    return unhex([event["leaf"] for event in VECTORS["events"]])


def test_the_file_is_up_to_date() -> None:
    """The file is what the script makes now: `python -m tests.support.vectors` writes it."""
    assert FILE.read_text(encoding="utf-8") == printed()


def test_canonical_texts() -> None:
    """The bot and the tool write each value in the file's way."""
    for one in VECTORS["canonical"]:
        assert canon(one["value"]).decode() == proofs.canon(one["value"]) == one["text"]


def test_refused_lines() -> None:
    """The bot and the tool refuse the same lines."""
    for one in VECTORS["refused"]:
        line = bytes.fromhex(one["hex"])
        with pytest.raises(NotCanonical):
            read_line(line)
        with pytest.raises(proofs.Refused):
            proofs.read_line(line)


def test_events() -> None:
    """Each event has its commitments, entry, leaf and seal, however it is told."""
    for one in VECTORS["events"]:
        for said in (one["line"], one["told"]):
            line = read_line(said.encode() + b"\n")
            assert isinstance(line, dict)
            assert leaf_of(line).hex() == verify.open_parts(json.loads(said))[1].hex() == one["leaf"]
            closed = close_parts(line, *PARTS)
            assert {name: closed[name] for name in PARTS} == one["commitments"]
        assert leaf_hash(one["entry"].encode()).hex() == one["leaf"]
        assert seal(bytes.fromhex(one["leaf"])) == one["seal"]


@pytest.mark.parametrize("tree", TREES)
def test_trees(tree: dict[str, Any]) -> None:
    """Roots and proofs are those of the recursive definition, and hold by the checks of bot and tool."""
    every = leaves(tree)
    frontier: list[bytes] = []
    for one in tree["sizes"]:
        size, top, part = one["size"], bytes.fromhex(one["root"]), every[: one["size"]]
        proofs.grow(frontier, size - 1, part[-1])
        assert top == root(part) == proofs.root_of(frontier)
        assert unhex(one["frontier"]) == frontier
        for index, hashes in enumerate(map(unhex, one["inclusion"])):
            assert hashes == path(index, part)
            assert check_inclusion(part[index], index, size, hashes, top)
            assert proofs.climb(index + 1, size, hashes, part[index], 1)[1] == top
        for old, hashes in enumerate(map(unhex, one["consistency"]), 1):
            assert hashes == subproof(old, part, whole=True)
            assert check_consistency(old, root(part[:old]), size, top, hashes)
            assert proofs.climb(old, size, hashes, root(part[:old])) == (root(part[:old]), top)


def test_texts() -> None:
    """Checkpoint and proofs read back, and the proofs hold."""
    checkpoint = read_checkpoint(VECTORS["checkpoint"]["text"])
    inclusion, consistency = read_inclusion(VECTORS["inclusion"]), read_consistency(VECTORS["consistency"])
    every = leaves(VECTORS["trees"][1])

    assert read_checkpoint(VECTORS["checkpoint"]["line"]) == checkpoint == inclusion.checkpoint
    line = read_line(inclusion.line + b"\n")
    assert isinstance(line, dict)
    assert check_inclusion(leaf_of(line), inclusion.index, len(every), inclusion.path, checkpoint.root)
    assert check_consistency(5, root(every[:5]), len(every), checkpoint.root, consistency.path)


def test_proof_mode() -> None:
    """The tool gets the same words and draws from a key as the bot."""
    one = VECTORS["proof_mode"]
    press = f"{one['log']}|{one['seq']}|{one['id']}|{one['salt']}"
    key = bytes.fromhex(one["keys"]["1"])
    words = islice(proofs.words(key, press), 5)

    assert [f"{word:016x}" for word in words] == one["words"]
    drawn = [[20, value] for value in one["draws_below_20"]] + [[6, value] for value in one["draws_of_1_2_3"]]
    again = rolls.Draws(drawn, proofs.words(key, press))
    assert [again.choose([1] * 20) for _ in range(10)] == one["draws_below_20"]
    assert [again.choose([1, 2, 3]) for _ in range(10)] == one["draws_of_1_2_3"]
    wrong = rolls.Draws([[20, (one["draws_below_20"][0] + 1) % 20]], proofs.words(key, press))
    wrong.choose([1] * 20)

    assert wrong.differs


@given(st.lists(st.lists(st.integers(0, 2**70), min_size=1, max_size=6).filter(any), min_size=1, max_size=20))
def test_the_tools_register_is_the_bots(asked: list[list[int]]) -> None:
    """Whatever is drawn with a key, the tool finds each draw where the bot had it."""
    key, press = bytes(32), Press("ab" * 16, 3, 1400000000000000000, "")
    record = Recorder(KeyedDraws(key, press))
    chosen = [record.choose(weights) for weights in asked]
    words = proofs.words(key, f"{'ab' * 16}|3|{press.interaction}|")
    again = rolls.Draws([list(pair) for pair in record.drawn], words)

    assert [again.choose(weights) for weights in asked] == chosen
    assert again.remaining == []
