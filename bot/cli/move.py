"""`move`: the whole database to another engine, checked campaign by campaign."""

import asyncio
from typing import Annotated

import typer

from bot.cli.audits import shown
from bot.cli.stopping import FAILED, told
from bot.settings import SettingsError, load

_TARGET = (
    "An empty database: postgresql://user@host/name (a password stands in ~/.pgpass), or sqlite:///FILE."
)


def move(
    target: Annotated[str, typer.Argument(help=_TARGET, metavar="ADDRESS")],
    *,
    play: Annotated[bool, typer.Option("--play", help="Move the table in the browser instead.")] = False,
) -> None:
    """Copy the whole database into an empty one, and check it there; the bot must not run.

    Every campaign is rolled again in the new one, and the old one stays as it is. Afterwards set
    EVENHAND_DATABASE to the new address. Exit code 1 if a campaign does not arrive as it was.
    """
    with told(SettingsError):
        settings = load()
        broken = asyncio.run(_move((settings.for_play() if play else settings).database_url, target))
        if broken:
            raise typer.Exit(FAILED)
        typer.echo("All campaigns hold in the new database. Set EVENHAND_DATABASE to its address.")


async def _move(old: str, new: str) -> int:
    from bot.record.lineage import Broken
    from bot.services.verifying import Verifying
    from bot.storage import ledgers
    from bot.storage.engine import open_database
    from bot.storage.moving import copy_all
    from bot.storage.reading import Reader

    broken = 0
    async with open_database(old) as source, open_database(new) as target:
        await copy_all(source, target, typer.echo)
        verifying = Verifying(Reader(target.reports))
        for campaign_id in await Verifying(Reader(source.reports)).campaigns():
            before = await Reader(source.reports).do(ledgers.find_ledger(campaign_id))
            try:
                found = (await verifying.check(campaign_id)).checkpoint
            except Broken as error:
                broken += 1
                typer.echo(f"Campaign {campaign_id}: broken: {shown(str(error))}.")
            else:
                same = before is not None and before.checkpoint == found
                broken += not same
                typer.echo(f"Campaign {campaign_id}: {'holds' if same else 'is not as it was'}. {found.line}")
    return broken
