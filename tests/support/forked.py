"""Processes of the program, forked from one that has already imported it.

The imports take more than a second of processor time. play/test_host.py and cli/test_start.py test a start
with them. A restarted bot identifies at once; faults/test_leases.py tests the usual five seconds between.
"""

import asyncio
import atexit
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TextIO

ROOT = Path(__file__).parent.parent.parent
_LONGEST = 1 << 16
SMALL_FILES = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40 << 10, 40 << 10));"
    "import bot.__main__ as program; program.main()"
)
"""Script for `-c` that runs the program with files of at most 40 KiB, as on a full disk."""


class Child:
    """A process that was started with `forked`."""

    def __init__(self, pid: int, status: socket.socket, streams: Sequence[asyncio.StreamReader]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stderr, *self.stdout = streams
        self._status = status

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait for the end, and return the exit code; below zero for a signal."""
        if self.returncode is None:
            self.returncode = int(await asyncio.get_running_loop().sock_recv(self._status, _LONGEST))
            self._status.close()
        return self.returncode

    async def said(self) -> str:
        """Wait for the end, and return the unread standard error."""
        text = (await self.stderr.read()).decode()
        await self.wait()
        return text

    async def printed(self) -> str:
        """Wait for the end, and return the standard output; needs `prints`."""
        (stdout,) = self.stdout
        text, _ = await asyncio.gather(stdout.read(), self.said())
        return text.decode()


async def forked(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path = ROOT, *, prints: bool = False
) -> Child:
    """Start `python` in a folder with these arguments, which begin with `-m` or `-c`.

    `prints` captures standard output too; otherwise it goes to that of the tests.
    """
    loop = asyncio.get_running_loop()
    own, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    pipes = [os.pipe() for _ in range(1 + prints)]
    request = json.dumps([str(folder), list(arguments), dict(environment)]).encode()
    given = [theirs.fileno(), *(says for _, says in pipes)]
    socket.send_fds(_parent(), [request], given)
    theirs.close()
    streams = [asyncio.StreamReader() for _ in pipes]
    for stream, (reader, says) in zip(streams, pipes, strict=True):
        os.close(says)
        await loop.connect_read_pipe(
            lambda stream=stream: asyncio.StreamReaderProtocol(stream), os.fdopen(reader, "rb")
        )
    own.setblocking(False)
    return Child(int(await loop.sock_recv(own, _LONGEST)), own, streams)


@cache
def _parent() -> socket.socket:
    """Start the process that forks the others, and return its socket; it ends with this one."""
    own, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=theirs.fileno(), env=environment, cwd=ROOT
        )
    atexit.register(process.wait)
    atexit.register(own.close)
    return own


def _serve(requests: socket.socket) -> None:
    """Fork at each request, until the socket is closed."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while (heard := socket.recv_fds(requests, _LONGEST, 3))[0]:
        channel, *streams = heard[1]
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for stream, number in zip(streams, (2, 1), strict=False):
                os.dup2(stream, number)
                os.close(stream)
            # The parent's streams assume another kind of file.
            sys.stderr = _opened(2)
            sys.stdout = _opened(1) if len(streams) > 1 else sys.stdout
            _keep(socket.socket(fileno=channel), *json.loads(heard[0]))
        for number in heard[1]:
            os.close(number)


def _opened(number: int) -> TextIO:
    """Return a text stream for an open file descriptor, as Python itself opens it."""
    return open(number, "w", buffering=1, errors="backslashreplace", closefd=False)


def _keep(channel: socket.socket, folder: str, arguments: list[str], environment: dict[str, str]) -> NoReturn:
    """Fork once more to run the program, and send its process id and later its exit code."""
    if pid := os.fork():
        os.close(2)
        os.close(1)
        channel.send(str(pid).encode())
        channel.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())
        os._exit(0)
    channel.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    kind, program, *rest = arguments
    sys.argv = [program, *rest]
    if kind == "-c":
        exec(program, {"__name__": "__main__"})  # noqa: S102 (as python does)
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    from bot.client import COGS
    from bot.storage import leases

    leases.IDENTIFY_SECONDS = 0
    for name in ("bot.cli.serving", "bot.storage.migrating", "bot.storage.postgresql", *COGS):
        import_module(name)
    _serve(socket.socket(fileno=0))
