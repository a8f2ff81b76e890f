"""An evening without a browser: a game master's page, two players' pages, and the bot by hand."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from bot.play.host import Table, open_table, opened_page
from tests.play.chair import Chair, Line, chair
from tests.play.guest import Guest, guest
from tests.play.told import TOLD

BUTTON = {"type": 2, "style": 1, "label": "Again", "custom_id": "again"}


@dataclass(slots=True)
class House:
    """A table, its bot's chair, a game master's page and two players' pages."""

    table: Table
    chair: Chair
    line: Line
    mara: Guest
    ann: Guest
    bob: Guest
    stack: AsyncExitStack

    async def sit(self, name: str) -> Guest:
        """Another player's page."""
        who = await self.stack.enter_async_context(guest(self.mara.base))
        return await who.join(self.table.seats.players, name)

    async def answer(self, kind: int = 4, **data: Any) -> dict[str, Any]:
        """Answer the next interaction; return it."""
        payload = (await self.line.hear("INTERACTION_CREATE"))["d"]
        path = f"/interactions/{payload['id']}/{payload['token']}/callback"
        status, body = await self.chair.ask("POST", path, {"type": kind, "data": data})
        assert status == 204, body
        return payload


@asynccontextmanager
async def house(folder: Path) -> AsyncGenerator[House]:
    """Yield an evening with three pages."""
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(folder))
        await stack.enter_async_context(opened_page(table))
        bot = await stack.enter_async_context(chair(table))
        await bot.ask("PUT", f"/applications/{table.world.bot.id}/commands", TOLD)
        base, _, secret = table.gm.partition("/#")
        pages = [await stack.enter_async_context(guest(base)) for _ in range(3)]
        secrets = (secret, table.seats.players, table.seats.players)
        for page, link, name in zip(pages, secrets, ("Mara", "Ann", "Bob"), strict=True):
            await page.join(link, name)
        mara, ann, bob = pages
        yield House(table, bot, await bot.sit(), mara, ann, bob, stack)


def is_message(frame: dict[str, Any]) -> bool:
    """Whether a frame brings a message."""
    return frame["t"] == "message"


def drawn(form: str) -> bytes:
    """Return a picture of 5 by 3 pixels."""
    file = BytesIO()
    Image.new("RGB", (5, 3)).save(file, form)
    return file.getvalue()
