"""Write and check exports: a history as a file of canonical JSON lines, which can be streamed.

Parts hidden from the reader are closed. A long history has several files, each of which begins with the tree
that the one before ended with. Source: docs/format.md, section 4.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, cast

from bot.dice.errors import DiceError
from bot.dice.system import Json
from bot.record.audit import Audit
from bot.record.checkpoint import ConsistencyProof, InclusionProof
from bot.record.effort import Effort
from bot.record.findings import Broken
from bot.record.hashing import (
    LONGEST_LINE,
    HashPosition,
    NotCanonical,
    Tree,
    Value,
    canon,
    is_hash,
    read_line,
    text_on,
)
from bot.record.ledger import FORMAT, ORIGIN, checkpoint_of
from bot.record.lines import EventRecord
from bot.record.tree_proofs import prove_consistency, prove_inclusion

EVERY = 100
"""Events from one checkpoint of a file to the next."""

_EVENT = b'{"channel":', b'{"leaf":'
"""How lines of events begin."""
_KEYLESS = "#{number} is a commit without the hashes of its keys."

is_log = re.compile("[0-9a-f]{32}", re.ASCII).fullmatch
"""Return a match if a text is a log's name."""


class DamagedExport(DiceError):
    """A file that is no export of a history, or too damaged to be read."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The first line of a file."""

    name: str
    """The campaign's name, for people."""
    log: str
    before: Tree
    """The tree before the first event."""
    size: int
    """Number of the last event in the file."""


def print_heading(heading: Heading) -> bytes:
    """Return a file's first line."""
    return _line(
        {
            "evenhand": FORMAT,
            "first": heading.before.size + 1,
            "frontier": [node.hex() for node in heading.before.frontier],
            "log": heading.log,
            "name": heading.name,
            "origin": f"{ORIGIN}{heading.log}",
            "size": heading.size,
        }
    )


def print_about(about: Mapping[str, Json]) -> bytes:
    """Return the line with settings and rollers, for import; it is not part of the log."""
    return _line({"about": cast("Value", {**about})})


def print_leaves(commit: int, leaves: Iterable[bytes]) -> bytes:
    """Return the line with the hashes of a commit's keys, which follows the commit."""
    return _line({"commit": commit, "leaves": [leaf.hex() for leaf in leaves]})


def print_checkpoint(log: str, tree: Tree) -> bytes:
    """Return the line with a checkpoint, which follows every `EVERY` events."""
    return _line({"checkpoint": checkpoint_of(log, tree).text})


class Reading:
    """Checks the files of one export in order.

    `sizes`: record the roots at these sizes. `seals`: number of an event to its shown digits.
    `number`: number of an event to prove. `note`: called with each event. `proves`: keep leaves for `link`.
    """

    def __init__(
        self,
        sizes: Iterable[int] = (),
        seals: Mapping[int, str] | None = None,
        number: int = 0,
        note: Callable[[EventRecord], None] | None = None,
        *,
        proves: bool = False,
    ) -> None:
        self._proves = proves
        self._note = note
        self.audit: Audit | None = None
        self.log: str = ""
        self.roots: dict[int, bytes] = {}
        self._sizes = frozenset(sizes)
        self._seals = seals or {}
        self._end = self._checked = 0
        self._number = number
        self._line = b""
        self._stored: dict[HashPosition, bytes] = {}

    def read(self, first: bytes, stream: BinaryIO) -> None:
        """Check a file, given its first line and the rest; raise Broken, or DamagedExport for a line."""
        number, raw = 1, first
        while raw:
            try:
                if number == 1 or self.audit is None:
                    self._begin(read_line(raw))
                else:
                    self._see(self.audit, raw)
            except Broken:
                raise
            except (NotCanonical, DiceError, TypeError, ValueError) as error:
                raise DamagedExport(
                    "line {number} is no line of an export: {error}", number=number, error=error
                ) from error
            raw = stream.readline(LONGEST_LINE + 1)
            number += 1
        if self.audit is None:
            raise DamagedExport("line 1 is no line of an export: there is nothing in it")
        seq = self.audit.seq
        if seq < self._end:
            raise Broken(seq + 1, "#{number} is missing: the file goes on to #{end}.", end=self._end)
        if not seq == self._end == self._checked or self.audit.key_audit.awaits_keys:
            raise Broken(seq, "#{number} is not the end of its file.")
        self.roots[seq] = self.audit.tree.root

    def link(self, old: int) -> ConsistencyProof:
        """Return the proof that the log extends its first `old` events; raise DamagedExport without them."""
        if self.audit is None or not self.audit.start <= old <= self.audit.seq:
            raise DamagedExport("The file does not reach from #{old} to its end.", old=old)
        path = prove_consistency(self.audit.tree, old, self._stored, self.audit.before)
        return ConsistencyProof(old, path, checkpoint_of(self.log, self.audit.tree))

    def prove(self) -> InclusionProof:
        """Return the inclusion proof of the event `wanted`; raise DamagedExport if the file lacks it."""
        if self.audit is None or not self._line:
            raise DamagedExport("There is no #{wanted} in it.", wanted=self._number)
        path = prove_inclusion(self.audit.tree, self._number - 1, self._stored, self.audit.before)
        return InclusionProof(self._line, self._number - 1, path, checkpoint_of(self.log, self.audit.tree))

    def _begin(self, line: dict[str, Value]) -> None:
        heading = read_heading(line)
        if self.audit is None:
            self.log, self.audit = heading.log, Audit(heading.log, heading.before, effort=Effort())
            self._note_root(self.audit)
        if (heading.log, heading.before) != (self.log, self.audit.tree):
            raise Broken(
                self.audit.seq + 1, "#{number} is missing: the next file does not go on from the one before."
            )
        self._end, self._checked = heading.size, -1

    def _see(self, audit: Audit, raw: bytes) -> None:
        if raw.startswith(_EVENT):
            self._see_event(audit, raw)
            return
        line = read_line(raw)
        if audit.key_audit.awaits_keys and "leaves" not in line:
            raise Broken(audit.seq, _KEYLESS)
        match line:
            case {"checkpoint": text, **rest} if not rest:
                if text != checkpoint_of(self.log, audit.tree).text:
                    raise Broken(
                        audit.seq,
                        "#{number} does not fit the checkpoint after it: something up to it was changed.",
                    )
                self._checked = audit.seq
            case {"commit": int(commit), "leaves": list(leaves), **rest} if not rest:
                audit.key_audit.open_epoch(commit, [str(leaf) for leaf in leaves])
            case {"about": _, **rest} if not rest:
                pass
            case {"seq": _}:
                self._see_event(audit, raw)
            case _:
                raise DamagedExport("it is no event")

    def _see_event(self, audit: Audit, raw: bytes) -> None:
        line = text_on(raw)
        if audit.key_audit.awaits_keys:
            raise Broken(audit.seq, _KEYLESS)
        seq = audit.seq
        if seq % EVERY == 0 and seq > audit.start and self._checked != seq:
            raise Broken(seq, "#{number} is not followed by a checkpoint.")
        record = audit.see(line)
        if self._seals:
            check_seal(audit, record, self._seals)
        self._note_root(audit)
        if self._note:
            self._note(record)
        if self._number or self._proves:
            self._stored[HashPosition(0, record.seq - 1)] = record.leaf
            self._line = raw[:-1] if record.seq == self._number else self._line

    def _note_root(self, audit: Audit) -> None:
        if audit.seq in self._sizes:
            self.roots[audit.seq] = audit.tree.root


def check_seal(audit: Audit, record: EventRecord, seals: Mapping[int, str]) -> None:
    """Compare an event with the seal shown for it, if there is one; raise Broken if it differs."""
    seal_digits = seals.get(record.seq)
    if seal_digits is None:
        return
    if not record.leaf.hex().startswith(seal_digits):
        raise Broken(record.seq, "#{number} is not the event that was sealed.")
    audit.findings.sealed.append(f"#{record.seq} is the event that was sealed.")


def read_heading(line: Mapping[str, Value]) -> Heading:
    """Return the heading on a file's first line; raise DamagedExport if it is none of this format."""
    match line:
        case {
            "evenhand": 2,
            "first": int(first),
            "frontier": list(frontier),
            "log": str(log),
            "name": str(name),
            "origin": str(origin),
            "size": int(size),
            **rest,
        } if not rest and is_log(log) and origin == f"{ORIGIN}{log}":
            if not 0 < first <= size + 1 or len(frontier) != (first - 1).bit_count():
                raise DamagedExport("its sizes are wrong")
            if not all(isinstance(node, str) and is_hash(node) for node in frontier):
                raise DamagedExport("its frontier is damaged")
            hashes = tuple(bytes.fromhex(str(node)) for node in frontier)
            return Heading(name, log, Tree(first - 1, hashes), size)
        case _:
            raise DamagedExport("it is no export of format 2")


def _line(value: Value) -> bytes:
    return canon(value) + b"\n"
