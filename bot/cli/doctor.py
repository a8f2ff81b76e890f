"""`doctor`: check everything that the bot needs, without changes, and suggest remedies."""

import asyncio
import errno
import json
import os
import shutil
import stat
import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import asdict, dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Literal

import discord
import typer
from aiohttp import web
from discord.http import Route
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bot.app import folders_of
from bot.charts.faces import all_faces
from bot.cli.logs import configure
from bot.cli.run import require_token
from bot.cli.serving import (
    REFUSED_BY_DISCORD,
    TEMPORARY_ERRORS,
    fetch_time,
    keeper_of,
    shards_of,
    use_api_of,
)
from bot.cli.stopping import FAILED, Refusal
from bot.cli.watch import serving
from bot.client import PERMISSIONS
from bot.dice.errors import SpecError, Unavailable
from bot.entropy.opening import check_once
from bot.services.health import ROOM_BYTES
from bot.settings import Settings, SettingsError, load, readable_by_others
from bot.storage.engine import examine
from bot.storage.faults import UNKNOWN, WRONG_ADDRESS, reason
from bot.storage.files import is_in_use, read_address, sqlite_file
from bot.storage.migrating import newest
from bot.words.pictures import face_name

_STYLES = {"well": "green", "attention": "yellow", "wrong": "red"}
_NO_ANSWER = (*TEMPORARY_ERRORS, discord.HTTPException)
_CLOCK_SECONDS = 2
"""The largest tolerable error of the clock: Discord waits three seconds for an answer."""
_GUILDS = 200
"""The number of servers in one of Discord's answers."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check, and its remedy if it needs one."""

    about: str
    state: Literal["well", "attention", "wrong"]
    found: str
    remedy: str = ""


def doctor(*, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Check token, permissions, database, clock, disk and services, and say what to do.

    It changes nothing, and asks each random source once. Exit code 1 if something is wrong.
    """
    configure("CRITICAL", "text")  # errors appear in the table
    findings = asyncio.run(_check_all())
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        headings = "what", "state", "found", "what to do"
        table = Table(*(Column(heading, overflow="fold") for heading in headings), box=None)
        for finding in findings:
            state = Text(finding.state, style=_STYLES[finding.state])
            table.add_row(finding.about, state, Text(finding.found), Text(finding.remedy))
        Console().print(table)
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(FAILED)


async def _check_all() -> list[Finding]:
    try:
        settings = load()
        use_api_of(settings)
        keeper_of(settings)
        shards_of(settings)
    except (SettingsError, Refusal) as error:
        return [Finding("settings", "wrong", str(error), "Change that, then ask again.")]
    return [
        _settings(),
        *[finding async for finding in _discord(settings)],
        await _database(settings.database_url),
        *([await _health(settings)] if settings.health_port else []),
        await _clock(),
        *map(_disk, _folders(settings)),
        *_backups(settings),
        await _services(settings),
    ]


def _settings() -> Finding:
    if readable_by_others():
        text = "Other users of this machine can read the secrets in .env."
        return Finding("settings", "attention", text, "chmod 600 .env")
    return Finding("settings", "well", "All are fine.")


async def _discord(settings: Settings) -> AsyncGenerator[Finding]:
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(require_token(settings))
            yield Finding("token", "well", f"Discord knows it as {client.user}.")
            for about, check in (("intents", _intents), ("permissions", _permissions), ("faces", _faces)):
                try:
                    yield await check(client)
                except _NO_ANSWER as error:
                    yield _unanswered(about, error)
    except discord.LoginFailure:
        yield Finding("token", "wrong", "Discord refused it.", REFUSED_BY_DISCORD)
    except (Refusal, SettingsError) as error:
        yield Finding("token", "wrong", "There is no usable token.", str(error))
    except _NO_ANSWER as error:
        yield _unanswered("discord", error)


def _unanswered(about: str, error: Exception) -> Finding:
    """Return the finding where Discord gave no usable answer, and could be asked nothing more of that."""
    if not isinstance(error, discord.HTTPException):
        why = str(error) or type(error).__name__
        return Finding(about, "wrong", f"Discord can't be reached: {why}.", "Look at this machine's network.")
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        why, remedy = "too many requests came from this address", "Ask again in some minutes."
    elif error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        why, remedy = "it has a fault", "Look at discordstatus.com, and ask again later."
    else:
        why, remedy = "it refuses that", "Ask again later. Discord may have blocked this machine's address."
    return Finding(about, "wrong", f"Discord did not tell: {why} (status {error.status}).", remedy)


async def _intents(client: discord.Client) -> Finding:
    flags = (await client.application_info()).flags
    enabled = [name for name, is_on in flags if is_on and name.startswith("gateway_")]
    if not enabled:
        return Finding("intents", "well", "No privileged intent is on, and none is needed.")
    names = ", ".join(name.removeprefix("gateway_").replace("_", " ") for name in enabled)
    return Finding("intents", "attention", f"On, but not needed: {names}.", "Switch them off in the portal.")


async def _permissions(client: discord.Client) -> Finding:
    guilds = await client.http.get_guilds(_GUILDS)
    rights = [(guild["name"], discord.Permissions(int(guild.get("permissions", 0)))) for guild in guilds]
    link = discord.utils.oauth_url(client.application_id or 0, permissions=PERMISSIONS)
    if not rights:
        return Finding("permissions", "attention", "The bot is on no server.", f"Invite it: {link}")
    missing = [(name, PERMISSIONS & ~granted) for name, granted in rights if not granted.administrator]
    lacking = [name for name, flags in missing if flags.value]
    if not lacking:
        text = f"{len(rights)} servers give all of them; a channel may still differ."
        return Finding("permissions", "well", text)
    names = {name for _, flags in missing for name, is_missing in flags if is_missing}
    text = f"{', '.join(lacking[:5])}: no {', '.join(sorted(names)).replace('_', ' ')}."
    return Finding("permissions", "wrong", text, f"Give the bot's role these, or invite it anew: {link}")


async def _faces(client: discord.Client) -> Finding:
    existing = {emoji.name for emoji in await client.fetch_application_emojis()}
    missing = {face_name(*face) for face in all_faces()} - existing
    if not missing:
        return Finding("faces", "well", "All pictures of dice are there.")
    return Finding("faces", "attention", f"{len(missing)} pictures of dice are missing.", "evenhand faces")


async def _database(url: str) -> Finding:
    try:
        examined = await examine(url)
        path = sqlite_file(read_address(url))
    except (SpecError, Unavailable) as error:
        why = reason(cause) if (cause := error.__cause__) else None
        # The bot itself quotes no driver.
        text = f"It can't be used: {cause}." if why in {UNKNOWN, WRONG_ADDRESS} else str(error)
        return Finding("database", "wrong", text, "docs/hosting.md, When it says")
    if not examined.engine:
        return Finding("database", "well", f"The first start makes {path}.")
    text = f"{examined.engine} reads {path}" if path else f"{examined.engine} answers"
    text = f"{text}, its tables at {examined.revision or 'nothing'}"
    if not examined.is_own:
        remedy = "`evenhand restore` the backup, so that the tables are told."
        return Finding("database", "attention", f"{text}. The file was replaced by a copy.", remedy)
    if examined.revision in {"", current := newest()}:
        user = " A running Evenhand has it." if examined.is_in_use else ""
        return Finding("database", "well", f"{text}.{user}")
    text = f"{text}, where this version has {current}."
    return Finding("database", "attention", text, "docs/hosting.md, Upgrade")


async def _health(settings: Settings) -> Finding:
    host, port = settings.health_host, settings.health_port
    try:
        async with serving(web.Application(), host, port):
            return Finding("health", "well", f"Port {port} at {host} is free.")
    except Unavailable as error:
        cause = error.__cause__
        is_taken = isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE
        if not (is_taken and _may_run(settings.database_url)):
            remedy = "Set another EVENHAND_HEALTH_PORT or EVENHAND_HEALTH_HOST."
            return Finding("health", "wrong", str(error), remedy)
        text = f"Port {port} at {host} is taken, as it is while the bot runs."
        return Finding("health", "attention", text, "If the bot does not run, set another port.")


def _may_run(url: str) -> bool:
    """Return whether another process has the database; True for a server, of which nobody knows."""
    try:
        path = sqlite_file(read_address(url))
        return path is None or is_in_use(path)
    except (SpecError, OSError):
        return False


async def _clock() -> Finding:
    discord_time = await fetch_time(Route.BASE)
    if discord_time is None:
        return Finding("clock", "attention", "Discord does not tell the time.", "Ask again later.")
    if abs(error := time.time() - discord_time) > _CLOCK_SECONDS:
        text = f"It is wrong by {error:+.0f} seconds."
        return Finding("clock", "wrong", text, "Set it, or have NTP do it.")
    return Finding("clock", "well", f"It is right to within {_CLOCK_SECONDS} seconds.")


def _folders(settings: Settings) -> list[Path]:
    try:
        return folders_of(settings)
    except SpecError:  # the row of the database says so
        return [settings.data.resolve()]


def _disk(data: Path) -> Finding:
    folder, fault = _usable_part(data)
    if fault:
        remedy = "Set EVENHAND_DATA, or EVENHAND_DATABASE, to a folder of the bot's user."
        return Finding("disk", "wrong", fault, remedy)
    free = shutil.disk_usage(folder).free
    room = f"{free // 1_000_000:,} MB are free at {folder}."
    if free < ROOM_BYTES:
        return Finding("disk", "wrong", room, "Make room.")
    rights = data.stat().st_mode if data.exists() else 0
    if os.name == "posix" and rights & stat.S_IWOTH and not rights & stat.S_ISVTX:
        return Finding("disk", "attention", f"Everybody can delete files in {data}.", f"chmod o-w {data}")
    return Finding("disk", "well", room)


def _backups(settings: Settings) -> Iterator[Finding]:
    remedy = "Set EVENHAND_BACKUP_FOLDER to a folder of the bot's user."
    if settings.backup_folder is None:
        if settings.backup_hook:
            text = "None are made, so EVENHAND_BACKUP_HOOK takes none."
            yield Finding("backups", "attention", text, remedy)
        return
    folder = settings.backup_folder.absolute()
    _, fault = _usable_part(folder)
    if fault:
        yield Finding("backups", "wrong", fault, remedy)
    else:
        yield Finding("backups", "well", f"They go to {folder}.")


def _usable_part(folder: Path) -> tuple[Path, str]:
    """Return the part of a path that exists, and why the folder can't be made or written to; "" if it can."""
    try:
        part = next(path for path in (folder, *folder.parents) if path.exists())
    except OSError as error:
        return folder, f"{folder} can't be used: {error.strerror}."
    if not part.is_dir():
        return part, f"{part} is no folder."
    return part, "" if os.access(part, os.W_OK | os.X_OK) else f"{part} can't be written to."


async def _services(settings: Settings) -> Finding:
    checks = [check for check in await check_once(settings.entropy()) if check.latency is not None]
    kinds = {check.status.kind for check in checks if check.size}
    names = ", ".join(check.status.name for check in checks if not check.size)
    if not checks:
        return Finding("services", "attention", "No random service is on.", "See .env.example.")
    if len(kinds) > 1:
        silent = f" Not {names}." if names else ""
        return Finding("services", "well", f"Enough answer for true-random bits.{silent}")
    return Finding("services", "attention", f"No usable answer: {names}.", "evenhand sources --check")
