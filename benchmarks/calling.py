"""Discord's side of a load test: members run commands, press buttons, and wait for the bot's answer."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from aiohttp import web

from benchmarks import payloads
from bot.campaign.events import DISCORD_EPOCH
from tests.support.loopback import Loopback

_EPHEMERAL = 64
_PATIENCE_SECONDS = 15


@dataclass(frozen=True, slots=True)
class Said:
    """The bot's answer."""

    message: dict[str, Any]
    table: int
    """In whose channel."""
    private: bool

    @property
    def content(self) -> str:
        """Its words."""
        return self.message["content"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A message was edited."""

    at: float
    """By `time.perf_counter`."""
    message_id: str
    content: str


class Calling(Loopback):
    """The small Discord with one server, whose members each have a channel that they manage.

    `edits` has every edit of a message, in order.
    """

    def __init__(self, members: int) -> None:
        super().__init__()
        self.edits: list[Edit] = []
        self._edited = asyncio.Event()
        self._members = members
        self._numbers = count()
        self._answers: dict[str, tuple[int, asyncio.Future[Said]]] = {}

    async def join(self) -> None:
        """Bring the bot, once it is ready, to the server."""
        await self.ready.wait()
        await self._send("GUILD_CREATE", payloads.guild(self._members))

    async def call(self, member: int, name: str, options: Mapping[str, str | int] | None = None) -> Said:
        """Have a member run a command ("d100 roll") in their channel; the bot's answer, once it is in.

        AssertionError if it answers in private, as it answers errors; TimeoutError if it does not answer.
        """
        data = payloads.command(name, options or {})
        said = await self._interact(member, member, payloads.COMMAND, data)
        assert not said.private, said.content
        return said

    async def press(self, member: int, said: Said, label: str) -> Said:
        """Have a member press a message's button; the bot's answer, once it is in, or TimeoutError."""
        data = payloads.button(said.message, label)
        return await self._interact(member, said.table, payloads.PRESS, data, {"message": said.message})

    async def wait_for_edit(self, seconds: float) -> None:
        """Wait until a message is edited; TimeoutError if none is for so long."""
        self._edited.clear()
        async with asyncio.timeout(seconds):
            await self._edited.wait()

    async def _interact(
        self, member: int, table: int, kind: int, data: dict[str, Any], more: Mapping[str, Any] | None = None
    ) -> Said:
        number = str(int(time.time() * 1000) - DISCORD_EPOCH << 22 | next(self._numbers) % (1 << 22))
        answer: asyncio.Future[Said] = asyncio.get_running_loop().create_future()
        self._answers[number] = table, answer
        payload = payloads.interaction(number, member, table, kind, data)
        await self._send("INTERACTION_CREATE", {**payload, **(more or {})})
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return await answer
        finally:
            del self._answers[number]

    async def _send(self, event: str, data: dict[str, Any]) -> None:
        assert self._socket is not None
        await self._socket.send_json({"op": 0, "s": next(self._numbers) + 2, "t": event, "d": data})

    async def _answer(self, request: web.Request) -> web.Response:
        match request.method, *request.match_info["path"].split("/"):
            case "POST", "interactions", number, _, "callback":
                return await self._said(request, number)
            case "PATCH", "channels", channel_id, "messages", message_id:
                said = await request.json()
                self.edits.append(Edit(time.perf_counter(), message_id, said["content"]))
                self._edited.set()
                return _json(payloads.message(message_id, channel_id, said))
            case _:
                return await super()._answer(request)

    async def _said(self, request: web.Request, number: str) -> web.Response:
        said = (await request.json())["data"]
        table, answer = self._answers[number]
        channel_id = payloads.channel_id(table)
        # An id of the same moment, which no interaction has.
        message = payloads.message(str(int(number) + (1 << 22)), channel_id, said)
        answer.set_result(Said(message, table, private=bool(said.get("flags", 0) & _EPHEMERAL)))
        return _json(payloads.callback(number, message))


def _json(body: dict[str, Any]) -> web.Response:
    # As the answers to the other requests: discord.py takes a body for text unless the type is just this.
    response = web.json_response(body)
    response.headers["Content-Type"] = "application/json"
    return response
