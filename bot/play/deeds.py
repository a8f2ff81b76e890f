"""What people do from a page, once each: what comes again with the same nonce is answered again, not done."""

import asyncio
import re
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from bot.play import views
from bot.play.acts import AWAY, Acts
from bot.play.ids import read_id
from bot.play.interaction import Away, OpenInteraction
from bot.play.interactions import TOO_LATE
from bot.play.line import to_units
from bot.play.pages import BrowserPage, Pages
from bot.play.store import Object, listed, mapped
from bot.play.values import LineFault
from bot.play.world import Channel, Person, World

_KEPT_MS = 600_000
_NONCE = re.compile(r"[\w-]{8,64}", re.ASCII)
UNREADABLE = "That can't be read."
TOO_FAST = "That was too fast, and was left out. Wait a moment."


@dataclass(slots=True)
class Deed:
    """What was answered to a nonce; the number is an id of its time."""

    number: int
    told: list[Object] = field(default_factory=list[Object])


class Deeds:
    """The lines, presses, menu commands and forms of all pages. Nonces are known for ten minutes."""

    def __init__(self, world: World, acts: Acts, pages: Pages) -> None:
        self._world = world
        self._acts = acts
        self._pages = pages
        self._tasks: set[asyncio.Task[None]] = set()
        self._known: dict[tuple[int, str], Deed] = {}
        for kept in world.store.documents("deed"):
            receipt = {"t": "receipt", "nonce": kept["nonce"]}
            self._known[kept["person"], kept["nonce"]] = Deed(kept["number"], [receipt])

    def answer_again(self, page: BrowserPage, nonce: object) -> bool:
        """Answer a nonce that is known as before; return whether it was. Raise Fault for what is none."""
        if not isinstance(nonce, str) or not _NONCE.fullmatch(nonce):
            raise LineFault(UNREADABLE, 0)
        deed = self._known.get((page.viewer.person.id, nonce))
        for told in deed.told if deed else ():
            page.send(told)
        return deed is not None

    def start(self, person: Person, channel: Channel | None, frame: Object) -> None:
        """Do what a frame asks, and tell all pages of that person what comes of it."""
        nonce = str(frame["nonce"])
        deed = self._known[person.id, nonce] = Deed(self._world.ids.new())
        kept = {"person": person.id, "nonce": nonce, "number": deed.number}
        self._world.store.put("deed", deed.number, kept)
        self._forget()
        task = asyncio.create_task(self._run(person, nonce, self._begin(person, channel, frame), frame))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Wait for no more answers."""
        for task in self._tasks:
            task.cancel()

    def _begin(
        self, person: Person, channel: Channel | None, frame: Object
    ) -> Coroutine[Any, Any, OpenInteraction | None]:
        message = read_id(frame.get("message")) or 0
        match frame["t"]:
            case "line" if channel:
                files = [number for each in listed(frame.get("files")) if (number := read_id(each))]
                return self._acts.line(person, channel, str(frame.get("line", "")), files)
            case "press":
                values = [str(value) for value in listed(frame.get("values"))]
                return self._acts.press(person, message, str(frame.get("id")), values)
            case "menu":
                return self._acts.menu(person, message, str(frame.get("name")))
            case _:
                form = read_id(frame.get("modal")) or 0
                return self._acts.submit(person, form, mapped(frame.get("values")))

    async def _run(
        self, person: Person, nonce: str, work: Coroutine[Any, Any, OpenInteraction | None], frame: Object
    ) -> None:
        deed = self._known[person.id, nonce]

        def tell(**told: object) -> None:
            deed.told.append({**told, "nonce": nonce})
            self._pages.tell(person, deed.told[-1])

        try:
            interaction = await work
        except (LineFault, Away) as fault:
            del self._known[person.id, nonce]
            self._world.store.remove("deed", deed.number)
            if isinstance(fault, LineFault):
                tell(t="fault", text=str(fault), at=to_units(str(frame.get("line", "")), fault.at))
            else:
                tell(t="fault", text=AWAY, at=None)
            return
        tell(t="receipt")
        if interaction is None:
            return
        outcome = await interaction.outcome
        if outcome.form:
            self._acts.show(outcome.form)
            tell(t="modal", modal=views.form(outcome.form.data, outcome.form.id))
        else:
            tell(t="done", ok=outcome.ok, **({} if outcome.ok else {"text": TOO_LATE}))

    def _forget(self) -> None:
        """Forget the nonces of more than ten minutes ago; the oldest come first."""
        oldest = self._world.ids.latest - (_KEPT_MS << 22)
        while (deed := next(iter(self._known.values()))).number < oldest:
            del self._known[next(iter(self._known))]
            self._world.store.remove("deed", deed.number)
