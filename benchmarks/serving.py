"""A bot as a process of its own, on a Discord on loopback."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.calling import Calling
from tests.support.loopback import TOKEN, opened

MINIMAL, MEASURED = "benchmarks.minimal", "bot run"
"""What runs each bot, after `python -m`."""


@asynccontextmanager
async def serving(bot: str, data: Path, members: int) -> AsyncGenerator[Calling]:
    """A bot that has joined a server of so many members, and the Discord it serves; it has ended after."""
    async with opened(Calling(members)) as discord:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *bot.split()),
            env={
                "PATH": os.environ["PATH"],
                "DISCORD_TOKEN": TOKEN,
                "EVENHAND_DISCORD_API": discord.api,
                "EVENHAND_DATA": str(data),
                "EVENHAND_REMOTE_BITS": "false",
                "EVENHAND_LOG_LEVEL": "WARNING",
            },
        )
        try:
            async with asyncio.timeout(30):
                await discord.join()
            yield discord
        finally:
            if child.returncode is None:
                child.terminate()
            await child.wait()
