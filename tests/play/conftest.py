"""One browser and one table for all browser tests of a worker; each test has its own thread."""

import re
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from bot.words.languages import PSEUDO
from tests.play.by_hand import ByHand, by_hand
from tests.play.chair import Chair, Line, chair
from tests.play.evening import House, house
from tests.play.looking import looked
from tests.play.told import TOLD
from tests.support import chromium
from tests.support.chromium import ANOTHER, Seat
from tests.support.discord import Discord, discord
from tests.support.loosely import speaking_at_tables
from tests.support.playing import UNHURRIED, playing

_TYPED = re.compile(r"\.(?:say|say_all|type|paste|fill)\((\n.*|.*)")
"""Matches the text that a test types: the rest of the line, or the next line."""


@pytest.fixture(scope="session")
def tongue() -> Generator[str]:
    """Yield the language of the tables: the pseudo-language, which reveals untranslated English."""
    with speaking_at_tables(PSEUDO):
        yield PSEUDO


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running() -> AsyncGenerator[Browser]:
    """Yield the browser of all tests."""
    async with chromium.chromium() as browser:
        yield browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def seats(
    running: Browser, tongue: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[dict[str, Seat]]:
    """Yield seats at one table by name: Mara (game master) and Bob B at desks, Ann on a phone."""
    async with playing(tmp_path_factory.mktemp("table"), "--language", tongue, program=UNHURRIED) as table:
        mara = await Seat.take(running, table.link, "Mara")
        ann = await Seat.take(running, await mara.link(ANOTHER), "Ann", width=390, touch=True)
        bob = await Seat.take(running, await mara.link(ANOTHER), "Bob B")
        yield {seat.name: seat for seat in (mara, ann, bob)}


@pytest_asyncio.fixture(loop_scope="session")
async def browser(running: Browser) -> AsyncGenerator[Browser]:
    """Yield the browser, and close the windows that the test opened."""
    before = list(running.contexts)
    yield running
    for context in running.contexts:
        if context not in before:
            await context.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def drawn_up(
    running: Browser, tongue: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[ByHand]:
    """Yield a table with a bot by hand, in the language of the other tables."""
    assert tongue == chromium.SPOKEN
    async with by_hand(running, tmp_path_factory.mktemp("table")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def by(drawn_up: ByHand) -> ByHand:
    """Return the table with a bot by hand, with everybody in a new thread."""
    await drawn_up.mara.begin()
    await drawn_up.ann.open_place(await drawn_up.mara.place())
    for seat in (drawn_up.mara, drawn_up.ann):
        seat.faults.clear()
    return drawn_up


@pytest_asyncio.fixture(loop_scope="session")
async def mara(seats: dict[str, Seat], request: pytest.FixtureRequest) -> AsyncGenerator[Seat]:
    """Yield the game master's seat, in a new thread."""
    await seats["Mara"].begin()
    yield seats["Mara"]
    await finish(seats["Mara"], request)


@pytest_asyncio.fixture(loop_scope="session")
async def ann(mara: Seat, seats: dict[str, Seat], request: pytest.FixtureRequest) -> AsyncGenerator[Seat]:
    """Yield the seat of the player on a phone, in the game master's thread."""
    await seats["Ann"].open_place(await mara.place())
    await seats["Ann"].empty()
    yield seats["Ann"]
    await finish(seats["Ann"], request)


@pytest_asyncio.fixture(loop_scope="session")
async def bob(seats: dict[str, Seat], request: pytest.FixtureRequest) -> AsyncGenerator[Seat]:
    """Yield the seat of the player at a desk, in a new thread."""
    await seats["Bob B"].begin()
    yield seats["Bob B"]
    await finish(seats["Bob B"], request)


async def finish(seat: Seat, request: pytest.FixtureRequest) -> None:
    """Close other pages of a seat, and check that its page shows no untranslated English.

    The check needs the pseudo-language, and ignores words that the test typed.
    """
    await seat.close_others()
    if seat.speaks == PSEUDO:
        typed = " ".join(_TYPED.findall(request.path.read_text("utf-8")))
        size = seat.page.viewport_size or {"width": 390}
        await looked(seat.page, size["width"], typed=re.findall("[A-Za-z]+", typed))


@pytest.fixture
async def h(tmp_path: Path) -> AsyncGenerator[House]:
    """Yield an evening without a browser: three pages, and the bot by hand."""
    async with house(tmp_path) as opened_house:
        yield opened_house


@pytest.fixture
async def d(tmp_path: Path) -> AsyncGenerator[Discord]:
    """Yield the table's Discord without a bot."""
    async with discord(tmp_path) as opened_discord:
        yield opened_discord


@pytest.fixture
async def c(d: Discord) -> AsyncGenerator[Chair]:
    """Yield the chair for a bot by hand."""
    async with chair(d.table) as drawn_up:
        yield drawn_up


@pytest.fixture
async def line(d: Discord, c: Chair) -> Line:
    """Return the connection of a bot by hand that has registered its commands and is ready."""
    await c.ask("PUT", f"/applications/{d.table.world.bot.id}/commands", TOLD)
    return await c.sit()
