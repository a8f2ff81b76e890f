"""The first word of a command comes before anything is worked out, however long that takes."""

import asyncio
from typing import Any

import discord
import pytest

from tests.support.table import Table

ACKNOWLEDGED, WORKED = "acknowledged", "worked"


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happened, in order: Discord had an answer, or something was given to a thread to work out."""
    happened: list[str] = []
    in_thread, defer = asyncio.to_thread, discord.InteractionResponse.defer

    async def to_thread(*args: Any, **kwargs: Any) -> Any:
        happened.append(WORKED)
        return await in_thread(*args, **kwargs)

    async def deferred(self: Any, **kwargs: Any) -> Any:
        done = await defer(self, **kwargs)
        happened.append(ACKNOWLEDGED)
        return done

    monkeypatch.setattr(asyncio, "to_thread", to_thread)
    monkeypatch.setattr(discord.InteractionResponse, "defer", deferred)
    return happened


COMMANDS: list[tuple[str, dict[str, object]]] = [
    ("stats", {}),
    ("stats", {"roller": "luck"}),
    ("stats", {"session": "2"}),
    ("rigged", {}),
    ("rigged", {"roller": "luck"}),
    ("odds", {"what": "luck"}),
    ("odds", {"what": "4d6kh3", "at_least": 15, "versus": "3d6"}),
    ("odds", {"what": "1d20+5", "at_least": 15, "account": "fate"}),
    ("lab tune", {}),
    ("lab tune", {"roller": "luck"}),
    ("export", {}),
    ("export", {"format": "json"}),
    ("verify", {}),
    ("session end", {}),
]


async def test_it_is_acknowledged_before_anything_is_worked_out(t: Table, order: list[str]) -> None:
    """Charts, odds, bands, evidence and files are made when Discord knows already that they will come."""
    await t.says(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.says(t.mara, "session start")
    await t.says(t.mara, "roller luck", name="Fate")
    for dice in ("luck", "2d6"):
        for _ in range(2):
            await t.says(t.ann, "roll", dice=dice, times=20)
    for command, options in COMMANDS:
        order.clear()
        await t.slash(t.mara, command, **options)

        assert WORKED in order, command
        assert order[0] == ACKNOWLEDGED, command


async def test_a_button_is_acknowledged_before_anything_is_worked_out(t: Table, order: list[str]) -> None:
    """So is the button under /stats."""
    await t.says(t.ann, "roll", dice="2d6", times=20)
    shown = await t.slash(t.ann, "stats")
    order.clear()
    await t.press(shown, "Is it rigged?", t.ann)

    assert order == [ACKNOWLEDGED, WORKED]
