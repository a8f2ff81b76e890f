"""/export: files that open in a spreadsheet or can be checked, for each as far as they may see."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from simcord import InteractionResult

from cogs.export.words import progress
from tests.support.cli import evenhand
from tests.support.table import Table, table
from tests.support.wire import reply


async def files(result: InteractionResult) -> list[str]:
    """The texts of the files that came with a private answer."""
    messages = [reply(result), *result.followups]
    assert all(message.ephemeral for message in messages)
    return [(await a.read()).decode("utf-8-sig") for m in messages for a in m.attachments]


async def play(t: Table) -> None:
    """A campaign of a roller with a reset and an undo, plain dice, and a roll that only the GM may see."""
    await t.says(t.mara, "roller fair", name="evil", dice="2d6")
    for _ in range(3):
        await t.says(t.ann, "roll", dice="evil", label="=fire")
    await t.slash(t.bob, "roll", dice="1d20", visibility="blind")
    asked = await t.slash(t.mara, "roller reset", name="evil")
    await t.press(asked, "Reset it", t.mara)
    await t.slash(t.mara, "roller undo", name="evil")
    await t.says(t.bob, "roll", dice="evil")


async def test_a_table_is_for_everybody(t: Table) -> None:
    """A line for each event, formulas defused; a player's has no result for what is hidden from them."""
    await play(t)
    answer = await t.slash(t.bob, "export")
    [players] = await files(answer)
    [gms] = await files(await t.slash(t.mara, "export"))
    rows, whole = ([*csv.DictReader(text.splitlines())] for text in (players, gms))

    assert reply(answer).content.startswith(
        "The history: 8 entries. 1 roll is hidden from you and left out. "
        "To check it, take `/export format:json`.\n-# Checkpoint: `evenhand/"
    )
    assert [row["what"] for row in rows] == [
        "make", "roll", "roll", "roll", "roll", "reset", "undo", "roll",
    ]  # fmt: skip
    assert {row["label"] for row in rows} == {"", "'=fire"}
    assert rows[4]["results"] == "hidden"
    assert 1 <= int(whole[4]["results"]) <= 20


async def test_what_is_exported_can_be_verified(tmp_path: Path) -> None:
    """The command line says that the history holds, for the game master and for a player."""
    async with table(tmp_path) as t:
        await play(t)
        texts = [await files(await t.slash(who, "export", format="json")) for who in (t.mara, t.ann)]
    said: list[str] = []
    for [text] in texts:
        file = tmp_path / "export.json"
        file.write_text(text, encoding="utf-8")
        done = evenhand("verify", str(file))
        assert done.exit_code == 3, done.output
        said.append(done.output)

    assert all("unanchored" in words and "#1 to #8 of" in words for words in said)
    assert [" 0 closed in part" in words for words in said] == [True, False]


async def test_a_players_numbers_are_in_no_other_export(tmp_path: Path) -> None:
    """Neither their names nor what was typed with them; what is told holds for each verifier."""
    async with table(tmp_path) as t:
        await t.whispers(t.ann, "me", new="Mira", set="zanzibar 4")
        await t.says(t.ann, "roll", dice="1d1+zanzibar", label="Owl")
        called = await t.slash(t.mara, "group call", check="Climb", dice="1d1+zanzibar")
        await t.press(called, "Roll", t.ann)
        texts = [(await files(await t.slash(who, "export", format="json")))[0] for who in t.world.actors]
        details = [await t.whispers(who, "details", number=1) for who in t.world.actors]
    verdicts: list[int] = []
    for text in texts:
        file = tmp_path / "export.json"
        file.write_text(text, encoding="utf-8")
        verdicts.append(evenhand("verify", str(file)).exit_code)
    knows = {who.name: "zanzibar" in text for who, text in zip(t.world.actors, texts, strict=True)}

    assert knows == {"mara": True, "ann": True, "bob": False}
    assert ["zanzibar" in told for told in details] == [*knows.values()]
    assert verdicts == [3, 3, 3]


async def test_a_file_is_no_larger_than_discord_takes(tmp_path: Path) -> None:
    """A long history comes in parts, each under the limit that the command came with; in order they hold."""
    limit = 10_000

    def lower(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            cast("dict[str, Any]", payload)["attachment_size_limit"] = limit

    async with table(tmp_path) as t:
        await play(t)
        for _ in range(30):
            await t.says(t.ann, "roll", dice="evil")
        t.env.backend.subscribers.insert(0, lower)
        answer = await t.slash(t.mara, "export", format="json")
        parts = await files(answer)
    paths = [tmp_path / f"{n}.json" for n in range(len(parts))]
    for path, text in zip(paths, parts, strict=True):
        path.write_text(text, encoding="utf-8")
    done = evenhand("verify", *map(str, paths))

    assert len(parts) > 2
    assert all(path.stat().st_size < limit for path in paths)
    assert reply(answer).content.startswith(f"The history: 38 entries. Part 1 of {len(parts)}.")
    assert next(message.content for message in answer.followups) == f"Part 2 of {len(parts)}."
    assert done.exit_code == 3, done.output


def test_it_says_how_far_it_is() -> None:
    """In entries, of all that there are."""
    assert progress(3_000, 8_000) == "Writing: 3,000 of 8,000 …"


async def test_its_first_line_names_the_campaign(t: Table) -> None:
    """A channel's own has no name."""
    await t.says(t.ann, "roll", dice="1d6")
    own = await files(await t.slash(t.ann, "export", format="json"))
    await t.says(t.mara, "campaign create", name="Ships", fresh=True)
    named = await files(await t.slash(t.ann, "export", format="json"))

    assert [json.loads(text.split("\n", 1)[0])["name"] for (text,) in (own, named)] == ["", "Ships"]


async def test_there_is_nothing_to_export(t: Table) -> None:
    """Before anything happened there is a word for it."""
    said = await t.whispers(t.ann, "export")

    assert "nothing to export" in said
