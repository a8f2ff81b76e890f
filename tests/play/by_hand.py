"""A table in the tests' own process, with people in a browser and a bot whose answers a test writes."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser

from bot.play.host import Table, open_table, opened_page
from bot.play.interactions import Act
from tests.play.chair import Chair, Line, chair
from tests.play.told import TOLD
from tests.support import chromium
from tests.support.chromium import ANOTHER, Seat

_SELDOM = 86_400_000
"""Milliseconds between heartbeats, of which this bot sends none: on a busy machine a test takes minutes."""


@dataclass(slots=True)
class ByHand:
    """A game master's page and a player's, and the bot whose answers a test writes."""

    table: Table
    bot: Chair
    line: Line
    mara: Seat
    ann: Seat

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
    """Open it, with a game master at a desk and a player on a phone."""
    async with (
        open_table(folder, heartbeat=_SELDOM, locale=chromium.SPOKEN) as table,
        opened_page(table),
        chair(table) as bot,
    ):
        menu = {"id": "98", "type": 2, "name": "Luck of", "description": ""}
        await bot.ask("PUT", f"/applications/{table.world.bot.id}/commands", [*TOLD, menu])
        line = await bot.sit()
        table.interactions.patience = 60
        mara = await Seat.take(browser, table.gm, "Mara")
        ann = await Seat.take(browser, await mara.link(ANOTHER), "Ann", width=390, touch=True)
        yield ByHand(table, bot, line, mara, ann)
