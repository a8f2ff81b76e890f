"""Checkpoints and proofs as texts in public formats, and how far they confirm a history.

A checkpoint is a log's name, size and root (C2SP tlog-checkpoint). With it go proofs that it includes an
event (tlog-proof@v1), or that a later checkpoint extends it (the body of a C2SP tlog-witness request).
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.record.findings import Broken
from bot.record.hashing import HASH_BYTES
from bot.record.tree_proofs import check_consistency

PROOF_TITLE = "c2sp.org/tlog-proof@v1"
LONGEST_PATH = 63

_ORIGIN = re.compile(r"[^\s+]{1,200}")
_KEPT = re.compile(r"evenhand/[0-9a-f]{32}\s+\d+\s+[A-Za-z0-9+/]+=*", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)


class NotAProof(ValueError):
    """A text that is neither a checkpoint nor a proof."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The root of a log at one size; with a copy of it anyone can detect a change up to there."""

    origin: str
    """The log's permanent name: "evenhand/" and 32 random hexadecimal digits."""
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The note's text: three lines."""
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"

    @property
    def line(self) -> str:
        """The same on one line, for a message."""
        return self.text.strip().replace("\n", " ")


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """A proof that a checkpoint includes an event: its line, its index from 0, and the path."""

    line: bytes
    index: int
    path: tuple[bytes, ...]
    checkpoint: Checkpoint

    @property
    def text(self) -> str:
        """The file's text."""
        opening = f"{PROOF_TITLE}\nextra {_base64(self.line)}\nindex {self.index}\n"
        return opening + _print_path(self.path) + f"\n{self.checkpoint.text}"


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """A proof that a checkpoint extends the log of its first `old` events."""

    old: int
    path: tuple[bytes, ...]
    checkpoint: Checkpoint

    @property
    def text(self) -> str:
        """The file's text."""
        return f"old {self.old}\n" + _print_path(self.path) + f"\n{self.checkpoint.text}"


def read_checkpoint(text: str) -> Checkpoint:
    """Parse a checkpoint in three lines or one; raise NotAProof for another text.

    Signatures after it are ignored, since there is no key to check them with.
    """
    return _read_note(text.strip().splitlines())


def find_checkpoint(text: str) -> Checkpoint:
    """Parse the checkpoint in a text that a person kept, with words and marks around it.

    A keyboard may have begun it with a capital. Raise NotAProof if there is none.
    """
    plain = text.replace("`", "")
    if not (found := _KEPT.search(plain)):
        return read_checkpoint(plain)
    origin, *others = found[0].split()
    return _read_note([origin.lower(), *others])


def read_inclusion(text: str) -> InclusionProof:
    """Parse an inclusion proof; raise NotAProof for another text."""
    match _lines(text):
        case [title, extra, index, *rest] if title == PROOF_TITLE:
            path, checkpoint = _read_path(rest)
            line = _read_base64(_after("extra ", extra))
            return InclusionProof(line, _read_number(_after("index ", index)), path, checkpoint)
        case _:
            raise NotAProof(f"A proof of one event begins with {PROOF_TITLE}.")


def read_consistency(text: str) -> ConsistencyProof:
    """Parse a consistency proof; raise NotAProof for another text."""
    old, *rest = _lines(text) or [""]
    number = _read_number(_after("old ", old))
    path, checkpoint = _read_path(rest)
    return ConsistencyProof(number, path, checkpoint)


def _lines(text: str) -> list[str]:
    if not text.endswith("\n"):
        raise NotAProof("The proof has no end.")
    return text[:-1].split("\n")


def _after(word: str, line: str) -> str:
    if not line.startswith(word):
        raise NotAProof(f"The proof lacks its line {word.strip()}.")
    return line.removeprefix(word)


def _read_path(lines: Sequence[str]) -> tuple[tuple[bytes, ...], Checkpoint]:
    if "" not in lines[: LONGEST_PATH + 1]:
        raise NotAProof("The proof has no empty line between its hashes and its checkpoint.")
    end = lines.index("")
    return tuple(_read_hash(line) for line in lines[:end]), _read_note(lines[end + 1 :])


def _read_note(lines: Sequence[str]) -> Checkpoint:
    note = lines[: lines.index("")] if "" in lines else lines
    words = note[0].split() if len(note) == 1 else note
    match words:
        case [origin, size, root] if _ORIGIN.fullmatch(origin):
            return Checkpoint(origin, _read_number(size), _read_hash(root))
        case _:
            raise NotAProof("it is no checkpoint: that is a log's name, its size and its root")


def _read_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotAProof("A number in it is no number.")
    return int(text)


def _read_hash(text: str) -> bytes:
    digest = _read_base64(text)
    if len(digest) != HASH_BYTES:
        raise NotAProof(f"A hash in it does not have {HASH_BYTES} bytes.")
    return digest


def _read_base64(text: str) -> bytes:
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        data = b""
    if not data or _base64(data) != text:
        raise NotAProof("One of its lines is no base64.")
    return data


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _print_path(path: Sequence[bytes]) -> str:
    return "".join(f"{_base64(node)}\n" for node in path)


def anchor(
    origin: str,
    roots: Mapping[int, bytes],
    checkpoints: Sequence[Checkpoint],
    links: Sequence[ConsistencyProof],
) -> int:
    """Return the largest event number that a person's checkpoints, and `links` between them, confirm.

    Return -1 if none does. `roots` are the log's own, by size; without any (`origin` "") only the links are
    checked. Raise Broken if a checkpoint or a link contradicts them.
    """
    best = -1
    own = [Checkpoint(origin, size, root) for size, root in roots.items()]
    for checkpoint in checkpoints:
        if origin and checkpoint.origin != origin:
            raise Broken(
                checkpoint.size, "#{number} is of another campaign: {origin}.", origin=checkpoint.origin
            )
        if roots.get(checkpoint.size, checkpoint.root) != checkpoint.root:
            raise Broken(
                checkpoint.size,
                "#{number} is not what your checkpoint was made of: something up to it was changed.",
            )
        if checkpoint.size in roots:
            best = max(best, checkpoint.size)
    for link in links:
        new = link.checkpoint
        for old in (checkpoint for checkpoint in (*checkpoints, *own) if checkpoint.size == link.old):
            goes_on = old.origin == new.origin and old.size > 0
            if not (goes_on and check_consistency(old.size, old.root, new.size, new.root, link.path)):
                raise Broken(link.old, "#{number} is not what the newer checkpoint goes on from.")
            tied = (old in own and new in checkpoints) or (old in checkpoints and (new in own or not own))
            best = max(best, link.old) if tied else best
    return best
