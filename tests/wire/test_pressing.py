"""Buttons work without anything of discord.py's that lives as long as their message."""

import asyncio
from pathlib import Path

from tests.support.table import table
from tests.support.wire import reply


async def test_private_buttons_leave_no_task_behind(tmp_path: Path) -> None:
    """discord.py would wait a quarter of an hour for the buttons of each private message, in a task."""
    async with table(tmp_path) as t:
        before = len(asyncio.all_tasks())
        rolled = await t.slash(t.ann, "roll", dice="1d6", visibility="self")
        await t.slash(t.ann, "history")

        assert len(asyncio.all_tasks()) == before
        assert "**" in reply(await t.press(rolled, "Roll again", t.ann)).content
