"""The whole table: Discord's API on loopback, what the page stands on, and what joins them."""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.play.acts import Acts
from bot.play.frames import Frames
from bot.play.gateway import HEARTBEAT_MS, Gateway
from bot.play.governing import Governing
from bot.play.interactions import Interactions
from bot.play.messages import Posts
from bot.play.page import PageServer
from bot.play.pages import Pages
from bot.play.rest import RestApi
from bot.play.seats import Seats
from bot.play.store import Store
from bot.play.world import World

_TIDY_SECONDS = 600


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
        self.seats = Seats(world, clock)
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
