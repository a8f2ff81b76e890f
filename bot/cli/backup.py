"""`backup`: a copy of the database while the bot runs."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.stopping import told
from bot.settings import SettingsError, load


def backup(
    file: Annotated[Path, typer.Argument(help="The new file; one that exists is never overwritten.")],
    *,
    play: Annotated[bool, typer.Option("--play", help="Copy the table in the browser instead.")] = False,
) -> None:
    """Write a copy of the whole database to a new file; the bot may go on rolling meanwhile."""
    from bot.storage.backup import backup as copy

    with told(SettingsError):
        settings = load()
        copy((settings.for_play() if play else settings).database_url, file)
        typer.echo(f"{file}: {file.stat().st_size:,} bytes.")
