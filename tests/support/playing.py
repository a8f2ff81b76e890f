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
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")
_PATIENCE_SECONDS = 60


class Playing:
    """The command on a data directory, always on the same free port; `link` is what it printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.link = ""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._child: asyncio.subprocess.Process | None = None

    async def start(self, *arguments: str) -> None:
        """Start it, and wait for the address."""
        self._child = child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "play", "--port", str(self._port), *arguments),
            cwd=self.folder,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "PYTHONUNBUFFERED": "1",
                "EVENHAND_DATA": str(self.folder / "data"),
                "EVENHAND_REMOTE_BITS": "false",
                "EVENHAND_USER_ROLLS": "0",
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert child.stdout is not None
        assert child.stderr is not None
        async with asyncio.timeout(_PATIENCE_SECONDS):
            async for line in child.stdout:
                if found := _ADDRESS.search(line.decode()):
                    self.link = found[0]
                    return
            raise AssertionError((await child.stderr.read()).decode())

    async def stop(self) -> None:
        """Close it with Ctrl-C; it ends well and without a traceback."""
        assert self._child is not None
        self._child.send_signal(signal.SIGINT)
        async with asyncio.timeout(_PATIENCE_SECONDS):
            _, said = await self._child.communicate()
        assert self._child.returncode == 0, said.decode()
        assert "Traceback" not in said.decode()

    async def kill(self) -> None:
        """Kill the table, as a power cut does."""
        assert self._child is not None
        self._child.kill()
        await self._child.communicate()

    def kill_bot(self) -> None:
        """Kill the bot, the table's child."""
        assert self._child is not None
        children = Path(f"/proc/{self._child.pid}/task/{self._child.pid}/children").read_text().split()
        assert children
        for child in children:
            os.kill(int(child), signal.SIGKILL)

    async def discard(self) -> None:
        """Leave no process behind, also when a test failed."""
        if self._child and self._child.returncode is None:
            await self.kill()


@asynccontextmanager
async def playing(folder: Path, *arguments: str) -> AsyncGenerator[Playing, None]:
    """Start a table, and close it at the end as Ctrl-C does; it must end well."""
    table = Playing(folder)
    try:
        await table.start(*arguments)
        yield table
        await table.stop()
    finally:
        await table.discard()
