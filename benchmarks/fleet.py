"""Several processes of one bot, on the table's Discord and one PostgreSQL, as a rolling restart has them.

The table has one server and so one shard: all processes hear that shard, and each interaction goes to another
one of them in turn, so that all do the same work.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from benchmarks.calling import Calling
from benchmarks.serving import MEASURED, Served, start
from bot.play.gateway import GatewaySession

_START_SECONDS = 60
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Fleet:
    """The running processes, the oldest first."""

    discord: Calling
    url: str
    folder: Path
    members: list[Served] = field(default_factory=list[Served])
    _started: int = 0

    async def add(self) -> Served:
        """Start one more; return once it hears what happens."""
        self._started += 1
        settings = {"EVENHAND_DATABASE": self.url, "EVENHAND_CLUSTER": "1/1", "EVENHAND_LOG_LEVEL": "ERROR"}
        previous = set(self.discord.table.gateway.sessions)
        member = await start(MEASURED, self.discord, self.folder / str(self._started), **settings)
        self.members.append(member)
        async with asyncio.timeout(_START_SECONDS):
            while not {session.id for session in self.live()} - previous:  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.05)
        return member

    def live(self) -> list[GatewaySession]:
        """Return the connected sessions; the next interaction goes to the first of them."""
        return [session for session in self.discord.table.gateway.sessions.values() if session.connection]

    def turn(self) -> None:
        """Have the next interaction go to another process than the last one."""
        sessions = self.discord.table.gateway.sessions
        if live := self.live():
            sessions[live[0].id] = sessions.pop(live[0].id)

    @property
    def cpu_seconds(self) -> float:
        """Return the processor time of all processes that run."""
        return sum(member.cpu_seconds for member in self.members)


@asynccontextmanager
async def fleet(discord: Calling, url: str, folder: Path, count: int) -> AsyncGenerator[Fleet]:
    """Run so many processes on the database at `url`; all have ended after."""
    started = Fleet(discord, url, folder)
    try:
        for _ in range(count):
            await started.add()
        yield started
    finally:
        for member in started.members:
            await member.stop()


async def server_seconds(url: str) -> float:
    """Return the processor time that the PostgreSQL server has taken, all its processes together."""
    connection = await asyncpg.connect(url)
    try:
        folder = await connection.fetchval("SHOW data_directory")
    finally:
        await connection.close()
    return await asyncio.to_thread(_family_seconds, Path(folder, "postmaster.pid"))


def _family_seconds(pid_file: Path) -> float:
    head, ticks = int(pid_file.read_text("ascii").split()[0]), 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # Behind the name: state, parent, ...; times are its own (user, system) and its ended children's.
            fields = status.read_text("ascii").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(status.parent.name) == head:
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == head:
            ticks += sum(map(int, fields[11:13]))
    return ticks / _TICKS
