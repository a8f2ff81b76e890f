"""`verify`: does an exported history hold? Every number, seal, person, face and memory is worked out anew."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from bot.cli.audits import broken, verdict
from bot.cli.stopping import FAILED, Refusal, told
from bot.record.audit import Audit
from bot.record.beginning import begin
from bot.record.chain import short
from bot.record.exchange import DamagedExport, ExportPart, read_part
from bot.record.lineage import Broken

_FILES = "What /export gave; of an export in parts all of them, in any order."
_PART = "Check one later part of an export alone; what was before it is taken as it is written."

_WHOLE = "If this is a later part of an export, give all parts of it, or --part to check it alone."


def verify(
    files: Annotated[list[Path], typer.Argument(help=_FILES, metavar="EXPORT.JSON...", show_default=False)],
    part: Annotated[bool, typer.Option("--part", help=_PART)] = False,  # noqa: FBT002 (an option)
) -> None:
    """Replay an exported history and say where it does not hold, if it does not.

    It must begin with #1, or after a cut that it has in it: what a campaign's retention removed.
    Needs no database and asks nobody. Exit code 1 if the history does not hold, 2 if a file can't be read.
    Compare the head it prints with those under the rolls in your channel: they are the anchor.
    """
    console = Console(stderr=True)
    with told():
        parts = _in_order([_read(file) for file in files])
    head = parts[-1].heading
    first = parts[0].heading
    items = [item for part in parts for item in part.items]
    try:
        audit = Audit(first.first - 1, first.before) if part else begin(first.first, first.before, items)
        for item in track(
            items, "Replaying", console=console, transient=True, disable=not console.is_terminal
        ):
            audit.see(item)
        findings = audit.finish(head.seq, head.head)
    except Broken as error:
        typer.echo(broken(error))
        if error.number < first.first:
            typer.echo(_WHOLE)
        raise typer.Exit(FAILED) from None
    typer.echo(verdict(head.campaign, findings, short(audit.head)))


def _read(file: Path) -> ExportPart:
    try:
        return read_part(file.read_text(encoding="utf-8-sig"))
    except DamagedExport as error:
        raise DamagedExport(f"{file}: {error}") from None
    except UnicodeDecodeError:
        raise DamagedExport(f"{file}: This is no export: it is no text in UTF-8.") from None
    except OSError as error:
        raise Refusal(f"{file} can't be read: {error.strerror or error}.") from None


def _in_order(parts: Sequence[ExportPart]) -> list[ExportPart]:
    """Return the parts by number; Refusal unless they are parts of one export, each after the other."""
    ordered = sorted(parts, key=lambda part: part.heading.first)
    for part, after in pairwise(ordered):
        if part.heading.head != after.heading.head:
            raise Refusal("These are parts of different exports.")
        if part.heading.first + len(part.items) != after.heading.first:
            missing = part.heading.first + len(part.items)
            raise Refusal(f"The part with #{missing} is missing, or there twice.")
    return ordered
