"""`prove`: one event of an export with its path to the root, without the rest of the history."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.audits import shown
from bot.cli.stopping import FAILED, Refusal, told
from bot.record.canonical import LONGEST_LINE
from bot.record.exchange import Reading
from bot.record.lineage import Broken


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
    with told():
        try:
            for path in files:
                with path.open("rb") as stream:
                    reading.read(stream.readline(LONGEST_LINE + 1), stream)
            typer.echo(reading.prove().text, nl=False)
        except Broken as error:
            typer.echo(f"Broken: {shown(str(error))}.", err=True)
            raise typer.Exit(FAILED) from None
        except OSError as error:
            raise Refusal(f"{error.filename} can't be read: {error.strerror}.") from None
