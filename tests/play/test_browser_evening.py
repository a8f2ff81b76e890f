"""A short evening in three browsers: a game master and a player with keyboards, and a player with a phone."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.chromium import ANOTHER, Seat, needs_chromium, press

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]


async def test_a_short_evening(browser: Browser, mara: Seat, ann: Seat, bob: Seat) -> None:
    """Everything that a table does in an evening works: by keyboard at two desks, by finger on a phone.

    It has a channel of its own, which is a campaign of its own.
    """
    place = await mara.open_thread("channel")
    for seat in (ann, bob):
        await seat.open_place(place)
        seat.faults.clear()
    mara.faults.clear()
    await _rolls_and_odds(mara, ann, bob)
    await _group_call(mara, ann, bob)
    await _latecomer(browser, mara, bob, place)
    await _hidden_roll(mara, bob)
    await _initiative(mara, ann, bob)
    await _d100_and_cards(mara, ann, bob)
    await _history_and_export(mara, bob)
    await _reset_and_undo(mara, bob)
    assert [fault for seat in (mara, ann, bob) for fault in seat.faults] == []


async def _rolls_and_odds(mara: Seat, ann: Seat, bob: Seat) -> None:
    await mara.say("/roller fair name:Luck dice:2d6")
    await bob.sees(re.compile(r"Luck is ready: fair 2d6, tightness 1,"))
    await bob.say("/roll Luck times:3 label:Sneaking")
    rolled = await ann.sees("Sneaking")
    await expect(rolled).to_contain_text("fair 2d6")
    await expect(rolled).to_have_accessible_name(re.compile(r"^Bob B, \d\d:\d\d$"))
    await ann.say("/roll 2d6+3")
    plain = re.compile(r"2d6\+3 · #")
    await ann.push("Again", inside=await ann.sees(plain))
    await expect(mara.messages(plain)).to_have_count(2)

    await bob.say("/odds Luck")
    odds = (await ann.sees("next roll")).get_by_role("img", name=re.compile("fair 2d6"))
    await expect(odds).to_be_visible()
    picture = (await bob.sees("next roll")).get_by_role("button", name=re.compile("^Open picture: "))
    await ann.push(await picture.get_attribute("aria-label") or "", inside=await ann.sees("next roll"))
    shown, caption = ann.dialog.get_by_role("img"), ann.dialog.get_by_text(re.compile("chances of the next"))
    widths = [box["width"] for box in (await shown.bounding_box(), await caption.bounding_box()) if box]
    assert widths[1] >= widths[0] > 200
    await ann.push("Close", inside=ann.dialog)


async def _group_call(mara: Seat, ann: Seat, bob: Seat) -> None:
    await mara.say("/group call check:Perception dice:1d20+5 dc:15 rule:half players:@Bob B @Ann")
    board = await ann.sees("against DC 15")
    await expect(board).to_contain_text(re.compile(r"Missing:\s*@Ann, @Bob B"))
    await bob.push("Roll", inside=await bob.sees("against DC 15"))
    await expect(board).to_contain_text(re.compile(r"Missing:\s*@Ann"))
    answer = await bob.sees(re.compile(r"(Passes by \d+|Just passes|Fails by \d+)\s*Perception · 1d20\+5"))
    await expect(answer).to_contain_text("Only you can see this.")
    await ann.push("+ bonus…", inside=board)
    await ann.dialog.get_by_role("textbox").fill("+2")
    await ann.push("Send", inside=ann.dialog)
    await expect(await mara.sees("against DC 15")).to_contain_text(re.compile(r"The group (succeeds|fails)"))


async def _latecomer(browser: Browser, mara: Seat, bob: Seat, place: str) -> None:
    await mara.say("/group call check:Climbing dice:1d20")
    await bob.push("Roll", inside=await bob.sees(re.compile("Climbing.*called by @Mara", re.DOTALL)))
    cem = await Seat.take(browser, await mara.link(ANOTHER), "Cem")
    await cem.open_place(place)
    await cem.push("Roll", inside=await cem.sees(re.compile("Climbing.*called by @Mara", re.DOTALL)))
    await expect(await bob.sees("called by @Mara")).to_contain_text(re.compile(r"@Cem\s+(\d+)\s+\1\s+\(\1\)"))
    await cem.page.context.close()
    away = bob.page.get_by_role("navigation").get_by_role("listitem").filter(has_text="Cem")
    await expect(away.get_by_role("img", name="away")).to_be_visible()


async def _hidden_roll(mara: Seat, bob: Seat) -> None:
    await mara.say("/roll 1d20 label:Ambush visibility:gm")
    await bob.sees(re.compile("rolled, hidden"))
    await expect(bob.messages("visibility:gm")).to_have_count(0)
    secret = await mara.sees("Only you can see this.")
    await mara.push("Reveal", inside=secret)
    await bob.sees(re.compile(r"@Mara reveals"))


async def _initiative(mara: Seat, ann: Seat, bob: Seat) -> None:
    await mara.say("/group initiative")
    for seat in (ann, bob):
        await seat.push("Roll", inside=await seat.sees("Initiative"))
    board = await mara.sees(re.compile("Initiative.*called by @Mara", re.DOTALL))
    await expect(board).to_contain_text("@Ann")
    await expect(board).to_contain_text("@Bob B")
    calls = bob.messages(re.compile("@(Ann|Bob B), it is your turn in"))
    called: list[str] = []
    for label in ("Begin", "Next turn", "Next turn"):
        await mara.push(label, inside=board)
        # The call of the turn before goes away.
        other = {"": "Ann|Bob B", "Ann": "Bob B", "Bob B": "Ann"}[called[-1] if called else ""]
        await expect(bob.messages(re.compile(f"@({other}), it is your turn in"))).to_have_count(1)
        await expect(calls).to_have_count(1)
        called += re.findall("@(Ann|Bob B),", await calls.inner_text())
        await expect(board.get_by_role("button", name="Next turn")).to_be_enabled()
    await expect(board).to_contain_text("Round 2")
    await mara.push("GM…", inside=board)
    await expect((await mara.sees("Only you can see this.")).get_by_role("button").first).to_be_visible()


async def _d100_and_cards(mara: Seat, ann: Seat, bob: Seat) -> None:
    await ann.say("/d100 roll")
    await bob.sees(re.compile(r"dice [-\d]+ read \d"))
    await mara.say("/roller cards name:Fate cards:sun 4, moon 4, star 4")
    await bob.sees("Deal from it with /deal Fate.")
    await mara.say("/group deal Fate cards:2")
    await bob.push("My hand", inside=await bob.sees("2 cards of Fate each"))
    hand = re.compile(r"(sun|moon|star).*Only you can see this", re.DOTALL)
    await bob.sees(hand)
    await expect(ann.messages(hand)).to_have_count(0)


async def _history_and_export(mara: Seat, bob: Seat) -> None:
    await bob.say("/history")
    await bob.push("Older", inside=await bob.sees(re.compile(r"#\d+ · .*made or tuned Fate", re.DOTALL)))
    await bob.sees(re.compile(r"#\d+ · .*Sneaking.*made or tuned Luck", re.DOTALL))
    await mara.say("/export format:json")
    link = (await mara.sees(".jsonl")).get_by_role("link", name=re.compile("^Download .*jsonl$"))
    await link.focus()
    async with mara.page.expect_download() as waiting:
        await mara.press_key("Enter")
    download = await waiting.value
    content = await asyncio.to_thread(Path(await download.path()).read_text)
    assert '"Luck"' in content
    details = await mara.sees("Sneaking")
    await details.get_by_role("button", name="More").focus()
    await mara.press_key("Shift+F10")
    await press(mara.page.get_by_role("menuitem", name="Roll details"))
    await expect(await mara.sees(re.compile("memory", re.IGNORECASE))).not_to_contain_text("/Roll details")


async def _reset_and_undo(mara: Seat, bob: Seat) -> None:
    await bob.say("/roller reset Luck")
    await bob.sees("Only game masters can do that")
    await mara.say("/roller reset Luck")
    await mara.push("Reset it", inside=await mara.sees("Reset Luck?"))
    await bob.sees("reset Luck: it starts afresh.")
    await mara.say("/roller undo Luck")
    await bob.sees(re.compile(r"@Mara undid #\d+"))
