"""A bot as a process of its own, on the table's Discord."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.calling import Calling, calling

MINIMAL, MEASURED = "benchmarks.minimal", "bot run"
"""Arguments of each bot after `python -m`."""
_START_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Served:
    """A running bot."""

    discord: Calling
    """The Discord that it serves."""
    child: asyncio.subprocess.Process

    @property
    def cpu_seconds(self) -> float:
        """Return the processor time that all its threads have taken so far (clock_getcpuclockid of Linux)."""
        return time.clock_gettime(~self.child.pid << 3 | 2)

    @property
    def memory_bytes(self) -> int:
        """Return the most memory that it has had so far (VmHWM of Linux)."""
        return self._status("VmHWM:")

    @property
    def resident_bytes(self) -> int:
        """Return the memory that it has now (VmRSS of Linux)."""
        return self._status("VmRSS:")

    def _status(self, name: str) -> int:
        status = Path(f"/proc/{self.child.pid}/status").read_text("ascii")
        return 1024 * int(status.partition(name)[2].split()[0])

    async def stop(self) -> int:
        """Stop it as a host does; return its exit code."""
        if self.child.returncode is None:
            self.child.terminate()
        return await self.child.wait()


async def start(bot: str, discord: Calling, data: Path, **settings: str) -> Served:
    """Start a bot that knows this Discord alone; it is not there yet."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *bot.split()),
        env={
            "PATH": os.environ["PATH"],
            "DISCORD_TOKEN": discord.table.token,
            "EVENHAND_DISCORD_API": discord.table.api,
            "EVENHAND_DATA": str(data),
            "EVENHAND_REMOTE_BITS": "false",
            "EVENHAND_USER_ROLLS": "0",
            "EVENHAND_LOG_LEVEL": "WARNING",
            **settings,
        },
    )
    return Served(discord, child)


@asynccontextmanager
async def serving(bot: str, data: Path, members: int, **settings: str) -> AsyncGenerator[Served]:
    """Start a bot that has joined a server of `members` members, and stop it after the block."""
    async with calling(data / bot.replace(" ", "-"), members) as discord:
        served = await start(bot, discord, data, **settings)
        try:
            await discord.table.gateway.wait(discord.members[0][1], _START_SECONDS)
            yield served
        finally:
            await served.stop()
