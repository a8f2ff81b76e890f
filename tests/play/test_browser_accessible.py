"""The page in each of its states keeps axe-core's rules of accessibility."""

import re
from typing import Any, cast

import pytest
from axe_playwright_python.async_playwright import Axe  # pyright: ignore[reportMissingTypeStubs] (untyped)
from playwright.async_api import Browser, Page, expect

from tests.support.chromium import ANOTHER, Seat, needs_chromium

pytestmark = [
    needs_chromium,
    pytest.mark.asyncio(loop_scope="session"),
]
_AXE = Axe()
_RULES = {"rules": {"html-lang-valid": {"enabled": False}}}
"""All but that the language is one that there is: the one for looking is not."""
LINES = (
    "/d100 roll",
    "/verify",
    "/history",
    "/me set:str 3",
    "/stats",
    "/help",
    "/group initiative",
    "/roll 2d6+",
    "/odds 2d6",
)


async def breaches(page: Page) -> list[tuple[str, list[str]]]:
    """Each rule that the page breaks, and the elements that do."""
    response = cast("dict[str, Any]", (await _AXE.run(page, options=_RULES)).response)  # pyright: ignore[reportUnknownMemberType]
    return [(rule["help"], [node["html"] for node in rule["nodes"]]) for rule in response["violations"]]


async def test_the_door_and_an_empty_table(browser: Browser, mara: Seat) -> None:
    """Before somebody sits down, and right after."""
    door = await (await browser.new_context()).new_page()
    await door.goto(await mara.link(ANOTHER))
    await expect(door.get_by_role("textbox")).to_be_focused()

    assert not await breaches(door)
    assert not await breaches(mara.page)


async def test_messages_in_dark_and_light_at_a_desk_and_on_a_phone(mara: Seat, ann: Seat) -> None:
    """Rolls, cards with buttons, tables and charts, a private answer, a refusal, and what is asked about.

    In a channel of its own, for the history of the others has what their tests typed.
    """
    await ann.open_place(await mara.open_thread("channel"))
    await mara.say("/roll 2d20kh1+5 vs 15")
    await mara.say("/roll 2d66 sword")
    for place, line in enumerate(LINES, start=3):
        await mara.say(line)
        await expect(mara.log.get_by_role("article")).to_have_count(place)
    await mara.messages("/odds").locator("img").wait_for()
    for seat in (mara, ann):
        for scheme in ("light", "dark"):
            await seat.page.emulate_media(color_scheme=scheme)
            assert not await breaches(seat.page)


async def test_what_opens(mara: Seat) -> None:
    """The suggestions, a message's menu, a form of the bot, a picture, and the table's own dialogs."""
    await mara.type("/ro")
    await expect(mara.rows.first).to_be_visible()
    assert not await breaches(mara.page)
    await mara.press_key("Escape")
    await mara.empty()
    await mara.say("/group call check:Stealth dice:1d20 dc:12")
    for name in ("+ bonus…", "Invite people", "New channel or thread", "This channel", "Mara, you GM here"):
        await mara.push(name)
        await expect(mara.dialog).to_be_visible()
        assert not await breaches(mara.page)
        await mara.press_key("Escape")
        await expect(mara.dialog).to_be_hidden()
    await mara.say("/odds 2d6")
    await mara.messages("/odds").get_by_role("button", name=re.compile("^Open picture")).press("Enter")
    await expect(mara.dialog.locator("img")).to_be_visible()
    assert not await breaches(mara.page)
    await mara.press_key("Escape")
    await mara.page.get_by_role("button", name=re.compile("^More on")).last.press("Enter")
    await expect(mara.page.get_by_role("menu")).to_be_visible()
    assert not await breaches(mara.page)
    await mara.press_key("Escape")
