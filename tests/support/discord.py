"""The table's Discord for tests, which fails on demand.

`async with discord(folder) as d` starts it in the test's loop; the bot is a process of its own (`served`).
"""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.play.host import Table, open_table
from bot.play.interactions import OpenInteraction
from bot.play.world import Channel, Message, Person
from tests.support.forked import ROOT, Child, forked

TOKEN = "MTQyMDAwMDAwMDAwMDAwMDAwMA.Gabcde.this-is-a-token-for-tests-and-nowhere-else"
"""An invalid token in the form of Discord's."""
PATIENCE = 60
"""Limit of each wait and of the bot's answers, in seconds, generous for a busy machine."""
CALLBACK, WEBHOOK, EDIT, POST = (
    r"POST /interactions/\d+/[^/]+/callback",
    r"(POST|PATCH) /webhooks/.*",
    r"PATCH /channels/\d+/messages/\d+",
    r"POST /channels/\d+/messages",
)
"""Patterns of routes for `answer_next`."""


@dataclass(slots=True)
class Request:
    """A request of the bot: its route without /api/v10, body and files' names, and the answer's status."""

    method: str
    path: str
    body: Any
    files: tuple[str, ...]
    status: int = 0

    @property
    def route(self) -> str:
        """Return method and path, separated by a blank."""
        return f"{self.method} {self.path}"


@dataclass(slots=True)
class Fault:
    """The answer to the next `left` requests of a route; `lost` carries them out first."""

    route: re.Pattern[str]
    left: int
    status: int
    headers: dict[str, str]
    body: dict[str, Any] | list[Any]
    lost: bool
    gate: asyncio.Event | None


@dataclass(slots=True)
class Discord:
    """A running table with a channel, a game master (Mara) and two players (Ann, Bob)."""

    table: Table
    mara: Person
    ann: Person
    bob: Person
    requests: list[Request] = field(default_factory=list[Request])
    faults: list[Fault] = field(default_factory=list[Fault])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def channel(self) -> Channel:
        """Return the first channel."""
        return self.table.world.first_channel

    async def line(self, person: Person, text: str, channel: Channel | None = None) -> OpenInteraction:
        """Have somebody run a command; return once the bot has acknowledged it, or is too late."""
        interaction = await self.begin(person, text, channel)
        await interaction.outcome
        return interaction

    async def begin(self, person: Person, text: str, channel: Channel | None = None) -> OpenInteraction:
        """Have a person run a command; return when the bot has received it."""
        interaction = await self.table.acts.line(person, channel or self.channel, text)
        assert interaction is not None, f"no command: {text}"
        return interaction

    async def says(self, person: Person, text: str, channel: Channel | None = None) -> Message:
        """Have somebody run a command; return the bot's whole answer."""
        return await self.answer(await self.line(person, text, channel))

    async def press(self, person: Person, message: Message, label: str) -> OpenInteraction:
        """Have somebody press a button; return once the bot has acknowledged it, or is too late."""
        now = self.message(message.id)
        custom_id = next(part["custom_id"] for part in now.parts() if part.get("label") == label)
        interaction = await self.table.acts.press(person, message.id, custom_id)
        await interaction.outcome
        return interaction

    async def pressed(self, person: Person, message: Message, label: str) -> Message:
        """Have somebody press a button; return the bot's whole answer."""
        return await self.answer(await self.press(person, message, label))

    async def submit(self, person: Person, shown: OpenInteraction, **values: str | bool) -> OpenInteraction:
        """Have somebody fill in and send the form that a press opened."""
        assert (await shown.outcome).form, "no form was shown"
        interaction = await self.table.acts.submit(person, shown.id, dict(values))
        await interaction.outcome
        return interaction

    async def autocomplete(self, person: Person, line: str) -> list[str]:
        """Return the labels that autocomplete offers at the end of a line."""
        *_, last = [hints async for hints in self.table.acts.hints(person, self.channel, line)]
        return [row["label"] for row in last["rows"]]

    async def answer(self, interaction: OpenInteraction) -> Message:
        """Return the bot's answer once it is complete."""
        outcome = await interaction.outcome
        assert outcome.ok, "the bot did not answer in time"
        assert interaction.original is not None, "the bot has sent no message"
        number = interaction.original
        await self.until(lambda: not self.message(number).waiting)
        return self.message(number)

    def message(self, number: int) -> Message:
        """Return the current state of a message."""
        post = self.table.posts.find(number)
        assert post is not None, "there is no such message"
        return post

    def messages(self, viewer: Person | None = None, channel: Channel | None = None) -> list[Message]:
        """Return all messages of a channel that somebody (or everybody) sees, the oldest first."""
        where, viewer_id = (channel or self.channel).id, viewer.id if viewer else None
        return [Message(**data) for data in self.table.store.messages(where, viewer_id, 0, 1 << 62, 10_000)]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds; check it at each change of the table and request of the bot."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    def answer_next(
        self,
        route: str,
        status: int = 200,
        *,
        times: int = 1,
        headers: dict[str, str] | None = None,
        body: dict[str, Any] | list[Any] | None = None,
        lost: bool = False,
        gate: asyncio.Event | None = None,
    ) -> None:
        """Answer the next requests of a route with a status; `gate` holds them until it is set.

        With `lost` the request is carried out first, and only its answer is replaced.
        """
        shown = body or {"message": "as the test says", "code": 0}
        self.faults.append(Fault(re.compile(route), times, status, headers or {}, shown, lost, gate))

    def too_many(self, route: str, seconds: float, *, times: int = 1) -> None:
        """Answer the next requests of a route with 429, as Discord does."""
        headers = {"Via": "1.1 table", "X-RateLimit-Scope": "user", "Retry-After": str(seconds)}
        body = {"message": "You are being rate limited.", "retry_after": seconds, "global": False}
        self.answer_next(route, 429, times=times, headers=headers, body=body)

    def sent(self, route: str) -> list[Request]:
        """Return the requests of a route so far."""
        return [request for request in self.requests if re.fullmatch(route, request.route)]

    def deliver_again(
        self, interaction: OpenInteraction, *, age: float = 0, token: str | None = None
    ) -> None:
        """Tell the bot of an interaction once more, with an id that is `age` seconds older."""
        payload = self.table.interactions.payload(interaction)
        payload["id"] = str(interaction.id - (int(age * 1000) << 22))
        payload["token"] = token or interaction.token
        self.live().send("INTERACTION_CREATE", payload)

    def live(self) -> Any:
        """Return the bot's connected session."""
        return self.table.gateway.live()

    async def ready(self, *, but: str = "") -> None:
        """Wait until the bot is connected with another session than `but`."""
        await self.until(lambda: (session := self.live()) and session.id != but)

    async def drop(self, code: int = 4000) -> None:
        """Close the bot's connection; it will resume."""
        await self.live().connection.socket.close(code=code)

    def freeze(self) -> None:
        """Stop sending on the bot's connection, as if it had died unnoticed."""
        self.live().connection.send = list[object]().append

    async def invalidate(self) -> None:
        """Forget the bot's sessions and close its connection, so that it has to identify again."""
        session = self.live()
        self.table.gateway.sessions.clear()
        await session.connection.socket.close(code=4000)

    @web.middleware
    async def keep(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Record a request, and fail it on demand."""
        if not request.path.startswith("/api/v10"):
            return await handler(request)
        recorded = Request(request.method, request.path.removeprefix("/api/v10"), *await _body(request))
        self.requests.append(recorded)
        fault = next((f for f in self.faults if f.left and f.route.fullmatch(recorded.route)), None)
        response: web.StreamResponse | None = None
        if fault:
            fault.left -= 1
            if fault.lost:
                await handler(request)
            if fault.gate:
                self._changed.set()
                await fault.gate.wait()
            if fault.status != 200:
                headers = {"Content-Type": "application/json", **fault.headers}
                body = json.dumps(fault.body).encode()
                response = web.Response(body=body, status=fault.status, headers=headers)
        response = response or await handler(request)
        recorded.status = response.status
        self._changed.set()
        return response

    def notice(self, change: object, new: bool) -> None:  # noqa: ARG002, FBT001 (the signature of listeners)
        """Wake the waiting tests."""
        self._changed.set()


async def _body(request: web.Request) -> tuple[Any, tuple[str, ...]]:
    """Return a request's JSON and the names of its files."""
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else None), ()
    form = await request.post()
    files = tuple(value.filename for value in form.values() if isinstance(value, web.FileField))
    text = form.get("payload_json", "{}")
    return json.loads("{}" if isinstance(text, web.FileField) else text), files


@asynccontextmanager
async def discord(folder: Path, **more: Any) -> AsyncGenerator[Discord]:
    """Run a table in a folder until the block ends; `more` are options of `open_table`."""
    waiting: list[Discord] = []

    @web.middleware
    async def keep(request: web.Request, handler: Any) -> web.StreamResponse:
        return await waiting[0].keep(request, handler)

    async with open_table(folder, middlewares=[keep], **more) as table:
        people = {person.name: person for person in table.world.seated()}
        mara = people.get("Mara") or table.world.add_person("Mara", gm=True)
        ann, bob = (people.get(name) or table.world.add_person(name) for name in ("Ann", "Bob"))
        table.interactions.patience = PATIENCE
        d = Discord(table, mara, ann, bob)
        waiting.append(d)
        table.world.listeners.append(d.notice)
        yield d


@asynccontextmanager
async def served(
    d: Discord, data: Path, command: Sequence[str] = ("-m", "bot", "run"), **settings: str
) -> AsyncGenerator[Child]:
    """Yield the bot in a process of its own once it is ready; kill it if it runs at the end."""
    child = await forked(command, _environment(d, data) | settings)
    try:
        await ready(d, child)
        yield child
    finally:
        if child.returncode is None:
            child.send_signal(signal.SIGKILL)
        sys.stderr.write(await child.said())


async def ready(d: Discord, child: Child) -> None:
    """Wait until the bot has identified; AssertionError with its output if it ends before."""
    waits = [asyncio.ensure_future(wait) for wait in (d.ready(), child.wait())]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    assert d.table.gateway.live(), await child.said()


async def printed(d: Discord, data: Path, *arguments: str, code: int = 0) -> str:
    """Run a command of the program, check its exit code, and return its output."""
    child = await forked(("-m", "bot", *arguments), _environment(d, data), prints=True)
    text = await child.printed()
    assert child.returncode == code, text
    return text


def _environment(d: Discord, data: Path) -> dict[str, str]:
    """Return the environment of a program that uses only this Discord."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "EVENHAND_DATA": str(data),
        "EVENHAND_REMOTE_BITS": "false",
        "EVENHAND_USER_ROLLS": "0",
        "EVENHAND_LOG_LEVEL": "ERROR",
        "EVENHAND_DISCORD_API": d.table.api,
        "DISCORD_TOKEN": d.table.token,
    }
