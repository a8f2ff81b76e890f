"""The open pages: who is here, and what each page is told."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import suppress

from aiohttp import WSMsgType, web

from bot.play.feed import MessageFeed, Viewer
from bot.play.gateway import BotState, Gateway
from bot.play.store import Object
from bot.play.world import Person, World

_FRAME_BYTES, _WAITING_BYTES = 16 * 1024, 1 << 20
_SOCKETS_A_SEAT, _SOCKETS = 6, 200
_AWAY_SECONDS = 10.0
SEAT_GONE, TOO_MANY, TOO_FAR_BEHIND, GOING = 4001, 4002, 4008, 1001
"""Why a page is closed."""


class BrowserPage:
    """One socket of a person's. Frames go out in order; a page that does not read them is cut off."""

    def __init__(self, socket: web.WebSocketResponse, viewer: Viewer, cut: Callable[[], None]) -> None:
        self.viewer = viewer
        self.welcomed = False
        self.listing: asyncio.Task[None] | None = None
        """Looks up the newest list that was asked for."""
        self.code: int | None = None
        """Why the server closes it."""
        self._socket = socket
        self._cut = cut
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._bytes = 0

    def send(self, frame: Object) -> None:
        """Send a frame soon."""
        text = json.dumps(frame)
        self._bytes += len(text)
        if self._bytes > _WAITING_BYTES:
            self.code = TOO_FAR_BEHIND
            self._cut()
        else:
            self._waiting.put_nowait(text)

    def close(self, code: int) -> None:
        """Close it once everything is written."""
        self.code = code
        self._waiting.put_nowait(None)

    async def write(self) -> None:
        """Write what is sent, until it is closed or cancelled."""
        with suppress(ConnectionError):
            while (text := await self._waiting.get()) is not None:
                await self._socket.send_str(text)
                self._bytes -= len(text)
            await self._socket.close(code=self.code or 1000)


class Pages:
    """All open pages of a table, and the people at them."""

    def __init__(self, world: World, feed: MessageFeed, gateway: Gateway) -> None:
        self._world = world
        self._feed = feed
        self._gateway = gateway
        self._open: list[BrowserPage] = []
        self._leaving: dict[int, asyncio.TimerHandle] = {}
        feed.listeners.append(self._hear)
        world.listeners.append(self._hear_bot)

    async def serve(
        self, request: web.Request, viewer: Viewer, take: Callable[[BrowserPage, str], None]
    ) -> web.WebSocketResponse:
        """Serve one page until it closes; `take` gets its frames."""
        socket = web.WebSocketResponse(max_msg_size=_FRAME_BYTES, heartbeat=30, compress=False)
        await socket.prepare(request)
        if len(list(self.of(viewer.person))) >= _SOCKETS_A_SEAT or len(self._open) >= _SOCKETS:
            await socket.close(code=TOO_MANY)
            return socket
        transport = request.transport
        page = BrowserPage(socket, viewer, transport.abort if transport else lambda: None)
        writing = asyncio.create_task(page.write())
        self._come(page)
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                take(page, message.data)
        finally:
            self._leave(page)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
        return socket

    def of(self, person: Person) -> Iterator[BrowserPage]:
        """Return somebody's pages."""
        return (page for page in list(self._open) if page.viewer.person is person)

    @property
    def here(self) -> list[str]:
        """The people who are here, or left less than ten seconds ago."""
        people = {page.viewer.person.id for page in self._open} | set(self._leaving)
        return [str(person.id) for person in self._world.seated() if person.id in people]

    @property
    def bot(self) -> str:
        """Whether the bot is there: "ready" or "coming"."""
        return "ready" if self._gateway.live() else "coming"

    def _come(self, page: BrowserPage) -> None:
        before = self.here
        self._open.append(page)
        if timer := self._leaving.pop(page.viewer.person.id, None):
            timer.cancel()
        if self.here != before:
            self.tell_all({"t": "here", "ids": self.here})

    def _leave(self, page: BrowserPage) -> None:
        self._open.remove(page)
        person = page.viewer.person
        if not any(self.of(person)):
            loop = asyncio.get_running_loop()
            self._leaving[person.id] = loop.call_later(_AWAY_SECONDS, self._away, person.id)

    def tell(self, person: Person, frame: Object) -> None:
        """Send a frame to all pages of somebody."""
        for page in self.of(person):
            page.send(frame)

    def tell_all(self, frame: Object, *, but: Person | None = None) -> None:
        """Send a frame to all pages."""
        for page in list(self._open):
            if page.welcomed and page.viewer.person is not but:
                page.send(frame)

    def close(self) -> None:
        """Close all pages: the server goes, and will be back."""
        for page in self._open:
            page.close(GOING)

    def _away(self, person: int) -> None:
        del self._leaving[person]
        self.tell_all({"t": "here", "ids": self.here})

    def _hear(self, number: int, change: object) -> None:
        for page in list(self._open):
            if page.welcomed and (frame := self._feed.view(page.viewer, number, change)):
                page.send(frame)
            if isinstance(change, Person) and change.gone and page.viewer.person is change:
                page.close(SEAT_GONE)

    def _hear_bot(self, change: object, new: bool) -> None:  # noqa: ARG002, FBT001 (what listeners are given)
        if isinstance(change, BotState):
            self.tell_all({"t": "bot", "state": self.bot})
