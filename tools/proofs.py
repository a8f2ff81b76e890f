"""Canonical JSON, hashes, proofs and keyed draws, for verify.py. Standard library only.

Numbers are sections of docs/format.md.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import reduce
from hashlib import sha256
from hmac import digest
from typing import Any

LARGEST, LONGEST = 2**53 - 1, 1 << 20
NUMBER, HASH = "(?:0|[1-9][0-9]{0,15})", "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="
NOTE = rf"([^\s+]{{1,200}})[ \n]({NUMBER})[ \n]({HASH})\n*(?:\n— .*)?"
INCLUSION = rf"c2sp\.org/tlog-proof@v1\nextra (\S+)\nindex ({NUMBER})\n((?:{HASH}\n)*)\n(.*\n)"
KEY, STRANGE = re.compile("[a-z0-9_]+"), "it has a number, a key or a depth that the format does not have"
CONSISTENCY = rf"old ({NUMBER})\n((?:{HASH}\n)*)\n(.*\n)"
GENESIS, PERIOD = 1_692_803_367_000, 3_000
Checkpoint = tuple[str, int, bytes]


class Refused(Exception):
    """A history does not hold at event number `seq`; without a number, a file can't be read."""

    def __init__(self, why: str, seq: int | None = None) -> None:
        super().__init__(why)
        self.why, self.seq = why, seq


def need(holds: object, why: str, seq: int | None = None) -> None:
    """Raise Refused unless `holds` is true."""
    if not holds:
        raise Refused(why, seq)


def check(value: Any, deep: int = 32) -> None:
    """1.1: refuse values that the format does not have, in an object or a list."""
    need(deep and (isinstance(value, list) or all(map(KEY.fullmatch, value))), STRANGE)
    for item in value.values() if isinstance(value, dict) else value:
        kind = type(item)
        if kind is dict or kind is list:
            check(item, deep - 1)
        elif kind is not str and (kind is not int or not -LARGEST <= item <= LARGEST):
            need(kind is bool or item is None, STRANGE)


def write(value: Any) -> str:
    """1.1: return the canonical text of a value that was checked."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canon(value: Any) -> str:
    """1.1: return the canonical text of an object or a list, after checking it."""
    check(value)
    return write(value)


def read_line(raw: bytes) -> dict[str, Any]:
    """1.1: return the object on a line; refuse a line that is not canonical."""
    need(len(raw) <= LONGEST, "the line is longer than 1 MiB")
    need(raw.endswith(b"\n"), "the line has no end: something was cut off")
    try:
        value = json.loads(raw)
        same = isinstance(value, dict) and canon(value).encode() == raw[:-1]
    except (ValueError, RecursionError):
        value, same = {}, False
    need(same, "it is not the one way to write an object")
    return value


def commit(name: str, salt: str, value: dict[str, Any]) -> str:
    """1.3: return the commitment to a part, which hides it."""
    return sha256(write(["evenhand/2", name, salt, value]).encode()).hexdigest()


def leaf_of(entry: dict[str, Any]) -> bytes:
    """1.3: return the leaf of an event, given with its parts closed."""
    return sha256(b"\0" + write(entry).encode()).digest()


def node(left: bytes, right: bytes) -> bytes:
    """2: return the hash over two neighbours."""
    return sha256(b"\1" + left + right).digest()


def grow(frontier: list[bytes], size: int, leaf: bytes) -> None:
    """2: add a leaf after `size` others."""
    while size & 1:
        leaf, size = node(frontier.pop(), leaf), size >> 1
    frontier.append(leaf)


def root_over(leaves: list[bytes]) -> bytes:
    """2: return the root over leaves."""
    frontier: list[bytes] = []
    for size, leaf in enumerate(leaves):
        grow(frontier, size, leaf)
    return root_of(frontier)


def root_of(frontier: list[bytes]) -> bytes:
    """2: return the root over a frontier."""
    return reduce(lambda root, left: node(left, root), frontier[::-1]) if frontier else sha256().digest()


def climb(old: int, size: int, path: list[bytes], own: bytes, end: int = 0) -> tuple[bytes, ...]:
    """2.1: return the roots over the first `old` leaves and over all `size`; nothing for a wrong path.

    `own` is the old root, or with `end` 1 the last of the old leaves.
    """
    if size == (end or old):
        return (own, own) if own and not path else tuple(path * 2) if not own and len(path) == 1 else ()
    half = 1 << (size - 1).bit_length() - 1
    if old <= half:
        roots = climb(old, half, path[:-1], own, end)
        return (roots[0], node(roots[1], path[-1])) if roots and path else ()
    roots = climb(old - half, size - half, path[:-1], own if end else b"", end)
    return tuple(node(path[-1], root) for root in roots if path)


def includes(leaf: bytes, index: int, path: list[bytes], checkpoint: Checkpoint) -> bool:
    """2.1: return whether a path leads from leaf number `index`, counted from 0, to a checkpoint."""
    _, size, root = checkpoint
    return index < size and climb(index + 1, size, path, leaf, 1)[1:] == (root,)


def goes_on(old: Checkpoint, path: list[bytes], new: Checkpoint) -> bool:
    """2.1: return whether a path proves that the log of one checkpoint extends that of another."""
    same = old[0] == new[0] and 0 < old[1] <= new[1]
    return same and climb(old[1], new[1], path, old[2]) == (old[2], new[2])


def print_checkpoint(origin: str, size: int, frontier: list[bytes]) -> str:
    """3.1: return a checkpoint's text."""
    return f"{origin}\n{size}\n{b64encode(root_of(frontier)).decode()}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """3.1: parse a log's origin, size and root, on three lines or one; signatures are ignored."""
    note = re.fullmatch(NOTE, text.strip(), re.DOTALL)
    need(note, "it is no checkpoint")
    return (note[1], int(note[2]), b64decode(note[3])) if note else ("", 0, b"")


def find_checkpoints(text: str) -> list[Checkpoint]:
    """3.1: parse the checkpoints in a text that somebody kept, with words and marks around them."""
    plain = text.replace("`", "")
    pairs = re.findall(r"(?ia)(evenhand/[0-9a-f]{32})\s+(\d+\s+[a-z0-9+/]+=*)", plain)
    notes = [" ".join([origin.lower(), *rest.split()]) for origin, rest in pairs]
    return [read_checkpoint(note) for note in notes or [plain]]


def read_inclusion(text: str) -> tuple[dict[str, Any], int, list[bytes], Checkpoint]:
    """3.2: parse a proof of one event: the event, its index from 0, the path and the checkpoint."""
    proof = re.fullmatch(INCLUSION, text, re.DOTALL) or ["", "", "0", "", ""]
    line = b64decode(proof[1])
    need(proof[1] and b64encode(line).decode() == proof[1], "it is no proof of one event")
    path = [b64decode(text_) for text_ in proof[3].split()]
    return read_line(line + b"\n"), int(proof[2]), path, read_checkpoint(proof[4])


def read_consistency(text: str) -> tuple[int, list[bytes], Checkpoint]:
    """3.3: parse a proof that a log was extended: the old size, the path and the newer checkpoint."""
    proof = re.fullmatch(CONSISTENCY, text, re.DOTALL) or ["", "0", "", ""]
    return int(proof[1]), [b64decode(text_) for text_ in proof[2].split()], read_checkpoint(proof[3])


def printable(text: str) -> str:
    """4: return a stranger's text with its control characters escaped, cut to 60 characters."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text[:60])[:60]


def is_round(drand: Any, time: int | None) -> bool:
    """6.3: return whether a salt has drand's first round after a time; any round if that is None."""
    if not isinstance(drand, list) or [type(item) for item in drand] != [int, str, str]:
        return False
    signature = bytes.fromhex(drand[2]) if re.fullmatch("[0-9a-f]{96}", drand[2]) else b""
    number = drand[0] if time is None else (time - GENESIS) // PERIOD + 2
    return bool(signature) and drand == [number, sha256(signature).hexdigest(), signature.hex()]


def words(key: bytes, press: str) -> Iterator[int]:
    """6.2: yield the bits for a press, as words of 64."""
    for block in range(1 << 64):
        chunk = digest(key, f"evenhand/2 bits {press}|{block}".encode(), "sha256")
        yield from (int.from_bytes(chunk[place : place + 8]) for place in range(0, 32, 8))


class Register:
    """6.2: exact draws from words of 64 bits, without wasting a bit."""

    def __init__(self, words: Iterator[int]) -> None:
        self.words, self.v, self.m = words, 0, 1

    def below(self, total: int) -> int:
        """Return a number from 0 to total - 1, each equally likely."""
        while True:
            while self.m < total << 32:
                self.v, self.m = self.v << 64 | next(self.words), self.m << 64
            size, remainder = divmod(self.m, total)
            if self.v < size * total:
                position, self.v, self.m = *divmod(self.v, size), size
                return position
            self.v, self.m = self.v - size * total, remainder

    def choose(self, weights: list[int]) -> int:
        """Return an index, whose chance is in proportion to its weight."""
        position, chosen = self.below(sum(weights)), 0
        while position >= weights[chosen]:
            position -= weights[chosen]
            chosen += 1
        self.v, self.m = self.v + position * self.m, weights[chosen] * self.m
        return chosen
