"""The program in processes of its own that are forked from one which has imported it already.

To import all of it takes more than a second of a processor. How `python -m bot` starts without that is in
play/test_host.py and cli/test_start.py. A bot that comes back identifies itself at once; that it takes its
turn, five seconds after the last one, is in faults/test_leases.py.
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
"""The program behind `-c`, where no file may grow beyond 40 kB, as on a full disk."""


class Child:
    """A process that was started with `forked`."""

    def __init__(self, pid: int, told: socket.socket, streams: Sequence[asyncio.StreamReader]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stderr, *self.stdout = streams
        self._told = told

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def wait(self) -> int:
        """Return its exit code once it has ended; that of a signal is below zero."""
        if self.returncode is None:
            self.returncode = int(await asyncio.get_running_loop().sock_recv(self._told, _LONGEST))
            self._told.close()
        return self.returncode

    async def said(self) -> str:
        """Return what it has yet to say, once it has ended."""
        text = (await self.stderr.read()).decode()
        await self.wait()
        return text

    async def printed(self) -> str:
        """Return what it prints, if that is listened to, once it has ended."""
        (stdout,) = self.stdout
        text, _ = await asyncio.gather(stdout.read(), self.said())
        return text.decode()


async def forked(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path = ROOT, *, prints: bool = False
) -> Child:
    """Start what `python` starts in a folder with these arguments, which begin with `-m` or `-c`.

    `prints` listens to what it prints too; otherwise that goes where the tests' own goes.
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
    """Start the process that the others are forked from; it ends with this one."""
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
    """Fork whenever somebody asks, until nobody can any more."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while (heard := socket.recv_fds(requests, _LONGEST, 3))[0]:
        channel, *streams = heard[1]
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for stream, number in zip(streams, (2, 1), strict=False):
                os.dup2(stream, number)
                os.close(stream)
            # The ones that were opened for the parent take their files for some of another kind.
            sys.stderr = _opened(2)
            sys.stdout = _opened(1) if len(streams) > 1 else sys.stdout
            _keep(socket.socket(fileno=channel), *json.loads(heard[0]))
        for number in heard[1]:
            os.close(number)


def _opened(number: int) -> TextIO:
    """Return a text file of an open number, as Python itself opens it."""
    return open(number, "w", buffering=1, errors="backslashreplace", closefd=False)


def _keep(channel: socket.socket, folder: str, arguments: list[str], environment: dict[str, str]) -> NoReturn:
    """Fork once more, and tell the child's number, and its exit code once it has ended."""
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
