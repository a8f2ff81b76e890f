"""One table for each module of browser tests: a game master at a desk, a player on a phone."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.support.chromium import ANOTHER, Seat, chromium
from tests.support.playing import playing


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seats(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[tuple[Browser, Seat, Seat], None]:
    """A browser, a game master at a desk and a player on a phone, at one table."""
    async with chromium() as browser, playing(tmp_path_factory.mktemp("table")) as table:
        mara = await Seat.take(browser, table.link, "Mara")
        ann = await Seat.take(browser, await mara.link(ANOTHER), "Ann", width=390, touch=True)
        yield browser, mara, ann


@pytest_asyncio.fixture(loop_scope="module")
async def mara(seats: tuple[Browser, Seat, Seat]) -> Seat:
    """The game master, in a new thread, and as rested as everybody at first."""
    await seats[1].rest()
    await seats[1].open_thread()
    return seats[1]


@pytest_asyncio.fixture(loop_scope="module")
async def ann(mara: Seat, seats: tuple[Browser, Seat, Seat]) -> Seat:
    """The player, in the same thread."""
    await seats[2].rest()
    await seats[2].open_place(await mara.place())
    return seats[2]
