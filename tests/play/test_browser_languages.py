"""The page in other languages: each person's own, and the one for looking through all of the page."""

import base64
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, FilePayload, expect

from bot.play.host import open_table, opened_page
from bot.words.languages import PSEUDO
from tests.play.chair import chair
from tests.play.looking import looked
from tests.support.chromium import ANOTHER, Seat, needs_chromium, press

pytestmark = [
    needs_chromium,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("tongue"),
]
MISSING = "Something is missing after `{text}`, such as `{example}`."
"""What the bot answers to `/roll 2d`, to whoever asked alone."""
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_each_reads_their_own_at_one_table(browser: Browser, mara: Seat) -> None:
    """A page and what one is told alone are in one's own language; what all see is in the campaign's.

    Another language is chosen by keyboard, is there at once with what was typed, and stays over a reload.
    """
    greta = await Seat.take(browser, await mara.link(ANOTHER), "Greta K", speaks="de")
    bia = await Seat.take(browser, await mara.link(ANOTHER), "Bia S")
    for seat in (greta, bia):
        await seat.open_place(await mara.place())
    await bia.type("half a line")
    await press(bia.page.get_by_role("navigation").get_by_role("button", name="Bia S, you"))
    await bia.press_key("Tab", "Tab", "Tab")
    await expect(bia.dialog.get_by_label("Language")).to_be_focused()
    await bia.type("Portu")
    await bia.press_key("Tab", "Enter")
    await expect(bia.dialog).to_be_hidden()
    bia.speaks = "pt-BR"
    await expect(bia.field).to_have_value("half a line")
    await bia.empty()
    await mara.say("/group call check:Balance dice:1d20 players:@Greta K @Bia S")
    for seat in (greta, bia):
        await expect(seat.page.locator("html")).to_have_attribute("lang", seat.speaks)
        board = await seat.sees("called by @Mara")
        await press(board.get_by_role("button", name="Roll", exact=True))
        await seat.sees(seat.own("Only you can see this."))
        await seat.say("/roll 2d")
        await seat.sees(seat.own(MISSING).format(text="2d", example="2d6").replace("`", ""))
        await expect(board).to_contain_text("called by @Mara")
    await greta.say("/roll 1d6 label:Klettern")
    await expect((await mara.sees("Klettern")).get_by_role("button", name="Again")).to_be_visible()
    await greta.say("/gibtesnicht")
    await expect(greta.alert).to_contain_text(
        greta.own("There is no /{command}. Type / for a list.").format(command="gibtesnicht")
    )
    await bia.page.reload()
    await expect(bia.page.locator("html")).to_have_attribute("lang", "pt-BR")
    await bia.sees(bia.own("Only you can see this."))
    assert len({MISSING, greta.own(MISSING), bia.own(MISSING)}) == 3


REFUSED = (
    "/rol", "/nobody", "/group", "/roll", "/roll dice:2d6 times:twice", "/roll dice:2d6 practice:twice",
    "/roll dice:2d6 visibility:twice", '/roll dice:"2d6"twice', "/stats player:nobody", "x" * 2_001,
)  # fmt: skip


async def test_the_line_has_no_english_left(mara: Seat, ann: Seat) -> None:
    """Places to begin, lists, hints, and what is refused."""
    await looked(mara.page, 390, 320, 1280)
    await looked(ann.page)
    await ann.open_place("Evenhand, alone")
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
    await mara.page.get_by_role("button", name="Roll 2d6").last.wait_for()
    await looked(mara.page)


async def test_messages_have_no_english_left(mara: Seat, ann: Seat) -> None:
    """Rolls, calls, private answers, selects, forms, files and pictures, and the messages' menu."""
    await mara.say("/roll 2d6+3")
    await mara.say("||2d6||")
    await mara.say("/group call check:Perception dice:1d20+5 dc:15 players:@Mara @Ann")
    await mara.push("+ bonus…", inside=await mara.sees("called by @Mara"))
    await expect(mara.dialog).to_be_visible()
    await looked(mara.page)
    await mara.push("Cancel", inside=mara.dialog)
    await mara.say("/admin settings")
    await mara.log.get_by_role("combobox").first.wait_for()
    picture = FilePayload(name="sheet.png", mimeType="image/png", buffer=PNG)
    await mara.page.get_by_label("Attach a file").set_input_files([picture])
    await mara.page.get_by_role("button", name="Remove sheet.png").wait_for()
    await looked(mara.page)
    await mara.push("Send")
    await press(mara.page.get_by_role("button", name=re.compile("sheet.png")))
    await looked(mara.page)
    await mara.push("Close", inside=mara.dialog)
    await looked(mara.page, 390, 320, 1280)
    await ann.log.get_by_role("article").last.locator(".more").tap()
    await looked(ann.page, 390)
    await ann.press_key("Escape")


async def test_dialogs_have_no_english_left(mara: Seat, ann: Seat) -> None:
    """People, oneself, links, channels and threads, and what can't be taken back."""
    people = mara.page.get_by_role("navigation").get_by_role("listitem")

    async def shows(name: str, *buttons: str) -> None:
        """Open what a button opens, press what is in it, look, and close it."""
        if name in {"Ann", "Mara"}:
            await press(people.filter(has_text=name).get_by_role("button"))
        else:
            await mara.push(name)
        for button in buttons:
            await mara.push(button, inside=mara.dialog)
            await mara.dialog.get_by_role("button", name=button).wait_for(state="hidden")
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
    await mara.open_place("table")
    await looked(mara.page, 1280)
    await ann.push("Channels and people")
    await looked(ann.page)
    await ann.page.get_by_role("listitem").filter(has_text="Mara").get_by_role("button").tap()
    await looked(ann.page)
    await ann.press_key("Escape")
    await ann.push("Close the menu")


async def test_in_a_network_the_code_to_scan_is_one_press_away(browser: Browser, tmp_path: Path) -> None:
    """The players' link and its code at once, the other ways below, and the door, all without English."""
    async with (
        open_table(tmp_path, locale=PSEUDO) as table,
        opened_page(table, public_url="https://dice.example"),
        chair(table) as bot,
    ):
        await bot.sit()
        mara = await Seat.take(browser, table.gm, "Mara")
        await looked(mara.page)
        await mara.push("Invite people")
        await expect(mara.dialog.get_by_role("img", name="The link as a QR code")).to_be_visible()
        await expect(mara.dialog.get_by_label("Link", exact=True)).to_have_value(table.players or "")
        await expect(mara.dialog.get_by_role("button", name=ANOTHER)).to_be_visible()
        await mara.push("Make a new link", inside=mara.dialog)
        await looked(mara.page)
        await mara.push("Link for a game master", inside=mara.dialog)
        await expect(mara.dialog).to_contain_text("sits down as a game master")
        await mara.dialog.get_by_text("24").wait_for()
        await looked(mara.page)
        door = await (await browser.new_context(viewport={"width": 390, "height": 844})).new_page()
        await door.goto(f"{table.gm.partition('#')[0]}#{table.seats.players}")
        await door.get_by_role("textbox").fill("Mara")
        await press(door.get_by_role("button"))
        await door.get_by_role("alert").wait_for()
        await looked(door)
