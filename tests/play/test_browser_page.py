"""The page, rule by rule: answers, marks, pictures, following, presence, and who can use it."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from tests.support.chromium import Seat, chromium, needs_chromium
from tests.support.playing import playing

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]
ANOTHER = "Another person at this device"
BEYOND = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
    .filter((one) => !one.parentElement.closest("pre, [role=group][aria-label=Again]"))
    .map((one) => one.outerHTML.slice(0, 120))"""
SMALL = """() => [...document.querySelectorAll("button, a, select, [role=option], main label")]
    .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height && (box.height < 43.5 || box.width < 24))
    .map(([text]) => text)"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seats(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[tuple[Browser, Seat, Seat], None]:
    """A browser, a game master at a desk and a player on a phone, at one table."""
    folder: Path = tmp_path_factory.mktemp("table")
    async with chromium() as browser, playing(folder) as table:
        mara = await Seat.take(browser, table.link, "Mara")
        ann = await Seat.take(browser, await mara.link(ANOTHER), "Ann", width=390, touch=True)
        yield browser, mara, ann


@pytest_asyncio.fixture(loop_scope="module")
async def mara(seats: tuple[Browser, Seat, Seat]) -> Seat:
    """The game master, in a new thread."""
    await seats[1].open_thread()
    return seats[1]


@pytest_asyncio.fixture(loop_scope="module")
async def ann(mara: Seat, seats: tuple[Browser, Seat, Seat]) -> Seat:
    """The player, in the same thread."""
    await seats[2].open_place(await mara.place())
    return seats[2]


async def test_a_roll_stands_under_who_asked(mara: Seat, ann: Seat) -> None:
    """The command's name is shown to all, the whole line only to who typed it."""
    await mara.say("/roll 2d6+3 label:Climb")
    await expect(await mara.sees("Climb")).to_contain_text("/roll 2d6+3 label:Climb")
    seen = await ann.sees("Climb")
    await expect(seen).to_have_accessible_name(re.compile("^Mara, "))
    await expect(seen).to_contain_text("/roll")
    await expect(seen).not_to_contain_text("label:Climb")


async def test_private_answers_say_so_and_go(mara: Seat, ann: Seat) -> None:
    """An ephemeral is for one person, is kept over a reload, and goes when it is dismissed."""
    await mara.say("/history")
    secret = await mara.sees("Only you can see this.")
    await expect(ann.messages("Only you can see this.")).to_have_count(0)
    await mara.page.reload()
    await expect(secret).to_be_visible()
    await mara.push("Dismiss", inside=secret)
    await expect(secret).to_have_count(0)


async def test_an_edit_keeps_the_focus(mara: Seat, ann: Seat) -> None:
    """A board that fills in leaves the focus where it is."""
    await mara.say("/group call check:Balance dice:1d20")
    button = (await mara.sees("Balance")).get_by_role("button", name="Roll with …")
    await button.focus()
    await ann.push("Roll", by="tap", inside=await ann.sees("Balance"))
    await expect((await mara.sees("called by"))).to_contain_text(re.compile(r"@Ann\s+-?\d+ ← 1d20"))
    await expect(button).to_be_focused()


async def test_a_form_is_a_dialog(mara: Seat) -> None:
    """Titled, the focus in its first field, Enter sends, Esc closes and gives the focus back, what was typed stays if it fails."""
    await mara.say("/group call check:Climbing dice:1d20")
    opener = (await mara.sees("called by")).get_by_role("button", name="Roll with …")
    await opener.press("Enter")
    await expect(mara.dialog).to_have_accessible_name("Roll with …")
    field = mara.dialog.get_by_role("textbox")
    await expect(field).to_be_focused()
    await mara.press_key("Escape")
    await expect(mara.dialog).to_be_hidden()
    await expect(opener).to_be_focused()
    await opener.press("Enter")
    await expect(field).to_be_focused()
    await mara.type("+2")
    await mara.press_key("Enter")
    await mara.sees(re.compile(r"← 1d20 \(\d+\) \+ 2"))
    await expect(mara.dialog).to_be_hidden()


async def test_the_messages_menu(mara: Seat) -> None:
    """*More*, the right button and Shift+F10 open it; it holds the bot's menu commands and *Copy text*."""
    await mara.say("/roll 2d6 label:Menu")
    message = await mara.sees("Menu")
    menu = mara.page.get_by_role("menu")
    await message.get_by_role("button", name="More").press("Shift+F10")
    await expect(menu.get_by_role("menuitem")).to_have_text(["Roll details", "Copy text", "Copy link"])
    await mara.press_key("Escape")
    await expect(menu).to_be_hidden()
    await message.click(button="right", position={"x": 200, "y": 12})
    await expect(menu).to_be_visible()
    await mara.press_key("ArrowDown", "Enter")
    await expect(menu).to_be_hidden()
    await mara.field.focus()
    await mara.press_key("Control+v")
    await expect(mara.field).to_have_value(re.compile(r"2d6 .*\(\d, \d\)"))


async def test_marks_and_nothing_else(mara: Seat, ann: Seat) -> None:
    """Markdown is drawn, markup of any other kind is text, and nothing of it runs."""
    await mara.say("**bold** ||hidden|| `x` <b>raw</b> <img src=x onerror=alert(1)> [here](https://example.org/a)")
    seen = await ann.sees("raw")
    await expect(seen.get_by_text("bold", exact=True)).to_have_css("font-weight", "700")
    await expect(seen).to_contain_text("<b>raw</b> <img src=x onerror=alert(1)>")
    await expect(seen.get_by_role("img")).to_have_count(0)
    await expect(seen.get_by_role("link", name="here")).to_have_attribute("rel", "noopener noreferrer")
    await expect(seen).to_contain_text("(example.org)")
    await seen.get_by_role("button", name="Spoiler, press to show").tap()
    await expect(seen.get_by_role("button", name="hidden")).to_have_attribute("aria-expanded", "true")


async def test_results_are_read_as_sent(mara: Seat) -> None:
    """Drawings of dice are for the eye; readers and copies get the text."""
    await mara.say("/roll 2d6+3")
    said = await mara.sees(re.compile(r"\d+ ← 2d6 \(\d, \d\) \+ 3"))
    await expect(said).to_match_aria_snapshot("- text: /\\d+ ← 2d6 \\(\\d, \\d\\) \\+ 3/")


async def test_following_and_what_is_new(mara: Seat, ann: Seat) -> None:
    """Who is at the end stays there; who reads above is not moved, and told how many came below."""
    await mara.say_all([f"line {number}" for number in range(30)])
    last = await ann.sees("line 29")
    await expect(last).to_be_in_viewport()
    first = ann.messages(re.compile("line 3$"))
    await first.scroll_into_view_if_needed()
    await ann.log.evaluate("log => { log.scrollTop -= 1 }")
    place = await first.bounding_box()
    await mara.say("one more")
    await expect(ann.page.get_by_role("button", name="1 new below")).to_be_visible()
    assert await first.bounding_box() == place
    await expect(ann.page).to_have_title(re.compile(r"^\(1\) "))
    await expect(ann.log.get_by_role("separator")).to_have_text("New")
    await ann.push("1 new below", by="tap")
    await expect(ann.messages("one more")).to_be_in_viewport()
    await expect(ann.page).to_have_title(re.compile(r"^thread"))
    await first.scroll_into_view_if_needed()
    await ann.say("my own word")
    await expect(ann.messages("my own word")).to_be_in_viewport()


async def test_older_messages_come_without_a_jump(mara: Seat) -> None:
    """Fifty at a time, and what was in view stays where it was."""
    await mara.say_all([f"word {number}" for number in range(70)])
    await mara.sees("word 69")
    name = await mara.place()
    await mara.page.reload()
    await expect(mara.page.get_by_role("heading", name=name, level=1)).to_be_visible()
    await expect(mara.messages("word 69")).to_be_in_viewport()
    await expect(mara.messages(re.compile("word 20$"))).to_have_count(1)
    await expect(mara.messages(re.compile("word 19$"))).to_have_count(0)
    seen = mara.messages(re.compile("word 20$"))
    await mara.log.evaluate("log => { log.scrollTop = 150 }")
    place = await seen.bounding_box()
    await expect(mara.messages(re.compile("word 1$"))).to_have_count(1)
    assert await seen.bounding_box() == place


async def test_who_types_and_who_is_here(mara: Seat, ann: Seat) -> None:
    """Others see that somebody types chat, never that they type a command; and who is here."""
    await ann.field.tap()
    await ann.type("/roll")
    await ann.empty()
    await expect(mara.page.get_by_text("Ann is typing")).to_have_count(0)
    await ann.type("hel")
    await expect(mara.page.get_by_text("Ann is typing")).to_be_visible()
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
    await ann.push("Roll", by="tap", inside=await ann.sees("called by @Mara"))
    return await ann.sees("Only you can see this.")


@pytest.mark.parametrize("width", [390, 320])
async def test_nothing_is_wider_than_the_phone(mara: Seat, ann: Seat, width: int) -> None:
    """No element's right edge lies beyond the window, with everything there is in it; targets are 44 px high."""
    await _full(mara, ann)
    await ann.page.set_viewport_size({"width": width, "height": 700})
    assert await ann.page.evaluate(BEYOND) == []
    await expect(ann.field).to_have_css("font-size", "16px")
    await ann.field.tap()
    await ann.type("/roll 2d6 ")
    await expect(ann.rows.filter(has_text="practice")).to_be_attached()
    assert await ann.page.evaluate(BEYOND) == []
    assert await ann.page.evaluate(SMALL) == []
    await ann.empty()
    await ann.page.get_by_role("button", name="Channels and people").tap()
    await expect(ann.page.get_by_role("navigation")).to_be_visible()
    assert await ann.page.evaluate(BEYOND) == []
    assert await ann.page.evaluate(SMALL) == []
    await ann.push("Close the menu", by="tap")
    await ann.page.set_viewport_size({"width": 390, "height": 844})


async def test_nothing_moves_by_itself(mara: Seat) -> None:
    """There is no animation, for anybody."""
    moving = "() => document.getAnimations().length"
    await mara.say("/roll 2d6")
    await mara.sees("← 2d6")
    assert await mara.page.evaluate(moving) == 0


async def test_light_and_dark(mara: Seat) -> None:
    """They follow the system; what somebody chose stands above it, and stays over a reload."""
    ground = "() => getComputedStyle(document.documentElement).backgroundColor"
    dark, light = "rgb(20, 25, 27)", "rgb(246, 248, 246)"
    assert await mara.page.evaluate(ground) == dark
    await mara.page.emulate_media(color_scheme="light")
    assert await mara.page.evaluate(ground) == light
    await mara.page.get_by_role("navigation").get_by_role("button", name="Mara, you").press("Enter")
    await mara.dialog.get_by_label("Light or dark").select_option("Dark")
    await mara.push("Keep", inside=mara.dialog)
    await expect(mara.dialog).to_be_hidden()
    assert await mara.page.evaluate(ground) == dark
    await mara.page.reload()
    await expect(mara.field).to_be_visible()
    assert await mara.page.evaluate(ground) == dark
    await mara.page.evaluate("() => localStorage.removeItem('theme')")
    await mara.page.emulate_media(color_scheme="dark")
    await mara.page.reload()


async def test_a_table_without_scripts(seats: tuple[Browser, Seat, Seat]) -> None:
    """Without JavaScript one sentence says so."""
    context = await seats[0].new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.goto(seats[1].page.url)
    await expect(page.get_by_role("paragraph")).to_contain_text("The table needs JavaScript")
    await context.close()


async def test_a_guest_without_a_link(seats: tuple[Browser, Seat, Seat]) -> None:
    """Nobody without a seat sees more than the table's name; a wrong secret and another's seat open nothing."""
    context = await seats[0].new_context()
    page = await context.new_page()
    address = seats[1].page.url
    root = address[: address.index("/s/") + 1]
    await page.goto(root)
    await expect(page.get_by_text("You need a link from the game master.")).to_be_visible()
    await page.goto(f"{root}#{'x' * 22}")
    await page.reload()
    await expect(page.get_by_text("This link does not work any more.")).to_be_visible()
    await page.goto(address)
    await expect(page.get_by_role("alert")).to_contain_text("This seat is gone.")
    await expect(page.get_by_role("log")).to_be_hidden()
    await context.close()


async def test_a_game_master_removes_a_guest(seats: tuple[Browser, Seat, Seat], mara: Seat) -> None:
    """Their page closes and says so; what they said stays."""
    eve = await Seat.take(seats[0], await mara.link(ANOTHER), "Eve")
    await eve.open_place(await mara.place())
    await eve.say("I was here")
    await mara.sees("I was here")
    await mara.page.get_by_role("navigation").get_by_role("button", name=re.compile("^Eve( here)?$")).press("Enter")
    await mara.push("Remove from the table", inside=mara.dialog)
    await mara.push("Really remove", inside=mara.dialog)
    await expect(eve.alert).to_contain_text("This seat is gone.")
    await expect(mara.messages("I was here")).to_have_accessible_name(re.compile("^Eve, "))
    await eve.page.context.close()
