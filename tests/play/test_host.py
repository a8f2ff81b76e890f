"""The table in the browser is live, is the same table every evening, and closes cleanly."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import ClientConnectorError, ClientSession
from playwright.async_api import expect

from bot.play.host import host
from bot.play.world import AnyBot
from tests.play.tiny import Tiny
from tests.play.visitor import Visitor, visiting
from tests.support.chromium import Seat, chromium, needs_chromium


@asynccontextmanager
async def opened(make_bot: Callable[[], AnyBot]) -> AsyncGenerator[str, None]:
    """The address of a running table, which is stopped at the end as Ctrl-C stops it."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    table = asyncio.create_task(host(make_bot, on_ready=ready.set_result))
    await asyncio.wait((table, ready), return_when=asyncio.FIRST_COMPLETED)
    if table.done():
        await table
    try:
        yield ready.result()
    finally:
        table.cancel()
        with suppress(asyncio.CancelledError):
            await table


@needs_chromium
async def test_what_one_does_the_others_see() -> None:
    """A roll, a button, a refusal, a picture and the GM's reset, each in the windows it belongs to."""
    async with opened(Tiny) as address, chromium() as browser:
        ann, bob = await asyncio.gather(*(Seat.take(browser, address, name) for name in ("Ann", "Bob")))

        await ann.slash("roll", dice="2d6", label="for the owl")
        await bob.sees("12 2d6 for the owl for Ann", seconds=3)
        await ann.press("Roll again")
        await bob.sees("Ann rolls 2d6 again", seconds=3)
        await bob.slash("roll", dice="2d6+")
        await bob.sees("I can't read 2d6+ as dice.")
        await bob.slash("reset")
        await bob.sees("Only a GM can reset.")
        await bob.slash("odds")
        picture = (await ann.sees("The odds")).locator("img.attachment-image, .attachment-image img")
        await bob.become("Mara")
        await bob.slash("reset")
        await bob.press("Yes, reset")
        await bob.sees("Everything is reset.")

        await expect(picture).to_be_visible()
        assert len(await ann.messages()) == 3
        await expect(bob.message("Only a GM")).to_have_count(0)


@needs_chromium
async def test_typing_outlives_what_others_do() -> None:
    """A half-typed command, its autocomplete and its window survive somebody else's roll, and then work."""
    async with opened(Tiny) as address, chromium() as browser:
        ann, bob = await asyncio.gather(*(Seat.take(browser, address, name) for name in ("Ann", "Bob")))

        await ann.choose("roll")
        await ann.fill("dice", "4d6")
        await expect(ann.offered).to_have_text(["4d6kh3"])
        await bob.slash("roll", dice="1d20")
        await ann.sees("12 1d20 for Bob")
        await ann.offered.click()
        await ann.send()

        await bob.sees("12 4d6kh3 for Ann")


async def test_everybody_at_once_and_nobody_refused() -> None:
    """Three pages that act at the same time, on pages gone stale, are all served, and all show the same."""
    async with opened(Tiny) as address, AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(visiting(address, name)) for name in ("Mara", "Ann", "Bob")]
        taken = await asyncio.gather(*(_rolls(page, 5) for page in pages))
        shown = [await page.look() for page in pages]

        assert taken == [["settled"] * 5] * 3
        assert len(shown[0]) == 15
        assert shown[0] == shown[1] == shown[2]


async def test_an_answered_refusal_is_no_failure_of_the_table() -> None:
    """An error that the bot turned into a sentence leaves the page at ease, and stays private."""
    async with opened(Tiny) as address, visiting(address, "Ann") as ann, visiting(address, "Bob") as bob:
        taken = await ann.slash("roll", dice="2d6+")

        assert taken == "settled"
        assert await ann.look() == ["I can't read 2d6+ as dice."]
        assert await bob.look() == []


async def test_timers_run_by_themselves() -> None:
    """The bot's timers follow the real clock, and every page shows what they did without a click."""
    async with opened(lambda: Tiny(patience=0.1)) as address, visiting(address, "Mara") as mara:
        await mara.slash("reset")
        async with asyncio.timeout(5):
            while await mara.look() != ["Too late to reset."]:
                pass


async def test_the_same_table_on_another_evening() -> None:
    """Server, channel and people keep their ids; interactions never repeat theirs, and tell the time."""
    bots = Tiny(), Tiny()
    before = datetime.now(UTC)
    for bot in bots:
        async with opened(lambda bot=bot: bot) as address, visiting(address, "Ann") as ann:
            await _rolls(ann, 2)
    (first, again), (second, _) = (bot.asked for bot in bots)

    assert (first.guild_id, first.channel_id, first.user.id) == (
        second.guild_id,
        second.channel_id,
        second.user.id,
    )
    assert first.id < again.id < second.id
    assert before - timedelta(milliseconds=1) <= first.created_at <= second.created_at <= datetime.now(UTC)


async def test_stopping_closes_everything() -> None:
    """After Ctrl-C the bot is closed and the address is dead."""
    bot = Tiny()
    async with opened(lambda: bot) as address, ClientSession() as session, session.get(address) as page:
        title = await page.text()

    assert "<title>Evenhand: the table</title>" in title
    assert bot.is_closed()
    async with ClientSession() as session:
        with pytest.raises(ClientConnectorError):
            await session.get(address)


async def _rolls(page: Visitor, times: int) -> list[str]:
    """How the table took one roll after another."""
    return [await page.slash("roll", dice="2d6", label=str(i)) for i in range(times)]
