"""The whole table: Discord's API on loopback, what the page stands on, and what joins them."""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Middleware

from bot.play.acts import Acts
from bot.play.frames import Frames
from bot.play.gateway import HEARTBEAT_MS, Gateway
from bot.play.governing import Governing
from bot.play.ids import Ids
from bot.play.interactions import Interactions
from bot.play.messages import Posts
from bot.play.page import PageServer
from bot.play.pages import Pages
from bot.play.rest import RestApi
from bot.play.seats import Seats
from bot.play.store import Store
from bot.play.world import World

_TIDY_SECONDS = 600


@dataclass(slots=True)
class Table:
    """A running table; `api` and `token` are what the bot needs to know."""

    store: Store
    world: World
    token: str
    posts: Posts
    gateway: Gateway
    interactions: Interactions
    acts: Acts
    seats: Seats
    governing: Governing
    pages: Pages
    frames: Frames
    page: PageServer
    api: str = ""


@asynccontextmanager
async def open_table(
    folder: Path,
    *,
    clock: Callable[[], float] = time.time,
    shards: int = 1,
    heartbeat: int = HEARTBEAT_MS,
    middlewares: Sequence[Middleware] = (),
) -> AsyncGenerator[Table]:
    """Open the table of a folder, with its API on a free port of loopback, until the block ends.

    Raise TableError. The bot's token is made anew each time: its first part is the bot's id, as Discord's is.
    """
    table = _build(Store(folder), clock, shards, heartbeat)
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
        table.frames.deeds.close()
        table.pages.close()
        await table.gateway.close()
        await runner.cleanup()
        table.store.close()


def _build(store: Store, clock: Callable[[], float], shards: int, heartbeat: int) -> Table:
    latest = max((document["id"] for document in store.documents("latest")), default=0)
    world = World(store, Ids(latest, clock, lambda given: store.put("latest", 0, {"id": given})))
    token = f"{world.bot.id}.{secrets.token_urlsafe(4)}.{secrets.token_urlsafe(30)}"
    posts, gateway = Posts(world), Gateway(world, token, shards=shards, heartbeat=heartbeat)
    interactions = Interactions(world, posts, gateway)
    acts, seats = Acts(world, posts, interactions), Seats(world, clock)
    governing, pages = Governing(world, posts, seats), Pages(world, acts, gateway)
    frames = Frames(world, posts, acts, governing, pages)
    page = PageServer(world, posts, acts, seats, frames)
    return Table(
        store, world, token, posts, gateway, interactions, acts, seats, governing, pages, frames, page
    )


async def _tidy(posts: Posts) -> None:
    while True:
        posts.tidy()
        await asyncio.sleep(_TIDY_SECONDS)
