"""Audit exports and say exactly what was checked; `prove` takes one event out, or links two checkpoints."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.stopping import FAILED, Refusal, exit_with_error
from bot.dice.errors import DiceError
from bot.record.audit import Audit
from bot.record.checkpoint import Checkpoint, NotAProof, anchor, read_checkpoint
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
    """Return what an audit found, borne out by checkpoints up to a number."""
    first, last, found = audit.start + 1, audit.seq, audit.findings
    lines = [UNANCHORED]
    if upto >= first:
        lines = [f"Holds: everything shown up to #{min(upto, last)} is what your checkpoint was made of."]
        if upto < last:
            lines.append(f"#{upto + 1} to #{last} are newer, and only consistent in themselves.")
    lines.append(
        f"#{first} to #{last} of {printable(origin)}. Rolls: {found.remade} made again, "
        f"{found.heavy.count} not made again, {found.closed.count} closed in part, "
        f"{found.nobody} by nobody named. Events withheld: {found.withheld}."
    )
    if not audit.begun:
        lines.append(f"It is a part: nothing before #{first} is here, and no cut says why.")
    if found.closed.count:
        lines.append(f"Closed in part: {found.closed}.")
    if found.heavy.count:
        lines.append(f"Not made again, by rules unknown here or too slow: {found.heavy}.")
    lines += [f"#{seq}, whose seal you gave, is not here." for seq in seals if not first <= seq <= last]
    lines += [
        f"This history was put back to #{one.seq - 1}; compare your checkpoints." for one in found.restored
    ]
    lines += _more(found.restored.more, "times")
    lines += _keys(audit.key_audit.findings)
    for name, spans in found.memories.items():
        lines.append(f"{spans.count} rolls of {printable(name)} closed: {spans}. {_CLOSED}")
    return [*lines, *found.sealed, *map(str, found.notes), *_more(found.notes.more, "notes")]


def _more(count: int, things: str) -> list[str]:
    """Return a line for those that are not told one by one, if there are any."""
    return [f"And {count} more {things}."] if count else []


def _keys(found: KeyFindings) -> list[str]:
    """Return how many rolls follow from their keys, and which do not and why; [] without proof mode."""
    lines: list[str] = []
    if found.ever or found.unkeyed.keys() - {Unkeyed.THROWN}:
        lines.append(f"Proof mode: {found.followed} rolls follow from their keys.")
    for why in Unkeyed:
        if (spans := found.unkeyed.get(why)) is None:
            continue
        who = ", ".join(f"{user or 'nobody named'} {n}" for user, n in found.people.items())
        more = f" (by {who})" if why is Unkeyed.THROWN else ""
        more = f" (#{found.withheld} is withheld)" if why is Unkeyed.WITHHELD else more
        lines.append(f"{spans.count} rolls {why}: {spans}{more}.")
    lines += [f"Compare message {message} in the channel." for message in found.messages]
    lines += _more(found.messages.more, "messages")
    lines += [f"Check that drand signed round {one}: {DRAND.format(one, sign)}" for one, sign in found.rounds]
    return lines + _more(found.rounds.more, "rounds")


@contextmanager
def reading_export(reading: Reading, files: Iterable[Path]) -> Generator[None]:
    """Read all files of an export in order; end the program with a sentence where they do not hold."""
    with exit_with_error():
        try:
            for path in files:
                with path.open("rb") as stream, _named(path):
                    reading.read(stream.readline(LONGEST_LINE + 1), stream)
            yield
        except Broken as error:
            typer.echo(f"Broken: {printable(str(error))}", err=True)
            raise typer.Exit(FAILED) from None


@contextmanager
def _named(path: Path) -> Generator[None]:
    try:
        yield
    except DiceError as error:
        raise Refusal(f"{path} can't be read: {printable(str(error))}.") from None


def printable(text: str) -> str:
    """Return a stranger's words so that nothing of them reaches a terminal as it is."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text[:_LONGEST])


def _kept(file: Path) -> Checkpoint:
    try:
        return read_checkpoint(file.read_text("utf-8"))
    except (NotAProof, UnicodeDecodeError) as error:
        raise Refusal(f"{file} holds no checkpoint: {printable(str(error))}.") from None


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
        kept = _kept(old) if old else None
    reading = Reading(wanted=number, sizes=[kept.size] if kept else [], proves=bool(kept))
    with reading_export(reading, files):
        if kept is None:
            typer.echo(reading.prove().text, nl=False)
            return
        anchor(f"{ORIGIN}{reading.log}", reading.roots, [kept], [])
        typer.echo(reading.link(kept.size).text, nl=False)
