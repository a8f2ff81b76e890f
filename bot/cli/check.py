"""`check`: every campaign's database against its tree."""

import asyncio
from typing import Annotated

import typer

from bot.cli.audits import shown
from bot.cli.stopping import FAILED, told
from bot.settings import SettingsError, load


def check(
    *,
    play: Annotated[bool, typer.Option("--play", help="Check the table in the browser instead.")] = False,
) -> None:
    """Work out every campaign's events anew, and compare them with its tree and its frontier.

    A SQLite database is checked while the bot does not run. Exit code 1 if something does not hold.
    """
    with told(SettingsError):
        settings = load()
        broken = asyncio.run(_check((settings.for_play() if play else settings).database_url))
    if broken:
        raise typer.Exit(FAILED)


async def _check(url: str) -> int:
    from bot.record.lineage import Broken
    from bot.services.verifying import Verifying
    from bot.storage.engine import open_database
    from bot.storage.reading import Reader

    broken = 0
    async with open_database(url) as database:
        verifying = Verifying(Reader(database.reports))
        for campaign_id in await verifying.campaigns():
            try:
                found = await verifying.check(campaign_id)
            except Broken as error:
                broken += 1
                typer.echo(f"Campaign {campaign_id}: broken: {shown(str(error))}.")
            else:
                typer.echo(f"Campaign {campaign_id}: holds. {found.checkpoint.line}")
    return broken
