"""The frames of a page's socket: each is read, held against its limits and answered."""

import asyncio
import json
from contextlib import suppress

from aiohttp import web

from bot.play import views
from bot.play.acts import NOT_HERE, Acts
from bot.play.deeds import TOO_FAST, UNREADABLE, Deeds
from bot.play.feed import MessageFeed, Read, Viewer
from bot.play.governing import Governing
from bot.play.hints import HintRow
from bot.play.ids import read_id
from bot.play.limits import Bucket
from bot.play.line import from_units, to_units
from bot.play.messages import Message
from bot.play.pages import BrowserPage, Pages
from bot.play.payloads import FILE_BYTES
from bot.play.posting import Posts
from bot.play.seats import NoSeat
from bot.play.store import Object, listed, mapped
from bot.play.values import LineFault
from bot.play.world import Channel, Person, World

_DEPTH = 8
_PAGE, _AGAIN = 50, 6
_ALL = 1 << 62
_LIMITS = {"frame": (20, 60), "deed": (5, 15), "hints": (12, 24)}
"""How many a second, and how many at once."""


class Frames:
    """Serves pages' sockets. What is wrong with a frame is told to that page alone."""

    def __init__(
        self, world: World, posts: Posts, acts: Acts, feed: MessageFeed, governing: Governing, pages: Pages
    ) -> None:
        self.lan = False
        self.deeds = Deeds(world, acts, pages)
        self._world = world
        self._posts = posts
        self._acts = acts
        self._feed = feed
        self._governing = governing
        self._pages = pages
        self._limits: dict[tuple[int, str], Bucket] = {}

    async def serve(self, request: web.Request, viewer: Viewer) -> web.WebSocketResponse:
        """Serve one page until it closes."""
        return await self._pages.serve(request, viewer, self._take)

    def _take(self, page: BrowserPage, text: str) -> None:
        person, frame = page.viewer.person, _read(text)
        first = not page.welcomed and frame.get("t") == "hello"
        if person.gone:
            return
        if not first and self._too_fast(person, "frame"):
            kind = "fault" if "nonce" in frame else "error" if "n" in frame else "slow"
            page.send(
                {"t": kind, "text": TOO_FAST, "nonce": frame.get("nonce"), "n": _number(frame), "at": None}
            )
            return
        try:
            self._do(page, frame)
        except (LineFault, NoSeat) as fault:
            page.send({"t": "error", "n": _number(frame), "text": str(fault)})

    def _do(self, page: BrowserPage, frame: Object) -> None:
        person = page.viewer.person
        match frame.get("t"):
            case "hello":
                self._welcome(page, frame)
            case "line" | "press" | "menu" | "submit":
                self._deed(page, frame)
            case "hints":
                self._hints(page, frame)
            case "open" | "older" | "newer":
                self._history(page, frame)
            case "read":
                self._mark(person, self._channel(person, frame), read_id(frame.get("message")) or 0)
            case "typing":
                told = {
                    "t": "typing",
                    "channel": str(self._channel(person, frame).id),
                    "person": str(person.id),
                }
                self._pages.tell_all(told, but=person)
            case "dismiss":
                self._dismiss(person, read_id(frame.get("message")) or 0)
            case "do" if not self._too_fast(person, "deed"):
                page.send({"t": "did", "n": _number(frame), **self._governing.do(person, frame)})
            case "do":
                raise LineFault(TOO_FAST, 0)
            case _:
                raise LineFault(UNREADABLE, 0)

    def _deed(self, page: BrowserPage, frame: Object) -> None:
        person = page.viewer.person
        if self.deeds.answer_again(page, frame.get("nonce")):
            return
        channel = self._channel(person, frame) if frame["t"] == "line" else None
        if self._too_fast(person, "deed"):
            page.send({"t": "fault", "nonce": frame["nonce"], "text": TOO_FAST, "at": None})
        else:
            self.deeds.start(person, channel, frame)

    def _welcome(self, page: BrowserPage, frame: Object) -> None:
        person, world, store = page.viewer.person, self._world, self._world.store
        bot = {"id": str(world.bot.id), "name": world.bot.name, "state": self._pages.bot}
        base: Object = {
            "epoch": self._feed.epoch,
            "last": self._feed.last,
            "here": self._pages.here,
            "bot": bot,
        }
        missed = self._feed.since(frame.get("epoch"), frame.get("last"))
        page.welcomed = True
        if missed is not None:
            page.send({"t": "resumed", **base})
            for number, change in missed:
                if shown := self._feed.view(page.viewer, number, change):
                    page.send(shown)
            return
        seen = [channel for channel in world.channels.values() if world.sees(person, channel)]
        wanted = world.channels.get(read_id(frame.get("channel")) or 0)
        channel = wanted if wanted in seen and wanted else next(c for c in seen if c.kind == "text")
        found = store.messages(channel.id, person.id, 0, _ALL, _PAGE + 1)
        opened = {"channel": str(channel.id), "messages": self._views(page, found[-_PAGE:])}
        told: Object = {
            **base,
            "t": "welcome",
            "table": world.name,
            "lan": self.lan,
            "you": str(person.id),
            "people": [views.person(world, each) for each in world.people.values()],
            "roles": [{"id": str(n), "name": r.name} for n, r in world.roles.items() if n != world.guild_id],
            "channels": [views.channel(world, each, person) for each in seen],
            "open": {**opened, "more": len(found) > _PAGE},
            "menus": self._acts.menus(person),
            "again": self._again(person, found),
            "limits": {"line": 2_000, "file": FILE_BYTES},
        }
        page.send(told)

    def _again(self, person: Person, found: list[Object]) -> list[Object]:
        """Return the latest different rolls of somebody."""
        latest: dict[str, str] = {}
        for message in (Message(**data) for data in reversed(found)):
            if message.asker == person.id and message.line and (label := views.again(message)):
                latest.setdefault(message.line, label)
        return [{"line": line, "label": label} for line, label in list(latest.items())[:_AGAIN]]

    def _history(self, page: BrowserPage, frame: Object) -> None:
        """Send the newest messages, or those before, after or around one."""
        person, store = page.viewer.person, self._world.store
        channel = self._channel(person, frame)
        before, after, around = (read_id(frame.get(key)) for key in ("before", "after", "around"))
        older = [] if after else store.messages(channel.id, person.id, 0, around or before or _ALL, _PAGE + 1)
        size = _PAGE // 2 if around else _PAGE
        start = after or (around - 1 if around else None)
        newer = store.messages_after(channel.id, person.id, start, _PAGE + 1) if start else []
        answer: Object = {
            "t": "opened" if frame["t"] == "open" else frame["t"],
            "n": _number(frame),
            "channel": str(channel.id),
            "messages": self._views(page, older[-size:] + newer[:_PAGE]),
            "more": len(older) > size,
            "later": len(newer) > _PAGE,
        }
        page.send(answer)

    def _views(self, page: BrowserPage, found: list[Object]) -> list[Object]:
        viewer = page.viewer
        return [views.message(self._world, Message(**data), viewer.person, viewer.seat) for data in found]

    def _channel(self, person: Person, frame: Object) -> Channel:
        channel = self._world.channels.get(read_id(frame.get("channel")) or 0)
        if channel is None or not self._world.sees(person, channel):
            raise LineFault("There is no such channel.", 0)
        return channel

    def _mark(self, person: Person, channel: Channel, message: int) -> None:
        latest = self._world.store.latest(channel.id, person.id) or 0
        if self._world.store.marks(person.id).get(channel.id, 0) < message <= latest:
            self._world.store.mark(person.id, channel.id, message)
            self._feed.add(Read(person.id, channel.id))

    def _dismiss(self, person: Person, number: int) -> None:
        message = self._posts.find(number)
        if message is None or message.viewer != person.id:
            raise LineFault(NOT_HERE, 0)
        self._posts.delete(message)

    def _hints(self, page: BrowserPage, frame: Object) -> None:
        """Look up the list for what is typed; an older question of the same page is left out."""
        person, line, at = page.viewer.person, frame.get("line"), frame.get("at")
        channel = self._channel(person, frame)
        if not isinstance(line, str) or not isinstance(at, int):
            raise LineFault(UNREADABLE, 0)
        if not self._too_fast(person, "hints"):
            if page.listing:
                page.listing.cancel()
            page.listing = asyncio.create_task(self._list(page, channel, line, from_units(line, at), frame))

    async def _list(self, page: BrowserPage, channel: Channel, line: str, at: int, frame: Object) -> None:
        """Answer with what can be typed; a second time once the bot has said what it offers."""
        found = self._acts.hints(page.viewer.person, channel, line, at)
        option = found.option
        hint = option and {"name": option.name, "about": option.about, "need": option.required}
        answer: Object = {"t": "hints", "n": _number(frame), "hint": hint, "file": found.file}
        rows = [_row(line, row) for row in found.rows]
        page.send(answer | {"rows": rows, "wait": found.question is not None})
        if found.question:
            offered = await self._acts.choices(page.viewer.person, channel, found.question)
            new = [row for row in offered if row.text.strip() != line[row.start : row.end].strip()]
            page.send(answer | {"rows": [_row(line, row) for row in new] + rows, "wait": False})

    def _too_fast(self, person: Person, what: str) -> bool:
        return not self._limits.setdefault((person.id, what), Bucket(*_LIMITS[what])).take()


def _read(text: str) -> Object:
    """Return a frame; an empty one if it is no JSON object, too deep, or holds half characters."""
    with suppress(ValueError, RecursionError):
        frame = json.loads(text)
        json.dumps(frame, ensure_ascii=False).encode()
        return mapped(frame) if _depth(frame) <= _DEPTH else {}
    return {}


def _depth(value: object) -> int:
    below = [*mapped(value).values(), *listed(value)]
    return 1 + max(map(_depth, below), default=0)


def _number(frame: Object) -> int | None:
    number = frame.get("n")
    return number if isinstance(number, int) else None


def _row(line: str, row: HintRow) -> Object:
    start, end = to_units(line, row.start), to_units(line, row.end)
    return {"label": row.label, "about": row.about, "text": row.text, "from": start, "to": end}
