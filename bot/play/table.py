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
from bot.play.feed import MessageFeed
from bot.play.frames import Frames
from bot.play.gateway import Gateway
from bot.play.governing import Governing
from bot.play.ids import Ids
from bot.play.interactions import Interactions
from bot.play.page import PageServer
from bot.play.pages import Pages
from bot.play.posting import Posts
from bot.play.rest import RestApi
from bot.play.seats import Seats
from bot.play.store import Store
from bot.play.world import World

_TIDY_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Table:
    """A running table; `api` and `token` are what the bot needs to know."""

    api: str
    token: str
    store: Store
    world: World
    posts: Posts
    gateway: Gateway
    interactions: Interactions
    acts: Acts
    seats: Seats
    feed: MessageFeed
    governing: Governing
    pages: Pages
    frames: Frames
    page: PageServer


@asynccontextmanager
async def open_table(
    folder: Path,
    *,
    clock: Callable[[], float] = time.time,
    shards: int = 1,
    heartbeat: int = 41_250,
    middlewares: Sequence[Middleware] = (),
) -> AsyncGenerator[Table]:
    """Open the table of a folder, with its API on a free port of loopback, until the block ends.

    Raise TableError. The bot's token is made anew each time: its first part is the bot's id, as Discord's is.
    """
    store = Store(folder)
    latest = max((document["id"] for document in store.documents("latest")), default=0)
    ids = Ids(latest, clock, lambda given: store.put("latest", 0, {"id": given}))
    world = World(store, ids)
    token = f"{world.bot.id}.{secrets.token_urlsafe(4)}.{secrets.token_urlsafe(30)}"
    gateway = Gateway(world, token, shards=shards, heartbeat=heartbeat)
    posts = Posts(world)
    interactions = Interactions(world, posts, gateway)
    acts = Acts(world, posts, interactions)
    seats = Seats(world, clock)
    governing = Governing(world, posts, seats)
    feed = MessageFeed(world, acts.menus)
    pages = Pages(world, feed, gateway)
    frames = Frames(world, posts, acts, feed, governing, pages)
    page = PageServer(world, posts, acts, seats, frames)
    runner = web.AppRunner(
        RestApi(world, posts, interactions, gateway, token).app(middlewares),
        access_log=None,
        shutdown_timeout=0.5,
    )
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host = f"127.0.0.1:{runner.addresses[0][1]}"
    posts.address, gateway.address = f"http://{host}", f"ws://{host}/gateway/"
    tidying = asyncio.create_task(_tidy(posts))
    try:
        api = f"http://{host}/api/v10"
        parts = (
            store,
            world,
            posts,
            gateway,
            interactions,
            acts,
            seats,
            feed,
            governing,
            pages,
            frames,
            page,
        )
        yield Table(api, token, *parts)
    finally:
        tidying.cancel()
        frames.deeds.close()
        pages.close()
        await gateway.close()
        await runner.cleanup()
        store.close()


async def _tidy(posts: Posts) -> None:
    while True:
        posts.tidy()
        await asyncio.sleep(_TIDY_SECONDS)
