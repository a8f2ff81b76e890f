"""`verify`: check an exported history by computing every number, part, leaf, face and memory again."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from bot.cli.audits import CONSISTENT, UNANCHORED, load_checkpoints, opened, printable, report
from bot.dice.errors import DiceError
from bot.record.audit import Audit
from bot.record.checkpoint import (
    PROOF_TITLE,
    Checkpoint,
    ConsistencyProof,
    NotAProof,
    anchor,
    read_consistency,
    read_inclusion,
)
from bot.record.effort import Effort
from bot.record.exchange import Reading, check_seal, is_log
from bot.record.findings import Broken
from bot.record.hashing import LONGEST_LINE, NotCanonical, Tree, text_on
from bot.record.ledger import ORIGIN
from bot.record.tree_proofs import check_inclusion

BROKEN, UNREADABLE, UNCONFIRMED = 1, 2, 3
"""Exit codes: the history does not hold; it can't be read; it holds, but no checkpoint confirms it."""

_FILES = "The files of an export in order, the proof of a roll, or the proof that a history went on."
_CHECKPOINT = "A file with checkpoints that somebody kept. You can give several."
_SEAL = "The seal that was shown for a hidden roll, as N=HEX, with at least 32 digits."
_PART = "Check a later file of an export alone, and trust what was before it."

_match_seal = re.compile(r"([1-9][0-9]{0,15})=([0-9a-f]{32,64})", re.ASCII).fullmatch


@dataclass(frozen=True, slots=True)
class _Checked:
    """A history, or one event of it, that is consistent in itself."""

    origin: str
    audit: Audit
    roots: Mapping[int, bytes]
    whole: bool


def verify(
    files: Annotated[list[str], typer.Argument(help=_FILES, metavar="FILE", show_default=False)],
    checkpoint: Annotated[
        list[Path] | None, typer.Option("--checkpoint", help=_CHECKPOINT, show_default=False)
    ] = None,
    seal: Annotated[list[str] | None, typer.Option("--seal", help=_SEAL, show_default=False)] = None,
    part: Annotated[bool, typer.Option("--part", help=_PART)] = False,  # noqa: FBT002 (an option)
) -> None:
    """Check an exported history, or a proof, and say what was checked and what was not.

    Needs no database and asks nobody. Exit code 0: a checkpoint that you give bears it out. 3: it agrees with
    itself, but no checkpoint says that it is the true one. 1: it does not hold. 2: it can't be read.
    """
    try:
        code, lines = _verify(files, checkpoint or [], seal or [], part=part)
    except Broken as error:
        code, lines = BROKEN, [f"Broken: {printable(str(error))}"]
    except OSError as error:
        code, lines = UNREADABLE, [f"Unreadable: {printable(str(error.filename))}: {error.strerror}."]
    except UnicodeDecodeError:
        code, lines = UNREADABLE, ["Unreadable: what should be a checkpoint or a proof is no text."]
    except (DiceError, NotAProof, NotCanonical, ValueError) as error:
        code, lines = UNREADABLE, [f"Unreadable: {printable(str(error).removesuffix('.'))}."]
    typer.echo("\n".join(lines))
    raise typer.Exit(code)


def _verify(
    files: Iterable[str], checkpoints: Iterable[Path], seals: Iterable[str], *, part: bool
) -> tuple[int, list[str]]:
    anchors = [checkpoint for path in checkpoints for checkpoint in load_checkpoints(path)]
    sealed = dict(_read_seals(seals))
    reading = Reading((checkpoint.size for checkpoint in anchors), sealed)
    results: list[_Checked] = []
    links: list[ConsistencyProof] = []
    for name in files:
        with nullcontext(sys.stdin.buffer) if name == "-" else opened(Path(name)) as stream:
            first = stream.readline(LONGEST_LINE + 1)
            if first.startswith(b"old "):
                links.append(read_consistency(_rest(first, stream)))
            elif first.startswith(PROOF_TITLE.encode()):
                results.append(_read_inclusion(_rest(first, stream), sealed))
            else:
                reading.read(first, stream)
    if reading.audit:
        if not reading.audit.begun and not part:
            raise Broken(1, "#{number} is missing: the history begins later, and no cut says why.")
        results.append(_Checked(f"{ORIGIN}{reading.log}", reading.audit, reading.roots, whole=True))
    if not results:
        upto = anchor("", {}, anchors, links)
        return (0, [CONSISTENT.format(upto)]) if upto > 0 else (UNCONFIRMED, [UNANCHORED])
    code, lines = 0, list[str]()
    for result in results:
        upto = _confirm(result, anchors, links)
        start = result.audit.start if result.whole else 0
        early = (checkpoint.size for checkpoint in anchors if checkpoint.size < start)
        lines += [f"#{size} is not compared: it lies before #{start + 1}." for size in early]
        code = code if upto > result.audit.start else UNCONFIRMED
        lines += report(result.origin, result.audit, upto, sealed)
    return code, lines


def _confirm(result: _Checked, checkpoints: list[Checkpoint], links: list[ConsistencyProof]) -> int:
    """Return the number up to which checkpoints confirm a result; Broken if one is beyond its end."""
    upto, last = anchor(result.origin, result.roots, checkpoints, links), result.audit.seq
    beyond = max((checkpoint.size for checkpoint in checkpoints), default=0) if result.whole else 0
    if beyond > last and upto != last:
        raise Broken(
            last + 1, "#{number} is missing: a checkpoint was shown for {beyond} events.", beyond=beyond
        )
    return upto


def _read_inclusion(text: str, seals: Mapping[int, str]) -> _Checked:
    """Return the event of an inclusion proof, with its tree's root; Broken if its path has another root."""
    proof = read_inclusion(text)
    end, log = proof.checkpoint, proof.checkpoint.origin.removeprefix(ORIGIN)
    if not is_log(log) or end.origin != f"{ORIGIN}{log}":
        raise NotAProof("its origin is no log's")
    audit = Audit(log, Tree(proof.index, (b"",) * proof.index.bit_count()), effort=Effort())
    line = audit.see(text_on(proof.line + b"\n"))
    check_seal(audit, line, seals)
    if not check_inclusion(line.leaf, proof.index, end.size, proof.path, end.root):
        raise Broken(line.seq, "#{number} is not in the tree that its proof names.")
    return _Checked(end.origin, audit, {end.size: end.root}, whole=False)


def _read_seals(seals: Iterable[str]) -> Iterator[tuple[int, str]]:
    for text in seals:
        seal = _match_seal(text.replace(" ", ""))
        if not seal:
            raise NotAProof("a seal is N=HEX, with 32 digits or more")
        yield int(seal[1]), seal[2]


def _rest(first: bytes, stream: BinaryIO) -> str:
    return (first + stream.read(2 * LONGEST_LINE)).decode()
