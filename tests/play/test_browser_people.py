"""Who is here and who may look, and that everybody can: phones, keyboards, readers, both lights."""

import re

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.play.looking import BEYOND
from tests.support.chromium import ANOTHER, Held, Seat, holding, needs_chromium, press

pytestmark = [
    needs_chromium,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("tongue"),
]
SMALL = """() => [...document.querySelectorAll("button, a, select, [role=option], main label")]
    .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height && (box.height < 43.5 || box.width < 24))
    .map(([text]) => text)"""


async def test_who_types_and_who_is_here(mara: Seat, ann: Seat) -> None:
    """Others see that somebody types chat, never that they type a command; and who is here."""
    await ann.field.tap()
    await ann.type("/roll")
    await ann.empty()
    await expect(mara.page.get_by_text("Ann is typing")).to_have_count(0)
    while not await mara.page.get_by_text("Ann is typing").is_visible():
        await ann.type("h")  # said once in three seconds, wherever Ann types
    await ann.empty()
    people = mara.page.get_by_role("navigation").get_by_role("listitem")
    await expect(people.filter(has_text="Mara, you")).to_contain_text("GM")
    await expect(people.filter(has_text="Ann").get_by_role("img", name="here")).to_be_visible()


async def test_regions_and_names(mara: Seat) -> None:
    """Landmarks and the log have names, messages are articles, and F6 goes round the regions."""
    await expect(mara.page.get_by_role("navigation", name="Channels and people")).to_be_visible()
    await expect(mara.page.get_by_role("main")).to_be_visible()
    await expect(mara.log).to_have_attribute("aria-relevant", "additions")
    await mara.field.focus()
    await mara.press_key("F6")
    await expect(mara.page.get_by_role("navigation").locator("[aria-current]")).to_be_focused()
    await mara.press_key("F6")
    await expect(mara.log).to_be_focused()
    await mara.press_key("F6")
    await expect(mara.field).to_be_focused()


async def _full(mara: Seat, ann: Seat) -> Locator:
    """Fill the thread with what is wide, and return the last of it."""
    await mara.say("w" * 300)
    await mara.say(f"```{'code ' * 60}```")
    await ann.say("/roll 12d20+4d6 label:Everything")
    await ann.say("/roll 5#4d6kh3")
    await mara.say("/group call check:Perception dice:1d20+5 dc:15 players:@Ann @Mara")
    await ann.push("Roll", inside=await ann.sees("called by @Mara"))
    return await ann.sees("Only you can see this.")


async def test_nothing_is_wider_than_the_phone(mara: Seat, ann: Seat) -> None:
    """No right edge lies beyond the window, whatever is in it; targets are 44 px high, and nothing moves."""
    await _full(mara, ann)
    for width in (640, 390, 320):
        await ann.page.set_viewport_size({"width": width, "height": 700})
        assert await ann.page.evaluate(BEYOND) == []
        await expect(ann.field).to_have_css("font-size", "16px")
        await ann.field.tap()
        await ann.type("/roll 2d6 ")
        await expect(ann.rows.filter(has_text="practice")).to_be_attached()
        assert await _misfits(ann) == ([], [])
        await ann.empty()
        await ann.page.get_by_role("button", name="Channels and people").tap()
        await expect(ann.page.get_by_role("navigation")).to_be_visible()
        assert await _misfits(ann) == ([], [])
        await ann.push("Close the menu")
        assert await ann.page.evaluate("() => document.getAnimations().length") == 0
    await ann.page.set_viewport_size({"width": 390, "height": 844})


async def _misfits(seat: Seat) -> tuple[list[str], list[str]]:
    """What is wider than the page, and what is smaller than a finger."""
    return await seat.page.evaluate(BEYOND), await seat.page.evaluate(SMALL)


async def test_long_names_stay_whole(browser: Browser, mara: Seat) -> None:
    """On the narrowest phone the name of whoever has rolled stands in one piece on a call's card."""
    await mara.say("/group call check:Balance dice:1d20 dc:15")
    for name in ("Bartholomew Unbearable", "Wolfeschlegelsteinhausen"):
        guest = await Seat.take(browser, await mara.link(ANOTHER), name, width=320, touch=True)
        await guest.open_place(await mara.place())
        board = await guest.sees("called by @Mara")
        await guest.push("Roll", inside=board)
        await expect(board).to_contain_text(re.compile(rf"@{name}\s+(\d+)\s+\1\s+\(\1\)"))
        lines = await board.get_by_text(f"@{name}").evaluate("name => name.getClientRects().length")
        assert lines == 1
        assert await guest.page.evaluate(BEYOND) == []


async def test_light_and_dark(mara: Seat) -> None:
    """They follow the system; what somebody chose stands above it, and stays over a reload."""
    ground = "() => getComputedStyle(document.documentElement).backgroundColor"
    dark, light = "rgb(20, 25, 27)", "rgb(246, 248, 246)"
    assert await mara.page.evaluate(ground) == dark
    await mara.page.emulate_media(color_scheme="light")
    assert await mara.page.evaluate(ground) == light
    await press(mara.page.get_by_role("navigation").get_by_role("button", name="Mara, you"))
    await mara.dialog.get_by_label("Light or dark").select_option("dark")
    await mara.push("Save", inside=mara.dialog)
    await expect(mara.dialog).to_be_hidden()
    assert await mara.page.evaluate(ground) == dark
    await mara.page.reload()
    await expect(mara.field).to_be_visible()
    assert await mara.page.evaluate(ground) == dark
    await mara.page.evaluate("() => localStorage.removeItem('theme')")
    await mara.page.emulate_media(color_scheme="dark")
    await mara.page.reload()


async def test_forced_colours_mark_the_chosen_row(mara: Seat) -> None:
    """With the system's own colours a marked row stands out as the open channel does, its texts too."""
    await mara.page.emulate_media(forced_colors="active")
    await mara.type("/ro")
    await expect(mara.rows.first).to_contain_text("/rol")
    await mara.press_key("ArrowDown")
    colours = "one => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]"
    row = mara.page.get_by_role("option", selected=True)
    place = mara.page.get_by_role("navigation").locator("[aria-current]")
    ground, ink = await place.evaluate(colours)
    assert await row.evaluate(colours) == [ground, ink]
    # Which row it is depends on where the mouse was left.
    texts = "one => [...one.querySelectorAll('*')].map(each => getComputedStyle(each).color)"
    assert {*await row.evaluate(texts)} == {ink}
    await mara.page.emulate_media(forced_colors="none")
    await mara.empty()


async def test_a_game_master_invites_from_a_narrow_window(mara: Seat) -> None:
    """Also where the head has no room there is *Invite people*; its link opens a seat in a new tab."""
    await mara.page.set_viewport_size({"width": 390, "height": 844})
    await mara.push("Channels and people")
    await mara.push("Invite people")
    await mara.push(ANOTHER, inside=mara.dialog)
    link = await mara.dialog.get_by_label("Link", exact=True).input_value()
    await mara.push("Copy the link", inside=mara.dialog)
    await expect(mara.dialog.get_by_role("button", name="Copied")).to_be_focused()
    async with mara.page.context.expect_page() as opening:
        await press(mara.dialog.get_by_role("link", name="Open it here"))
    door = await opening.value
    await expect(door.get_by_label("Your name")).to_be_visible()
    await door.close()
    await expect(mara.dialog).to_be_hidden()
    await mara.push("Close the menu")
    await mara.page.set_viewport_size({"width": 1280, "height": 900})
    await mara.field.focus()
    await mara.press_key("Control+v")
    await expect(mara.field).to_have_value(link)
    await mara.empty()


async def test_name_and_colour_are_ones_own(mara: Seat, ann: Seat) -> None:
    """Anybody renames themselves; a name that is taken is refused in place, and what was typed stays."""
    await ann.push("Channels and people")
    await ann.page.get_by_role("navigation").get_by_role("button", name="Ann, you").tap()
    await ann.dialog.get_by_label("Name").fill("Mara")
    await ann.push("Save", inside=ann.dialog)
    await expect(ann.dialog.get_by_role("alert")).not_to_be_empty()
    await expect(ann.dialog.get_by_label("Name")).to_have_value("Mara")
    await ann.dialog.get_by_label("Name").fill("Anna")
    await ann.push("Save", inside=ann.dialog)
    people = mara.page.get_by_role("navigation").get_by_role("listitem")
    await expect(people.filter(has_text="Anna")).to_be_visible()
    await ann.page.get_by_role("navigation").get_by_role("button", name="Anna, you").tap()
    await ann.dialog.get_by_label("Name").fill("Ann")
    await ann.push("Save", inside=ann.dialog)
    await expect(people.filter(has_text="Anna")).to_have_count(0)
    await ann.push("Close the menu")


async def test_a_guest_without_a_link(browser: Browser, mara: Seat) -> None:
    """Nobody without a seat sees more than the name; a wrong secret and another's seat open nothing.

    Without JavaScript one sentence says that the table needs it.
    """
    address = mara.page.url
    plain = await (await browser.new_context(java_script_enabled=False)).new_page()
    await plain.goto(address)
    await expect(plain.get_by_role("paragraph")).to_contain_text("The table needs JavaScript")
    page = await (await browser.new_context()).new_page()
    root = address[: address.index("/s/") + 1]
    await page.goto(root)
    await expect(page.get_by_text("You need a link from the game master.")).to_be_visible()
    await page.goto(f"{root}#{'x' * 22}")
    await page.reload()
    await expect(page.get_by_text("This link does not work any more.")).to_be_visible()
    await page.goto(address)
    await expect(page.get_by_role("alert")).to_contain_text("This seat is gone.")
    await expect(page.get_by_role("log")).to_be_hidden()


async def test_a_game_master_removes_a_guest(browser: Browser, mara: Seat) -> None:
    """Their page closes and says so; what they said stays."""
    eve = await Seat.take(browser, await mara.link(ANOTHER), "Eve")
    await eve.open_place(await mara.place())
    await eve.say("I was here")
    await mara.sees("I was here")
    people = mara.page.get_by_role("navigation")
    await press(people.get_by_role("button", name=re.compile("^Eve( here)?$")))
    await mara.push("Remove from the table", inside=mara.dialog)
    await mara.push("Really remove", inside=mara.dialog)
    await expect(eve.alert).to_contain_text("This seat is gone.")
    await expect(mara.messages("I was here")).to_have_accessible_name(re.compile("^Eve, "))
    await eve.page.context.close()


async def test_a_link_to_a_message(mara: Seat, ann: Seat) -> None:
    """*Copy link* copies an address without a secret, which brings who has a seat to that message."""
    await mara.say_all([f"line {number}" for number in range(12)])
    first = mara.said("line 0")
    await press(first.get_by_role("button", name="More"))
    await press(mara.page.get_by_role("menuitem", name="Copy link"))
    await mara.field.focus()
    await mara.press_key("Control+v")
    await expect(mara.field).to_have_value(re.compile(r"^http://127\.0\.0\.1:\d+/#\d+/\d+$"))
    link = await mara.field.input_value()
    await mara.empty()
    page = await ann.page.context.new_page()
    await page.goto(link)
    await expect(page.get_by_role("heading", name=await mara.place(), level=1)).to_be_visible()
    await expect(page.get_by_role("article").filter(has_text=re.compile(r"line 0\s*$"))).to_be_in_viewport()
    await page.close()


async def test_another_device_of_the_same_seat(browser: Browser, mara: Seat, ann: Seat) -> None:
    """The link of *Another device* opens one's own seat there: what is said here is one's own there."""
    await ann.push("Channels and people")
    await ann.page.get_by_role("navigation").get_by_role("button", name="Ann, you").tap()
    await ann.push("Another device", inside=ann.dialog)
    link = await ann.dialog.get_by_label("Link", exact=True).input_value()
    await ann.push("Close", inside=ann.dialog)
    await ann.push("Close the menu")
    context = await browser.new_context()
    laptop = Seat(await context.new_page(), "Ann")
    await laptop.page.goto(link)
    await expect(laptop.field).to_be_visible()
    await laptop.open_place(await mara.place())
    await laptop.say("/help")
    await expect(ann.messages("Only you can see this.")).to_have_count(1)
    await mara.say("hello @Ann")
    await laptop.sees("hello @Ann")
    people = mara.page.get_by_role("navigation").get_by_role("listitem")
    await expect(people.filter(has_text="Ann")).to_have_count(1)
    await context.close()


async def test_what_the_bot_may_do_in_a_channel(mara: Seat, ann: Seat) -> None:
    """A game master takes the bot's rights away: it says so, and may again; an archived channel is closed."""
    await mara.push("This channel")
    await mara.dialog.get_by_label("Evenhand may: View Channel").uncheck()
    await mara.push("Save", inside=mara.dialog)
    await expect(mara.dialog).to_be_hidden()
    await mara.say("/group call check:Stealth dice:1d20")
    await mara.sees(re.compile("View Channel.*Only you can see this", re.DOTALL))
    await mara.push("This channel")
    await mara.dialog.get_by_label("Evenhand may: View Channel").check()
    await mara.push("Save", inside=mara.dialog)
    await expect(mara.dialog).to_be_hidden()
    await mara.say("/group call check:Stealth dice:1d20")
    await ann.sees("called by @Mara")
    await mara.push("This channel")
    await mara.push("Archive it", inside=mara.dialog)
    await expect(ann.field).to_be_disabled()
    await mara.push("This channel")
    await mara.push("Bring it back", inside=mara.dialog)
    await expect(ann.field).to_be_enabled()
    await ann.say("open again")
    await mara.sees("open again")


async def test_a_late_answer_closes_no_other_dialog(mara: Seat) -> None:
    """Whoever closes a dialog before the table answers, and opens the next, keeps that one."""
    held = Held()
    page = await mara.again(holding('"did"', held))
    await page.push("This channel")
    await page.push("Archive it", inside=page.dialog)
    route, answer = await held.get()
    await page.press_key("Escape")
    await page.push("This channel")
    route.send(answer)
    await page.push("Bring it back", inside=page.dialog)
    route, answer = await held.get()
    route.send(answer)
    await expect(page.field).to_be_enabled()
    await expect(page.dialog).to_be_hidden()
