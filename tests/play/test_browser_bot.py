"""What the page makes of a bot's parts that Evenhand's own evening does not show: a bot by hand answers."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.play.by_hand import ByHand
from tests.support.chromium import needs_chromium, press

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="session")]
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA"
    "DUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FRUIT = [{"label": name, "value": name.lower()} for name in ("Apple", "Pear", "Plum")]


def row(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    """A row of components."""
    return [{"type": 1, "components": list(parts)}]


async def test_several_choices_and_people(by: ByHand) -> None:
    """A select of several takes all that are marked, one of people offers the table's."""
    several = {"type": 3, "custom_id": "fruit", "options": FRUIT, "max_values": 2, "placeholder": "Fruit"}
    people = {"type": 5, "custom_id": "who", "placeholder": "Who"}
    await by.mara.say("/roll 1d6")
    await by.answer(content="Choose.", components=[*row(several), *row(people)])
    message = await by.mara.sees("Choose.")
    await expect(message.get_by_text("Fruit", exact=True)).to_be_visible()
    await message.get_by_label("Fruit").select_option(["apple", "plum"])
    await press(message.get_by_role("button", name="Choose").first)
    chosen = await by.answer(7, content="Taken.", components=row(people))
    assert chosen["data"]["values"] == ["apple", "plum"]
    message = await by.mara.sees("Taken.")
    assert "Evenhand" not in await message.get_by_label("Who").locator("option").all_inner_texts()
    await message.get_by_label("Who").select_option("Mara")
    await press(message.get_by_role("button", name="Choose"))
    named = await by.answer(7, content="Done.", components=[])
    (person,) = named["data"]["values"]
    assert named["data"]["resolved"]["users"][person]["global_name"] == "Mara"
    assert named["data"]["resolved"]["members"][person]["roles"]
    await by.mara.sees("Done.")
    assert by.mara.faults == []


async def test_people_who_are_chosen_are_marked(by: ByHand) -> None:
    """Whoever adds somebody to a call sees who is called, and sends them too."""
    ann = next(str(person.id) for person in by.table.world.people.values() if person.name == "Ann")
    people = {"type": 5, "custom_id": "who", "placeholder": "Who is called?", "max_values": 25}
    chosen = {**people, "default_values": [{"id": ann, "type": "user"}]}
    await by.mara.say("/roll 1d6")
    await by.answer(content="A call.", components=row(chosen))
    message = await by.mara.sees("A call.")
    await press(message.get_by_role("button", name="Choose"))
    sent = await by.answer(7, content="Called.", components=[])

    assert sent["data"]["values"] == [ann]


async def test_a_form_whose_sending_fails_keeps_its_text(by: ByHand) -> None:
    """The sentence stands in the form, what was typed and chosen stays, and it can be sent again."""
    button = {"type": 2, "style": 1, "label": "Why", "custom_id": "why"}
    await by.mara.say("/roll 1d6")
    await by.answer(content="Ask.", components=row(button))
    await by.mara.push("Why", inside=await by.mara.sees("Ask."))
    reason = {"type": 18, "label": "Reason", "component": {"type": 4, "custom_id": "text", "style": 1}}
    choice = {"type": 3, "custom_id": "fruit", "options": FRUIT, "max_values": 3}
    labelled = {"type": 18, "label": "Fruit", "component": choice}
    await by.answer(9, title="Why?", custom_id="form", components=[reason, labelled])
    await by.mara.dialog.get_by_label("Reason").fill("because")
    await by.mara.dialog.get_by_label("Fruit").select_option(["pear", "plum"])
    by.table.interactions.patience = 0
    await by.mara.push("Send", inside=by.mara.dialog)
    await expect(by.mara.dialog.get_by_role("alert")).to_contain_text("did not answer in time")
    await expect(by.mara.dialog.get_by_label("Reason")).to_have_value("because")
    await expect(by.mara.dialog.get_by_label("Fruit")).to_have_values(["pear", "plum"])
    await by.told()
    by.table.interactions.patience = 60
    await by.mara.push("Send", inside=by.mara.dialog)
    sent = await by.answer(content="Thanks.")
    assert sent["data"]["components"][1]["component"]["values"] == ["pear", "plum"]
    await expect(by.mara.dialog).to_be_hidden()


async def test_a_bots_own_emojis_and_a_persons_menu(by: ByHand) -> None:
    """An emoji is a picture with its name on a button; people have the bot's commands."""
    path = f"/applications/{by.table.world.bot.id}/emojis"
    _, made = await by.bot.ask("POST", path, {"name": "d6", "image": PIXEL})
    emoji = {"id": int(made["id"]), "name": "d6"}  # as discord.py sends it: too large for JavaScript
    await by.mara.say("/roll 1d6")
    button = {"type": 2, "style": 2, "label": "Again", "custom_id": "again", "emoji": emoji}
    await by.answer(content="It is a die.", components=row(button))
    message = await by.mara.sees("It is")
    # It is loaded after it is there.
    await expect(message.get_by_role("img", name="d6")).to_have_js_property("naturalWidth", 1)
    await press(by.mara.page.get_by_role("navigation").get_by_role("button", name="Mara, you"))
    await by.mara.push("Luck of", inside=by.mara.dialog)
    asked = await by.answer(content="Even.")
    assert (asked["data"]["type"], asked["data"]["name"]) == (2, "Luck of")
    assert list(asked["data"]["resolved"]["users"]) == [asked["data"]["target_id"]]
    await by.mara.sees("Even.")
    assert by.mara.faults == []
