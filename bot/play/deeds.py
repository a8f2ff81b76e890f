"""What people do from a page, once each: what comes again with the same nonce is answered again, not done."""

import asyncio
from dataclasses import dataclass, field

from bot.play import views
from bot.play.acts import NOT_HERE, Acts
from bot.play.interactions import Away, OpenInteraction
from bot.play.line import to_units
from bot.play.options import LineFault
from bot.play.pages import BrowserPage, Pages
from bot.play.protocol import PageFrame
from bot.play.store import Object
from bot.play.world import Channel, Person, World

_KEPT_MS = 600_000
_AWAY = "Evenhand is not here at the moment. Send it again when it is back."
_TOO_LATE = "Evenhand did not answer in time."


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

    def answer_again(self, page: BrowserPage, nonce: str) -> bool:
        """Answer a nonce that is known as before; return whether it was."""
        deed = self._known.get((page.person.id, nonce))
        for told in deed.told if deed else ():
            page.send(told)
        return deed is not None

    def start(self, person: Person, channel: Channel | None, frame: PageFrame, nonce: str) -> None:
        """Do what a frame asks, and tell all pages of that person what comes of it."""
        store, deed = self._world.store, Deed(self._world.ids.new())
        self._known[person.id, nonce] = deed
        store.put("deed", deed.number, {"person": person.id, "nonce": nonce, "number": deed.number})
        while (oldest := next(iter(self._known.items())))[1].number < deed.number - (_KEPT_MS << 22):
            del self._known[oldest[0]]
            store.remove("deed", oldest[1].number)
        task = asyncio.create_task(self._run(deed, person, channel, frame, nonce))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Wait for no more answers."""
        for task in self._tasks:
            task.cancel()

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

    async def _run(
        self, deed: Deed, person: Person, channel: Channel | None, frame: PageFrame, nonce: str
    ) -> None:
        def tell(**told: object) -> None:
            deed.told.append({**told, "nonce": nonce})
            self._pages.tell(person, deed.told[-1])

        try:
            interaction = await self._begin(person, channel, frame)
        except (LineFault, Away) as fault:
            del self._known[person.id, nonce]
            self._world.store.remove("deed", deed.number)
            at = to_units(frame.line, fault.at) if isinstance(fault, LineFault) else None
            tell(t="fault", text=str(fault) or _AWAY, at=at)
            return
        tell(t="receipt")
        outcome = await interaction.outcome if interaction else None
        if interaction and outcome and outcome.form:
            self._acts.show(interaction, outcome.form)
            tell(t="modal", modal=views.form(outcome.form, interaction.id))
        elif outcome:
            tell(t="done", ok=outcome.ok, **({} if outcome.ok else {"text": _TOO_LATE}))
