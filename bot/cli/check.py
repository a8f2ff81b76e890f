"""`check`: every campaign's database against its tree; or a backup, without touching it."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from bot.cli.audits import shown
from bot.cli.stopping import FAILED, Refusal, told
from bot.settings import SettingsError, load


def check(
    file: Annotated[Path | None, typer.Argument(help="A backup to check instead.")] = None,
    *,
    play: Annotated[bool, typer.Option("--play", help="Check the table in the browser instead.")] = False,
) -> None:
    """Work out every campaign's events anew, and compare them with its tree and its frontier.

    A SQLite database is checked while the bot does not run, a backup at any time. Exit code 1 if something
    does not hold.
    """
    with told(SettingsError):
        settings = load()
        if file:
            broken = _check_copy(file)
        else:
            broken = asyncio.run(
                check_all((settings.for_play() if play else settings).database_url, typer.echo)
            )
    if broken:
        raise typer.Exit(FAILED)


async def check_all(url: str, say: Callable[[str], object]) -> int:
    """Check the database at an address; return how many campaigns do not hold."""
    from bot.record.lineage import Broken
    from bot.services.verifying import Verifying
    from bot.storage.address import read_address, sqlite_file
    from bot.storage.engine import open_database
    from bot.storage.reading import Reader
    from bot.storage.restoring import check_whole

    path, broken = sqlite_file(read_address(url)), 0
    if path and path.exists():
        check_whole(path)
    async with open_database(url) as database:
        verifying = Verifying(Reader(database.reports))
        for campaign_id in await verifying.campaigns():
            try:
                found = await verifying.check(campaign_id)
            except Broken as error:
                broken += 1
                say(f"Campaign {campaign_id}: broken: {shown(str(error))}.")
            else:
                say(f"Campaign {campaign_id}: holds. {found.checkpoint.line}")
    return broken


def _check_copy(file: Path) -> int:
    """Check a copy of a backup, for opening a database writes to it."""
    if not file.is_file():
        raise Refusal(f"There is no backup {file}.")
    with TemporaryDirectory(prefix="evenhand-check-") as folder:
        copy = Path(folder) / "evenhand.db"
        shutil.copyfile(file, copy)
        return asyncio.run(check_all(f"sqlite:///{copy}", typer.echo))
