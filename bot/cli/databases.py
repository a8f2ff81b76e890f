"""Commands for a whole database: `backup`, `check`, `migrate`, `move` and `restore`."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeAlias

import typer

from bot.cli.audits import printable
from bot.cli.stopping import FAILED, Refusal, exit_with_error
from bot.dice.errors import DiceError, Unknown
from bot.record.findings import Broken
from bot.services.privacy import Privacy
from bot.services.verifying import CheckedHistory, Verifying
from bot.settings import SettingsError, load
from bot.storage import ledgers, servers
from bot.storage.backup import back_up, check_whole, take_copy
from bot.storage.backup import restore as put_back
from bot.storage.derived import save_changes
from bot.storage.engine import Database, open_database, transact
from bot.storage.erasing import hide_home
from bot.storage.evidence import drop_bets
from bot.storage.files import check_not_moved, check_own, move_aside, read_address, sole_use, sqlite_file
from bot.storage.moving import copy_all, graft, note_restored, used_alone
from bot.storage.queries import Reader
from bot.storage.rows import LARGEST_ID

Play: TypeAlias = Annotated[bool, typer.Option("--play", help="The database of the table in the browser.")]
_BROKEN = "The backup does not hold, so it was not restored. Nothing was changed."
_FORKED = (
    "Checkpoints that were given since the backup will not fit. Each campaign says so under its next public "
    "roll, in /history and in /verify. Proof mode gets new keys after the next roll."
)
_NEW = "The new file. An existing one is never overwritten."
_SERVER = "The id of the one server to restore. All others stay as they are."
_TARGET = (
    "An empty database: postgresql://user@host/name (with its password in ~/.pgpass), or sqlite:///FILE."
)


def backup(file: Annotated[Path, typer.Argument(help=_NEW, metavar="FILE")], *, play: Play = False) -> None:
    """Copy the whole database to a new file, while the bot runs or not."""
    with exit_with_error(SettingsError):
        back_up(_existing_database(play=play), file)
        typer.echo(f"{file}: {file.stat().st_size:,} bytes.")


def check(
    file: Annotated[Path | None, typer.Argument(help="A backup to check instead.", metavar="FILE")] = None,
    *,
    mend: Annotated[bool, typer.Option("--mend", help="Mend what does not follow from the events.")] = False,
    play: Play = False,
) -> None:
    """Check every campaign: its events, its tree, and everything that rolls use.

    Stop the bot before you check a SQLite database. A backup can be checked at any time. That takes a copy of
    it: beside it or, where you may not write, in the temporary folder. With --mend the bot backs up, and
    makes anew from the events what does not follow from them. Exit code 1 if something does not hold.
    """
    with exit_with_error(SettingsError):
        if file and mend:
            raise Refusal(f"A backup stays as it is: `evenhand restore {file}` mends it on the way.")
        data = load().data.absolute()
        aside = data / f"before-mend-{datetime.now(UTC):%Y%m%dT%H%M%S}.db" if mend else None
        if file:
            broken = _check_copy(file)
        else:
            broken = asyncio.run(_check_all(_existing_database(play=play), aside=aside))
    if broken:
        raise typer.Exit(FAILED)


def migrate(*, play: Play = False) -> None:
    """Update the database to this version, as the bot does at its start."""

    async def open_once(url: str) -> None:
        async with open_database(url):
            pass

    with exit_with_error(SettingsError):
        asyncio.run(open_once(_database(play=play)))
        typer.echo("The database is up to date.")


def move(
    target: Annotated[str, typer.Argument(help=_TARGET, metavar="ADDRESS")], *, play: Play = False
) -> None:
    """Copy the whole database into an empty one, and check it there; stop the bot first.

    It rolls every campaign again in the new one. An old SQLite file is then moved aside, and never deleted.
    Afterwards set EVENHAND_DATABASE to the new address. Exit code 1 if a campaign does not arrive as it was.
    """
    with exit_with_error(SettingsError):
        old = _existing_database(play=play)
        if asyncio.run(_move(old, target)):
            raise typer.Exit(FAILED)
        typer.echo("All campaigns hold in the new database. Set EVENHAND_DATABASE to its address.")
        if (file := sqlite_file(read_address(old))) and not play:
            typer.echo(f"The old database is {move_aside(file)} now.")


def restore(
    file: Annotated[Path, typer.Argument(help="The backup. It stays as it is.", metavar="FILE")],
    *,
    server: Annotated[int | None, typer.Option(help=_SERVER, min=1, max=LARGEST_ID)] = None,
    play: Play = False,
) -> None:
    """Check a backup, and put it in the place of the database; stop the bot first.

    The old database is moved aside, with its log, and never deleted. What does not follow from the backup's
    events is made anew. Every campaign notes that its history was put back. Checkpoints that were given since
    the backup no longer fit.
    """

    def check_trial(url: str) -> None:
        if asyncio.run(_check_all(url, trial=True, forks=True)):
            raise Refusal(_BROKEN)

    with exit_with_error(SettingsError):
        if server is None:
            url = _database(play=play)
            aside = put_back(url, _backup(file), check_trial)
        else:
            url = _existing_database(play=play)
            aside = _restore_server(url, _backup(file), server)
        typer.echo(
            f"Restored {file} to {sqlite_file(read_address(url))}."
            + (f" The old database is {aside} now." if aside else "")
        )
        typer.echo(_FORKED)


def _database(*, play: bool) -> str:
    """Return the address of the database in the settings."""
    settings = load()
    return (settings.for_play() if play else settings).database_url


def _existing_database(*, play: bool) -> str:
    """Return the address of an existing database; Refusal if opening it would make an empty file."""
    url = _database(play=play)
    file = sqlite_file(read_address(url))
    if file and not file.exists():
        check_not_moved(file)
        check_own(file)
        raise Refusal(
            f"There is no database {file}. Go to the folder that the bot runs in, or set its EVENHAND_DATA."
        )
    return url


def _backup(file: Path) -> Path:
    """Return a backup's file; Refusal if it does not exist."""
    if not file.is_file():
        raise Refusal(f"There is no backup {file}.")
    return file


def _restore_server(url: str, file: Path, guild_id: int) -> Path | None:
    """Replace one server's data by a backup's; return the file that the old database was moved to."""
    database = sqlite_file(read_address(url))
    if database is None:
        raise Refusal(
            "One server's data is restored in a SQLite file only. With `evenhand move` a PostgreSQL goes to "
            "a file and back."
        )
    # What a bot wrote behind the copy, and before it stopped, would be in the old file alone.
    with sole_use(database):
        pass
    with TemporaryDirectory(prefix="evenhand-restore-", dir=database.parent) as folder:
        old, now = Path(folder) / "old.db", Path(folder) / "now.db"
        take_copy(file, old)
        back_up(url, now)

        def graft_trial(trial: str) -> None:
            if asyncio.run(_graft(old, trial, guild_id)):
                raise Refusal(_BROKEN)

        return put_back(url, now, graft_trial)


def _check_copy(file: Path) -> int:
    """Check a copy of a backup, because opening a database writes to it; return how many do not hold."""
    # Best in the backup's folder: a container keeps the temporary folder in memory.
    beside = file.parent if os.access(file.parent, os.W_OK | os.X_OK) else None
    with TemporaryDirectory(prefix="evenhand-check-", dir=beside) as folder:
        copy = Path(folder) / "evenhand.db"
        take_copy(_backup(file), copy)
        return asyncio.run(_check_all(f"sqlite:///{copy}", trial=True))


async def _check_all(url: str, *, trial: bool = False, forks: bool = False, aside: Path | None = None) -> int:
    """Check the database at an address; return how many campaigns do not hold.

    In a `trial` copy, unfinished erasures and deletions are finished first; with `forks`, each campaign notes
    before that it was restored, and is mended. With `aside`, a new file for a backup, the database is mended.
    """
    file = sqlite_file(read_address(url))
    if file and not trial:
        check_whole(file, name=file)
    async with open_database(url) as database:
        verifying = Verifying(Reader(database.reports))
        if forks:
            await _note_all_restored(database)
        if aside:
            await _copy_aside(database, url, aside)
        if trial or aside:
            await _finish(database)
        mending = partial(_mend, database, verifying, forget_bets=bool(aside))
        judge = mending if forks or aside else verifying.check
        broken = await _tell(judge, dict.fromkeys(await verifying.campaigns()))
        if broken and aside:
            typer.echo("The events of broken campaigns are never changed: for those restore a backup.")
        return broken


async def _finish(database: Database) -> None:
    """Finish unfinished erasures and deletions; the later check reports damaged ones."""
    with suppress(DiceError, LookupError, TypeError, ValueError):
        await Privacy(database, Reader(database.reader)).finish()


async def _note_all_restored(database: Database) -> None:
    """Note in each campaign that it was restored; the later check reports damaged ones.

    It must be the first event after the backup's last one, so it comes before unfinished erasures.
    """
    with suppress(DiceError, LookupError, TypeError, ValueError):
        for campaign_id in await Reader(database.reader).do(ledgers.all_campaigns()):
            await transact(database, note_restored(campaign_id, time.time_ns() // 1_000_000))


async def _copy_aside(database: Database, url: str, aside: Path) -> None:
    if database.alone:
        back_up(url, aside)
    else:
        async with open_database(f"sqlite:///{aside}") as copy:
            await copy_all(database, copy, typer.echo)
    typer.echo(f"A copy of the database as it is now: {aside}.")


async def _mend(
    database: Database, verifying: Verifying, campaign_id: int, *, forget_bets: bool = False
) -> CheckedHistory:
    """Make anew what a campaign's events do not lead to, and check it; Broken if those do not hold."""
    checked, changes = await verifying.fold(campaign_id)
    if forget_bets and checked.first == 1:
        await transact(database, drop_bets(campaign_id))
    if not changes:
        return checked
    await transact(database, save_changes(campaign_id, checked.checkpoint.size, changes))
    typer.echo(f"Campaign {campaign_id}: {len(changes):,} rows mended.")
    return await verifying.check(campaign_id)


async def _move(old: str, new: str) -> int:
    name = read_address(old).difference_update_query(["password"]).render_as_string()
    async with (
        open_database(old) as source,
        open_database(new, receiving=True) as target,
        used_alone(source, name),
    ):
        await copy_all(source, target, typer.echo)
        reader = Reader(source.reports)
        before: dict[int, str | None] = {}
        for campaign_id in await Verifying(reader).campaigns():
            ledger = await reader.do(ledgers.find_ledger(campaign_id))
            before[campaign_id] = ledger.checkpoint.line if ledger else ""
        return await _tell(Verifying(Reader(target.reports)).check, before)


async def _graft(file: Path, url: str, guild_id: int) -> int:
    """Copy a server's campaigns from a backup to a database; return how many do not hold there."""
    async with open_database(f"sqlite:///{file}") as source, open_database(url) as target:
        await transact(target, hide_home(guild_id))
        await _note_all_restored(source)
        for database in (source, target):
            await _finish(database)
        campaigns = await graft(source, target, guild_id)
        if not campaigns:
            raise Refusal(f"The backup has nothing of the server {guild_id}. Nothing was changed.")
        await transact(target, servers.join(guild_id))
        mend = partial(_mend, target, Verifying(Reader(target.reports)))
        return await _tell(mend, dict.fromkeys(campaigns))


async def _tell(judge: Callable[[int], Awaitable[CheckedHistory]], before: Mapping[int, str | None]) -> int:
    """Print for each campaign whether it holds; return how many do not.

    `before` maps their ids to the checkpoints to compare with, or to None.
    """
    broken = 0
    for campaign_id, line in before.items():
        try:
            current = (await judge(campaign_id)).checkpoint.line
        except Unknown:
            continue  # it was deleted meanwhile
        except Broken as error:
            broken += 1
            typer.echo(f"Campaign {campaign_id}: broken: {printable(str(error))}")
        else:
            same = line in {None, current}
            broken += not same
            typer.echo(f"Campaign {campaign_id}: {'holds' if same else 'is not as it was'}. {current}")
    if not before:
        typer.echo("It has no campaigns yet.")
    return broken
