"""Pictures of dice from their upload to a result, over the table's own Discord."""

import re
from pathlib import Path
from typing import Any

from simcord.components import walk_components

from bot.charts.faces import all_faces
from bot.words.pictures import face_name
from tests.support.discord import Discord, discord, printed, served
from tests.support.openapi import faults_of
from tests.support.shown import texts

MISSING = {"d20_20", "d8_3", "d8_3_dropped"}


def uploaded(d: Discord) -> set[str]:
    """The names of the pictures that the application has."""
    return {emoji["name"] for emoji in d.table.world.store.documents("emoji")}


async def test_pictures_are_uploaded_once_and_drawn_in_results(tmp_path: Path) -> None:
    """Only what is missing is uploaded; results and keys draw dice, as the campaign wishes."""
    async with discord(tmp_path / "table") as d:
        names = [face_name(*face) for face in all_faces()]
        assert d.table.rest.faces == names
        d.table.rest.faces = []
        for number, name in enumerate(names, start=1):
            if name not in MISSING:
                d.table.world.store.put("emoji", number, {"id": str(number), "name": name})
        first = await printed(d, tmp_path / "bot", "faces")
        sent = [request.body["name"] for request in d.sent(r"POST /applications/\d+/emojis")]
        second = await printed(d, tmp_path / "bot", "faces")

        assert set(sent) == MISSING
        assert uploaded(d) == set(names)
        assert "3 pictures uploaded" in first
        assert "0 pictures uploaded" in second
        async with served(d, tmp_path / "bot"):
            drawn = await d.says(d.ann, "/roll 2d20kh1+3")
            many = await d.says(d.ann, "/roll 13d6")
            keys = await d.says(d.ann, "/buttons set:d20")
            await d.says(d.mara, "/admin settings faces:False")
            text = await d.says(d.ann, "/roll 2d20kh1+3")
        head = texts(drawn.components)
        assert re.search(r"\*\* (<:d20_\d+(_dropped)?:\d+> ){2}\+ 3", head)
        assert "_dropped" in head
        assert "<:d" not in texts([*many.components, *text.components])
        d20 = next(
            emoji["id"] for emoji in d.table.world.store.documents("emoji") if emoji["name"] == "d20_20"
        )
        assert first_key(keys.components)["id"] == d20
        assert faults_of(d.requests) == []


def first_key(components: list[Any]) -> dict[str, str]:
    """The picture on the first button of a message."""
    return next(part["emoji"] for part in walk_components(components) if part["type"] == 2)


async def test_keys_have_the_tables_own_pictures(tmp_path: Path) -> None:
    """Without an upload: the page draws a die by its name, for an emoji that has an id."""
    async with discord(tmp_path / "table") as d, served(d, tmp_path / "bot"):
        keys = await d.says(d.ann, "/buttons set:d20")

        assert first_key(keys.components)["name"] == "d20_20"
        assert first_key(keys.components)["id"].isdecimal()


async def test_without_pictures_dice_are_text(tmp_path: Path) -> None:
    """Where Discord does not tell the pictures, the bot starts, and rolls as before."""
    async with discord(tmp_path / "table") as d:
        d.answer_next(r"GET /applications/\d+/emojis", 403)
        async with served(d, tmp_path / "bot"):
            assert re.search(r"1d6 \(\d\)", texts((await d.says(d.ann, "/roll 1d6")).components))
