"""`python -m bot play` as people start it, in a process of its own: stopped, killed and started again."""

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/#\S+")
_PATIENCE_SECONDS = 60
_UNHURRIED = """
import runpy
from bot.play import pages, seats
pages.LIMITS.update(dict.fromkeys(pages.LIMITS, (1e9, 1e9)))
pages._AWAY_SECONDS = 0
seats._CHANNELS_AT_MOST = 1_000
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""
UNHURRIED = ("-c", _UNHURRIED)
"""The program at whose table people may act as fast as they can; who goes is away at once."""


class Playing:
    """The command on a data directory; `link` is the address that it printed, `said` all that it has said."""

    def __init__(self, folder: Path, program: tuple[str, ...], *arguments: str, **settings: str) -> None:
        self.link = self.said = ""
        self._program = program
        self._folder = folder
        self._arguments = arguments
        self._settings = settings
        self._child: asyncio.subprocess.Process | None = None

    @property
    def child(self) -> asyncio.subprocess.Process:
        """The process."""
        assert self._child is not None
        return self._child

    async def start(self) -> None:
        """Start it, and wait for the address; it may end before."""
        self.said = ""
        self._child = await asyncio.create_subprocess_exec(
            *(sys.executable, *self._program, "play", *self._arguments),
            cwd=self._folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "PYTHONUNBUFFERED": "1",
                "EVENHAND_DATA": str(self._folder / "data"),
                "EVENHAND_REMOTE_BITS": "false",
                "EVENHAND_USER_ROLLS": "0",
                **self._settings,
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self.link = await self.says(_ADDRESS)

    async def says(self, pattern: re.Pattern[str]) -> str:
        """Return what a pattern finds in what it says; "" if it ends before."""
        assert self.child.stdout is not None
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not (match := pattern.search(self.said)):
                if not (line := await self.child.stdout.readline()):
                    return ""
                self.said += line.decode()
        return match[0]

    async def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """Close it with Ctrl-C; it ends well and without a traceback."""
        self.child.send_signal(number)
        assert await self.end() == 0, self.said
        assert "Traceback" not in self.said

    async def kill(self) -> None:
        """Kill the table, as a power cut does."""
        self.child.kill()
        await self.end()

    async def end(self) -> int:
        """Return the exit code once it has ended."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            self.said += (await self.child.communicate())[0].decode()
        return await self.child.wait()

    @property
    def bot(self) -> int:
        """The process id of the bot, the table's child."""
        children = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children").read_text("ascii").split()
        (bot,) = map(int, children)
        return bot

    def kill_bot(self) -> None:
        """Kill the bot."""
        os.kill(self.bot, signal.SIGKILL)


@asynccontextmanager
async def playing(
    folder: Path, *arguments: str, program: tuple[str, ...] = ("-m", "bot"), **settings: str
) -> AsyncGenerator[Playing, None]:
    """Start a table, on a free port of its own, and close it at the end as Ctrl-C does; it must end well."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    own = () if "--port" in arguments else ("--port", port)
    table = Playing(folder, program, *arguments, *own, **settings)
    await table.start()
    try:
        yield table
        if table.child.returncode is None:
            await table.stop()
    finally:
        if table.child.returncode is None:
            await table.kill()
