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

_NUMBER, _PATH, _NOTE = r"(0|[1-9][0-9]{0,15})", r"((?:\S++\n){0,63}+)", r"(.*)\n"
_INCLUSION = re.compile(
    rf"{re.escape(PROOF_TITLE)}\nextra (\S+)\nindex {_NUMBER}\n{_PATH}\n{_NOTE}", re.DOTALL
)
_CONSISTENCY = re.compile(rf"old {_NUMBER}\n{_PATH}\n{_NOTE}", re.DOTALL)
_FIELDS = re.compile(rf"([^\s+]{{1,200}})\n{_NUMBER}\n(\S+)")
_KEPT = re.compile(r"evenhand/[0-9a-f]{32}\s+\d+\s+[A-Za-z0-9+/]+=*", re.ASCII | re.IGNORECASE)


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


def find_checkpoints(text: str) -> list[Checkpoint]:
    """Parse the checkpoints in a text that a person kept, with words and marks around them.

    A keyboard may have begun one with a capital. Raise NotAProof if there is none.
    """
    plain = text.replace("`", "")
    notes = [match.split() for match in _KEPT.findall(plain)]
    lines = [" ".join([origin.lower(), *others]) for origin, *others in notes] or [plain]
    return [read_checkpoint(line) for line in lines]


def read_inclusion(text: str) -> InclusionProof:
    """Parse an inclusion proof; raise NotAProof for another text."""
    proof = _fields(_INCLUSION, text, f"it is no proof of one event: that begins with {PROOF_TITLE}")
    path = tuple(map(_read_hash, proof[3].split()))
    return InclusionProof(_read_base64(proof[1]), int(proof[2]), path, _read_note(proof[4].split("\n")))


def read_consistency(text: str) -> ConsistencyProof:
    """Parse a consistency proof; raise NotAProof for another text."""
    proof = _fields(_CONSISTENCY, text, "it is no proof that a log went on")
    path = tuple(map(_read_hash, proof[2].split()))
    return ConsistencyProof(int(proof[1]), path, _read_note(proof[3].split("\n")))


def _read_note(lines: Sequence[str]) -> Checkpoint:
    """Parse the lines of a checkpoint, up to an empty one: three, or one with three words."""
    note = lines[: lines.index("")] if "" in lines else lines
    words = note[0].split() if len(note) == 1 else note
    refusal = "it is no checkpoint: that is a log's name, its size and its root"
    fields = _fields(_FIELDS, "\n".join(words), refusal)
    return Checkpoint(fields[1], int(fields[2]), _read_hash(fields[3]))


def _fields(pattern: re.Pattern[str], text: str, refusal: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise NotAProof(refusal)
    return match


def _read_hash(text: str) -> bytes:
    digest = _read_base64(text)
    if len(digest) != HASH_BYTES:
        raise NotAProof(f"a hash in it does not have {HASH_BYTES} bytes")
    return digest


def _read_base64(text: str) -> bytes:
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        data = b""
    if not data or _base64(data) != text:
        raise NotAProof("one of its lines is no base64")
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
