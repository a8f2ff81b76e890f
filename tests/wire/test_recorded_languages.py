"""What is recorded knows no language: an evening of a German and a Brazilian player, and one in English."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.words.languages import language, speaking
from bot.words.saying import say
from tests.support.groups import named
from tests.support.table import Table, table
from tests.support.tongues import speak
from tests.support.twins import Told
from tests.support.wire import reply
from tests.wire.test_import import exported

_MADE = re.compile(rb"[0-9a-f]{32,}|\b[0-9]{15,}\b|[A-Za-z0-9+/]{43}=")
"""Salts, seals and identities, which no two evenings share."""


def label(text: str, locale: str) -> str:
    """A button's label in a language."""
    with speaking(language(locale)):
        return say(text)


def read_by(t: Table, locales: Mapping[int, str]) -> None:
    """Have each person read their own language; others English."""

    def told(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload |= {"locale": locales.get(int(payload["member"]["user"]["id"]), "en-US")}

    t.env.backend.subscribers.insert(0, told)


async def evening(folder: Path, german: str, brazilian: str, campaign: str) -> tuple[list[str], bytes]:
    """Play it; return what was said on the way, and the game master's export."""
    async with table(folder) as t:
        t.app._store.writer._transactions.open_draws = Told().open
        read_by(t, {t.ann.id: german, t.bob.id: brazilian})
        speak(t, server=campaign)
        await t.slash(t.mara, "campaign create", name="Storm")
        await t.slash(t.mara, "game use", game="dnd5")
        await t.slash(t.mara, "roller fair", name="Luck", dice="2d6", tightness="3")
        await t.slash(t.mara, "roller deck", name="Tarot", dice="1d6", size=12)
        said = [await t.whispers(who, "roll", dice="2d") for who in (t.ann, t.bob)]
        for who in (t.ann, t.bob):
            await t.slash(who, "roll", dice="2d6+3", label="Feuer")
            await t.slash(who, "roll", dice="Luck")
            await t.slash(who, "roll", dice="attack +7 ac 15")
            await t.slash(who, "roll", dice="1d20", visibility="gm")
            await t.slash(who, "check", dice="1d20+2", dc=12)
            await t.slash(who, "d100 roll")
            await t.slash(who, "deal", deck="Tarot", hand=2)
            await t.slash(who, "save", name="Sneak", dice="1d20+7")
        players = named(t.ann, t.bob)
        called = await t.slash(t.mara, "group call", check="Stealth", dice="1d20", dc=9, players=players)
        for who in (t.ann, t.bob):
            await t.press(called, label("Roll", campaign), who)
        await t.env.settle()
        await t.slash(t.mara, "group initiative")
        await t.slash(t.mara, "group npc", dice="1d20", count=2, names="Goblin")
        await t.slash(t.mara, "roller undo", name="Luck")
        return [*said, reply(called).content], await exported(t, t.mara)


@pytest.mark.parametrize("campaign", ["en-US", "de"])
async def test_the_record_is_the_same_in_every_language(tmp_path: Path, campaign: str) -> None:
    """Each reads their own, all read the campaign's, and the exports differ in nothing that was played."""
    (refused, _, board), plain = await evening(tmp_path / "english", "en-US", "en-US", "en-US")
    (to_ann, to_bob, filled), told = await evening(tmp_path / "both", "de", "pt-BR", campaign)

    assert len({refused, to_ann, to_bob}) == 3
    assert (board == filled) == (campaign == "en-US")
    assert _MADE.sub(b"", told) == _MADE.sub(b"", plain)
