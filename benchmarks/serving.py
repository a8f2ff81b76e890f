"""A bot as a process of its own, on the table's Discord."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.calling import Calling, calling

MINIMAL, MEASURED = "benchmarks.minimal", "bot run"
"""What runs each bot, after `python -m`."""
_START_SECONDS = 30


@asynccontextmanager
async def serving(bot: str, data: Path, members: int) -> AsyncGenerator[Calling]:
    """A bot that has joined a server of so many members, and the Discord it serves; it has ended after."""
    async with calling(data / bot.replace(" ", "-"), members) as discord:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *bot.split()),
            env={
                "PATH": os.environ["PATH"],
                "DISCORD_TOKEN": discord.table.token,
                "EVENHAND_DISCORD_API": discord.table.api,
                "EVENHAND_DATA": str(data),
                "EVENHAND_REMOTE_BITS": "false",
                "EVENHAND_LOG_LEVEL": "WARNING",
            },
        )
        try:
            if not await discord.table.gateway.wait(discord.members[0][1], _START_SECONDS):
                raise TimeoutError("the bot did not start")
            yield discord
        finally:
            if child.returncode is None:
                child.terminate()
            await child.wait()
