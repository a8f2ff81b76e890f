"""The frames of a page's socket: each is read, held against its limits and answered."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from aiohttp import web
from pydantic import ValidationError

from bot.play import views
from bot.play.acts import Acts
from bot.play.deeds import Deeds
from bot.play.governing import Governing
from bot.play.hints import HintRow
from bot.play.line import from_units, to_units
from bot.play.options import LineFault
from bot.play.pages import BrowserPage, Pages, Read
from bot.play.protocol import LIMITS, TOO_FAST, UNREADABLE, Bucket, PageFrame
from bot.play.seats import NoSeat
from bot.play.store import LATEST, Object
from bot.play.world import Channel, Message, Person, World

_PAGE, _AGAIN = 50, 6
_Take: TypeAlias = Callable[[BrowserPage, PageFrame], None]


class Frames:
    """Serves pages' sockets. What is wrong with a frame is told to that page alone."""

    def __init__(self, world: World, acts: Acts, governing: Governing, pages: Pages) -> None:
        self.lan = False
        self.deeds = Deeds(world, acts, pages)
        self._world = world
        self._acts = acts
        self._governing = governing
        self._pages = pages
        self._limits: dict[tuple[int, str], Bucket] = {}
        self._takes: dict[str, _Take] = {
            "hello": self._welcome, "read": self._mark, "typing": self._typing, "hints": self._hints,
            "dismiss": lambda page, frame: acts.dismiss(page.person, frame.message), "do": self._govern,
            **dict.fromkeys(("open", "older", "newer"), self._history),
            **dict.fromkeys(("line", "press", "menu", "submit"), self._deed),
        }  # fmt: skip

    async def serve(self, request: web.Request, person: Person) -> web.WebSocketResponse:
        """Serve one page until it closes."""
        return await self._pages.serve(request, person, self._take)

    def _take(self, page: BrowserPage, text: str) -> None:
        person, frame = page.person, None
        if person.gone:
            return
        try:
            frame = PageFrame.model_validate_json(text)
            if (page.welcomed or frame.t != "hello") and self._too_fast(person, "frame"):
                kind = "fault" if frame.nonce else "slow" if frame.n is None else "error"
                page.send({"t": kind, "text": TOO_FAST, "nonce": frame.nonce, "n": frame.n, "at": None})
            else:
                self._takes.get(frame.t, _unreadable)(page, frame)
        except ValidationError:
            page.send({"t": "error", "n": None, "text": UNREADABLE})
        except (LineFault, NoSeat) as fault:
            page.send({"t": "error", "n": frame and frame.n, "text": str(fault)})

    def _typing(self, page: BrowserPage, frame: PageFrame) -> None:
        told = {"t": "typing", "channel": str(self._channel(page.person, frame).id)}
        self._pages.tell_all({**told, "person": str(page.person.id)}, but=page.person)

    def _govern(self, page: BrowserPage, frame: PageFrame) -> None:
        if self._too_fast(page.person, "deed"):
            raise LineFault(TOO_FAST)
        page.send({"t": "did", "n": frame.n, **self._governing.do(page.person, frame)})

    def _deed(self, page: BrowserPage, frame: PageFrame) -> None:
        if frame.nonce is None:
            raise LineFault(UNREADABLE)
        if self.deeds.answer_again(page, frame.nonce):
            return
        channel = self._channel(page.person, frame) if frame.channel or frame.t == "line" else None
        if self._too_fast(page.person, "deed"):
            page.send({"t": "fault", "nonce": frame.nonce, "text": TOO_FAST, "at": None})
        else:
            self.deeds.start(page.person, channel, frame, frame.nonce)

    def _welcome(self, page: BrowserPage, frame: PageFrame) -> None:
        world, pages, person = self._world, self._pages, page.person
        bot = {"id": str(world.bot.id), "name": world.bot.name, "state": pages.bot}
        base: Object = {"epoch": pages.epoch, "last": pages.last, "here": pages.here, "bot": bot}
        missed = pages.since(frame.epoch, frame.last)
        page.welcomed = True
        if missed is not None:
            page.send({"t": "resumed", **base})
            for number, change in missed:
                pages.show(page, number, change)
            return
        seen = {number: each for number, each in world.channels.items() if world.sees(person, number)}
        channel = seen.get(frame.channel or 0) or next(c for c in seen.values() if c.kind == "text")
        found = [Message(**m) for m in world.store.messages(channel.id, person.id, limit=_PAGE + 1)]
        shown = [views.message(world, message, person) for message in found[-_PAGE:]]
        told: Object = {
            **base,
            "t": "welcome",
            "table": world.name,
            "lan": self.lan,
            "you": str(person.id),
            "people": [views.person(world, each) for each in world.people.values()],
            "roles": [{"id": str(n), "name": r.name} for n, r in world.roles.items() if n != world.guild_id],
            "channels": [views.channel(world, each, person) for each in seen.values()],
            "open": {"channel": str(channel.id), "messages": shown, "more": len(found) > _PAGE},
            "again": _again(person, found),
        }
        page.send(told | pages.menus(person))

    def _history(self, page: BrowserPage, frame: PageFrame) -> None:
        """Send the newest messages, or those before, after or around one."""
        store, person = self._world.store, page.person
        channel, around = self._channel(person, frame), frame.around
        high = around or frame.before or LATEST
        older = [] if frame.after else store.messages(channel.id, person.id, 0, high, _PAGE + 1)
        size = _PAGE // 2 if around else _PAGE
        start = frame.after or (around - 1 if around else None)
        newer = store.messages(channel.id, person.id, start, LATEST, _PAGE + 1, oldest=True) if start else []
        found = older[-size:] + newer[:_PAGE]
        answer: Object = {
            "t": "opened" if frame.t == "open" else frame.t,
            "n": frame.n,
            "channel": str(channel.id),
            "messages": [views.message(self._world, Message(**each), person) for each in found],
            "more": len(older) > size,
            "later": len(newer) > _PAGE,
        }
        page.send(answer)

    def _channel(self, person: Person, frame: PageFrame) -> Channel:
        if frame.channel is None or not self._world.sees(person, frame.channel):
            raise LineFault("There is no such channel.")
        return self._world.channels[frame.channel]

    def _mark(self, page: BrowserPage, frame: PageFrame) -> None:
        """Note how far somebody has read a channel; a mark never goes back."""
        person, channel = page.person, self._channel(page.person, frame).id
        latest = next((m["id"] for m in self._world.store.messages(channel, person.id)), 0)
        if person.read.get(str(channel), 0) < (frame.message or 0) <= latest:
            person.read[str(channel)] = frame.message or 0
            self._world.note(person)
            self._pages.add(Read(person.id, channel))

    def _hints(self, page: BrowserPage, frame: PageFrame) -> None:
        """Look up the list for what is typed; an older question of the same page is left out."""
        channel = self._channel(page.person, frame)
        if not self._too_fast(page.person, "hints"):
            if page.listing:
                page.listing.cancel()
            page.listing = asyncio.create_task(self._list(page, channel, frame))

    async def _list(self, page: BrowserPage, channel: Channel, frame: PageFrame) -> None:
        """Answer with what can be typed; a second time once the bot has said what it offers."""
        person, line = page.person, frame.line
        found = self._acts.hints(person, channel, line, from_units(line, frame.at))
        option, question = found.option, found.question
        hint = option and {"name": option["name"], "about": option["description"]}
        answer: Object = {"t": "hints", "n": frame.n, "hint": hint, "title": found.title, "file": found.file}
        rows = [_row(line, row) for row in found.rows]
        page.send(answer | {"rows": rows, "wait": question is not None})
        if question:
            offered = await self._acts.choices(person, channel, question)
            new = [row for row in offered if row.text.strip() != line[row.start : row.end].strip()]
            page.send(answer | {"rows": [_row(line, row) for row in new] + rows, "wait": False})

    def _too_fast(self, person: Person, what: str) -> bool:
        return not self._limits.setdefault((person.id, what), Bucket(*LIMITS[what])).take()


def _unreadable(page: BrowserPage, frame: PageFrame) -> None:  # noqa: ARG001 (as the others are called)
    raise LineFault(UNREADABLE)


def _again(person: Person, found: list[Message]) -> list[Object]:
    """Return the latest different rolls of somebody."""
    latest: dict[str, str] = {}
    for message in reversed(found):
        if message.asker == person.id and message.line and (label := views.again(message)):
            latest.setdefault(message.line, label)
    return [{"line": line, "label": label} for line, label in list(latest.items())[:_AGAIN]]


def _row(line: str, row: HintRow) -> Object:
    start, end = to_units(line, row.start), to_units(line, row.end)
    return {"label": row.label, "about": row.about, "text": row.text, "from": start, "to": end}
