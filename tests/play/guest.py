"""A page without a browser: joins, sends frames and hears what a page would."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

HEARD_SECONDS = 60


@dataclass(slots=True)
class Guest:
    """Somebody's page; `welcome` is what it was told first."""

    base: str
    session: ClientSession
    seat: str = ""
    socket: ClientWebSocketResponse | None = None
    welcome: dict[str, Any] = field(default_factory=dict[str, Any])
    heard: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    sockets: list[ClientWebSocketResponse] = field(default_factory=list[ClientWebSocketResponse])
    count: int = 0

    @property
    def headers(self) -> dict[str, str]:
        """What the page itself sends along."""
        return {"Origin": self.base, "X-Table": "1"}

    async def post(self, path: str, body: Any = None, **more: Any) -> tuple[int, Any]:
        """Return status and JSON of a POST."""
        options: dict[str, Any] = {"json": body, "headers": self.headers, **more}
        async with self.session.post(self.base + path, **options) as answer:
            return answer.status, await answer.json() if answer.content_type == "application/json" else None

    async def join(self, secret: str, name: str) -> "Guest":
        """Take a seat and open its page."""
        status, body = await self.post("/api/join", {"secret": secret, "name": name})
        assert status == 200, body
        self.seat = body["seat"]
        await self.open()
        return self

    async def open(self, *, epoch: str | None = None, last: int | None = None) -> dict[str, Any]:
        """Open the socket; return the first frame."""
        await self.connect()
        await self.send(t="hello", epoch=epoch, last=last, channel=None)
        first = await self.hear(lambda frame: frame["t"] in {"welcome", "resumed"})
        if first["t"] == "welcome":
            self.welcome = first
        return first

    async def connect(self) -> None:
        """Open a socket, and say nothing yet."""
        address = f"{self.base}/s/{self.seat}/socket"
        self.socket = await self.session.ws_connect(address, headers=self.headers)
        self.sockets.append(self.socket)

    async def send(self, **frame: Any) -> None:
        """Send a frame."""
        assert self.socket
        await self.socket.send_str(json.dumps(frame, ensure_ascii=False))

    async def hear(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Return the next frame that is wanted."""
        assert self.socket
        async with asyncio.timeout(HEARD_SECONDS):
            while True:
                frame = await self.socket.receive_json()
                self.heard.append(frame)
                if wanted(frame):
                    return frame

    async def ask(self, wanted: str, **frame: Any) -> dict[str, Any]:
        """Send a frame; return the next one of a kind, or an error."""
        await self.send(**frame)
        return await self.hear(lambda heard: heard["t"] in {wanted, "error"})

    async def line(self, text: str, **more: Any) -> dict[str, Any]:
        """Send a line; return its receipt or fault."""
        self.count += 1
        frame = {
            "t": "line",
            "nonce": f"nonce-{self.count:04}",
            "channel": self.channel,
            "line": text,
            **more,
        }
        await self.send(**frame)
        nonce = frame["nonce"]
        return await self.hear(
            lambda heard: heard["t"] in {"receipt", "fault", "error"} and heard.get("nonce", nonce) == nonce
        )

    @property
    def channel(self) -> str:
        """The first channel."""
        return self.welcome["channels"][0]["id"]

    async def closed(self) -> int | None:
        """Return the code with which the table closes this page."""
        assert self.socket
        async with asyncio.timeout(HEARD_SECONDS):
            while (await self.socket.receive()).type in {WSMsgType.TEXT, WSMsgType.BINARY}:
                pass
        return self.socket.close_code


@asynccontextmanager
async def guest(base: str) -> AsyncGenerator[Guest]:
    """Yield a browser of its own, with no seat yet."""
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        page = Guest(base, session)
        try:
            yield page
        finally:
            for socket in page.sockets:
                await socket.close()
