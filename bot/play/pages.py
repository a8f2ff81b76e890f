"""The open pages: their sockets, the frames they send, and what each is told."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.play import views
from bot.play.acts import AWAY, NOT_HERE, Acts
from bot.play.feed import Feed, Read, Viewer
from bot.play.gateway import BotState, Gateway
from bot.play.governing import Governing
from bot.play.hints import Row
from bot.play.ids import read_id
from bot.play.interactions import TOO_LATE, Away, Interaction
from bot.play.limits import Bucket
from bot.play.line import Fault
from bot.play.messages import Message
from bot.play.posting import Posts
from bot.play.seats import NoSeat
from bot.play.store import Object
from bot.play.world import Channel, Person, World

_FRAME_BYTES, _DEPTH = 16 * 1024, 8
_WAITING_BYTES = 1 << 20
_AWAY_SECONDS = 10.0
_NONCE_MS = 600_000
_PAGE = 50
_SOCKETS_A_SEAT, _SOCKETS = 6, 200
_AGAIN = 6
_NONCE = re.compile(r"[\w-]{8,64}", re.ASCII)
_SLOW = "That was too fast, and was left out. Wait a moment."
_UNREADABLE = "That can't be read."
SEAT_GONE, TOO_MANY, TOO_FAR_BEHIND = 4001, 4002, 4008


@dataclass(slots=True)
class _Deed:
    """What was answered to a nonce; the number is an id of its time."""

    number: int
    told: list[Object] = field(default_factory=list[Object])


class Page:
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
    """All open pages of a table."""

    def __init__(
        self, world: World, posts: Posts, acts: Acts, feed: Feed, gateway: Gateway, governing: Governing
    ) -> None:
        self.lan = False
        self._world = world
        self._posts = posts
        self._acts = acts
        self._feed = feed
        self._gateway = gateway
        self._governing = governing
        self._open: list[Page] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._leaving: dict[int, asyncio.TimerHandle] = {}
        self._limits: dict[tuple[int, str], Bucket] = {}
        self._deeds: dict[tuple[int, str], _Deed] = {}
        for kept in world.store.documents("deed"):
            receipt = {"t": "receipt", "nonce": kept["nonce"]}
            self._deeds[kept["person"], kept["nonce"]] = _Deed(kept["number"], [receipt])
        self._begins: dict[str, Callable[[Person, Object], Awaitable[Interaction | None]]] = {
            "line": self._line, "press": self._press, "menu": self._menu, "submit": self._submit,
        }  # fmt: skip
        feed.listeners.append(self._hear)
        world.listeners.append(self._hear_bot)

    @property
    def here(self) -> list[str]:
        """The people who are here, or left less than ten seconds ago."""
        people = {page.viewer.person.id for page in self._open} | set(self._leaving)
        return [str(p.id) for p in self._world.seated() if p.id in people]

    async def serve(self, request: web.Request, viewer: Viewer) -> web.WebSocketResponse:
        """Serve one page until it closes."""
        socket = web.WebSocketResponse(max_msg_size=_FRAME_BYTES, heartbeat=30, compress=False)
        await socket.prepare(request)
        own = sum(page.viewer.person is viewer.person for page in self._open)
        if own >= _SOCKETS_A_SEAT or len(self._open) >= _SOCKETS:
            await socket.close(code=TOO_MANY)
            return socket
        transport = request.transport
        page = Page(socket, viewer, transport.abort if transport else lambda: None)
        writing = asyncio.create_task(page.write())
        self._come(page)
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                self._take(page, message.data)
        finally:
            self._leave(page)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
        return socket

    def close(self) -> None:
        """Close all pages: the server goes, and will be back."""
        for task in self._tasks:
            task.cancel()
        for page in self._open:
            page.close(1001)

    def _come(self, page: Page) -> None:
        before = self.here
        self._open.append(page)
        if timer := self._leaving.pop(page.viewer.person.id, None):
            timer.cancel()
        if self.here != before:
            self._tell_all({"t": "here", "ids": self.here})

    def _leave(self, page: Page) -> None:
        self._open.remove(page)
        person = page.viewer.person
        if not any(other.viewer.person is person for other in self._open):
            loop = asyncio.get_running_loop()
            self._leaving[person.id] = loop.call_later(_AWAY_SECONDS, self._away, person.id)

    def _away(self, person: int) -> None:
        self._leaving.pop(person, None)
        self._tell_all({"t": "here", "ids": self.here})

    def _tell_all(self, frame: Object, *, but: Person | None = None) -> None:
        for page in list(self._open):
            if page.welcomed and page.viewer.person is not but:
                page.send(frame)

    def _tell(self, person: Person, frame: Object) -> None:
        for page in list(self._open):
            if page.viewer.person is person:
                page.send(frame)

    def _hear(self, number: int, change: object) -> None:
        for page in list(self._open):
            if page.welcomed and (frame := self._feed.view(page.viewer, number, change)):
                page.send(frame)
            if isinstance(change, Person) and change.gone and page.viewer.person is change:
                page.close(SEAT_GONE)

    def _hear_bot(self, change: object, new: bool) -> None:  # noqa: ARG002, FBT001 (what listeners are given)
        if isinstance(change, BotState):
            self._tell_all({"t": "bot", "state": self._state()})

    def _state(self) -> str:
        return "ready" if self._gateway.live() else "coming"

    def _take(self, page: Page, text: str) -> None:
        """Take a frame: what is wrong with it is told to that page alone."""
        person = page.viewer.person
        if person.gone:
            return
        frame = _read(text)
        first = not page.welcomed and frame is not None and frame.get("t") == "hello"
        if not first and not self._limit(person, "frame", 20, 60):
            page.send({"t": "slow", "text": _SLOW})
        elif frame is None:
            page.send({"t": "error", "n": None, "text": _UNREADABLE})
        else:
            try:
                self._do(page, frame)
            except (Fault, NoSeat) as fault:
                page.send({"t": "error", "n": _number(frame), "text": str(fault)})

    def _do(self, page: Page, frame: Object) -> None:
        person, kind = page.viewer.person, frame.get("t")
        match kind:
            case "hello":
                self._welcome(page, frame)
            case "line" | "press" | "menu" | "submit":
                self._deed(page, frame, str(kind))
            case "hints":
                if self._limit(person, "hints", 12, 24):
                    if page.listing:
                        page.listing.cancel()
                    page.listing = self._start(self._list(page, frame))
            case "open" | "older" | "newer":
                self._messages(page, frame, str(kind))
            case "read":
                self._mark(person, self._channel(person, frame), read_id(frame.get("message")) or 0)
            case "typing":
                channel = self._channel(person, frame)
                frame = {"t": "typing", "channel": str(channel.id), "person": str(person.id)}
                if channel.kind != "alone":
                    self._tell_all(frame, but=person)
            case "dismiss":
                message = self._posts.find(read_id(frame.get("message")) or 0)
                if message is None or message.viewer != person.id:
                    raise Fault(NOT_HERE, 0)
                self._posts.delete(message)
            case "do":
                if not self._limit(person, "deed", 5, 15):
                    raise Fault(_SLOW, 0)
                page.send({"t": "did", "n": _number(frame), **self._governing.do(person, frame)})
            case _:
                raise Fault(_UNREADABLE, 0)

    def _welcome(self, page: Page, frame: Object) -> None:
        person, world = page.viewer.person, self._world
        bot = {"id": str(world.bot.id), "name": world.bot.name, "state": self._state()}
        base: Object = {"epoch": self._feed.epoch, "last": self._feed.last, "here": self.here, "bot": bot}
        missed = self._feed.since(frame.get("epoch"), frame.get("last"))
        page.welcomed = True
        if missed is not None:
            page.send({"t": "resumed", **base})
            for number, change in missed:
                if shown := self._feed.view(page.viewer, number, change):
                    page.send(shown)
            return
        marks = world.store.marks(person.id)
        seen = [channel for channel in world.channels.values() if world.sees(person, channel)]
        wanted = world.channels.get(read_id(frame.get("channel")) or 0)
        channel = wanted if wanted and wanted in seen else next(c for c in seen if c.kind == "text")
        found = world.store.messages(channel.id, person.id, 0, 1 << 62, _PAGE + 1)
        page.send(
            {
                "t": "welcome",
                **base,
                "table": world.name,
                "lan": self.lan,
                "you": str(person.id),
                "people": [views.person(world, each) for each in world.people.values()],
                "roles": [
                    {"id": str(r.id), "name": r.name} for r in world.roles.values() if r.id != world.guild_id
                ],
                "channels": [views.channel(world, each, person, marks) for each in seen],
                "open": {
                    "channel": str(channel.id),
                    "messages": self._views(page, found[-_PAGE:]),
                    "more": len(found) > _PAGE,
                },
                "menus": self._acts.menus(person),
                "again": self._again(person, found),
                "limits": {"line": 2_000, "file": 10 * 1024 * 1024},
            }
        )

    def _again(self, person: Person, found: list[Object]) -> list[Object]:
        latest: dict[str, str] = {}
        for message in (Message(**data) for data in reversed(found)):
            if message.asker == person.id and message.line and (label := views.again(message)):
                latest.setdefault(message.line, label)
        return [{"line": line, "label": label} for line, label in list(latest.items())[:_AGAIN]]

    def _views(self, page: Page, found: list[Object]) -> list[Object]:
        viewer = page.viewer
        return [views.message(self._world, Message(**data), viewer.person, viewer.seat) for data in found]

    def _messages(self, page: Page, frame: Object, kind: str) -> None:
        person, store = page.viewer.person, self._world.store
        channel = self._channel(person, frame)
        around, before, after = (read_id(frame.get(key)) for key in ("around", "before", "after"))
        answer: Object = {
            "t": "opened" if kind == "open" else kind,
            "n": _number(frame),
            "channel": str(channel.id),
        }
        if kind == "newer" or around:
            older = store.messages(channel.id, person.id, 0, around, _PAGE // 2 + 1) if around else []
            newer = store.messages_after(
                channel.id, person.id, (around or after or 1) - (1 if around else 0), _PAGE + 1
            )
            found = older[-_PAGE // 2 :] + newer[:_PAGE]
            answer |= {"more": len(older) > _PAGE // 2, "later": len(newer) > _PAGE}
        else:
            found = store.messages(channel.id, person.id, 0, before or 1 << 62, _PAGE + 1)
            answer |= {"more": len(found) > _PAGE, "later": False}
            found = found[-_PAGE:]
        page.send(answer | {"messages": self._views(page, found)})

    def _channel(self, person: Person, frame: Object) -> Channel:
        channel = self._world.channels.get(read_id(frame.get("channel")) or 0)
        if channel is None or not self._world.sees(person, channel):
            raise Fault("There is no such channel.", 0)
        return channel

    def _mark(self, person: Person, channel: Channel, message: int) -> None:
        latest = self._world.store.latest(channel.id, person.id) or 0
        if self._world.store.marks(person.id).get(channel.id, 0) < message <= latest:
            self._world.store.mark(person.id, channel.id, message)
            self._feed.add(Read(person.id, channel.id))

    def _deed(self, page: Page, frame: Object, kind: str) -> None:
        """Do something once: what is sent again with the same nonce is answered again."""
        person, nonce = page.viewer.person, frame.get("nonce")
        if not isinstance(nonce, str) or not _NONCE.fullmatch(nonce):
            raise Fault(_UNREADABLE, 0)
        key = person.id, nonce
        if key in self._deeds:
            for told in self._deeds[key].told:
                page.send(told)
        elif not self._limit(person, "deed", 5, 15):
            page.send({"t": "fault", "nonce": nonce, "text": _SLOW, "at": None})
        else:
            self._deeds[key] = deed = _Deed(self._world.ids.new())
            self._world.store.put(
                "deed", deed.number, {"person": person.id, "nonce": nonce, "number": deed.number}
            )
            self._forget()
            self._start(self._run(person, nonce, frame, self._begins[kind]))

    async def _run(
        self,
        person: Person,
        nonce: str,
        frame: Object,
        begin: Callable[[Person, Object], Awaitable[Interaction | None]],
    ) -> None:
        deed = self._deeds[person.id, nonce]

        def tell(**told: object) -> None:
            told["nonce"] = nonce
            deed.told.append(told)
            self._tell(person, told)

        try:
            interaction = await begin(person, frame)
        except (Fault, Away) as fault:
            text, at = (str(fault), fault.at) if isinstance(fault, Fault) else (AWAY, None)
            tell(t="fault", text=text, at=at if at is None else _units(str(frame.get("line", "")), at))
            del self._deeds[person.id, nonce]
            self._world.store.remove("deed", deed.number)
            return
        tell(t="receipt")
        if interaction is None:
            return
        outcome = await interaction.outcome
        if outcome.form:
            self._acts.show(outcome.form)
            tell(t="modal", modal=views.form(outcome.form.data, outcome.form.id))
        elif outcome.ok:
            tell(t="done", ok=True)
        else:
            tell(t="done", ok=False, text=TOO_LATE)

    async def _line(self, person: Person, frame: Object) -> Interaction | None:
        files = [number for each in _listed(frame, "files") if (number := read_id(each))]
        return await self._acts.line(person, self._channel(person, frame), str(frame.get("line", "")), files)

    async def _press(self, person: Person, frame: Object) -> Interaction:
        values = [str(value) for value in _listed(frame, "values")]
        return await self._acts.press(
            person, read_id(frame.get("message")) or 0, str(frame.get("id")), values
        )

    async def _menu(self, person: Person, frame: Object) -> Interaction:
        return await self._acts.menu(person, read_id(frame.get("message")) or 0, str(frame.get("name")))

    async def _submit(self, person: Person, frame: Object) -> Interaction:
        values = frame.get("values")
        return await self._acts.submit(
            person, read_id(frame.get("modal")) or 0, values if isinstance(values, dict) else {}
        )  # pyright: ignore[reportUnknownArgumentType]

    async def _list(self, page: Page, frame: Object) -> None:
        """Answer with what can be typed; a second time once the bot has said what it offers."""
        person, line, at = page.viewer.person, frame.get("line"), frame.get("at")
        if not isinstance(line, str) or not isinstance(at, int):
            return
        channel = self._channel(person, frame)
        found = self._acts.hints(person, channel, line, _points(line, at))
        option = found.option
        hint = option and {"name": option.name, "about": option.about, "need": option.required}
        answer: Object = {"t": "hints", "n": _number(frame), "hint": hint, "file": found.file}
        rows = [_row(line, row) for row in found.rows]
        page.send(answer | {"rows": rows, "wait": found.question is not None})
        if found.question:
            offered = await self._acts.choices(person, channel, found.question)
            page.send(answer | {"rows": [_row(line, row) for row in offered] + rows, "wait": False})

    def _limit(self, person: Person, what: str, rate: float, burst: float) -> bool:
        return self._limits.setdefault((person.id, what), Bucket(rate, burst)).take()

    def _start(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Awaitable[None]) -> None:
        with suppress(Fault):  # a list for a channel that is not there
            await work

    def _forget(self) -> None:
        """Forget nonces of more than ten minutes ago; the oldest come first."""
        oldest = self._world.ids.latest - (_NONCE_MS << 22)
        while self._deeds and (deed := next(iter(self._deeds.values()))).number < oldest:
            del self._deeds[next(iter(self._deeds))]
            self._world.store.remove("deed", deed.number)


def _read(text: str) -> Object | None:
    """Return a frame, or None if it is no JSON object, too deep, or holds half characters."""
    try:
        frame = json.loads(text)
        text.encode()
        json.dumps(frame, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return frame if isinstance(frame, dict) and _depth(frame) <= _DEPTH else None  # pyright: ignore[reportUnknownVariableType]


def _depth(value: object) -> int:
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()  # pyright: ignore[reportUnknownVariableType]
    return 1 + max(map(_depth, below), default=0)  # pyright: ignore[reportUnknownArgumentType]


def _listed(frame: Object, key: str) -> list[object]:
    value = frame.get(key)
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _number(frame: Object) -> int | None:
    number = frame.get("n")
    return number if isinstance(number, int) else None


def _row(line: str, row: Row) -> Object:
    start, end = _units(line, row.start), _units(line, row.end)
    return {"label": row.label, "about": row.about, "text": row.text, "from": start, "to": end}


def _units(line: str, at: int) -> int:
    """Return a place in a line as JavaScript counts it."""
    return len(line[:at].encode("utf-16-le")) // 2


def _points(line: str, at: int) -> int:
    """Return JavaScript's place in a line as Python counts it."""
    return len(line.encode("utf-16-le")[: 2 * max(at, 0)].decode("utf-16-le", "ignore"))
