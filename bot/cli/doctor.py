"""`doctor`: check everything that the bot needs, without changes, and suggest remedies."""

import asyncio
import json
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import discord
import typer
from discord.http import Route
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bot.charts.faces import all_faces
from bot.cli.logs import configure
from bot.cli.run import require_token
from bot.cli.serving import REFUSED_BY_DISCORD, TEMPORARY_ERRORS, fetch_time, use_api_of
from bot.cli.stopping import FAILED, Refusal
from bot.client import PERMISSIONS
from bot.dice.errors import DiceError, Unavailable
from bot.entropy.opening import check_once
from bot.services.health import ROOM_BYTES
from bot.settings import Settings, SettingsError, load, readable_by_others
from bot.storage.faults import UNKNOWN, WRONG_ADDRESS, reason
from bot.storage.files import check_own, read_address, sqlite_file
from bot.storage.migrating import newest
from bot.words.pictures import face_name

_STYLES = {"well": "green", "attention": "yellow", "wrong": "red"}
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
    except SettingsError as error:
        return [Finding("settings", "wrong", str(error), "Change it in .env, then ask again.")]
    return [
        Finding("settings", "well", "All are fine."),
        *[finding async for finding in _discord(settings)],
        await _database(settings.database_url),
        await _clock(),
        _disk(settings.data.absolute()),
        await _services(settings),
    ]


async def _discord(settings: Settings) -> AsyncGenerator[Finding]:
    try:
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(require_token(settings))
            if readable_by_others():
                yield Finding(
                    "token", "attention", "Other users of this machine can read it.", "chmod 600 .env"
                )
            else:
                yield Finding("token", "well", f"Discord knows it as {client.user}.")
            for check in (_intents, _permissions, _faces):
                yield await check(client)
    except discord.LoginFailure:
        yield Finding("token", "wrong", "Discord refused it.", REFUSED_BY_DISCORD)
    except (Refusal, SettingsError) as error:
        yield Finding("token", "wrong", "There is no usable token.", str(error))
    except (*TEMPORARY_ERRORS, discord.HTTPException) as error:
        yield Finding(
            "discord", "wrong", f"It gave no usable answer: {error}.", "Look at this machine's network."
        )


async def _intents(client: discord.Client) -> Finding:
    flags = (await client.application_info()).flags
    enabled = [name for name, is_on in flags if is_on and name.startswith("gateway_")]
    if not enabled:
        return Finding("intents", "well", "No privileged intent is on, and none is needed.")
    names = ", ".join(name.removeprefix("gateway_").replace("_", " ") for name in enabled)
    return Finding("intents", "attention", f"On, but not needed: {names}.", "Switch them off in the portal.")


async def _permissions(client: discord.Client) -> Finding:
    guilds = await client.http.get_guilds(_GUILDS)
    rights = {guild["name"]: discord.Permissions(int(guild.get("permissions", 0))) for guild in guilds}
    link = discord.utils.oauth_url(client.application_id or 0, permissions=PERMISSIONS)
    if not rights:
        return Finding("permissions", "attention", "The bot is on no server.", f"Invite it: {link}")
    missing = {name: PERMISSIONS & ~granted for name, granted in rights.items() if not granted.administrator}
    lacking = [name for name, flags in missing.items() if flags.value]
    if not lacking:
        text = f"{len(rights)} servers give all of them; a channel may still differ."
        return Finding("permissions", "well", text)
    names = {name for flags in missing.values() for name, is_missing in flags if is_missing}
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
        address = read_address(url)
        path = sqlite_file(address)
        if path is None:
            from bot.storage.postgresql import connect

            connection = await connect(address)
            version = ".".join(map(str, connection.get_server_version()[:2]))
            await connection.close()
            return Finding("database", "well", f"PostgreSQL {version} answers.")
        return _file(path)
    except ImportError:
        return Finding("database", "wrong", "The driver is missing.", "pipx install --force '.[postgres]'")
    except (DiceError, Unavailable) as error:
        return Finding("database", "wrong", str(error), "docs/hosting.md, When it says")
    except Exception as error:  # noqa: BLE001 (each engine raises its own kinds)
        why = reason(error)
        cause = f"{type(error).__name__}: {error}" if why in {UNKNOWN, WRONG_ADDRESS} else why
        return Finding("database", "wrong", f"It can't be used: {cause}.", "docs/hosting.md, When it says")


def _file(path: Path) -> Finding:
    """Check a SQLite file: its owner, and the version of its tables."""
    if not path.exists():
        return Finding("database", "well", f"The first start makes {path}.")
    check_own(path)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        tables = "".join(row[0] for row in connection.execute("SELECT version_num FROM alembic_version"))
    text = f"SQLite {sqlite3.sqlite_version} reads {path}, its tables at {tables or 'nothing'}"
    if tables == (current := newest()):
        return Finding("database", "well", f"{text}.")
    text = f"{text}, where this version has {current}."
    return Finding("database", "attention", text, "docs/hosting.md, Upgrade")


async def _clock() -> Finding:
    discord_time = await fetch_time(Route.BASE)
    if discord_time is None:
        return Finding("clock", "attention", "Discord does not tell the time.", "Ask again later.")
    if abs(error := time.time() - discord_time) > _CLOCK_SECONDS:
        text = f"It is wrong by {error:+.0f} seconds."
        return Finding("clock", "wrong", text, "Set it, or have NTP do it.")
    return Finding("clock", "well", f"It is right to within {_CLOCK_SECONDS} seconds.")


def _disk(data: Path) -> Finding:
    try:
        folder = next(path for path in (data, *data.parents) if path.exists())
    except OSError as error:
        remedy = "Set EVENHAND_DATA to a folder of the bot's user."
        return Finding("disk", "wrong", f"{data} can't be used: {error.strerror}.", remedy)
    free = shutil.disk_usage(folder).free
    room = f"{free // 1_000_000:,} MB are free at {folder}."
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("disk", "wrong", f"{folder} can't be written to.", "Give it to the bot's user.")
    if free < ROOM_BYTES:
        return Finding("disk", "wrong", room, "Make room.")
    rights = data.stat().st_mode if data.exists() else 0
    if os.name == "posix" and rights & stat.S_IWOTH and not rights & stat.S_ISVTX:
        return Finding("disk", "attention", f"Everybody can delete files in {data}.", f"chmod o-w {data}")
    return Finding("disk", "well", room)


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
