"""Reports of audited exports; `prove` extracts one event, or links two checkpoints."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from bot.cli.stopping import FAILED, Refusal, exit_with_error
from bot.dice.errors import DiceError
from bot.record.audit import Audit
from bot.record.checkpoint import Checkpoint, NotAProof, anchor, find_checkpoints
from bot.record.exchange import Reading
from bot.record.findings import Broken
from bot.record.hashing import LONGEST_LINE
from bot.record.key_audit import DRAND, KeyFindings, Unkeyed
from bot.record.ledger import ORIGIN

CONSISTENT = "Holds: it goes on from your checkpoint of #{}."
UNANCHORED = (
    "Consistent in itself, unanchored: whoever made the file could have made another one. To know, hold a "
    "checkpoint that somebody kept against it, in a file: --checkpoint FILE."
)
_CLOSED = "Their memory is hidden from you; a game master's export opens them."
_FILES = "The export's files, in order."
_LONGEST = 160


def report(origin: str, audit: Audit, upto: int, seals: Mapping[int, str]) -> list[str]:
    """Return the report of an audit whose events are confirmed by checkpoints up to a number."""
    first, last, findings = audit.start + 1, audit.seq, audit.findings
    lines = [UNANCHORED]
    if upto >= first:
        lines = [f"Holds: everything shown up to #{min(upto, last)} is what your checkpoint was made of."]
        if upto < last:
            lines.append(f"#{upto + 1} to #{last} are newer, and only consistent in themselves.")
    lines.append(
        f"#{first} to #{last} of {printable(origin)}. Rolls: {findings.remade} made again, "
        f"{findings.heavy.count} not made again, {findings.closed.count} closed in part, "
        f"{findings.nobody} by nobody named. Events withheld: {findings.withheld}."
    )
    if not audit.begun:
        lines.append(f"It is a part: nothing before #{first} is here, and no cut says why.")
    if findings.closed.count:
        lines.append(f"Closed in part: {findings.closed}.")
    if findings.heavy.count:
        lines.append(f"Not made again, by rules unknown here or too slow: {findings.heavy}.")
    lines += [f"#{seq}, whose seal you gave, is not here." for seq in seals if not first <= seq <= last]
    lines += [
        f"This history was put back to #{event.seq - 1}; compare your checkpoints."
        for event in findings.restored
    ]
    lines += _more(findings.restored.more, "times")
    lines += _keys(audit.key_audit.findings)
    for name, spans in findings.memories.items():
        lines.append(f"{spans.count} rolls of {printable(name)} closed: {spans}. {_CLOSED}")
    return [*lines, *findings.sealed, *map(str, findings.notes), *_more(findings.notes.more, "notes")]


def _more(count: int, noun: str) -> list[str]:
    """Return a line for the count of omitted items, or [] if there are none."""
    return [f"And {count} more {noun}."] if count else []


def _keys(findings: KeyFindings) -> list[str]:
    """Return the lines on rolls that follow from their keys, and on others; [] without proof mode."""
    lines: list[str] = []
    if findings.ever or findings.unkeyed.keys() - {Unkeyed.THROWN}:
        lines.append(f"Proof mode: {findings.followed} rolls follow from their keys.")
    for reason in Unkeyed:
        if (spans := findings.unkeyed.get(reason)) is None:
            continue
        people = ", ".join(f"{user or 'nobody named'} {n}" for user, n in findings.people.items())
        more = f" (by {people})" if reason is Unkeyed.THROWN else ""
        more = f" (#{findings.withheld} is withheld)" if reason is Unkeyed.WITHHELD else more
        lines.append(f"{spans.count} rolls {reason}: {spans}{more}.")
    lines += [f"Compare message {message} in the channel." for message in findings.messages]
    lines += _more(findings.messages.more, "messages")
    lines += [
        f"#{seq} is a salt that may have been chosen late, so it proves nothing." for seq in findings.late
    ]
    lines += _more(findings.late.more, "salts")
    lines += [
        f"Check that drand signed round {number}: {DRAND.format(number, sign)}"
        for number, sign in findings.rounds
    ]
    lines += _more(findings.rounds.more, "rounds")
    lines += [f"Compare message {message} in the channel, with words." for message in findings.spoken]
    return lines + _more(findings.spoken.more, "messages with words")


@contextmanager
def opened(path: Path) -> Generator[BinaryIO]:
    """Open a file; errors of reading name it too, as Python's do only for opening."""
    try:
        with path.open("rb") as stream:
            yield stream
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def reading_export(reading: Reading, files: Iterable[Path]) -> Generator[None]:
    """Read all files of an export in order; exit with a sentence if they do not hold."""
    with exit_with_error():
        try:
            for path in files:
                with opened(path) as stream:
                    try:
                        reading.read(stream.readline(LONGEST_LINE + 1), stream)
                    except DiceError as error:
                        raise Refusal(f"{path} can't be read: {printable(str(error))}.") from None
            yield
        except Broken as error:
            typer.echo(f"Broken: {printable(str(error))}", err=True)
            raise typer.Exit(FAILED) from None


def printable(text: str) -> str:
    """Return a shortened text from outside with unprintable characters escaped for the terminal."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text[:_LONGEST])


def load_checkpoints(file: Path) -> list[Checkpoint]:
    """Read a file with checkpoints, which an editor may have saved with a byte-order mark.

    They may stand in the messages that they are from. Raise NotAProof if there are none.
    """
    try:
        return find_checkpoints(file.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise NotAProof(f"{file} is no checkpoint: it is no text") from None
    except NotAProof as error:
        raise NotAProof(f"{file}: {error}") from None


def _must_load_checkpoints(file: Path) -> list[Checkpoint]:
    """Return the checkpoints in a file, the oldest first; Refusal if it has none."""
    try:
        return sorted(load_checkpoints(file), key=lambda checkpoint: checkpoint.size)
    except NotAProof as error:
        raise Refusal(f"{printable(str(error))}.") from None


def prove(
    files: Annotated[list[Path], typer.Argument(help=_FILES, metavar="FILE", show_default=False)],
    number: Annotated[int, typer.Option("--number", help="Prove the event of this number.", min=0)] = 0,
    old: Annotated[
        Path | None, typer.Option("--from", help="Prove that the log goes on from this checkpoint.")
    ] = None,
) -> None:
    """Print the proof of one event of an export, or that it goes on from an older checkpoint.

    `verify` checks both, from a file or a pipe. At the table /details and /verify give the same.
    """
    if bool(number) is bool(old):
        raise typer.BadParameter("Give --number, or --from with a file that holds a checkpoint.")
    with exit_with_error():
        checkpoints = _must_load_checkpoints(old) if old else []
    sizes = [checkpoint.size for checkpoint in checkpoints]
    reading = Reading(sizes, number=number, proves=bool(checkpoints))
    with reading_export(reading, files):
        if not checkpoints:
            typer.echo(reading.prove().text, nl=False)
            return
        anchor(f"{ORIGIN}{reading.log}", reading.roots, checkpoints, [])
        typer.echo(reading.link(checkpoints[0].size).text, nl=False)
