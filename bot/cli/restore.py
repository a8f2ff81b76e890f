"""`restore`: a backup in the place of the database."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.check import check_all
from bot.cli.stopping import Refusal, told
from bot.settings import SettingsError, load


def restore(
    file: Annotated[Path, typer.Argument(help="The backup; it stays as it is.")],
    *,
    play: Annotated[bool, typer.Option("--play", help="Restore the table in the browser instead.")] = False,
) -> None:
    """Put a backup, once it is checked, in the place of the database; the bot must not run.

    What was there is moved aside, with its log, and never deleted.
    """
    from bot.storage.restoring import restore as put_back

    def checked(url: str) -> None:
        if asyncio.run(check_all(url, typer.echo)):
            raise Refusal("The backup does not hold, so it was not restored. Nothing was changed.")

    with told(SettingsError):
        settings = load()
        aside = put_back((settings.for_play() if play else settings).database_url, file, checked)
        typer.echo(f"Restored {file}." + (f" What was there is {aside} now." if aside else ""))
