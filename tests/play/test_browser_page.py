"""The conversation, rule by rule: answers and their buttons, marks, and where the view stands."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.support.chromium import ANOTHER, Held, Seat, holding, holding_hints, needs_chromium, press

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]


async def test_an_empty_place_says_how_to_begin(mara: Seat, ann: Seat) -> None:
    """Three lines to press, run as if typed, for a player others; they go with the first message."""
    begin = mara.page.get_by_role("region", name="How to begin")
    await expect(begin.get_by_role("button")).to_have_text(
        [re.compile("/roll 2d6"), re.compile("/roller fair"), re.compile("/group call")]
    )
    starts = ann.page.get_by_role("region", name="How to begin").get_by_role("button")
    await expect(starts).to_have_text([re.compile(line) for line in ("/roll 2d6", "/d100 roll", "/buttons")])
    await ann.page.get_by_role("button", name="/roll 2d6+3").tap()
    await mara.sees("2d6+3 · #")
    await expect(begin).to_have_count(0)


async def test_an_empty_place_alone_offers_what_runs_there(mara: Seat, ann: Seat) -> None:
    """Alone with the bot there is no group to call; in a short window the place begins at its top."""
    await mara.page.set_viewport_size({"width": 640, "height": 400})
    await expect(mara.page.get_by_role("heading", name="The table is laid.")).to_be_in_viewport()
    await mara.page.set_viewport_size({"width": 1280, "height": 900})
    await ann.open_place("Evenhand, alone")
    begin = ann.page.get_by_role("region", name="How to begin")
    await expect(begin).to_contain_text("Here nobody but you sees it.")
    await expect(begin.get_by_role("button")).to_have_text(
        [re.compile("/roll 2d6"), re.compile("/roller fair"), re.compile("/d100 roll")]
    )


async def test_a_link_opens_its_channel_at_once(mara: Seat) -> None:
    """What is typed as soon as the line has the focus goes where the link leads, never elsewhere."""
    page = await mara.again(holding('"opened"', Held()))
    await page.say("said at once")
    await mara.sees("said at once")


async def test_the_channel_opened_last_stays(mara: Seat) -> None:
    """Also where the answer for one opened before comes late."""
    held, thread = Held(), await mara.place()
    page = await mara.again(holding('"opened"', held))
    side = page.page.get_by_role("navigation")
    await press(side.get_by_role("button", name="Evenhand, alone"))
    route, answer = await held.get()
    await press(side.get_by_role("button", name=thread))
    route.send(answer)
    await page.say("said in the thread")
    await mara.sees("said in the thread")
    assert await page.place() == thread


async def test_a_pressed_button_is_busy(mara: Seat) -> None:
    """A second press before the first is answered is not sent."""
    await mara.say("/roll 2d6 label:Twice")
    await mara.sees("Twice")
    held: list[str] = []

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(route.send)
        route.on_message(
            lambda frame: held.append(str(frame)) if '"press"' in str(frame) else server.send(frame)
        )

    page = await mara.again(hold)
    button = (await page.sees("Twice")).get_by_role("button", name="Again")
    await press(button)
    await expect(button).to_have_attribute("aria-busy", "true")
    await press(button)
    await page.say("after both")
    await page.sees("after both")
    assert len(held) == 1


async def test_nothing_moves_under_a_finger(mara: Seat) -> None:
    """What comes between touch and click is drawn after it: the click is for the button that was touched."""
    await mara.say("/roll 2d6 label:Held")
    told = asyncio.Event()

    def listen(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def back(frame: str | bytes) -> None:
            route.send(frame)
            if "said meanwhile" in str(frame):
                told.set()

        server.on_message(back)

    page = await mara.again(listen)
    button = (await page.sees("Held")).get_by_role("button", name="Again")
    place = await button.bounding_box()
    await button.hover()
    await page.page.mouse.down()
    await mara.say("said meanwhile")
    await told.wait()
    assert await button.bounding_box() == place
    assert await page.messages("said meanwhile").count() == 0
    await page.page.mouse.up()
    await expect(await page.sees("pressed Again")).to_have_accessible_name(re.compile("^Mara, "))
    await expect(page.messages("said meanwhile")).to_have_count(1)


async def test_a_finger_that_is_lifted_unseen_is_not_waited_for(mara: Seat) -> None:
    """Where a browser does not say that a press has ended, as on a scrollbar, the page goes on by itself."""

    def through(route: WebSocketRoute) -> None:
        route.connect_to_server()

    page = await mara.again(through)
    await page.page.clock.install()
    await page.page.evaluate("dispatchEvent(new PointerEvent('pointerdown'))")
    await mara.say("said after")
    await page.page.clock.run_for(10_000)
    await page.sees("said after")


async def test_a_late_list_is_dropped(mara: Seat) -> None:
    """An answer to an older question changes nothing."""
    held = Held()
    page = await mara.again(holding_hints("/d", held))
    await page.type("/d")
    route, answer = await held.get()
    await page.press_key("Backspace")
    await page.type("ro")
    await expect(page.rows.first).to_contain_text("/roll")
    route.send(answer)
    await page.say("ll 1d6 label:late")
    await page.sees("late")
    await expect(page.rows).to_have_count(0)


async def test_a_roll_stands_under_who_asked(mara: Seat, ann: Seat) -> None:
    """The command's name is shown to all, the whole line only to who typed it.

    Drawings of dice are for the eye; readers and copies get figures.
    """
    await mara.say("/roll 2d6+3 label:Climb")
    await expect(await mara.sees("Climb")).to_contain_text("/roll 2d6+3 label:Climb")
    seen = await ann.sees("Climb")
    await expect(seen).to_have_accessible_name(re.compile("^Mara, "))
    await expect(seen).to_contain_text("/roll")
    await expect(seen).not_to_contain_text("label:Climb")
    await expect(seen).to_match_aria_snapshot("- heading /\\d+ \\(\\d\\) \\(\\d\\) \\+ 3/")


async def test_private_answers_say_so_and_go(mara: Seat, ann: Seat) -> None:
    """An ephemeral is for one person, is kept over a reload, and goes when it is dismissed."""
    await mara.say("/help")
    secret = await mara.sees("Only you can see this.")
    await expect(ann.messages("Only you can see this.")).to_have_count(0)
    await mara.page.reload()
    await expect(secret).to_be_visible()
    await mara.push("Dismiss", inside=secret)
    await expect(secret).to_have_count(0)
    await expect(mara.field).to_be_focused()


async def test_a_form_is_a_dialog(mara: Seat) -> None:
    """It has a title and the focus in its first field; Enter sends, Esc closes and gives the focus back."""
    await mara.say("/group call check:Climbing dice:1d20")
    opener = (await mara.sees("called by")).get_by_role("button", name="+ bonus…")
    await press(opener)
    await expect(mara.dialog).to_have_accessible_name("+ bonus…")
    field = mara.dialog.get_by_role("textbox")
    await expect(field).to_be_focused()
    await expect(mara.dialog).not_to_contain_text("100")
    await mara.press_key("Escape")
    await expect(mara.dialog).to_be_hidden()
    await expect(opener).to_be_focused()
    await press(opener)
    await expect(field).to_be_focused()
    await mara.type("+2")
    await mara.press_key("Enter")
    await mara.sees(re.compile(r"\(\d+\)\s+\+ 2"))
    await expect(mara.dialog).to_be_hidden()


async def test_the_messages_menu(mara: Seat) -> None:
    """*More*, which says whose, the right button and Shift+F10 open it; it holds the bot's commands too."""
    await mara.say("/roll 2d6 label:Menu")
    message = await mara.sees("Menu")
    menu = mara.page.get_by_role("menu")
    more = message.get_by_role("button", name="More")
    await expect(more).to_have_accessible_name(re.compile(r"^More on Mara’s roll, \d\d:\d\d$"))
    await more.press("Shift+F10")
    await expect(menu.get_by_role("menuitem")).to_have_text(["Roll details", "Copy text", "Copy link"])
    await mara.press_key("Escape")
    await expect(menu).to_be_hidden()
    await message.click(button="right", position={"x": 200, "y": 12})
    await expect(menu).to_be_visible()
    await mara.press_key("ArrowDown", "Enter")
    await expect(menu).to_be_hidden()
    await mara.field.focus()
    await mara.press_key("Control+v")
    await expect(mara.field).to_have_value(re.compile(r"\*\*\d+\*\* \d, \d .*Menu · 2d6 · #\d+"))


async def test_marks_and_nothing_else(mara: Seat, ann: Seat) -> None:
    """Markdown is drawn, markup of any other kind is text, and nothing of it runs.

    The time stands behind a command that ends with a name from right to left.
    """
    await mara.say(
        "**bold** ||hidden|| `x` <b>raw</b> <img src=x onerror=alert(1)> [here](https://example.org/a)"
    )
    seen = await ann.sees("raw")
    await expect(seen.get_by_text("bold", exact=True)).to_have_css("font-weight", "700")
    await expect(seen).to_contain_text("<b>raw</b> <img src=x onerror=alert(1)>")
    await expect(seen.get_by_role("img")).to_have_count(0)
    await expect(seen.get_by_role("link", name="here")).to_have_attribute("rel", "noopener noreferrer")
    await expect(seen).to_contain_text("(example.org)")
    await seen.get_by_role("button", name="Spoiler, press to show").tap()
    await expect(seen.get_by_role("button", name="hidden")).to_have_attribute("aria-expanded", "true")
    await mara.say("/save dice:1d1 name:שלום")
    who = (await mara.sees("name:שלום")).locator(".who")
    command, time = await who.locator("code").bounding_box(), await who.locator("time").bounding_box()
    assert command
    assert time
    assert command["x"] + command["width"] <= time["x"]


async def test_who_comes_late_is_welcome_and_follows(browser: Browser, mara: Seat) -> None:
    """Who came late finds a welcome until they do something, and dice, also behind their own rolls.

    Who is at the end stays there; who reads above is not moved, and told how many came below.
    """
    await mara.say("said before")
    dan = await Seat.take(browser, await mara.link(ANOTHER), "Dana", width=320, touch=True)
    await dan.open_place(await mara.place())
    await dan.sees("said before")
    await expect(dan.page.get_by_text("Welcome, Dana.")).to_be_visible()
    dice = dan.page.get_by_role("group", name="Dice")
    await expect(dice.get_by_role("button")).to_have_text(["d20", "adv", "2d6", "d100", "Game"])
    await dan.say("good evening")
    await expect(dan.page.get_by_text("Welcome, Dana.")).to_have_count(0)
    await dan.push("adv", inside=dice)
    await dan.sees("2d20kh1")
    again = dan.page.get_by_role("group", name="Again").get_by_role("button")
    await expect(again).to_have_text(["d20 adv"])
    await expect(dice.get_by_role("button")).to_have_text(["d20", "2d6", "d100", "Game"])
    await dan.say("/roll D20 ADV")
    await expect(dan.messages("2d20kh1")).to_have_count(2)
    await expect(again).to_have_text(["D20 ADV"])
    await mara.say_all([f"line {number}" for number in range(30)])
    last = await dan.sees("line 29")
    await expect(last).to_be_in_viewport()
    first = dan.said("line 3")
    await first.scroll_into_view_if_needed()
    await dan.log.evaluate("log => { log.scrollTop -= 1 }")
    place = await first.bounding_box()
    await mara.say_all(["one more"])
    await expect(dan.page.get_by_role("button", name="1 new below")).to_be_visible()
    assert await first.bounding_box() == place
    await expect(dan.page).to_have_title(re.compile(r"^\(1\) "))
    await expect(dan.log.get_by_role("separator")).to_have_text("New")
    await dan.push("1 new below")
    await expect(dan.messages("one more")).to_be_in_viewport()
    await expect(dan.page).to_have_title(re.compile(r"^thread"))
    await first.scroll_into_view_if_needed()
    await dan.say("my own word")
    await expect(dan.messages("my own word")).to_be_in_viewport()
    await dan.page.context.close()


async def test_older_messages_come_without_a_jump(mara: Seat) -> None:
    """Fifty at a time, and what was in view stays where it was.

    Who scrolls up stays there, also if something is drawn in the same instant.
    """
    await mara.say_all([f"word {number}" for number in range(70)])
    await mara.sees("word 69")
    name = await mara.place()
    await mara.page.reload()
    await expect(mara.page.get_by_role("heading", name=name, level=1)).to_be_visible()
    await expect(mara.messages("word 69")).to_be_in_viewport()
    await expect(mara.said("word 20")).to_have_count(1)
    await expect(mara.said("word 19")).to_have_count(0)
    # The oldest one shows its author, and no more once others stand before it.
    seen = mara.said("word 21")
    await mara.log.evaluate("log => { log.scrollTop = 150 }")
    place = await seen.bounding_box()
    await expect(mara.said("word 1")).to_have_count(1)
    assert await seen.bounding_box() == place
    await mara.log.evaluate("log => { log.scrollTop = log.scrollHeight }")
    await expect(mara.messages("word 69")).to_be_in_viewport()
    typed = "document.querySelector('[type=text]').dispatchEvent(new Event('input'))"
    await mara.log.evaluate(f"log => {{ log.scrollTop = 150; {typed} }}")
    await mara.log.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    assert await mara.log.evaluate("log => log.scrollTop") == 150


async def test_lines_of_one_person_stand_together(mara: Seat, bob: Seat) -> None:
    """Under one head, until somebody else speaks; each is still an article of its own."""
    await bob.open_place(await mara.place())
    await mara.say_all(["first of three", "second of three"])
    await bob.say_all(["between"])
    await mara.say_all(["third of three"])
    heads = [
        await mara.said(line).get_by_text("Mara", exact=True).is_visible()
        for line in ("first of three", "second of three", "third of three")
    ]
    assert heads == [True, False, True]
    await expect(mara.said("second of three")).to_have_accessible_name(re.compile("^Mara, "))
    box = await mara.said("second of three").bounding_box()
    assert box
    assert box["height"] < 44


async def test_a_list_that_is_drawn_anew_keeps_the_key(mara: Seat, bob: Seat) -> None:
    """A channel that comes, goes or is renamed moves no focus to another one."""
    place = bob.page.get_by_role("navigation").get_by_role("button", name="Evenhand, alone")
    await place.focus()
    await mara.open_thread()
    await expect(
        bob.page.get_by_role("navigation").get_by_role("button", name=await mara.place())
    ).to_be_visible()
    await expect(place).to_be_focused()
    await bob.press_key("Enter")
    await expect(bob.page.get_by_role("heading", name="Evenhand, alone", level=1)).to_be_visible()
