"""Run the bot on Discord; retry while Discord is unreachable, stop at a wrong token."""

import asyncio
import gc
import logging
from contextlib import nullcontext
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import aiohttp
import discord
import typer
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from bot.app import open_app
from bot.charts.faces import all_faces, draw_face
from bot.cli.backups import Keeper, backups
from bot.cli.run import require_token
from bot.cli.stopping import (
    TRY_WITHOUT_DISCORD,
    Refusal,
    background_task,
    exit_with_error,
    run_until_stopped,
    stop_when,
    watchdog,
)
from bot.cli.watch import Watch, watched
from bot.client import Evenhand
from bot.dice.errors import Unavailable
from bot.settings import Settings, SettingsError, load
from bot.storage.files import make_folder
from bot.times import next_pause
from bot.words.pictures import face_name

REFUSED_BY_DISCORD = (
    "Discord refused the bot token. Make a new one in the Discord developer portal "
    "(discord.com/developers/applications) under Bot, Reset Token, and put it into .env as DISCORD_TOKEN=... "
    + TRY_WITHOUT_DISCORD
)
_INTENTS = (
    "Discord refused what the bot asks to see; it needs no privileged intent. Is this an older version?"
)

_SHARDS = (
    "Discord refused this number of shards. Set EVENHAND_SHARDS to one for each 1,000 servers, the same in "
    "all processes. A single process needs no number."
)
_OUTDATED = (
    "A newer Evenhand has updated the database, so this one stops. Update it too, then start it again."
)
_SHARDING_REQUIRED = 4011
"""The bot needs more shards; without a set number, Discord recommends a larger one on the next try."""
# Close codes that would come back at each try, and their sentences; all others are retried.
# Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes, Gateway Close Event Codes.
_FINAL_CODES = {
    4004: REFUSED_BY_DISCORD,
    4010: _SHARDS,
    _SHARDING_REQUIRED: _SHARDS,
    4012: "Discord no longer takes this version of the bot. Update Evenhand.",
    4013: _INTENTS,
}
_LONGEST_WAIT_SECONDS = 60
_PICTURES = 2_000
"""Discord's limit of pictures for an application."""
_PATIENCE = aiohttp.ClientTimeout(total=10)
# Errors that pass by themselves: no network, Discord down. After the start discord.py waits by itself.
TEMPORARY_ERRORS = (
    OSError,
    aiohttp.ClientConnectionError,
    discord.DiscordServerError,
    discord.GatewayNotFound,
)

_log = logging.getLogger(__name__)


async def serve(settings: Settings, token: str, *, sync: bool = False) -> None:
    """Serve until cancelled.

    Raise Refusal if the token is wrong, Unavailable or OSError if the app can't be opened.
    """
    use_api_of(settings)
    keeper, shards = keeper_of(settings), shards_of(settings)
    make_folder(settings.data.absolute())
    async with (
        open_app(settings) as app,
        watched(app, settings, keeper) as watch,
        backups(keeper),
        watchdog(),
        stop_when(app.outdated, Unavailable(_OUTDATED)),
    ):
        wait = 0
        while not await _serve_once(watch, settings, shards, token, sync=sync):
            online = watch.client.online_seconds if watch.client else 0
            wait = next_pause(wait, online, _LONGEST_WAIT_SECONDS)
            _log.warning("Trying again in %s s", wait)
            await asyncio.sleep(wait)


def use_api_of(settings: Settings) -> None:
    """Point discord.py at the API of the settings, if they name one instead of Discord's."""
    if settings.discord_api:
        Route.BASE = settings.discord_api
        # discord.py connects here when a session is lost; it is the gateway that the API names at the start.
        DiscordWebSocket.DEFAULT_GATEWAY = URL(settings.discord_api).with_scheme("ws").with_path("/gateway/")


def keeper_of(settings: Settings) -> Keeper | None:
    """Return the keeper of backups, or None if no folder is set; Refusal if the database is no SQLite."""
    if settings.backup_folder is None:
        return None
    if not settings.database_url.startswith("sqlite"):
        raise Refusal("Evenhand backs up SQLite files only. For PostgreSQL, set no EVENHAND_BACKUP_FOLDER.")
    return Keeper(
        settings.database_url,
        settings.backup_folder,
        settings.backup_hours,
        settings.backup_keep,
        settings.backup_hook,
    )


def shards_of(settings: Settings) -> tuple[int | None, range | None]:
    """Return the number of shards (None: Discord's recommendation) and this process's (None: all).

    Raise SettingsError if this process can't be one of a cluster.
    """
    if settings.clusters is None:
        return settings.shards or None, None
    process, processes = settings.clusters
    count = settings.shards or processes
    return count, range(process - 1, count, processes)


async def _serve_once(
    watch: Watch, settings: Settings, shards: tuple[int | None, range | None], token: str, *, sync: bool
) -> bool:
    """Serve until the connection ends; return False if Discord must be tried again."""
    count, ids = shards
    client = Evenhand(
        watch.app,
        sync_memory=settings.data / "commands.sha256",
        sync=sync,
        shard_count=count,
        shard_ids=ids,
        discord_time=lambda: fetch_time(Route.BASE),
    )
    watch.client = client
    has_first_shard = ids is None or 0 in ids
    uploading = background_task(_upload_faces(client), "faces") if has_first_shard else nullcontext()
    async with client, background_task(_spare_collector(client), "collector"), uploading:
        try:
            await _start(client, token)
        except discord.LoginFailure:
            raise Refusal(REFUSED_BY_DISCORD) from None
        except discord.PrivilegedIntentsRequired:
            raise Refusal(_INTENTS) from None
        except discord.ConnectionClosed as closed:
            if closed.code in _FINAL_CODES and not (closed.code == _SHARDING_REQUIRED and count is None):
                raise Refusal(_FINAL_CODES[closed.code]) from None
            _log.warning("Discord closed the connection (code %d)", closed.code)
            return False
        except TEMPORARY_ERRORS as error:
            _log.warning("Discord can't be reached: %s", str(error) or type(error).__name__)
            return False
        except discord.HTTPException as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:
                _log.warning("Discord asks to wait: too many requests came from this address")
            else:
                _log.error("Discord refuses to let the bot begin (status %d, %d)", error.status, error.code)
            return False
        except Exception:
            if not client.shards:
                raise
            # A single event that discord.py can't read ends it.
            _log.exception("Discord sent what can't be read")
            return False
    return True


async def _spare_collector(client: Evenhand) -> None:
    """Keep what a ready bot has loaded from the garbage collector, which would block it to look through."""
    await client.wait_until_ready()
    gc.unfreeze()  # a client that was replaced is garbage
    gc.collect()
    gc.freeze()


async def upload_missing(client: discord.Client) -> tuple[int, int]:
    """Draw and upload the missing faces of dice; return how many were missing, and how many existed.

    Raise Refusal if there is no room for them.
    """
    existing = {emoji.name for emoji in await client.fetch_application_emojis()}
    pictures = {face_name(*face): face for face in all_faces()}
    missing = [name for name in pictures if name not in existing]
    if len(existing) + len(missing) > _PICTURES:
        raise Refusal(f"Discord keeps {_PICTURES:,} pictures for a bot, so there is no room.")
    for name in missing:
        png = await asyncio.to_thread(draw_face, *pictures[name])
        await client.create_application_emoji(name=name, image=png)
    return len(missing), len(pictures) - len(missing)


async def _upload_faces(client: Evenhand) -> None:
    """Upload the bot's pictures once it is ready; if that fails, dice stay text."""
    try:
        await client.wait_until_ready()
        if (await upload_missing(client))[0]:
            await client.learn_pictures()
            _log.info("The pictures of dice are uploaded: results show them from now on")
    except (*TEMPORARY_ERRORS, discord.HTTPException, Refusal) as error:
        _log.warning("Dice stay text: their pictures can't be uploaded: %s", error)


async def fetch_time(api: str) -> float | None:
    """Return the time of the server at an address, in seconds since 1970; None if it has none."""
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as session,
            session.get(f"{api}/gateway", allow_redirects=False) as response,
        ):
            return parsedate_to_datetime(response.headers["Date"]).timestamp()
    except (aiohttp.ClientError, OSError, KeyError, ValueError, OverflowError) as error:
        _log.warning("Discord could not be asked for the time: %s", type(error).__name__)
        return None


async def _start(client: Evenhand, token: str) -> None:
    """Run `client.start` so that no cancellation is lost; a cancelled client answers what is running first.

    discord.py connects inside `asyncio.wait_for`, which before Python 3.12 can swallow a cancellation that
    comes at the same moment as the connection. So the client starts in its own task, cancelled until it ends.
    """
    starting = asyncio.create_task(client.start(token))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await client.tree.finish()
        raise
    finally:
        while not starting.done():
            starting.cancel()
            await asyncio.wait({starting}, timeout=1)
        if not starting.cancelled():
            starting.exception()


def faces() -> None:
    """Upload the pictures of dice that the bot does not have yet."""
    with exit_with_error(SettingsError):
        settings = load()
        token = require_token(settings)
        use_api_of(settings)
        run_until_stopped(_upload(token))


async def _upload(token: str) -> None:
    """Upload missing pictures; Refusal if the token is wrong or there is no room, Unavailable otherwise."""
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(token)
            uploaded, existing = await upload_missing(client)
    except discord.LoginFailure:
        raise Refusal(REFUSED_BY_DISCORD) from None
    except (*TEMPORARY_ERRORS, discord.HTTPException) as error:
        raise Unavailable(
            "Discord did not take the pictures: {error}. What it took stays; run this again for the others.",
            error=error,
        ) from None
    typer.echo(f"{uploaded} pictures uploaded, {existing} were there. Restart the bot.")
