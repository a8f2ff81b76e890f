"""Handling of the frames from a page's socket: check the rate, then call the function that a frame names.

A frame's fields are the function's arguments, validated by its annotations. Lines, presses, menu commands and
forms are deeds: a second one with the same nonce within ten minutes is ignored.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from pydantic import ConfigDict, ValidationError, validate_call
from pydantic_core import from_json

from bot.dice.errors import LocalizedError, Unavailable
from bot.play import views
from bot.play.acts import Acts, PageId
from bot.play.gateway import Away
from bot.play.interactions import OpenInteraction
from bot.play.options import ActRefused
from bot.play.pages import TOO_FAST, UNREADABLE, BrowserPage, PageLimits, Pages, Read
from bot.play.seats import Governing
from bot.play.store import Object, mapped
from bot.play.world import Channel, Person, World, read_id
from bot.times import INSTANCE_BITS
from bot.words.languages import SPOKEN, speaking
from bot.words.languages import language as spoken
from bot.words.saying import phrase, refusal, say

_KEPT_MS = 600_000
_NONCE = re.compile(r"[A-Za-z0-9_-]{8,64}")
_AWAY = phrase("Evenhand is not here at the moment. Send it again when it is back.")
_TOO_LATE = phrase("Evenhand did not answer in time.")
_checked = validate_call(config=ConfigDict(arbitrary_types_allowed=True, defer_build=True))
_Act: TypeAlias = Callable[..., Awaitable[OpenInteraction | None]]


class Frames:
    """Handles the frames of all pages. An error in a frame is sent to its page alone."""

    def __init__(self, world: World, acts: Acts, governing: Governing, pages: Pages) -> None:
        self.lan = False
        self.limits = PageLimits()
        self.pages, self._world, self._acts = pages, world, acts
        self._do: Callable[..., Object] = _checked(governing.do)
        self._tasks: set[asyncio.Task[None]] = set()
        requests = {
            "hello": self._hello, **dict.fromkeys(("open", "older", "newer"), self._history),
            "read": self._read, "typing": self._typing, "hints": self._hints, "dismiss": self._dismiss,
        }  # fmt: skip
        deeds: dict[str, _Act] = {
            "line": acts.line, "press": acts.press, "menu": acts.menu, "submit": acts.submit
        }  # fmt: skip
        self._takes: dict[str, Callable[..., None]] = {
            "do": self._govern,
            **{name: _checked(take) for name, take in requests.items()},
            **{name: partial(self._deed, _checked(act)) for name, act in deeds.items()},
        }

    def close(self) -> None:
        """Cancel all running tasks."""
        for task in self._tasks:
            task.cancel()

    def take(self, page: BrowserPage, text: str) -> None:
        """Handle one frame of a page."""
        frame = Object()
        with speaking(page.language):
            try:
                frame |= mapped(from_json(text))
                self._take(page, str(frame.get("t")), {name: frame[name] for name in frame.keys() - {"t"}})
            except (ActRefused, Unavailable, ValueError) as fault:
                nonce, n = frame.get("nonce"), frame.get("n")
                page.send({"t": "fault" if nonce else "error", "nonce": nonce, "n": n, **_fault_frame(fault)})

    def _take(self, page: BrowserPage, kind: str, fields: Object) -> None:
        world, person = self._world, page.person
        if person.gone:
            return
        if (page.welcomed or kind != "hello") and not self.limits.allow("frame", person.id):
            raise ActRefused(TOO_FAST)
        if kind not in self._takes:
            raise ActRefused(UNREADABLE)
        if "channel" in fields:
            number = read_id(fields["channel"]) or 0
            fields["channel"] = world.channels[number] if world.sees(person, number) else None
        self._takes[kind](page, **fields)

    def _typing(self, page: BrowserPage, channel: Channel) -> None:
        frame = {"t": "typing", "channel": str(channel.id), "person": str(page.person.id)}
        self.pages.tell(frame, exclude=page.person)

    def _dismiss(self, page: BrowserPage, message: PageId) -> None:
        self._acts.dismiss(page.person, message)

    def _govern(self, page: BrowserPage, /, n: object = None, **fields: object) -> None:
        if not self.limits.allow("deed", page.person.id):
            raise ActRefused(TOO_FAST)
        page.send({"t": "did", "n": n, **self._do(page.person, **fields)})

    def _deed(self, act: _Act, page: BrowserPage, /, nonce: object = None, **fields: object) -> None:
        """Do a deed in a task of its own, unless its nonce was used before."""
        person, key = page.person, str(nonce)
        if not _NONCE.fullmatch(key):
            raise ActRefused(UNREADABLE)
        if key in person.deeds:
            page.send({"t": "receipt", "nonce": key})
            return
        if not self.limits.allow("deed", person.id):
            raise ActRefused(TOO_FAST)
        now = self._world.new_id()
        oldest = now - (_KEPT_MS << INSTANCE_BITS)
        person.deeds = {k: at for k, at in person.deeds.items() if at > oldest} | {key: now}
        self._start(self._run(person, key, partial(act, person, **fields)))

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, person: Person, nonce: str, act: _Act) -> None:
        """Do a deed, and send its result to all pages of the person."""

        def tell(kind: str, **fields: object) -> None:
            self.pages.tell({"t": kind, "nonce": nonce, **fields}, to=person)

        try:
            self._world.note(person)
            interaction = await act()
        except (ActRefused, Away, Unavailable, ValidationError) as fault:
            person.deeds.pop(nonce, None)
            tell("fault", **_fault_frame(fault))
            with suppress(Unavailable):
                self._world.note(person)
            return
        tell("receipt")
        outcome = await interaction.outcome if interaction else None
        if interaction and outcome and outcome.form:
            tell("modal", modal=views.form(outcome.form, interaction.id))
        elif outcome:
            tell("done", ok=outcome.ok, text="" if outcome.ok else say(_TOO_LATE))

    def _hello(
        self,
        page: BrowserPage,
        epoch: str | None,
        last: int | None,
        channel: Channel | None,
        language: str = "",
    ) -> None:
        """Send a new page the table's state, or a returning one the events it missed; set its language."""
        world, pages, person = self._world, self.pages, page.person
        page.language = spoken(language or world.locale)
        SPOKEN.set(page.language)
        bot = {"id": str(world.bot.id), "name": world.bot.name, "state": pages.bot}
        base: Object = {
            "epoch": pages.epoch,
            "last": pages.last,
            "here": pages.present,
            "bot": bot,
            **pages.menus(person),
        }
        missed = pages.missed(person, epoch, last)
        page.welcomed = True
        if missed is not None:
            page.send({"t": "resumed", **base})
            for frame in missed:
                page.send(frame)
            return
        page.send({
            **base,
            "t": "welcome",
            "table": world.name,
            "lan": self.lan,
            "you": str(person.id),
            "people": [views.person(world, somebody) for somebody in world.people.values()],
            "roles": [{"id": str(n), "name": r.name} for n, r in world.roles.items() if n != world.guild_id],
            "channels": [
                views.channel(world, c, person) for c in world.channels.values() if world.sees(person, c.id)
            ],
            "open": views.history(world, person, channel or world.first_channel),
        })  # fmt: skip

    def _history(
        self, page: BrowserPage, n: int, channel: Channel,
        before: PageId | None = None, after: PageId | None = None, around: PageId | None = None,
    ) -> None:  # fmt: skip
        messages = views.history(self._world, page.person, channel, before, after, around)
        page.send({"t": "older" if before else "newer" if after else "opened", "n": n, **messages})

    def _read(self, page: BrowserPage, channel: Channel, message: PageId) -> None:
        """Move a person's read mark of a channel forward."""
        person, key = page.person, str(channel.id)
        latest = next((m["id"] for m in self._world.store.messages(channel.id, person.id)), 0)
        if person.read.get(key, 0) < message <= latest:
            person.read[key] = message
            self._world.note(person)
            self.pages.add(Read(person.id, channel.id))

    def _hints(self, page: BrowserPage, n: int, channel: Channel, head: str) -> None:
        """Look up completions; cancel the previous look-up of the same page."""
        if self.limits.allow("hints", page.person.id):
            if page.listing:
                page.listing.cancel()
            page.listing = self._start(self._list(page, n, channel, head))

    async def _list(self, page: BrowserPage, n: int, channel: Channel, head: str) -> None:
        async for completions in self._acts.hints(page.person, channel, head):
            page.send({"t": "hints", "n": n, **completions})


def _fault_frame(fault: Exception) -> Object:
    """Return the fields that describe an error to a page: a sentence, and the position in its line."""
    if isinstance(fault, LocalizedError):
        return {"text": refusal(fault), "at": getattr(fault, "at", None)}
    return {"text": say(_AWAY if isinstance(fault, Away) else UNREADABLE)}
