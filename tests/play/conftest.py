"""One browser and one table for all browser tests of a worker, each of which has a thread of its own."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.support.chromium import ANOTHER, Seat, chromium
from tests.support.playing import UNHURRIED, playing


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running() -> AsyncGenerator[Browser]:
    """A browser."""
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def seats(
    running: Browser, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[dict[str, Seat]]:
    """A game master and a player at a desk, and a player on a phone, at one table, by their names."""
    async with playing(tmp_path_factory.mktemp("table"), program=UNHURRIED) as table:
        mara = await Seat.take(running, table.link, "Mara")
        ann = await Seat.take(running, await mara.link(ANOTHER), "Ann", width=390, touch=True)
        bob = await Seat.take(running, await mara.link(ANOTHER), "Bob B")
        yield {seat.name: seat for seat in (mara, ann, bob)}


@pytest_asyncio.fixture(loop_scope="session")
async def browser(running: Browser) -> AsyncGenerator[Browser]:
    """The browser; windows that a test opens in it are closed at its end."""
    before = list(running.contexts)
    yield running
    for context in running.contexts:
        if context not in before:
            await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def mara(seats: dict[str, Seat]) -> Seat:
    """The game master, in a new thread."""
    await seats["Mara"].open_thread()
    return seats["Mara"]


@pytest_asyncio.fixture(loop_scope="session")
async def ann(mara: Seat, seats: dict[str, Seat]) -> Seat:
    """The player on a phone, in the same thread."""
    await seats["Ann"].open_place(await mara.place())
    return seats["Ann"]


@pytest_asyncio.fixture(loop_scope="session")
async def bob(seats: dict[str, Seat]) -> Seat:
    """The player at a desk, in a thread of their own."""
    await seats["Bob B"].open_thread()
    return seats["Bob B"]
