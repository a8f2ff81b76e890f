"""Messages made of components as the page draws them, and forms of every kind, from a bot by hand."""

import re
from typing import Any

import pytest
from discord import RadioGroupOption, ui
from playwright.async_api import Locator, expect

from tests.play.by_hand import ByHand
from tests.play.cards import ALT, again, card, chart, text, with_files
from tests.play.looking import BEYOND
from tests.play.test_browser_people import SMALL
from tests.play.test_components import Form
from tests.support.chromium import needs_chromium, press

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]
ROW = """
- listitem:
  - text: "@Ann"
  - strong: "27"
  - text: (20) + 7 passes by 13
"""
BESIDE = "(one, other) => one.getBoundingClientRect().top < other.getBoundingClientRect().bottom"
SIZE = "one => getComputedStyle(one).fontSize"
ROLL = card(
    ui.Section(
        text("# 22 <:d20_17:5> <:d20_12_dropped:6> + 5", 1000),
        text("## Stealth"),
        text("-# Stealth · d20+5 · #2", 3000),
        accessory=again(),
    )
)


def board(*people: str) -> dict[str, Any]:
    """A call that people have answered."""
    rows = "\n".join(f"<@{person}> **27** <:d20_20_success:1> + 7 → passes by 13" for person in people)
    return card(
        ui.Container(
            text("## Stealth"),
            text("1d20+stealth against DC 14 · at least half must pass"),
            ui.Separator(),
            text(rows, 2000),
            ui.Separator(),
            ui.Section(text("**The group passes.**"), text("-# #22", 3000), accessory=again("c", "Chart")),
            accent_colour=0x86CDB2,
        ),
        ui.ActionRow(again("r", "Roll"), again("b", "+ bonus…"), again("d", "My dice…"), again("g", "GM…")),
    )


async def says(by: ByHand, body: Any) -> None:
    """Have the game master roll, and answer."""
    await by.mara.say("/roll 1d20")
    payload = await by.told()
    callback = f"/interactions/{payload['id']}/{payload['token']}/callback"
    answer = {"type": 4, "data": body}
    if "media" in str(body):
        status, said = await by.bot.ask("POST", callback, data=with_files(answer))
    else:
        status, said = await by.bot.ask("POST", callback, answer)
    assert status == 204, said


async def shown(by: ByHand) -> Locator:
    """Show a board with a roll and a chart above it; return it as Ann sees it on a phone."""
    await says(by, ROLL)
    await says(by, card(ui.Container(chart(), text("-# Mean 12.24", 3000))))
    await says(by, board(*(str(person.id) for person in by.table.world.seated())))
    return await by.ann.sees("The group passes.")


async def test_texts_dice_rows_and_pictures(by: ByHand) -> None:
    """Headings have Discord's sizes, dice are read as figures, rows are a list, pictures have alt texts."""
    ann, call = by.ann, await shown(by)
    roll = await ann.sees("d20+5")
    heading = roll.get_by_role("heading", name="22 (17) (dropped 12) + 5")
    assert await heading.evaluate(SIZE) == "24px"
    assert await roll.get_by_role("heading", name="Stealth").evaluate(SIZE) == "20px"
    assert await roll.get_by_text("Stealth · d20+5 · #2").evaluate(SIZE) == "13px"
    await expect(roll.get_by_role("deletion")).to_have_text("(dropped 12)")
    rows = call.get_by_role("list").get_by_role("listitem")
    await expect(rows).to_have_count(2)
    await expect(rows.last).to_match_aria_snapshot(ROW)
    await expect(ann.log.get_by_role("img", name=ALT)).to_be_visible()
    await by.mara.sees("The group passes.")
    await press((await by.mara.sees("d20+5")).get_by_role("button", name="More on Mara’s roll"))
    await press(by.mara.page.get_by_role("menuitem", name="Copy text"))
    await by.mara.field.focus()
    await by.mara.press_key("Control+v")
    await expect(by.mara.field).to_have_value(re.compile(r"^22 17, ~~12~~ \+ 5"))
    assert by.mara.faults + ann.faults == []


async def test_a_card_fits_every_phone(by: ByHand) -> None:
    """Nothing lies beyond the edge, targets are 44 px; a section's button stands beside it while it can.

    A call's four buttons stand in one line, also on a small phone.
    """
    ann, call = by.ann, await shown(by)
    roll = await ann.sees("d20+5")
    words, button = roll.get_by_text("Stealth · d20+5 · #2"), roll.get_by_role("button", name="Again")
    first, last = (call.get_by_role("button", name=name, exact=True) for name in ("Roll", "GM…"))
    for width, beside in ((640, True), (390, True), (360, True), (320, True), (240, False)):
        await ann.page.set_viewport_size({"width": width, "height": 700})
        assert await ann.page.evaluate(BEYOND) == []
        assert await ann.page.evaluate(SMALL) == []
        # Both at once: the conversation may scroll in between.
        assert await button.evaluate(BESIDE, await words.element_handle()) == beside, width
        assert await last.evaluate(BESIDE, await first.element_handle()) == (width >= 360), width
    await ann.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    await expect(call.get_by_role("button", name="Chart")).to_be_visible()
    assert await ann.page.evaluate("() => document.getAnimations().length") == 0
    await ann.page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    await ann.page.set_viewport_size({"width": 390, "height": 844})


async def test_a_press_inside_a_card(by: ByHand) -> None:
    """A button beside text is pressed by keyboard, and an edit shows; an answer is the presser's."""
    await shown(by)
    ann = by.ann
    message = await by.mara.sees("The group passes.")
    button = message.get_by_role("button", name="Chart")
    await press(button)
    await expect(button).to_have_attribute("aria-busy", "true")
    await by.answer(7, **card(ui.Section(text("Closed."), accessory=again("c", "Chart"))))
    await expect(await by.mara.sees("Closed.")).not_to_contain_text("The group")
    await ann.push("Chart", inside=await ann.sees("Closed."))
    await by.answer(**card(text("Nothing to draw.")))
    answer = await by.mara.sees("Nothing to draw.")
    await expect(answer).to_have_accessible_name(re.compile("^Ann, "))
    await expect(answer).to_contain_text("pressed Chart")


async def test_a_form_of_labels_by_keyboard(by: ByHand) -> None:
    """Text, one of several and a box are filled in without a pointer."""
    await says(by, ROLL)
    await by.mara.push("Again", inside=await by.mara.sees("d20+5"))
    await by.answer(9, **Form().to_dict())
    await expect(by.mara.dialog.get_by_label("Bonus")).to_be_focused()
    await by.mara.type("+7")
    await by.mara.press_key("Tab", "ArrowDown")
    await expect(by.mara.dialog.get_by_role("radio", name="dex")).to_be_checked()
    await by.mara.dialog.get_by_label("Keep it").press("Space")
    await by.mara.push("Send", inside=by.mara.dialog)
    sent = await by.answer(**card(text("Thanks.")))
    assert [part["component"]["value"] for part in sent["data"]["components"]] == ["+7", "dex", True]
    await expect(by.mara.dialog).to_be_hidden()


async def test_a_form_begins_with_what_is_chosen(by: ByHand) -> None:
    """Where one of several comes first, the focus is on the one that is chosen so far."""
    modal = ui.Modal(title="Which?", custom_id="which")
    named = [RadioGroupOption(label=name, value=name, default=name == "dex") for name in ("str", "dex")]
    modal.add_item(ui.Label(text="Kind", component=ui.RadioGroup(custom_id="kind", options=named)))
    await says(by, ROLL)
    await by.mara.push("Again", inside=await by.mara.sees("d20+5"))
    await by.answer(9, **modal.to_dict())
    await expect(by.mara.dialog.get_by_role("radio", name="dex")).to_be_focused()
    await by.mara.press_key("Escape")
