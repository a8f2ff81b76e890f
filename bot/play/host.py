"""The table as people start it: its page on this machine or in the network, and the bot as its child."""

import asyncio
import ctypes
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from bot.play.store import TableError
from bot.play.table import Table, open_table

USUAL_PORT = 4_280
BOT = (sys.executable, "-m", "bot", "run")
_HEADER_SECONDS = 10
_LONGEST_PAUSE, _STEADY_SECONDS = 30, 60
_STOP_SECONDS = 8
_REFUSED = 2
_LOOPBACK, _ALL = "127.0.0.1", "0.0.0.0"  # noqa: S104 (all addresses, only where --lan asks for it)
_PARENT_DEATH_SIGNAL = 1
_Connection: TypeAlias = RequestHandler


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table is opened: `port` 0 takes the usual one; `bot` is the command of the bot, or None."""

    folder: Path
    port: int = 0
    lan: bool = False
    public_url: str | None = None
    bot: tuple[str, ...] | None = BOT


@dataclass(frozen=True, slots=True)
class Opened:
    """Where a table is: the game master's address, and the link for players where others can reach it."""

    table: Table
    gm: str
    players: str | None


class BotRefused(Exception):
    """The bot can't start until a setting is changed; it has said which."""


async def host(plan: Plan, told: Callable[[Opened], None]) -> None:
    """Keep a table open until cancelled; `told` gets its addresses. Raise TableError or BotRefused."""
    async with open_table(plan.folder) as table, opened_page(plan, table) as opened:
        told(opened)
        if plan.bot is None:
            await asyncio.Event().wait()
        else:
            await _keep_running(plan.bot, plan.folder, table)


@asynccontextmanager
async def opened_page(plan: Plan, table: Table) -> AsyncGenerator[Opened]:
    """Open a table's page until the block ends."""
    runner = web.AppRunner(table.page.app(), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    if runner.server is None:
        raise RuntimeError("the page has no server")
    server = await _listen(plan, table, _patient(runner.server, table.page.silent))
    port = server.sockets[0].getsockname()[1]
    outside = plan.public_url or (f"http://{_address()}:{port}" if plan.lan else None)
    table.page.origins |= {f"http://{name}:{port}" for name in (_LOOPBACK, "localhost")}
    table.page.origins |= {outside.rstrip("/")} if outside else set()
    table.frames.lan = outside is not None
    table.governing.address = (outside or f"http://{_LOOPBACK}:{port}").rstrip("/")
    players = f"{table.governing.address}/#{table.seats.players}" if outside else None
    try:
        yield Opened(table, f"http://{_LOOPBACK}:{port}/#{table.seats.link('first')}", players)
    finally:
        server.close()
        table.pages.close()
        await runner.cleanup()


async def _listen(plan: Plan, table: Table, factory: Callable[[], asyncio.Protocol]) -> asyncio.Server:
    """Listen on the port that is asked for; else on that of last time, the usual one, or a free one."""
    loop = asyncio.get_running_loop()
    kept = [int(document["port"]) for document in table.store.documents("port")]
    for port in [plan.port] if plan.port else [*kept, USUAL_PORT, 0]:
        with suppress(OSError):
            server = await loop.create_server(factory, _ALL if plan.lan else _LOOPBACK, port)
            table.store.put("port", 0, {"port": server.sockets[0].getsockname()[1]})
            return server
    raise TableError(f"The port {plan.port} is in use. Choose another with --port.")


def _patient(make: Callable[[], _Connection], silent: set[object]) -> Callable[[], _Connection]:
    """Return what makes connections; one that brings no whole request within ten seconds is closed."""

    def drop(connection: _Connection) -> None:
        if connection in silent:
            silent.discard(connection)
            connection.force_close()

    def connect() -> _Connection:
        connection = make()
        silent.add(connection)
        asyncio.get_running_loop().call_later(_HEADER_SECONDS, drop, connection)
        return connection

    return connect


def _address() -> str:
    """Return this machine's address in its network; nothing is sent for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return _LOOPBACK
        return str(probe.getsockname()[0])


async def _keep_running(command: tuple[str, ...], folder: Path, table: Table) -> None:
    """Start the bot, and start it again whenever it ends, after a pause that doubles."""
    loop = asyncio.get_running_loop()
    pause = 1
    while True:
        started = loop.time()
        code = await _run(command, environment(os.environ, folder, table))
        if code == _REFUSED:
            raise BotRefused
        if loop.time() - started > _STEADY_SECONDS:
            pause = 1
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def environment(given: Mapping[str, str], folder: Path, table: Table) -> dict[str, str]:
    """Return the bot's environment: this machine's settings, but this table and a database of its own."""
    return {
        **given,
        "DISCORD_TOKEN": table.token,
        "EVENHAND_DISCORD_API": table.api,
        "EVENHAND_DATA": str(folder),
        "EVENHAND_DATABASE": f"sqlite:///{folder / 'evenhand.db'}",
        # What only whoever serves a real server can do something about would frighten a newcomer.
        "EVENHAND_LOG_LEVEL": "ERROR",
    }


async def _run(command: tuple[str, ...], given: Mapping[str, str]) -> int:
    """Run the bot to its end; when cancelled, let it answer what is in flight first."""
    child = await asyncio.create_subprocess_exec(
        *command,
        env=given,
        start_new_session=True,  # Ctrl-C is the table's to hear
        preexec_fn=_end_with_parent if sys.platform == "linux" else None,
    )
    try:
        return await child.wait()
    finally:
        if child.returncode is None:
            child.terminate()
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await child.wait()
            except TimeoutError:
                child.kill()
                await child.wait()


def _end_with_parent() -> None:
    """Have the kernel end this process with its parent, also if that is killed."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)
