"""The open pages: their rate limits, the people present, and the numbered events sent to pages."""

import asyncio
import secrets
from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from aiohttp import WSMsgType, web

from bot.buckets import Buckets
from bot.play import views
from bot.play.acts import MESSAGE_MENU, PERSON_MENU, Acts
from bot.play.gateway import FrameSocket, Gateway
from bot.play.messages import Deleted
from bot.play.options import localised
from bot.play.store import Object
from bot.play.world import Channel, Message, Notice, Person, World
from bot.words.languages import Language, speaking
from bot.words.saying import phrase

_FRAME_BYTES, _WAITING_BYTES = 16 * 1024, 1 << 20
_SOCKETS_A_SEAT, _SOCKETS = 6, 200
_AWAY_SECONDS = 10
_EVENTS_KEPT = 1_000
SEAT_GONE, TOO_MANY, GOING_AWAY = 4001, 4002, 1001
"""Close codes of a page's socket."""
LIMITS: dict[str, tuple[float, float]] = {
    "frame": (20, 60), "deed": (5, 15), "hints": (12, 24), "join": (10 / 60, 10),
    "upload": (40 * 1024 * 1024 / 600, 40 * 1024 * 1024),
}  # fmt: skip
"""Action to how many (of uploads: bytes) are allowed a second, and how many at once."""
UNREADABLE = phrase("That can't be read.")
TOO_FAST = phrase("Too fast: that was left out. Wait a moment.")


class PageLimits(Buckets):
    """Limits of how often a seat or an address does each action."""

    def allow(self, action: str, actor: Hashable, count: float = 1) -> bool:
        """Take `count` from an actor's allowance; return whether it was enough."""
        rate, burst = LIMITS[action]
        return not self.take((action, actor), burst, rate, count)


@dataclass(frozen=True, slots=True)
class Read:
    """The event that a person has read a channel."""

    person: int
    channel: int


class BrowserPage(FrameSocket):
    """One socket of a person, with its language; `listing` is the task of its newest completions."""

    def __init__(self, person: Person) -> None:
        socket = web.WebSocketResponse(max_msg_size=_FRAME_BYTES, heartbeat=30, compress=False)
        super().__init__(socket, most=_WAITING_BYTES)
        self.person = person
        self.welcomed = False
        self.language: Language | None = None
        self.listing: asyncio.Task[None] | None = None


class Pages:
    """All open pages; `epoch` names this run, so that a page can tell numbers of an earlier run apart."""

    def __init__(self, world: World, acts: Acts, gateway: Gateway) -> None:
        self.epoch = secrets.token_hex(4)
        self.last = 0
        self._world, self._acts, self._gateway = world, acts, gateway
        self._open: list[BrowserPage] = []
        self._present: list[str] = []
        self._page_counts = Counter[int]()
        self._events: deque[tuple[int, object]] = deque(maxlen=_EVENTS_KEPT)
        world.listeners.append(lambda change, _: self.add(change))

    async def serve(
        self, request: web.Request, person: Person, take: Callable[[BrowserPage, str], None]
    ) -> web.WebSocketResponse:
        """Serve one page until it closes; call `take` with each frame."""
        page = BrowserPage(person)
        async with page.opened(request) as socket:
            own = sum(other.person is person for other in self._open)
            if own >= _SOCKETS_A_SEAT or len(self._open) >= _SOCKETS:
                await socket.close(code=TOO_MANY)
                return socket
            self._open.append(page)
            self._count_pages(person, 1)
            try:
                async for message in socket:
                    if message.type is not WSMsgType.TEXT:
                        break
                    take(page, message.data)
            finally:
                self._open.remove(page)
                asyncio.get_running_loop().call_later(_AWAY_SECONDS, self._count_pages, person, -1)
        return socket

    @property
    def present(self) -> list[str]:
        """Ids of the people with an open page, or one closed less than ten seconds ago."""
        return [str(person.id) for person in self._world.seated() if self._page_counts[person.id]]

    @property
    def bot(self) -> str:
        """State of the bot: "ready" if it is connected, else "coming"."""
        return "ready" if self._gateway.live() else "coming"

    def _count_pages(self, person: Person, pages: int) -> None:
        """Change the count of a person's pages; announce the people present if they changed."""
        self._page_counts[person.id] += pages
        if self.present != self._present:
            self._present = self.present
            self.tell({"t": "here", "ids": self._present})

    def tell(self, frame: Object, *, to: Person | None = None, exclude: Person | None = None) -> None:
        """Send a frame to all pages, only to those of a person, or to all but those of a person."""
        for page in self._open:
            if page.welcomed and (to is None or page.person is to) and page.person is not exclude:
                page.send(frame)

    def close(self) -> None:
        """Close all pages; they reconnect when the server is back."""
        for page in self._open:
            page.close(GOING_AWAY)

    def add(self, change: object) -> None:
        """Give an event its number, and send it to the pages that may see it."""
        if change is Notice.BOT:
            self.tell({"t": "bot", "state": self.bot})
            return
        self.last += 1
        self._events.append((self.last, change))
        for page in self._open:
            if page.welcomed:
                with speaking(page.language):
                    frame = self._frame(page.person, change)
                if frame:
                    page.send({**frame, "e": self.last})
            if isinstance(change, Person) and change.gone and page.person is change:
                page.close(SEAT_GONE)

    def missed(self, person: Person, epoch: str | None, last: int | None) -> list[Object] | None:
        """Return the frames of the events after a number that a person may see.

        None if some of the events are no longer stored, or they are too long to be sent at once.
        """
        first = self._events[0][0] if self._events else self.last + 1
        if epoch != self.epoch or last is None or not first - 1 <= last <= self.last:
            return None
        frames = [
            {**frame, "e": number}
            for number, change in self._events
            if number > last and (frame := self._frame(person, change))
        ]
        return frames if len(views.fitting(frames)) == len(frames) else None

    def menus(self, person: Person) -> Object:
        """Return the commands in the menus of messages and of people."""
        channel = self._world.first_channel
        return {
            key: [
                {"name": command["name"], "label": localised(command, "name")}
                for command in self._acts.commands(person, channel, kind)
            ]
            for key, kind in (("menus", MESSAGE_MENU), ("person_menus", PERSON_MENU))
        }

    def _frame(self, person: Person, change: object) -> Object | None:
        """Return the frame of an event for a person, or None if they may not see it."""
        world = self._world
        match change:
            case Message() if world.sees(person, change.channel, change.viewer):
                return {"t": "message", "message": views.message(world, change, person)}
            case Deleted() if world.sees(person, change.channel, change.viewer):
                ids = None if change.ids is None else [str(number) for number in change.ids]
                return {"t": "gone", "channel": str(change.channel), "ids": ids}
            case Person():
                return {"t": "person", "person": views.person(world, change)}
            case Channel() if world.sees(person, change.id):
                return {"t": "channel", "channel": views.channel(world, change, person)}
            case Read() if change.person == person.id:
                reading = views.reading(world, world.channels[change.channel], person)
                return {"t": "read", "channel": str(change.channel), **reading}
            case Notice.COMMANDS:
                return {"t": "menus", **self.menus(person)}
            case _:
                return None
