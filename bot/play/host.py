"""The whole table as people start it: the API on loopback, the page, and the bot as its child."""

import asyncio
import ctypes
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from aiohttp import web
from aiohttp.typedefs import Middleware
from aiohttp.web_protocol import RequestHandler

from bot.play.acts import Acts
from bot.play.frames import Frames
from bot.play.gateway import HEARTBEAT_MS, Gateway
from bot.play.interactions import Interactions
from bot.play.messages import Posts
from bot.play.page import PageServer
from bot.play.pages import Pages
from bot.play.rest import RestApi
from bot.play.seats import Governing, Seats
from bot.play.store import Store, TableError
from bot.play.world import World

USUAL_PORT = 4_280
BOT = (sys.executable, "-m", "bot", "run")
_HEADER_SECONDS = 10
_LONGEST_PAUSE, _STEADY_SECONDS = 30, 60
_STOP_SECONDS = 8
_REFUSED = 2
_LOOPBACK, _ALL = "127.0.0.1", "0.0.0.0"  # noqa: S104 (all addresses, only where --lan asks for it)
_PARENT_DEATH_SIGNAL = 1
_TIDY_SECONDS = 600
_Connection: TypeAlias = RequestHandler


class Table:
    """A table; `api` and `token` are what the bot needs to know.

    The token is made anew each time: its first part is the bot's id, as Discord's is.
    """

    def __init__(self, store: Store, clock: Callable[[], float], shards: int, heartbeat: int) -> None:
        self.api = ""
        self.store = store
        self.world = world = World(store, clock)
        self.token = f"{world.bot.id}.{secrets.token_urlsafe(4)}.{secrets.token_urlsafe(30)}"
        self.posts = Posts(world)
        self.gateway = Gateway(world, self.token, shards=shards, heartbeat=heartbeat)
        self.interactions = Interactions(world, self.posts, self.gateway)
        self.acts = Acts(world, self.posts, self.interactions)
        self.seats = Seats(world)
        self.governing = Governing(world, self.posts, self.seats)
        self.pages = Pages(world, self.acts, self.gateway)
        self.frames = Frames(world, self.acts, self.governing, self.pages)
        self.page = PageServer(world, self.posts, self.acts, self.seats, self.frames)


@asynccontextmanager
async def open_table(
    folder: Path, *, clock: Callable[[], float] = time.time, shards: int = 1, heartbeat: int = HEARTBEAT_MS,
    middlewares: Sequence[Middleware] = (),
) -> AsyncGenerator[Table]:  # fmt: skip
    """Open the table of a folder, with its API on a free port of loopback, until the block ends.

    Raise TableError.
    """
    table = Table(Store(folder), clock, shards, heartbeat)
    rest = RestApi(table.world, table.posts, table.interactions, table.gateway, table.token)
    runner = web.AppRunner(rest.app(middlewares), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host = f"127.0.0.1:{runner.addresses[0][1]}"
    table.api = f"http://{host}/api/v10"
    table.posts.address, table.gateway.address = f"http://{host}", f"ws://{host}/gateway/"
    tidying = asyncio.create_task(_tidy(table.posts))
    try:
        yield table
    finally:
        tidying.cancel()
        table.frames.close()
        table.pages.close()
        await table.gateway.close()
        await runner.cleanup()
        table.store.close()


async def _tidy(posts: Posts) -> None:
    while True:
        posts.tidy()
        await asyncio.sleep(_TIDY_SECONDS)


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
