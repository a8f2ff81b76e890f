"""`migrate`: the database's tables as this version wants them, without starting the bot."""

import asyncio
from typing import Annotated

import typer

from bot.cli.stopping import told
from bot.settings import SettingsError, load


def migrate(
    *,
    play: Annotated[bool, typer.Option("--play", help="Migrate the table in the browser instead.")] = False,
) -> None:
    """Bring the database's tables up to this version, as the bot's start does; all or nothing."""
    with told(SettingsError):
        settings = load()
        asyncio.run(_opened((settings.for_play() if play else settings).database_url))
        typer.echo("The database is up to date.")


async def _opened(url: str) -> None:
    from bot.storage.engine import open_database

    async with open_database(url):
        pass
