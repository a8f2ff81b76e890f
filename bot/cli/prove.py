"""`prove`: one event of an export with its path to the root, without the rest of the history."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.audits import reading_export
from bot.record.exchange import Reading


def prove(
    number: Annotated[int, typer.Argument(help="The event's number.", min=1)],
    files: Annotated[
        list[Path], typer.Argument(help="What /export gave, all files in order.", show_default=False)
    ],
) -> None:
    """Print the proof that an event of an export is under the export's root, as a tlog-proof.

    `verify` checks it, from a file or from a pipe; /roll details gives the same from the table itself.
    """
    reading = Reading(wanted=number)
    with reading_export(reading, files):
        typer.echo(reading.prove().text, nl=False)
