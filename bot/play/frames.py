"""The frames of a page's socket: each is read, held against its limits and answered.

Lines, presses, menu commands and forms are deeds: what comes again with the same nonce is answered again, not
done. Nonces are known for ten minutes.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import ValidationError

from bot.play import views
from bot.play.acts import NOT_HERE, Acts
from bot.play.gateway import Away
from bot.play.interactions import OpenInteraction
from bot.play.line import HintRow
from bot.play.options import LineFault
from bot.play.pages import LIMITS, TOO_FAST, UNREADABLE, BrowserPage, Bucket, PageFrame, Pages, Read
from bot.play.seats import Governing, NoSeat
from bot.play.store import LATEST, Object
from bot.play.world import Channel, Message, Person, World

_PAGE = 50
_KEPT_MS = 600_000
_AWAY = "Evenhand is not here at the moment. Send it again when it is back."
_TOO_LATE = "Evenhand did not answer in time."
_Take: TypeAlias = Callable[[BrowserPage, PageFrame], None]


@dataclass(slots=True)
class Deed:
    """What was answered to a nonce; the number is an id of its time."""

    number: int
    told: list[Object] = field(default_factory=list[Object])


class Frames:
    """Takes the frames of all pages. What is wrong with a frame is told to its page alone."""

    def __init__(self, world: World, acts: Acts, governing: Governing, pages: Pages) -> None:
        self.lan = False
        self.pages, self._world, self._acts, self._governing = pages, world, acts, governing
        self._tasks: set[asyncio.Task[None]] = set()
        self._limits: dict[tuple[int, str], Bucket] = {}
        self._deeds: dict[tuple[int, str], Deed] = {}
        for kept in world.store.documents("deed"):
            receipt = {"t": "receipt", "nonce": kept["nonce"]}
            self._deeds[kept["person"], kept["nonce"]] = Deed(kept["number"], [receipt])
        self._takes: dict[str, _Take] = {
            "hello": self._welcome, "read": self._mark, "typing": self._typing, "hints": self._hints,
            "dismiss": lambda page, frame: acts.dismiss(page.person, frame.message), "do": self._govern,
            **dict.fromkeys(("open", "older", "newer"), self._history),
            **dict.fromkeys(("line", "press", "menu", "submit"), self._deed),
        }  # fmt: skip

    def close(self) -> None:
        """Wait for no more answers."""
        for task in self._tasks:
            task.cancel()

    def take(self, page: BrowserPage, text: str) -> None:
        """Take a frame of a page's."""
        person, frame = page.person, None
        if person.gone:
            return
        try:
            frame = PageFrame.model_validate_json(text)
            if (page.welcomed or frame.t != "hello") and self._too_fast(person, "frame"):
                kind = "fault" if frame.nonce else "error"
                page.send({"t": kind, "text": TOO_FAST, "nonce": frame.nonce, "n": frame.n, "at": None})
            elif take := self._takes.get(frame.t):
                take(page, frame)
            else:
                page.send({"t": "error", "n": frame.n, "text": UNREADABLE})
        except ValidationError:
            page.send({"t": "error", "n": None, "text": UNREADABLE})
        except (LineFault, NoSeat) as fault:
            page.send({"t": "error", "n": frame and frame.n, "text": str(fault)})

    def _too_fast(self, person: Person, what: str) -> bool:
        return not self._limits.setdefault((person.id, what), Bucket(*LIMITS[what])).take()

    def _channel(self, person: Person, frame: PageFrame) -> Channel:
        if frame.channel is None or not self._world.sees(person, frame.channel):
            raise LineFault("There is no such channel.")
        return self._world.channels[frame.channel]

    def _typing(self, page: BrowserPage, frame: PageFrame) -> None:
        told = {"t": "typing", "channel": str(self._channel(page.person, frame).id)}
        self.pages.tell_all({**told, "person": str(page.person.id)}, but=page.person)

    def _govern(self, page: BrowserPage, frame: PageFrame) -> None:
        if self._too_fast(page.person, "deed"):
            raise LineFault(TOO_FAST)
        page.send({"t": "did", "n": frame.n, **self._governing.do(page.person, frame)})

    def _deed(self, page: BrowserPage, frame: PageFrame) -> None:
        """Do what a frame asks in a task of its own, unless its nonce is known."""
        if frame.nonce is None:
            raise LineFault(UNREADABLE)
        store, person, key = self._world.store, page.person, (page.person.id, frame.nonce)
        if known := self._deeds.get(key):
            for told in known.told:
                page.send(told)
            return
        channel = self._channel(person, frame) if frame.channel or frame.t == "line" else None
        if self._too_fast(person, "deed"):
            page.send({"t": "fault", "nonce": frame.nonce, "text": TOO_FAST, "at": None})
            return
        deed = self._deeds[key] = Deed(self._world.new_id())
        store.put("deed", deed.number, {"person": person.id, "nonce": frame.nonce, "number": deed.number})
        while (oldest := next(iter(self._deeds.items())))[1].number < deed.number - (_KEPT_MS << 22):
            del self._deeds[oldest[0]]
            store.remove("deed", oldest[1].number)
        task = asyncio.create_task(self._run(deed, person, channel, frame))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _begin(
        self, person: Person, channel: Channel | None, frame: PageFrame
    ) -> OpenInteraction | None:
        acts, values, message = self._acts, frame.values, frame.message or 0
        match frame.t:
            case "line" if channel:
                return await acts.line(person, channel, frame.line, frame.files)
            case "press":
                return await acts.press(person, message, frame.id, values if isinstance(values, list) else [])
            case "menu":
                whom = frame.person or 0
                return await acts.menu(person, channel if whom else None, whom or message, frame.name)
            case "submit" if isinstance(values, dict):
                return await acts.submit(person, frame.modal or 0, values)
            case _:
                raise LineFault(NOT_HERE)

    async def _run(self, deed: Deed, person: Person, channel: Channel | None, frame: PageFrame) -> None:
        """Do a deed, and tell all pages of that person what comes of it."""

        def tell(**told: object) -> None:
            deed.told.append({**told, "nonce": frame.nonce})
            self.pages.tell(person, deed.told[-1])

        try:
            interaction = await self._begin(person, channel, frame)
        except (LineFault, Away) as fault:
            del self._deeds[person.id, frame.nonce or ""]
            self._world.store.remove("deed", deed.number)
            at = _units(frame.line, fault.at) if isinstance(fault, LineFault) else None
            tell(t="fault", text=str(fault) or _AWAY, at=at)
            return
        tell(t="receipt")
        outcome = await interaction.outcome if interaction else None
        if interaction and outcome and outcome.form:
            tell(t="modal", modal=views.form(outcome.form, interaction.id))
        elif outcome:
            tell(t="done", ok=outcome.ok, **({} if outcome.ok else {"text": _TOO_LATE}))

    def _welcome(self, page: BrowserPage, frame: PageFrame) -> None:
        world, pages, person = self._world, self.pages, page.person
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
        channel = seen.get(frame.channel or 0) or world.first_channel
        opened = self._messages(person, channel, PageFrame(t="open"))
        page.send({
            **base,
            "t": "welcome",
            "table": world.name,
            "lan": self.lan,
            "you": str(person.id),
            "people": [views.person(world, each) for each in world.people.values()],
            "roles": [{"id": str(n), "name": r.name} for n, r in world.roles.items() if n != world.guild_id],
            "channels": [views.channel(world, each, person) for each in seen.values()],
            "open": opened,
            **pages.menus(person),
        })  # fmt: skip

    def _history(self, page: BrowserPage, frame: PageFrame) -> None:
        told = self._messages(page.person, self._channel(page.person, frame), frame)
        page.send({"t": "opened" if frame.t == "open" else frame.t, "n": frame.n, **told})

    def _messages(self, person: Person, channel: Channel, frame: PageFrame) -> Object:
        """Return the newest messages, or those before, after or around one."""
        store, around = self._world.store, frame.around
        high = around or frame.before or LATEST
        older = [] if frame.after else store.messages(channel.id, person.id, 0, high, _PAGE + 1)
        size = _PAGE // 2 if around else _PAGE
        start = frame.after or (around - 1 if around else None)
        newer = store.messages(channel.id, person.id, start, LATEST, _PAGE + 1, oldest=True) if start else []
        found = older[-size:] + newer[:_PAGE]
        return {
            "channel": str(channel.id),
            "messages": [views.message(self._world, Message(**each), person) for each in found],
            "more": len(older) > size,
            "later": len(newer) > _PAGE,
        }

    def _mark(self, page: BrowserPage, frame: PageFrame) -> None:
        """Note how far somebody has read a channel; a mark never goes back."""
        person, channel = page.person, self._channel(page.person, frame).id
        latest = next((m["id"] for m in self._world.store.messages(channel, person.id)), 0)
        if person.read.get(str(channel), 0) < (frame.message or 0) <= latest:
            person.read[str(channel)] = frame.message or 0
            self._world.note(person)
            self.pages.add(Read(person.id, channel))

    def _hints(self, page: BrowserPage, frame: PageFrame) -> None:
        """Look up the list for what is typed; an older question of the same page is left out."""
        channel = self._channel(page.person, frame)
        if not self._too_fast(page.person, "hints"):
            if page.listing:
                page.listing.cancel()
            page.listing = asyncio.create_task(self._list(page, channel, frame))

    async def _list(self, page: BrowserPage, channel: Channel, frame: PageFrame) -> None:
        """Answer with what can be typed; a second time once the bot has said what it offers."""
        person, line, units = page.person, frame.line, frame.line.encode("utf-16-le")
        at = len(units[: 2 * max(frame.at, 0)].decode("utf-16-le", "ignore"))
        found = self._acts.hints(person, channel, line, at)
        option, question = found.option, found.question
        hint = option and {"name": option["name"], "about": option["description"]}
        answer: Object = {"t": "hints", "n": frame.n, "hint": hint, "title": found.title, "file": found.file}

        def shown(row: HintRow) -> Object:
            told = {"label": row.label, "about": row.about, "text": row.text}
            return {**told, "from": _units(line, row.start), "to": _units(line, at)}

        rows = [shown(row) for row in found.rows]
        page.send(answer | {"rows": rows, "wait": question is not None})
        if question:
            offered = await self._acts.choices(person, channel, question)
            new = [row for row in offered if row.text.strip() != line[row.start : at].strip()]
            page.send(answer | {"rows": [shown(row) for row in new] + rows, "wait": False})


def _units(line: str, at: int) -> int:
    """Return a place in a line as JavaScript counts it, in UTF-16 units."""
    return len(line[:at].encode("utf-16-le")) // 2
