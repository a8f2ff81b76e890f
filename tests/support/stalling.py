"""A connection to PostgreSQL that stalls, or breaks, at a chosen moment of a transaction."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto

from sqlalchemy import make_url

_BYTES = 1 << 16
_PORT = 5432


class Moment(Enum):
    """The fate of the next transaction."""

    BEFORE = auto()
    """Nothing gets through any more, and it has not begun."""
    AMID = auto()
    """Nothing gets through any more behind its beginning."""
    ASKED = auto()
    """Nothing gets through any more, its COMMIT neither; that arrives once the line moves again."""
    DONE = auto()
    """Its COMMIT gets through, but no answer to anything."""
    CUT = auto()
    """The connection breaks instead of taking its COMMIT."""
    LOST = auto()
    """The connection breaks instead of bringing the answer to its COMMIT."""


@dataclass(slots=True)
class Line:
    """Carries bytes both ways; after `stall` up to the moment, and all again after `move`."""

    socket: str
    """The server's own."""
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether the moment has come."""
    _moment: Moment | None = None
    _begun: bool = False
    _moving: asyncio.Event = field(default_factory=asyncio.Event)

    def stall(self, moment: Moment) -> None:
        """Stand still, or break, at that moment of the next transaction."""
        self._moment, self._begun = moment, False
        self.reached.clear()

    def move(self) -> None:
        """Carry everything again, what was held up first."""
        self._moment = None
        self._moving.set()

    async def carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Carry what one connection says, until either side has closed it."""
        answers, asks = await asyncio.open_unix_connection(self.socket)
        back = asyncio.create_task(self._answer(answers, writer))
        with suppress(OSError):
            await self._ask(reader, asks, back)
        back.cancel()
        for end in (asks, writer):
            end.close()
        await asyncio.gather(back, asks.wait_closed(), writer.wait_closed(), return_exceptions=True)

    async def _ask(self, reader: StreamReader, asks: StreamWriter, back: asyncio.Task[None]) -> None:
        while data := await reader.read(_BYTES):
            moment = self._come(data)
            if moment is Moment.CUT:
                return
            if moment in {Moment.BEFORE, Moment.AMID, Moment.ASKED}:
                self._moving.clear()
            await self._moving.wait()
            if moment is Moment.DONE:
                self._moving.clear()
            if moment is Moment.LOST:
                back.cancel()
            asks.write(data)
            await asks.drain()
            if moment is Moment.LOST:
                return

    async def _answer(self, answers: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await answers.read(_BYTES):
                await self._moving.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    def _come(self, data: bytes) -> Moment | None:
        """Return the moment if it has come with what is asked now."""
        come, begins = None, b"BEGIN\0" in data
        if b"COMMIT\0" in data:
            come = self._moment if self._moment not in {Moment.BEFORE, Moment.AMID} else None
        elif self._moment is (Moment.BEFORE if begins else Moment.AMID):
            come = self._moment if begins or self._begun else None
        self._begun |= begins
        if come:
            self._moment = None
            self.reached.set()
        return come


@asynccontextmanager
async def line(url: str) -> AsyncGenerator[tuple[Line, str]]:
    """Lay a line to the database at an address; the address at its other end comes with it."""
    address = make_url(url)
    stalled_line = Line(f"{address.query['host']}/.s.PGSQL.{address.port or _PORT}")
    stalled_line.move()
    server = await asyncio.start_server(stalled_line.carry, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    local = address.set(host="127.0.0.1", port=port).difference_update_query(["host"])
    async with server:
        yield stalled_line, local.render_as_string(hide_password=False)
        stalled_line.move()
