"""The line, rule by rule: one field in which a whole command is typed, and the list that helps."""

import re

import pytest
from playwright.async_api import FilePayload, expect

from tests.support.chromium import Held, Seat, holding, holding_hints, needs_chromium, press

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]
ROLLED = re.compile(r"\(\d\)\s+\(\d\)\s+\+ 3.*2d6\+3 · #", re.DOTALL)


async def test_a_whole_command_and_enter_rolls(bob: Seat) -> None:
    """Typed in one go and sent; the field is empty and keeps the focus; the next line follows at once."""
    await bob.type("/roll 2d6+3")
    await bob.press_key("Enter")
    await expect(bob.field).to_have_value("")
    await expect(bob.field).to_be_focused()
    await bob.type("/roll 1d4")
    await bob.press_key("Enter")
    await bob.sees(ROLLED)
    await bob.sees("1d4 · #")


async def test_a_pasted_command_and_enter_rolls(bob: Seat) -> None:
    """What is pasted is a line, its line breaks are blanks, and Enter sends it."""
    await bob.paste("/roll\n  2d6+3\r\nlabel:Climb")
    await expect(bob.field).to_have_value("/roll 2d6+3 label:Climb")
    await bob.press_key("Enter")
    await expect(await bob.sees(ROLLED)).to_contain_text("Climb")


async def is_told(seat: Seat, dice: str) -> None:
    """The page says that these dice were only said, and offers to roll them."""
    await expect(seat.alert).to_have_text(f"That was said, not rolled. Roll {dice}")


async def test_dice_that_are_only_said_are_told_so(ann: Seat) -> None:
    """Whoever types dice without a command hears so and may roll them with a press, until they type on."""
    await ann.say("!r 2d6+1")
    await is_told(ann, "2d6+1")
    await ann.say("1d20+4 adv")
    await is_told(ann, "1d20+4 adv")
    await ann.say("1d20 + 5 to hit")
    await is_told(ann, "1d20 + 5 to hit")
    await ann.say("roll 2d6+2 please")
    await is_told(ann, "2d6+2")
    await ann.say("2d6+4 fire")
    await is_told(ann, "2d6+4 fire")
    await ann.say("2d6+3")
    await is_told(ann, "2d6+3")
    await expect(await ann.sees("2d6+3")).not_to_contain_text("#")
    await ann.push("Roll 2d6+3", inside=ann.alert)
    await ann.sees(ROLLED)
    await expect(ann.alert).to_have_count(0)
    await ann.say("2d6+3")
    await ann.type("w")
    await expect(ann.alert).to_have_count(0)


async def test_talk_about_dice_is_no_roll(ann: Seat) -> None:
    """Nobody who chats is told that they rolled nothing."""
    await ann.say("I have 2 potions")
    await ann.say("2d6 are better than 1d12")
    await ann.say("d20 is my favourite die")
    await ann.sees("favourite")
    await expect(ann.alert).to_have_count(0)


async def test_two_slashes_say_one(bob: Seat) -> None:
    """`//x` is chat that says `/x`."""
    await bob.say("//roll is a command")
    await expect(await bob.sees("roll is a command")).to_contain_text("/roll is a command")


@pytest.mark.parametrize(
    ("line", "sentence", "caret"),
    [
        ("/rol 2d6", "There is no /rol. Did you mean /roll?", 4),
        ("/roll", "dice is needed: ", 5),
        ("/roll 2d6 times:200", "times is a whole number from 1 to 20", 10),
        ("/roll 2d6 visibility:nobody", "visibility is one of ", 10),
    ],
)
async def test_what_can_not_be_run_stays(bob: Seat, line: str, sentence: str, caret: int) -> None:
    """A line that begins with / never becomes chat: it stays, the caret at the fault, with one sentence."""
    await bob.say(line)
    await expect(bob.alert).to_contain_text(sentence)
    await expect(bob.field).to_have_value(line)
    await expect(bob.field).to_be_focused()
    at = await bob.field.evaluate("field => field.selectionStart")
    assert caret <= at <= len(line)
    await expect(bob.messages(line)).to_have_count(0)


async def test_people_are_named_with_an_at(mara: Seat) -> None:
    """`@` lists people, names with blanks too; taking one writes it, and the command calls them."""
    await mara.type("/group call check:Stealth dice:1d20 dc:12 players:@bo")
    await expect(mara.rows.filter(has_text="Bob B")).to_be_visible()
    await mara.press_key("Tab")
    await expect(mara.field).to_have_value(re.compile(r"players:@Bob B ?$"))
    await mara.press_key("Enter")
    await expect(await mara.sees("called by @Mara")).to_contain_text(re.compile(r"Missing:\s*@Bob B"))


async def test_a_file_is_written_into_the_line(mara: Seat) -> None:
    """The plus uploads, writes the option, shows name and size, and *Remove* takes both away."""
    await mara.type("/export ")
    await expect(mara.rows.first).to_be_visible()
    table: FilePayload = {"name": "sheet.json", "mimeType": "application/json", "buffer": b'{"no": "table"}'}
    await mara.page.get_by_label("Attach a file").set_input_files(table)
    await expect(mara.field).to_have_value(re.compile(r"^/export bring_back:sheet\.json ?$"))
    await expect(mara.page.get_by_text("15 B")).to_be_visible()
    await mara.push("Remove sheet.json")
    await expect(mara.field).to_have_value(re.compile(r"^/export ?$"))
    await mara.page.get_by_label("Attach a file").set_input_files(table)
    await expect(mara.field).to_have_value(re.compile(r"bring_back:sheet\.json"))
    await mara.press_key("Enter")
    await mara.sees("Only you can see this.")


async def test_a_file_waits_for_the_list(mara: Seat) -> None:
    """A file that is there before the answer for what was typed is written into the line with that answer."""
    held = Held()
    page = await mara.again(holding('"hints"', held))
    await page.field.fill("/export ")
    route, answer = await held.get()
    note: FilePayload = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"late"}
    await page.page.get_by_label("Attach a file").set_input_files(note)
    await expect(page.page.get_by_text("4 B")).to_be_visible()
    await expect(page.field).to_have_value("/export ")
    route.send(answer)
    await expect(page.field).to_have_value(re.compile(r"^/export bring_back:note\.txt ?$"))


@pytest.mark.parametrize("way", ["drop", "paste"])
async def test_a_file_is_dropped_or_pasted(mara: Seat, way: str) -> None:
    """It is uploaded and shown with its size; sent with a line it stands in the message for a download."""
    event = "new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })"
    if way == "paste":
        event = "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })"
    await mara.field.evaluate(
        f"""(field, name) => {{
            const data = new DataTransfer();
            data.items.add(new File(["0123456789"], name, {{ type: "text/plain" }}));
            field.dispatchEvent({event});
        }}""",
        f"{way}.txt",
    )
    await expect(mara.page.get_by_role("button", name=f"Remove {way}.txt")).to_be_visible()
    await expect(mara.page.get_by_text("10 B")).to_be_visible()
    await mara.say("my notes")
    await expect(
        (await mara.sees("my notes")).get_by_role("link", name=f"Download {way}.txt")
    ).to_be_visible()
    await expect(mara.page.get_by_role("button", name=f"Remove {way}.txt")).to_have_count(0)


async def test_the_list_names_commands_options_and_choices(bob: Seat) -> None:
    """After / come commands, `/roll` first, then options, then choices, each with its meaning."""
    await bob.type("/ro")
    await expect(bob.rows.first).to_contain_text(re.compile(r"/roll\s+\S+"))
    await expect(bob.field).to_have_attribute("aria-expanded", "true")
    await bob.type("ll 2d6 ")
    await expect(bob.rows.filter(has_text="visibility")).to_contain_text("Who sees it")
    await bob.type("visibility:")
    await expect(bob.rows.filter(has_text="blind")).to_be_visible()
    await expect(bob.field).to_have_accessible_description(re.compile("^visibility Who sees it"))


async def test_what_can_not_be_run_here_is_not_listed(bob: Seat) -> None:
    """Alone with the bot there is no group to call: it is neither offered nor run."""
    await bob.open_place("Evenhand, alone")
    await bob.type("/")
    await expect(bob.rows.filter(has_text=re.compile(r"^/roll\s"))).to_have_count(1)
    await expect(bob.rows.filter(has_text="/group")).to_have_count(0)
    await bob.type("group call check:Perception dice:1d20")
    await bob.press_key("Enter")
    await expect(bob.alert).to_contain_text("/group call needs a channel: here you are alone with Evenhand.")
    await expect(bob.field).to_have_value("/group call check:Perception dice:1d20")


async def test_enter_sends_unless_a_row_is_marked(bob: Seat) -> None:
    """Nothing is chosen beforehand: Enter sends; an arrow key marks a row, and then Enter takes it."""
    await bob.type("/roll 2d6+3 ")
    await expect(bob.rows.filter(has_text="times")).to_be_visible()
    await expect(bob.rows.and_(bob.page.get_by_role("option", selected=True))).to_have_count(0)
    await bob.press_key("ArrowUp")
    await expect(bob.rows.last).to_have_attribute("aria-selected", "true")
    await expect(bob.rows.last).to_contain_text("thrown")
    await bob.press_key("Enter")
    await expect(bob.field).to_have_value("/roll 2d6+3 thrown:")
    await expect(bob.messages(ROLLED)).to_have_count(0)


async def test_a_marked_row_stays_marked(bob: Seat) -> None:
    """The bot's own choices come after the rest of the list, and take nobody's mark away."""
    await bob.type("/roll 2d6+3 l")
    await expect(bob.rows.first).to_contain_text("label")
    await bob.press_key("ArrowDown")
    await expect(bob.rows.first).to_have_attribute("aria-selected", "true")
    await bob.press_key("Enter")
    await expect(bob.field).to_have_value("/roll 2d6+3 label:")


async def test_enter_on_an_unmarked_list_sends(bob: Seat) -> None:
    """An open list alone holds nothing back."""
    await bob.type("/roll 2d6+3 ")
    await expect(bob.rows.filter(has_text="times")).to_be_visible()
    await bob.press_key("Enter")
    await bob.sees(ROLLED)


async def test_tab_takes_and_leaves(bob: Seat) -> None:
    """Tab takes the first row, waits for a list that is on its way, and without one leaves the field."""
    await bob.type("/odd")
    await bob.press_key("Tab")
    await expect(bob.field).to_have_value("/odds ")
    await expect(bob.field).to_be_focused()
    await bob.press_key("Escape", "Control+a", "Delete")
    await bob.type("hello")
    await bob.press_key("Tab")
    await expect(bob.page.get_by_role("button", name=bob.own("Send"), exact=True)).to_be_focused()
    await bob.press_key("Shift+Tab")
    await expect(bob.field).to_be_focused()


async def test_tab_waits_for_a_late_list(bob: Seat) -> None:
    """Tab takes the first row of a list that comes seconds later, unless more was typed meanwhile."""
    held = Held()
    page = await bob.again(holding_hints("/odd", held))
    await page.page.clock.install()
    for more, line in (("", "/odds "), ("x", "/oddx")):
        await page.empty()
        await page.type("/odd")
        await page.press_key("Tab")
        route, answer = await held.get()
        await page.page.clock.run_for(3000)
        await page.type(more)
        route.send(answer)
        await expect(page.field).to_have_value(line)


async def test_escape_closes_the_list(bob: Seat) -> None:
    """Esc closes the list and leaves the line; the next Esc does nothing."""
    await bob.type("/ro")
    await expect(bob.rows.first).to_be_visible()
    await bob.press_key("Escape")
    await expect(bob.rows).to_have_count(0)
    await bob.press_key("Escape")
    await expect(bob.field).to_have_value("/ro")
    await expect(bob.field).to_be_focused()


async def test_up_brings_the_last_lines(bob: Seat) -> None:
    """Up in an empty field brings one's last lines, the latest first; Down goes back."""
    await bob.say("first of two")
    await bob.say("second of two")
    await bob.sees("second of two")
    await bob.press_key("ArrowUp")
    await expect(bob.field).to_have_value("second of two")
    await bob.press_key("ArrowUp")
    await expect(bob.field).to_have_value("first of two")
    await bob.press_key("ArrowDown", "ArrowDown")
    await expect(bob.field).to_have_value("")


async def test_enter_while_composing_is_not_ours(bob: Seat) -> None:
    """Enter that ends an input method's word sends nothing."""
    await bob.type("にほん")
    ends = {"key": "Enter", "keyCode": 229, "isComposing": True, "bubbles": True}
    await bob.field.dispatch_event("keydown", ends)
    await expect(bob.field).to_have_value("にほん")
    await expect(bob.messages("にほん")).to_have_count(0)


async def test_typing_is_not_disturbed(bob: Seat, mara: Seat) -> None:
    """What arrives while somebody types neither moves nor replaces what they type."""
    name = await bob.place()
    await bob.type("/roll 2d")
    await mara.open_place(name)
    await mara.empty()
    await mara.say("a word between")
    await bob.sees("a word between")
    await bob.type("6+3")
    await expect(bob.field).to_have_value("/roll 2d6+3")
    await expect(bob.field).to_be_focused()


async def test_again_rolls_at_once(bob: Seat) -> None:
    """One's latest different rolls in a channel are buttons, six at most, the latest first; a press rolls."""
    for sides in range(2, 10):
        await bob.say(f"/roll 3d{sides}")
        await bob.sees(re.compile(rf"3d{sides} (· #|\()"))
    again = bob.page.get_by_role("group", name=bob.own("Again")).get_by_role("button")
    await expect(again).to_have_text([f"3d{sides}" for sides in range(9, 3, -1)])
    await expect(bob.page.get_by_role("group", name=bob.own("Dice"))).to_have_count(0)
    await press(again.first)
    await expect(bob.messages("3d9 (")).to_have_count(2)
    await bob.open_thread()
    await expect(again).to_have_count(0)
