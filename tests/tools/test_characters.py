"""Exports of an evening with characters: each verifier follows them, and nobody else's tells a number."""

import asyncio
from pathlib import Path

import pytest
from simcord import InteractionResult

from tests.support.groups import group_table
from tests.support.verdicts import Verifier
from tests.support.wire import reply

SECRETS = ("zanzibar", "Quillon", "91375", "Mira")
"""The names of numbers, a number that no roll shows, and who they are of."""


async def _file(asked: InteractionResult) -> str:
    [file] = reply(asked).attachments
    return (await file.read()).decode()


async def _evening(folder: Path) -> dict[str, str]:
    """Each player's export of rolls, calls and monsters with names in their dice."""
    async with group_table(folder) as t:
        await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
        await t.says(t.mara, "roller luck", name="Fate")
        await t.whispers(t.ann, "me", new="Mira", set="zanzibar 4, hoard 91375")
        await t.whispers(t.ann, "save", name="Quillon", dice="1d8+zanzibar")
        for dice in ("1d20+zanzibar", "Quillon+Quillon", "Luck+1d4+zanzibar", "Luck adv"):
            await t.says(t.ann, "roll", dice=dice)
        await t.slash(t.ann, "roll", dice="Quillon", visibility="self")
        for dice in (
            "1d20+zanzibar",
            "Luck+1d4+zanzibar",
            "Luck-{zanzibar}d4 dis dc 9",
            "1d20+zanzibar on Fate dc 9",
        ):
            called = await t.slash(t.mara, "group call", check="Climb", dice=dice)
            await t.press(called, "Roll", t.ann)
            form = await t.press(called, "+ bonus…", t.mara)
            typed = {"added": "+1d4", "number:zanzibar": "2", "keep": False}
            await t.mara.submit_modal(form, typed)
        await t.says(t.mara, "group npc", dice="Luck+1d4+2 ac 9", count=3, names="Orc")
        await t.slash(t.mara, "roller undo", name="Luck")
        people = (t.mara, t.ann, t.bob)
        return {who.name: await _file(await t.slash(who, "export", format="json")) for who in people}


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The exports, made once."""
    return asyncio.run(_evening(tmp_path_factory.mktemp("evening")))


@pytest.mark.parametrize("who", ["mara", "ann", "bob"])
def test_every_export_holds(ask: Verifier, texts: dict[str, str], who: str) -> None:
    """Without a checkpoint that somebody kept; rollers with something added are followed."""
    code, words = ask(texts[who])

    assert code == 3, words


def test_nobody_elses_export_tells_a_number(texts: dict[str, str]) -> None:
    """Game masters see what was typed for the rolls, and none of them the list."""
    told = {who: {secret for secret in SECRETS if secret in text} for who, text in texts.items()}

    assert told["bob"] == set()
    assert told["mara"] == told["ann"] == {"zanzibar", "Quillon", "Mira"}
