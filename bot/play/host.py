"""The whole table: the API on loopback, the page, and the bot as a child process."""

import asyncio
import ctypes
import logging
import os
import secrets
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Middleware
from yarl import URL

from bot.child import COMMAND_LINE
from bot.dice.errors import Unavailable
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
from bot.times import next_pause
from bot.words.languages import language, speaking

USUAL_PORT = 4_280
_BOT = (*COMMAND_LINE, "run")
_IDLE_SECONDS = 10
_LONGEST_PAUSE = 30
_STOP_SECONDS = 8
_REFUSED = 2
_LOOPBACK, _ALL = "127.0.0.1", "0.0.0.0"  # noqa: S104 (all addresses, only where --lan asks for it)
_PARENT_DEATH_SIGNAL = 1
_TIDY_SECONDS = 600

_log = logging.getLogger(__name__)


class Table:
    """The parts of a table. The bot needs `api` and `token`; people open the links `gm` and `players`.

    Each table has a new token, whose first part is the bot's id, as in Discord's. `players` is None if others
    can't reach the page.
    """

    def __init__(self, store: Store, clock: Callable[[], float], shards: int, heartbeat: int) -> None:
        self.api = self.gm = ""
        self.players: str | None = None
        self.store = store
        self.world = world = World(store, clock)
        self.token = f"{world.bot.id}.{secrets.token_urlsafe(4)}.{secrets.token_urlsafe(30)}"
        self.posts = Posts(world)
        self.gateway = Gateway(world, self.token, shards=shards, heartbeat=heartbeat)
        self.interactions = Interactions(world, self.posts, self.gateway)
        self.rest = RestApi(world, self.posts, self.interactions, self.gateway, self.token)
        self.acts = Acts(world, self.posts, self.interactions)
        self.seats = Seats(world)
        self.governing = Governing(world, self.posts, self.seats)
        self.pages = Pages(world, self.acts, self.gateway)
        self.frames = Frames(world, self.acts, self.governing, self.pages)
        self.page = PageServer(world, self.posts, self.acts, self.seats, self.frames)


@asynccontextmanager
async def open_table(
    folder: Path, *, clock: Callable[[], float] = time.time, shards: int = 1, heartbeat: int = HEARTBEAT_MS,
    middlewares: Sequence[Middleware] = (), locale: str = "en-US",
) -> AsyncGenerator[Table]:  # fmt: skip
    """Open the table of a folder, with its API on a free port of loopback, until the block ends.

    `locale` is the language of the server and of browsers that ask for no supported one. Raise TableError if
    the folder can't be used.
    """
    with closing(Store(folder)) as store:
        with speaking(language(locale)):
            table = Table(store, clock, shards, heartbeat)
        table.world.locale = locale
        async with _serving(table.rest.app(middlewares), _LOOPBACK, [0]) as port:
            host = f"{_LOOPBACK}:{port}"
            table.api = f"http://{host}/api/v10"
            table.world.address, table.gateway.address = f"http://{host}", f"ws://{host}/gateway/"
            tidying = asyncio.create_task(_tidy(table.posts))
            try:
                yield table
            finally:
                tidying.cancel()
                table.frames.close()
                await table.gateway.close()


@asynccontextmanager
async def opened_page(
    table: Table, port: int = 0, *, lan: bool = False, host: str | None = None, public_url: str | None = None
) -> AsyncGenerator[None]:
    """Open a table's page until the block ends: on `port`, or else on the previous, the usual or a free one.

    `host` is this machine's address for others in the network, needed if it has several.

    Raise TableError if that port is in use.
    """
    previous = [document["port"] for document in table.store.documents("port")]
    ports = [port] if port else [*previous, USUAL_PORT, 0]
    address = _ALL if lan or host else _LOOPBACK
    async with _serving(table.page.app(), address, ports, idle_seconds=_IDLE_SECONDS) as own_port:
        table.store.put("port", 0, {"port": own_port})
        loopback, local = (origin(f"http://{name}:{own_port}") for name in (_LOOPBACK, "localhost"))
        inside = f"http://{host or _address()}:{own_port}" if lan or host else None
        shared = public_url or inside
        outside = origin(shared) if shared else None
        table.page.origins |= {loopback, local, outside or loopback}
        table.frames.lan = outside is not None
        table.page.address = table.governing.address = outside or loopback
        table.gm = f"{loopback}/#{table.seats.link('first')}"
        table.players = f"{outside}/#{table.seats.players}" if outside else None
        try:
            yield
        finally:
            table.pages.close()


@asynccontextmanager
async def _serving(
    app: web.Application, host: str, ports: Sequence[int], *, idle_seconds: float = 3_600
) -> AsyncGenerator[int]:
    """Serve an application on the first free port of these; raise TableError if none is free.

    Close a connection that completes no request within `idle_seconds`.
    """
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5, keepalive_timeout=idle_seconds)
    await runner.setup()
    try:
        for port in ports:
            with suppress(OSError):
                await web.TCPSite(runner, host, port).start()
                break
        else:
            raise TableError(f"The port {ports[0]} is in use. Choose another with --port.")
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def origin(address: str) -> str:
    """Return the origin of a page as browsers send it: in lower case, without a scheme's usual port.

    Raise ValueError if the address has none.
    """
    return str(URL(address).origin())


async def _tidy(posts: Posts) -> None:
    """Tidy every ten minutes; a full disk does not end it."""
    while True:
        try:
            posts.tidy()
        except (Unavailable, sqlite3.Error) as error:
            _log.warning("Old messages and files stay for now: %s", error)
        await asyncio.sleep(_TIDY_SECONDS)


def _address() -> str:
    """Return this machine's address in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
        except OSError:
            return _LOOPBACK
        return str(probe.getsockname()[0])


async def keep_bot(table: Table, folder: Path) -> None:
    """Run the bot, and restart it whenever it ends, after a pause that doubles.

    Return if a setting keeps it from starting; the bot has printed which one.
    """
    loop = asyncio.get_running_loop()
    settings = {
        "DISCORD_TOKEN": table.token,
        "EVENHAND_DISCORD_API": table.api,
        "EVENHAND_DATA": str(folder),
        "EVENHAND_DATABASE": f"sqlite:///{folder / 'evenhand.db'}",
        # Warnings that only the host of a real server can act on would frighten a newcomer.
        "EVENHAND_LOG_LEVEL": "ERROR",
    }
    pause, started = 0, loop.time()
    while await _run_bot(settings) != _REFUSED:
        pause = next_pause(pause, loop.time() - started, _LONGEST_PAUSE)
        await asyncio.sleep(pause)
        started = loop.time()


async def _run_bot(settings: dict[str, str]) -> int:
    """Run the bot to its end; when cancelled, let it answer open interactions first."""
    child = await asyncio.create_subprocess_exec(
        *_BOT,
        env={**os.environ, **settings},
        start_new_session=True,  # so that Ctrl-C reaches the table alone
        preexec_fn=_end_with_parent if sys.platform == "linux" else None,
    )
    try:
        return await child.wait()
    finally:
        if child.returncode is None:
            child.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(child.wait(), _STOP_SECONDS)
            if child.returncode is None:
                child.kill()
                await child.wait()


def _end_with_parent() -> None:
    """Have the kernel end this process with its parent, even if the parent is killed."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)
