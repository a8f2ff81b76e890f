"""What the page makes of a bot's parts that Evenhand's own evening does not show: a bot by hand answers."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from bot.play.host import Table, open_table, opened_page
from bot.play.interactions import Act
from tests.play.chair import Chair, Line, chair
from tests.play.told import TOLD
from tests.support import chromium
from tests.support.chromium import Seat, needs_chromium, press

pytestmark = [
    needs_chromium,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.usefixtures("tongue"),
]
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA"
    "DUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FRUIT = [{"label": name, "value": name.lower()} for name in ("Apple", "Pear", "Plum")]


@dataclass(slots=True)
class ByHand:
    """A game master's page, and the bot whose answers a test writes."""

    table: Table
    bot: Chair
    line: Line
    mara: Seat

    async def told(self) -> dict[str, Any]:
        """Return the next interaction; a slow key stroke makes the page ask for choices, which has none."""
        while (payload := (await self.line.hear("INTERACTION_CREATE"))["d"])["type"] == Act.AUTOCOMPLETE:
            await self.bot.ask("POST", _callback(payload), {"type": 8, "data": {"choices": []}})
        return payload

    async def answer(self, kind: int = 4, **data: Any) -> dict[str, Any]:
        """Answer the next interaction; return it."""
        payload = await self.told()
        status, body = await self.bot.ask("POST", _callback(payload), {"type": kind, "data": data})
        assert status == 204, body
        return payload


def _callback(payload: dict[str, Any]) -> str:
    return f"/interactions/{payload['id']}/{payload['token']}/callback"


@asynccontextmanager
async def by_hand(browser: Browser, folder: Path) -> AsyncGenerator[ByHand]:
    """A table in the test's own process, with a bot by hand."""
    async with (
        open_table(folder, locale=chromium.SPOKEN) as table,
        opened_page(table),
        chair(table) as bot,
    ):
        menu = {"id": "98", "type": 2, "name": "Luck of", "description": ""}
        await bot.ask("PUT", f"/applications/{table.world.bot.id}/commands", [*TOLD, menu])
        line = await bot.sit()
        table.interactions.patience = 60
        yield ByHand(table, bot, line, await Seat.take(browser, table.gm, "Mara"))


def row(*parts: dict[str, Any]) -> list[dict[str, Any]]:
    """A row of components."""
    return [{"type": 1, "components": list(parts)}]


async def test_several_choices_and_people(browser: Browser, tmp_path: Path) -> None:
    """A select of several takes all that are marked, one of people offers the table's."""
    async with by_hand(browser, tmp_path) as h:
        several = {"type": 3, "custom_id": "fruit", "options": FRUIT, "max_values": 2, "placeholder": "Fruit"}
        people = {"type": 5, "custom_id": "who", "placeholder": "Who"}
        await h.mara.say("/roll 1d6")
        await h.answer(content="Choose.", components=[*row(several), *row(people)])
        message = await h.mara.sees("Choose.")
        await message.get_by_label("Fruit").select_option(["apple", "plum"])
        await press(message.get_by_role("button", name="Choose").first)
        chosen = await h.answer(7, content="Taken.", components=row(people))
        assert chosen["data"]["values"] == ["apple", "plum"]
        message = await h.mara.sees("Taken.")
        assert "Evenhand" not in await message.get_by_label("Who").locator("option").all_inner_texts()
        await message.get_by_label("Who").select_option("Mara")
        await press(message.get_by_role("button", name="Choose"))
        named = await h.answer(7, content="Done.", components=[])
        (person,) = named["data"]["values"]
        assert named["data"]["resolved"]["users"][person]["global_name"] == "Mara"
        assert named["data"]["resolved"]["members"][person]["roles"]
        await h.mara.sees("Done.")
        assert h.mara.faults == []


async def test_a_form_whose_sending_fails_keeps_its_text(browser: Browser, tmp_path: Path) -> None:
    """The sentence stands in the form, what was typed and chosen stays, and it can be sent again."""
    async with by_hand(browser, tmp_path) as h:
        button = {"type": 2, "style": 1, "label": "Why", "custom_id": "why"}
        await h.mara.say("/roll 1d6")
        await h.answer(content="Ask.", components=row(button))
        await h.mara.push("Why", inside=await h.mara.sees("Ask."))
        text = {"type": 4, "custom_id": "text", "label": "Reason", "style": 1}
        choice = {"type": 3, "custom_id": "fruit", "options": FRUIT, "max_values": 3}
        labelled = {"type": 18, "label": "Fruit", "component": choice}
        await h.answer(9, title="Why?", custom_id="form", components=[*row(text), labelled])
        await h.mara.dialog.get_by_label("Reason").fill("because")
        await h.mara.dialog.get_by_label("Fruit").select_option(["pear", "plum"])
        h.table.interactions.patience = 0
        await h.mara.push("Send", inside=h.mara.dialog)
        await expect(h.mara.dialog.get_by_role("alert")).to_contain_text("did not answer in time")
        await expect(h.mara.dialog.get_by_label("Reason")).to_have_value("because")
        await expect(h.mara.dialog.get_by_label("Fruit")).to_have_values(["pear", "plum"])
        await h.told()
        h.table.interactions.patience = 60
        await h.mara.push("Send", inside=h.mara.dialog)
        sent = await h.answer(content="Thanks.")
        assert sent["data"]["components"][1]["component"]["values"] == ["pear", "plum"]
        await expect(h.mara.dialog).to_be_hidden()


async def test_a_bots_own_emojis_and_a_persons_menu(browser: Browser, tmp_path: Path) -> None:
    """An emoji is a picture with its name on a button; people have the bot's commands."""
    async with by_hand(browser, tmp_path) as h:
        path = f"/applications/{h.table.world.bot.id}/emojis"
        _, made = await h.bot.ask("POST", path, {"name": "d6", "image": PIXEL})
        emoji = {"id": int(made["id"]), "name": "d6"}  # as discord.py sends it: too large for JavaScript
        await h.mara.say("/roll 1d6")
        button = {"type": 2, "style": 2, "label": "Again", "custom_id": "again", "emoji": emoji}
        await h.answer(content="It is a die.", components=row(button))
        message = await h.mara.sees("It is")
        await expect(message.get_by_role("img", name="d6")).to_have_count(1)
        width = "(picture) => picture.naturalWidth"
        assert await message.get_by_role("img", name="d6").first.evaluate(width) == 1
        await press(h.mara.page.get_by_role("navigation").get_by_role("button", name="Mara, you"))
        await h.mara.push("Luck of", inside=h.mara.dialog)
        asked = await h.answer(content="Even.")
        assert (asked["data"]["type"], asked["data"]["name"]) == (2, "Luck of")
        assert list(asked["data"]["resolved"]["users"]) == [asked["data"]["target_id"]]
        await h.mara.sees("Even.")
        assert h.mara.faults == []
