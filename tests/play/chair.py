"""A bot by hand: what it sends to the table's API and hears on its gateway, without discord.py."""

import json
import zlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

from bot.play.host import Table


@dataclass(slots=True)
class Line:
    """A connection to the gateway."""

    socket: ClientWebSocketResponse
    unpack: Any = None
    session: str = ""
    number: int = 0

    async def next(self) -> dict[str, Any]:
        """Return the next frame."""
        message = await self.socket.receive(timeout=60)
        assert message.type in {WSMsgType.TEXT, WSMsgType.BINARY}, message
        frame = json.loads(self.unpack.decompress(message.data) if self.unpack else message.data)
        self.number = frame["s"] or self.number
        return frame

    async def hear(self, event: str | None = None, *, op: int = 0) -> dict[str, Any]:
        """Return the next frame of an event or op; others before it are passed over."""
        while (frame := await self.next())["op"] != op or (event and frame["t"] != event):
            pass
        return frame

    async def closed(self) -> int | None:
        """Return the code with which the table closes the connection."""
        while (await self.socket.receive(timeout=60)).type in {WSMsgType.TEXT, WSMsgType.BINARY}:
            pass
        return self.socket.close_code


@dataclass(slots=True)
class Chair:
    """The bot's side of a table."""

    table: Table
    session: ClientSession
    lines: list[Line] = field(default_factory=list[Line])

    async def ask(
        self, method: str, path: str, json: Any = None, *, token: str | None = None, **more: Any
    ) -> Any:
        """Return status and body of a request."""
        headers = {"Authorization": f"Bot {token or self.table.token}"}
        async with self.session.request(
            method, self.table.api + path, json=json, headers=headers, **more
        ) as answer:
            return answer.status, await answer.json() if answer.content_type == "application/json" else None

    async def code(self, method: str, path: str, json: Any = None, **more: Any) -> tuple[int, int]:
        """Return status and Discord's code of a refused request."""
        status, body = await self.ask(method, path, json, **more)
        return status, body["code"]

    async def connect(self, **query: str) -> Line:
        """Open the gateway's socket."""
        socket = await self.session.ws_connect(self.table.gateway.address, params=query)
        self.lines.append(Line(socket, zlib.decompressobj() if query.get("compress") else None))
        return self.lines[-1]

    async def sit(self, **identify: Any) -> Line:
        """Open the socket and identify."""
        line = await self.connect()
        await line.hear(op=10)
        await line.socket.send_json({"op": 2, "d": {"token": self.table.token, "intents": 1, **identify}})
        line.session = (await line.hear("READY"))["d"]["session_id"]
        return line


@asynccontextmanager
async def chair(table: Table) -> AsyncGenerator[Chair]:
    """Yield the chair of a table's bot."""
    async with ClientSession() as session:
        seat = Chair(table, session)
        try:
            yield seat
        finally:
            for line in seat.lines:
                await line.socket.close()
