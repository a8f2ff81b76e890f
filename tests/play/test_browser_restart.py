"""What people see when the bot, the server or their connection goes away: it goes on by itself."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.play.looking import looked
from tests.support.chromium import ANOTHER, Seat, needs_chromium
from tests.support.playing import UNHURRIED, Playing, playing

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]
AWAY = "The table does not answer."


@dataclass(slots=True)
class Evening:
    """A table that may be stopped and killed, its game master and a player on a phone."""

    table: Playing
    mara: Seat
    ann: Seat


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(
    running: Browser, tongue: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Evening]:
    """One table for this file; its doors are looked at, and every test leaves it open, with its bot."""
    folder = tmp_path_factory.mktemp("table")
    async with playing(folder, "--language", tongue, program=UNHURRIED) as table:
        door = await (await running.new_context(viewport={"width": 390, "height": 844})).new_page()
        for address in (table.link, table.link.partition("#")[0], f"{table.link}x"):
            await door.goto("about:blank")
            await door.goto(address)
            await expect(door.get_by_role("main")).to_be_visible()
            await looked(door)
        await door.context.close()
        mara = await Seat.take(running, table.link, "Mara")
        ann = await Seat.take(running, await mara.link(ANOTHER), "Ann", width=390, touch=True)
        yield Evening(table, mara, ann)


@pytest_asyncio.fixture(loop_scope="session")
async def evening(opened: Evening) -> Evening:
    """The same, with everybody in a new thread."""
    await opened.mara.ready()
    opened.mara.faults.clear()
    await opened.ann.open_place(await opened.mara.open_thread())
    return opened


async def test_the_bot_is_killed(evening: Evening) -> None:
    """A quiet line says that it comes back; what is asked meanwhile is answered, and old buttons work."""
    mara = evening.mara
    await mara.say("/roll 2d6+3")
    rolled = await mara.sees("2d6+3 · #")
    evening.table.kill_bot()
    await expect(mara.page.get_by_text("Evenhand is coming back")).to_be_visible()
    await looked(mara.page)
    await mara.ready()
    await mara.push("Again", inside=rolled)
    await expect(mara.messages("2d6+3 · #")).to_have_count(2)
    assert mara.faults == []


async def test_the_server_is_started_again(browser: Browser, evening: Evening) -> None:
    """Pages come back by themselves, with everything that was said, once; old buttons work.

    A page that has waited for a minute says that the table is closed, and comes back all the same.
    """
    table, mara, ann = evening.table, evening.mara, evening.ann
    await mara.say("/group call check:Perception dice:1d20")
    await ann.sees("called by @Mara")
    await ann.field.tap()
    await ann.type("half a wo")
    # A clock is that of all pages of a context: the others' own goes on.
    cookies = await mara.page.context.storage_state()
    own = await browser.new_context(storage_state=cookies, locale="en-GB")
    late = Seat(await own.new_page(), "Mara")
    await late.page.clock.install()
    await late.page.goto(mara.page.url)
    await late.open_place(await mara.place())
    await table.stop()
    await expect(mara.page.get_by_text(AWAY)).to_be_visible()
    await mara.say("said to nobody")
    await expect(mara.alert).to_contain_text("Not sent: said to nobody")
    await looked(ann.page, typed=["half", "wo"])
    closed = late.page.get_by_text("The table is closed. This page comes back by itself.")
    async with asyncio.timeout(60):
        while not await closed.is_visible():
            await late.page.clock.run_for(5_000)
    await expect(late.page.get_by_text("Evenhand is coming back")).to_have_count(0)
    await looked(late.page)
    await table.start()
    await mara.ready()
    async with asyncio.timeout(60):
        while await closed.is_visible():
            await late.page.clock.run_for(5_000)
    await late.say("here again")
    await mara.sees("here again")
    await expect(mara.messages("said to nobody")).to_have_count(0)
    await looked(mara.page, typed=["said", "to", "here", "again"])
    await mara.push("Send again said to nobody")
    await expect(ann.messages("said to nobody")).to_have_count(1)
    await expect(mara.messages("called by @Mara")).to_have_count(1)
    await ann.push("Roll", inside=await ann.sees("called by @Mara"))
    await expect(await mara.sees("called by @Mara")).to_contain_text(
        re.compile(r"@Ann\s+(\d+)\s+\1\s+\(\1\)")
    )
    await expect(ann.field).to_have_value("half a wo")
    await ann.empty()


async def test_the_power_fails(evening: Evening) -> None:
    """A killed server loses nothing that anybody saw, and leaves no bot behind that would answer twice."""
    table, mara = evening.table, evening.mara
    await mara.say("/roll 2d6+3")
    rolled = await mara.sees(re.compile(r"2d6\+3 · #\d+"))
    await table.kill()
    await expect(mara.page.get_by_text(AWAY)).to_be_visible()
    await table.start()
    await mara.ready()
    await mara.push("Again", inside=rolled)
    await expect(mara.messages("2d6+3 · #")).to_have_count(2)
    await mara.page.reload()
    await expect(mara.messages("2d6+3 · #")).to_have_count(2)


async def test_a_socket_is_cut(mara: Seat, bob: Seat) -> None:
    """What was missed comes once; a line without a receipt is not sent, and sent again it is said once."""
    open_sockets: list[WebSocketRoute] = []
    swallowed: list[str] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        open_sockets.append(route)

        def forward(frame: str | bytes) -> None:
            server.send(frame)
            if "swallow" in str(frame) and not swallowed:
                swallowed.append(json.loads(frame)["nonce"])

        def back(frame: str | bytes) -> None:
            if not (swallowed and len(open_sockets) == 1):
                route.send(frame)

        route.on_message(forward)
        server.on_message(back)

    await bob.open_place(await mara.place())
    cut = await bob.again(through)
    await cut.say("please swallow this")
    await expect(mara.messages("swallow")).to_have_count(1)
    await open_sockets[0].close(code=4008)
    await expect(cut.alert).to_contain_text("Not sent: please swallow this")
    await mara.say("said meanwhile")
    await expect(cut.messages("said meanwhile")).to_have_count(1)
    await cut.push("Send again please swallow this")
    await expect(cut.alert).to_have_count(0)
    await cut.say("and on")
    await expect(mara.messages("and on")).to_have_count(1)
    await expect(mara.messages("swallow")).to_have_count(1)
    await expect(cut.messages("swallow")).to_have_count(1)
    await cut.page.close()
