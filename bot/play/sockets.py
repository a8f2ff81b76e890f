"""A websocket of the table, the bot's or a page's: what is sent to it is written in order."""

import asyncio
import json
import math
import zlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from aiohttp import web

from bot.play.store import Object


class FrameSocket:
    """One websocket; one that lets more than `most` bytes wait is cut off. Packed: as zlib-stream."""

    def __init__(
        self, socket: web.WebSocketResponse, *, most: float = math.inf, packed: bool = False
    ) -> None:
        self.socket = socket
        self._most = most
        self._stream = zlib.compressobj() if packed else None
        self._waiting: asyncio.Queue[str | int] = asyncio.Queue()
        self._bytes = 0
        self._transport: asyncio.BaseTransport | None = None

    @asynccontextmanager
    async def opened(self, request: web.Request) -> AsyncGenerator[web.WebSocketResponse]:
        """Open the socket, and write what is sent until the block ends."""
        await self.socket.prepare(request)
        self._transport = request.transport
        writing = asyncio.create_task(self._write())
        try:
            yield self.socket
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    def send(self, frame: Object) -> None:
        """Send a frame soon."""
        text = json.dumps(frame)
        self._bytes += len(text)
        if self._bytes <= self._most:
            self._waiting.put_nowait(text)
        elif isinstance(self._transport, asyncio.Transport):
            self._transport.abort()

    def close(self, code: int) -> None:
        """Close it once everything is written."""
        self._waiting.put_nowait(code)

    async def _write(self) -> None:
        with suppress(ConnectionError):
            while isinstance(text := await self._waiting.get(), str):
                if stream := self._stream:
                    packed = stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(packed)
                else:
                    await self.socket.send_str(text)
                self._bytes -= len(text)
            await self.socket.close(code=text)
