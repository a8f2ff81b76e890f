"""Discord's side of a load test: members run slash commands, and each waits for the bot's answer."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.core.events import DISCORD_EPOCH
from tests.support.loopback import APPLICATION, Loopback

GUILD = "1420000000000000000"
MANAGE_GUILD = "32"
_CHANNEL = 1_430_000_000_000_000_000
_USER = 1_440_000_000_000_000_000
_SUBCOMMAND, _TEXT = 1, 3
_EPHEMERAL = 64
_PATIENCE_SECONDS = 15
_TEMPLATE: dict[str, Any] = {"guild_id": GUILD, "type": 0, "permission_overwrites": [], "nsfw": False}


class Calling(Loopback):
    """The small Discord with one server, whose members each sit in a channel of their own."""

    def __init__(self, members: int) -> None:
        super().__init__()
        self._members = members
        self._numbers = count()
        self._answers: dict[str, asyncio.Future[None]] = {}

    async def join(self) -> None:
        """Bring the bot, once it is ready, to the server."""
        await self.ready.wait()
        channels = [_channel(member) for member in range(self._members)]
        everyone = {"id": GUILD, "name": "@everyone", "permissions": "0", "color": 0, "position": 0}
        guild = {"id": GUILD, "name": "The Long Table", "roles": [everyone], "channels": channels}
        await self._send("GUILD_CREATE", guild)

    async def call(self, member: int, name: str, options: dict[str, str] | None = None) -> None:
        """Have a member run a command ("d100 roll"); returns when the bot's answer is in.

        AssertionError if it answers in private, as it answers errors; TimeoutError if it does not answer.
        """
        number = str(int(time.time() * 1000) - DISCORD_EPOCH << 22 | next(self._numbers) % (1 << 22))
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        await self._send("INTERACTION_CREATE", _interaction(number, member, _data(name, options or {})))
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await answer
        finally:
            del self._answers[number]

    async def _send(self, event: str, data: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send_json({"op": 0, "s": next(self._numbers) + 2, "t": event, "d": data})

    async def _answer(self, request: web.Request) -> web.Response:
        path = request.match_info["path"].split("/")
        if path[0] != "interactions":
            return await super()._answer(request)
        number = path[1]
        said = (await request.json())["data"]
        if said.get("flags", 0) & _EPHEMERAL:
            self._answers[number].set_exception(AssertionError(said["content"]))
        else:
            self._answers[number].set_result(None)
        # As its answers to the other requests: discord.py takes a body for text unless the type is just this.
        response = web.json_response(_callback(number, said))
        response.headers["Content-Type"] = "application/json"
        return response


@asynccontextmanager
async def calling(members: int) -> AsyncGenerator[Calling]:
    """Such a Discord until the block ends."""
    discord = Calling(members)
    server = TestServer(discord.app())
    await server.start_server()
    discord.settle(str(server.make_url("")).removeprefix("http://").rstrip("/"))
    try:
        yield discord
    finally:
        await server.close()


def _channel(member: int) -> dict[str, Any]:
    return {"id": str(_CHANNEL + member), "name": f"table-{member}", "position": member, **_TEMPLATE}


def _data(name: str, options: dict[str, str]) -> dict[str, Any]:
    command, _, subcommand = name.partition(" ")
    given: list[Any] = [{"name": key, "type": _TEXT, "value": value} for key, value in options.items()]
    if subcommand:
        given = [{"name": subcommand, "type": _SUBCOMMAND, "options": given}]
    return {"id": "1", "name": command, "type": 1, "options": given}


def _interaction(number: str, member: int, data: dict[str, Any]) -> dict[str, Any]:
    user = {"id": str(_USER + member), "username": f"u{member}", "discriminator": "0", "avatar": None}
    return {
        "id": number,
        "application_id": APPLICATION,
        "type": 2,
        "token": f"token-of-{number}",
        "version": 1,
        "data": data,
        "guild_id": GUILD,
        "guild": {"id": GUILD, "locale": "en-GB", "features": []},
        "guild_locale": "en-GB",
        "channel_id": str(_CHANNEL + member),
        "channel": _channel(member),
        "member": {
            "user": user,
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": MANAGE_GUILD,
        },
        "entitlements": [],
        "authorizing_integration_owners": {"0": GUILD},
        "attachment_size_limit": 1,
        "locale": "en-GB",
        "context": 0,
        "app_permissions": "0",
    }


def _callback(number: str, said: dict[str, Any]) -> dict[str, Any]:
    message_id = str(int(number) + (1 << 22))
    message: dict[str, Any] = {
        "id": message_id,
        "channel_id": str(_CHANNEL),
        "type": 20,
        "author": {"id": APPLICATION, "username": "Evenhand", "discriminator": "0000", "avatar": None},
        "content": said["content"],
        "components": said.get("components", []),
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "pinned": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
    }
    return {
        "interaction": {"id": number, "type": 2, "response_message_id": message_id},
        "resource": {"type": 4, "message": message},
    }
