"""The page in other languages: each person's own, and the one for looking through all of the page."""

import asyncio
import base64
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, FilePayload, expect

from bot.play.host import open_table, opened_page
from bot.words.languages import PSEUDO
from tests.play.chair import chair
from tests.play.looking import looked
from tests.support.chromium import ANOTHER, Seat, needs_chromium, press
from tests.support.playing import UNHURRIED, Playing, playing

pytestmark = [
    needs_chromium,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("tongue"),
    pytest.mark.parametrize("tongue", ["en"], indirect=True),
]
MISSING = "Something is missing after `{text}`, such as `{example}`."
"""What the bot answers to `/roll 2d`, to whoever asked alone."""
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_a_page_speaks_as_its_browser_does(browser: Browser, mara: Seat) -> None:
    """The page and the answers for oneself are German; what all see is in the language of the server."""
    greta = await Seat.take(browser, await mara.link(ANOTHER), "Greta", speaks="de")
    await greta.open_place(await mara.place())
    await expect(greta.page.locator("html")).to_have_attribute("lang", re.compile("^de"))
    await greta.say("/roll 2d")
    await greta.sees(greta.own(MISSING).format(text="2d", example="2d6").replace("`", ""))
    await greta.sees(greta.own("Only you can see this."))
    await greta.say("/roll 1d6 label:Klettern")
    await expect((await mara.sees("Klettern")).get_by_role("button", name="Again")).to_be_visible()
    await greta.say("/gibtesnicht")
    await expect(greta.alert).to_contain_text(
        greta.own("There is no /{command}. Type / for a list.").format(command="gibtesnicht")
    )
    assert greta.own(MISSING) != MISSING


async def test_another_language_is_chosen_by_keyboard(browser: Browser, mara: Seat) -> None:
    """It is there at once, stays over a reload, is the bot's too, and what was typed is still there."""
    bia = await Seat.take(browser, await mara.link(ANOTHER), "Bia")
    await bia.open_place(await mara.place())
    await bia.type("half a line")
    await press(bia.page.get_by_role("navigation").get_by_role("button", name="Bia, you"))
    await bia.press_key("Tab", "Tab", "Tab")
    await expect(bia.dialog.get_by_label("Language")).to_be_focused()
    await bia.type("Portu")
    await bia.press_key("Tab", "Enter")
    await expect(bia.dialog).to_be_hidden()
    bia.speaks = "pt-BR"
    await expect(bia.page.locator("html")).to_have_attribute("lang", "pt-BR")
    await expect(bia.field).to_have_value("half a line")
    await bia.empty()
    await bia.say("/roll 2d")
    await bia.sees(bia.own(MISSING).format(text="2d", example="2d6").replace("`", ""))
    await bia.page.reload()
    await expect(bia.page.locator("html")).to_have_attribute("lang", "pt-BR")
    await bia.sees(bia.own("Only you can see this."))


async def test_each_reads_their_own_at_one_table(browser: Browser, mara: Seat) -> None:
    """What a German and a Brazilian are told alone is in theirs; the message of a call in the campaign's."""
    greta = await Seat.take(browser, await mara.link(ANOTHER), "Greta K", speaks="de")
    bia = await Seat.take(browser, await mara.link(ANOTHER), "Bia S", speaks="pt-BR")
    await mara.say("/group call check:Balance dice:1d20 players:@Greta K @Bia S")
    for seat in (greta, bia):
        await seat.open_place(await mara.place())
        board = await seat.sees("called by @Mara")
        await press(board.get_by_role("button", name="Roll", exact=True))
        await seat.sees(seat.own("Only you can see this."))
        await seat.say("/roll 2d")
        await seat.sees(seat.own(MISSING).format(text="2d", example="2d6").replace("`", ""))
        await expect(board).to_contain_text("called by @Mara")
    assert greta.own(MISSING) != bia.own(MISSING)


@dataclass(slots=True)
class Looking:
    """A table in the language for looking, its game master at a desk and a player on a phone."""

    table: Playing
    mara: Seat
    ann: Seat


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(running: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Looking]:
    """One such table for this file; its doors are looked at on the way in."""
    async with playing(tmp_path_factory.mktemp("table"), "--language", PSEUDO, program=UNHURRIED) as table:
        door = await (await running.new_context(viewport={"width": 390, "height": 844})).new_page()
        for address in (table.link, table.link.partition("#")[0], f"{table.link}x"):
            await door.goto("about:blank")
            await door.goto(address)
            await expect(door.get_by_role("main")).to_be_visible()
            await looked(door)
        await door.context.close()
        mara = await Seat.take(running, table.link, "Mara", speaks=PSEUDO)
        link = await mara.link(ANOTHER)
        ann = await Seat.take(running, link, "Ann", width=390, touch=True, speaks=PSEUDO)
        yield Looking(table, mara, ann)


@pytest_asyncio.fixture(loop_scope="session")
async def looking(opened: Looking) -> Looking:
    """The same, with both in a new thread."""
    await opened.ann.open_place(await opened.mara.open_thread())
    return opened


REFUSED = (
    "/rol", "/nobody", "/group", "/roll", "/roll dice:2d6 times:twice", "/roll dice:2d6 practice:twice",
    "/roll dice:2d6 visibility:twice", '/roll dice:"2d6"twice', "/stats player:nobody", "x" * 2_001,
)  # fmt: skip


async def test_the_line_has_no_english_left(looking: Looking) -> None:
    """Places to begin, lists, hints, and what is refused."""
    mara, ann = looking.mara, looking.ann
    await looked(mara.page, 390, 320, 1280)
    await looked(ann.page)
    await ann.open_place(ann.own("{name}, alone").format(name="Evenhand"))
    await looked(ann.page)
    for head in ("/", "/roll 2d6 ", "/roll 2d6 visibility:", "/roll 2d6 practice:", "/stats player:", "@"):
        await mara.field.fill(head)
        await expect(mara.rows.first).to_be_visible()
        await looked(mara.page)
        await mara.empty()
    for line in REFUSED:
        await mara.field.fill(line)
        await mara.push("Send")
        await expect(mara.alert).to_be_visible()
        await looked(mara.page)
        await mara.empty()
    await mara.say("2d6")
    await mara.page.get_by_role("button", name=mara.own("Roll {dice}").format(dice="2d6")).last.wait_for()
    await looked(mara.page)


async def test_messages_have_no_english_left(looking: Looking) -> None:
    """Rolls, calls, private answers, selects, forms, files and pictures, and the messages' menu."""
    mara, ann = looking.mara, looking.ann
    await mara.say("/roll 2d6+3")
    await mara.say("||2d6||")
    await mara.say("/group call check:Perception dice:1d20+5 dc:15 players:@Mara @Ann")
    await mara.push("+ bonus…", inside=await mara.sees(mara.own("called by {who}").format(who="@Mara")))
    await expect(mara.dialog).to_be_visible()
    await looked(mara.page)
    await mara.push("Cancel", inside=mara.dialog)
    await mara.say("/admin settings")
    await mara.log.get_by_role("combobox").first.wait_for()
    picture = FilePayload(name="sheet.png", mimeType="image/png", buffer=PNG)
    await mara.page.get_by_label(mara.own("Attach a file")).set_input_files([picture])
    await mara.page.get_by_role("button", name=mara.own("Remove {name}").format(name="sheet.png")).wait_for()
    await looked(mara.page)
    await mara.push("Send")
    await press(mara.page.get_by_role("button", name=re.compile("sheet.png")))
    await looked(mara.page)
    await mara.push("Close", inside=mara.dialog)
    await looked(mara.page, 390, 320, 1280)
    await ann.log.get_by_role("article").last.locator(".more").tap()
    await looked(ann.page, 390)
    await ann.press_key("Escape")


async def test_dialogs_have_no_english_left(looking: Looking) -> None:
    """People, oneself, links, channels and threads, and what can't be taken back."""
    mara, ann = looking.mara, looking.ann
    people = mara.page.get_by_role("navigation").get_by_role("listitem")

    async def shows(name: str, *buttons: str) -> None:
        """Open what a button opens, press what is in it, look, and close it."""
        if name in {"Ann", "Mara"}:
            await press(people.filter(has_text=name).get_by_role("button"))
        else:
            await mara.push(name)
        for button in buttons:
            await mara.push(button, inside=mara.dialog)
            await mara.dialog.get_by_role("button", name=mara.own(button)).wait_for(state="hidden")
        await looked(mara.page)
        await mara.press_key("Escape")
        await expect(mara.dialog).to_be_hidden()

    await shows("Ann", "Remove from the table")
    await shows("Mara", "Leave the table")
    await shows("Mara", "Another device")
    await shows("Invite people")
    await shows("Invite people", ANOTHER)
    await shows("New channel or thread")
    await shows("This channel", "Clear all messages")
    await press(people.filter(has_text="Ann").get_by_role("button"))
    await mara.dialog.get_by_role("textbox").fill("Mara")
    await mara.push("Rename", inside=mara.dialog)
    await expect(mara.dialog.get_by_role("alert")).not_to_be_empty()
    await looked(mara.page)
    await mara.press_key("Escape")
    await mara.push("This channel")
    await mara.push("Archive it", inside=mara.dialog)
    await expect(ann.field).to_be_disabled()
    await looked(ann.page)
    await mara.open_place(mara.own("table"))
    await looked(mara.page, 1280)
    await ann.push("Channels and people")
    await looked(ann.page)
    await ann.page.get_by_role("listitem").filter(has_text="Mara").get_by_role("button").tap()
    await looked(ann.page)
    await ann.press_key("Escape")
    await ann.push("Close the menu")


async def test_a_closed_table_has_no_english_left(browser: Browser, looking: Looking) -> None:
    """The bot away, the server away, a line that was not sent, and the table closed."""
    table, mara, ann = looking.table, looking.mara, looking.ann
    table.kill_bot()
    await mara.page.get_by_text(mara.own("Evenhand is coming back")).wait_for()
    await looked(mara.page)
    await mara.ready()
    # A clock is that of all pages of a context: the others' own goes on.
    own = await browser.new_context(storage_state=await mara.page.context.storage_state())
    page = await own.new_page()
    await page.clock.install()
    await page.goto(mara.page.url)
    await expect(page.get_by_role("log")).to_be_visible()
    await table.stop()
    sentence = "The table does not answer. This page tries again by itself."
    await ann.page.get_by_text(ann.own(sentence)).wait_for()
    await ann.say("/roll 2d6")
    await expect(ann.alert).to_be_visible()
    await looked(ann.page)
    closed = page.get_by_text(mara.own("The table is closed. This page comes back by itself."))
    async with asyncio.timeout(60):
        while not await closed.is_visible():
            await page.clock.run_for(5_000)
    await looked(page)
    await own.close()
    await table.start()
    for seat in (mara, ann):
        await seat.page.get_by_text(seat.own(sentence)).wait_for(state="hidden")
        await seat.ready()
    await ann.page.get_by_role("button", name=ann.own("Forget {line}").format(line="/roll 2d6")).tap()


async def test_links_in_a_network_have_no_english_left(browser: Browser, tmp_path: Path) -> None:
    """The link to scan, the ways below it, and the door that it opens."""
    async with (
        open_table(tmp_path, locale=PSEUDO) as table,
        opened_page(table, public_url="https://dice.example"),
        chair(table) as bot,
    ):
        await bot.sit()
        mara = await Seat.take(browser, table.gm, "Mara", speaks=PSEUDO)
        await looked(mara.page)
        await mara.push("Invite people")
        await mara.dialog.get_by_role("img").wait_for()
        await mara.push("Make a new link", inside=mara.dialog)
        await looked(mara.page)
        await mara.push("Link for a game master", inside=mara.dialog)
        await mara.dialog.get_by_text("24").wait_for()
        await looked(mara.page)
        door = await (await browser.new_context(viewport={"width": 390, "height": 844})).new_page()
        await door.goto(f"{table.gm.partition('#')[0]}#{table.seats.players}")
        await door.get_by_role("textbox").fill("Mara")
        await press(door.get_by_role("button"))
        await door.get_by_role("alert").wait_for()
        await looked(door)
