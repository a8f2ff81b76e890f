"""What has the keyboard's focus at the table, while messages come, change and go."""

import re

import pytest
from playwright.async_api import expect

from tests.support.chromium import Held, Seat, holding, needs_chromium

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]


async def test_a_focus_whose_button_goes_stays_at_its_message(mara: Seat) -> None:
    """Whoever has only a keyboard or a reader goes on where they were."""
    await mara.say("/roller fair name:Luck dice:2d6")
    await mara.sees("tightness")
    await mara.say("/roller reset Luck")
    question = await mara.sees("Reset Luck?")
    await mara.push("Reset it", inside=question)
    await expect(await mara.sees(re.compile(r"Done\."))).to_be_focused()


async def test_a_focus_moves_to_the_same_button_drawn_anew(mara: Seat) -> None:
    """A call is text that pings, and its card follows: a key that is pressed between them is not lost."""
    held = Held()
    page = await mara.again(holding('"type": 17', held))
    await page.say("/group call check:Balance dice:1d20 players:@Mara")
    button = (await page.sees("called by")).get_by_role("button", name="+ bonus…")
    await button.focus()
    route, card = await held.get()
    route.send(card)
    await expect(page.log.locator("section.box")).to_be_visible()
    await expect(button).to_be_focused()


async def test_a_focus_moves_to_the_same_picture_drawn_anew(mara: Seat) -> None:
    """Its card follows too, while the picture has the focus or while it is open: Esc comes back to it."""
    held = Held()
    page = await mara.again(holding('"type": 17', held))
    for count, dice in enumerate(("2d6", "3d6"), start=1):
        await page.say(f"/odds {dice}")
        picture = (await page.sees(dice)).get_by_role("button", name=re.compile("^Open picture: "))
        await picture.focus()
        if count == 2:
            await page.press_key("Enter")
            await expect(page.dialog).to_be_visible()
        route, card = await held.get()
        route.send(card)
        await expect(page.page.locator("#log section.box")).to_have_count(count)
        if count == 2:
            await page.press_key("Escape")
        await expect(picture).to_be_focused()


async def test_a_focus_does_not_pass_to_another_button(mara: Seat) -> None:
    """Where *Close* was is *Call it off…* then, and a second Enter must not ask for that."""
    await mara.say("/group call check:Balance dice:1d20")
    await mara.push("GM…", inside=await mara.sees("called by"))
    panel = await mara.sees("Only you can see this.")
    await mara.push("Close", inside=panel)
    await expect(panel.get_by_role("button", name="Reopen")).to_be_visible()
    await expect(panel).to_be_focused()


async def test_a_focus_goes_on_to_the_message_of_the_next_turn(mara: Seat) -> None:
    """It takes the place of the one before: a game master passes turn after turn with Enter."""
    await mara.say("/group initiative dice:1d20")
    board = await mara.sees("called by")
    await mara.push("GM…", inside=board)
    await mara.push("Add monsters…")
    await expect(mara.dialog).to_be_visible()
    await mara.type("Goblin x3")
    await mara.press_key("Enter")
    await mara.sees("Goblin 3")
    await mara.push("Begin")
    button = mara.log.get_by_role("button", name=mara.own("Next turn")).last
    await expect(button).to_have_attribute("data-id", re.compile("^turn-next:.*:1$"))  # the board has one too
    await button.focus()
    await mara.press_key("Enter")
    await expect(button).to_have_attribute("data-id", re.compile("^turn-next:.*:2$"))
    await expect(button).to_be_focused()
    # The board follows later, and would come in the midst of the next test.
    await expect(mara.log.locator("[data-id^=call-next]").last).to_have_attribute(
        "data-id", re.compile(":2$")
    )


async def test_an_edit_keeps_the_focus(mara: Seat, ann: Seat) -> None:
    """A board that fills in leaves the focus where it is."""
    await mara.say("/group call check:Balance dice:1d20")
    button = (await mara.sees("Balance")).get_by_role("button", name="+ bonus…")
    await button.focus()
    await ann.push("Roll", inside=await ann.sees("Balance"))
    await expect(await mara.sees("called by")).to_contain_text(re.compile(r"@Ann\s+(\d+)\s+\1\s+\(\1\)"))
    await expect(button).to_be_focused()
