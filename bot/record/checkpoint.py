"""Checkpoints and proofs as text that other programs read too, and what they say of a history.

A checkpoint is a campaign's name, size and root (C2SP tlog-checkpoint); with it one event is proved
(tlog-proof@v1), or that a later checkpoint goes on from it (the body that C2SP tlog-witness takes).
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
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}", re.ASCII)


class NotAProof(ValueError):
    """A text that is no checkpoint, or no proof."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log as it was at one size; whoever has kept it can tell if anything up to there was changed."""

    origin: str
    """The log's own name: "evenhand/" and 32 random hexadecimal digits, for ever."""
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The note's text: three lines."""
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"

    @property
    def line(self) -> str:
        """The same in one line, for a message."""
        return self.text.strip().replace("\n", " ")


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """One event's line as its reader may see it, its place counted from 0, and the path to a checkpoint."""

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
    """That a checkpoint goes on from the log as it was with `old` events."""

    old: int
    path: tuple[bytes, ...]
    checkpoint: Checkpoint

    @property
    def text(self) -> str:
        """The file's text."""
        return f"old {self.old}\n" + _print_path(self.path) + f"\n{self.checkpoint.text}"


def read_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint that a text is, in three lines or in one; NotAProof otherwise.

    Signatures after it are passed over: there is nothing here to check them with.
    """
    return _read_note(text.strip().splitlines())


def read_inclusion(text: str) -> InclusionProof:
    """Return the proof of one event; NotAProof where the text is none."""
    match _lines(text):
        case [title, extra, index, *rest] if title == PROOF_TITLE:
            path, checkpoint = _read_path(rest)
            line = _read_base64(_after("extra ", extra))
            return InclusionProof(line, _read_number(_after("index ", index)), path, checkpoint)
        case _:
            raise NotAProof(f"A proof of one event begins with {PROOF_TITLE}.")


def read_consistency(text: str) -> ConsistencyProof:
    """Return the proof that one checkpoint goes on from another; NotAProof where the text is none."""
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
    found = _read_base64(text)
    if len(found) != HASH_BYTES:
        raise NotAProof(f"A hash in it does not have {HASH_BYTES} bytes.")
    return found


def _read_base64(text: str) -> bytes:
    try:
        found = b64decode(text, validate=True)
    except ValueError:
        found = b""
    if not found or _base64(found) != text:
        raise NotAProof("One of its lines is no base64.")
    return found


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _print_path(path: Sequence[bytes]) -> str:
    return "".join(f"{_base64(one)}\n" for one in path)


def anchor(
    origin: str, roots: Mapping[int, bytes], given: Sequence[Checkpoint], links: Sequence[ConsistencyProof]
) -> int:
    """Return up to which number given checkpoints, and links between them, bear out a log's own roots.

    It is -1 where none does. Without roots of its own (`origin` "") the links alone are looked at. Raises
    Broken where one of them says otherwise.
    """
    best = -1
    own = [Checkpoint(origin, size, root) for size, root in roots.items()]
    for one in given:
        if origin and one.origin != origin:
            raise Broken(one.size, "#{number} is of another campaign: {origin}.", origin=one.origin)
        if roots.get(one.size, one.root) != one.root:
            raise Broken(
                one.size, "#{number} is not what your checkpoint was made of: something up to it was changed."
            )
        if one.size in roots:
            best = max(best, one.size)
    for link in links:
        new = link.checkpoint
        for known in (one for one in (*given, *own) if one.size == link.old):
            if not _goes_on(known, link):
                raise Broken(link.old, "#{number} is not what the newer checkpoint goes on from.")
            tied = (known in own and new in given) or (known in given and (new in own or not own))
            best = max(best, link.old) if tied else best
    return best


def _goes_on(old: Checkpoint, link: ConsistencyProof) -> bool:
    new = link.checkpoint
    same = old.origin == new.origin and old.size > 0
    return same and check_consistency(old.size, old.root, new.size, new.root, link.path)
