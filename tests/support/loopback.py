"""As much of Discord on loopback as a bot needs to log in, be told that it is ready, and be thrown out."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestServer

TOKEN = "MTQyMDAwMDAwMDAwMDAwMDAwMA.Gabcde.this-is-a-token-for-tests-and-nowhere-else"
APPLICATION = "1420000000000000001"

_HELLO, _ACKNOWLEDGED = 10, 11
_USER = {"id": APPLICATION, "username": "Evenhand", "discriminator": "0000", "avatar": None, "bot": True}
_Discord = TypeVar("_Discord", bound="Loopback")


class Loopback:
    """A small Discord; `asked` is every request in order, `ready` is set when a bot has identified itself."""

    def __init__(self) -> None:
        self.api = ""
        self.asked: list[str] = []
        self.ready = asyncio.Event()
        self._gateway = ""
        self._socket: web.WebSocketResponse | None = None
        self._reading: asyncio.Task[None] | None = None

    def throw_out(self) -> None:
        """Close the connection as Discord does when a token has been reset."""
        assert self._reading is not None
        # The handler itself closes: a close from outside races with the end of its response.
        self._reading.cancel()

    def app(self) -> web.Application:
        """The server, which answers once it knows its address."""
        app = web.Application()
        app.router.add_get("/gateway/", self._connected)
        app.router.add_route("*", "/api/{path:.*}", self._answer)
        return app

    def settle(self, address: str) -> None:
        """Take up the address, such as 127.0.0.1:8000."""
        self.api = f"http://{address}/api"
        self._gateway = f"ws://{address}/gateway/"

    async def _answer(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        self.asked.append(f"{request.method} {path}")
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)
        answers: dict[str, Any] = {
            "users/@me": _USER,
            "oauth2/applications/@me": {
                "id": APPLICATION,
                "name": "Evenhand",
                "description": "",
                "icon": None,
                "owner": _USER,
                "bot_public": True,
                "bot_require_code_grant": False,
                "verify_key": "",
                "flags": 0,
            },
            "gateway/bot": {
                "url": self._gateway,
                "shards": 1,
                "session_start_limit": {
                    "total": 1000,
                    "remaining": 999,
                    "reset_after": 0,
                    "max_concurrency": 1,
                },
            },
            f"applications/{APPLICATION}/commands": [],
        }
        # discord.py takes a body for text unless the type is exactly this.
        response = web.json_response(answers[path])
        response.headers["Content-Type"] = "application/json"
        return response

    async def _connected(self, request: web.Request) -> web.WebSocketResponse:
        self._socket = socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": _HELLO, "d": {"heartbeat_interval": 40_000}, "s": None, "t": None})
        self._reading = asyncio.create_task(self._read(socket))
        await asyncio.wait([self._reading])
        await socket.close(code=4004 if self._reading.cancelled() else 1000)
        return socket

    async def _read(self, socket: web.WebSocketResponse) -> None:
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            match message.json():
                case {"op": 2}:
                    await socket.send_json({"op": 0, "s": 1, "t": "READY", "d": self._ready()})
                    self.ready.set()
                case {"op": 1}:
                    await socket.send_json({"op": _ACKNOWLEDGED, "d": None, "s": None, "t": None})
                case _:
                    pass

    def _ready(self) -> dict[str, Any]:
        return {
            "v": 10,
            "user": _USER,
            "guilds": [],
            "session_id": "1",
            "resume_gateway_url": self._gateway,
            "shard": [0, 1],
            "application": {"id": APPLICATION, "flags": 0},
        }


def loopback() -> AbstractAsyncContextManager[Loopback]:
    """A small Discord until the block ends."""
    return opened(Loopback())


@asynccontextmanager
async def opened(discord: _Discord) -> AsyncGenerator[_Discord]:
    """The same with a Discord that knows more."""
    server = TestServer(discord.app())
    await server.start_server()
    discord.settle(str(server.make_url("")).removeprefix("http://").rstrip("/"))
    try:
        yield discord
    finally:
        await server.close()
