"""The rollers of a channel: game masters make, tune, reset, undo, remove; everybody sees the odds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from bot.campaign.events import Asked, Event
from bot.campaign.request import Request
from bot.campaign.roller_requests import MakeRoller, RemoveRoller, ResetRoller, UndoRoller
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rules import USUAL, Rules, Whose
from bot.dice.bases import Json
from bot.dice.errors import NotAllowed, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import System
from bot.services.access import Access, Person
from bot.storage import campaigns, reading
from bot.storage.reading import Reader
from bot.storage.writer import Writer
from bot.systems.destinator import Destinator
from bot.systems.odds import chances
from bot.systems.registry import CARD_SYSTEMS, read_spec


@dataclass(frozen=True, slots=True)
class Odds:
    """Each face's chance for a first roll and for the next one."""

    name: str
    system: System
    memory: Remembers
    base: tuple[Fraction, ...]
    now: tuple[Fraction, ...]
    private: bool = False
    """Whether only game masters may see them."""


class Rollers:
    """The use cases of rollers."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    async def make(
        self, asked: Asked, person: Person, name: str, spec: Mapping[str, Json], memory: Remembers
    ) -> tuple[Event, System]:
        """Make a roller, or tune it on; DiceError says what is wrong with its name or its parameters."""
        return await self.make_of(asked, person, name, lambda: read_spec(dict(spec)), memory)

    async def must_be_maker(self, asked: Asked, person: Person) -> None:
        """NotAllowed unless the campaign's rules let the person make rollers."""
        if (await self._rules(asked.channel_id, asked.parent_id)).makers is Whose.GMS:
            await self._access.must_be_gm_here(asked, person, "Making a roller")

    async def make_of(
        self, asked: Asked, person: Person, name: str, read: Callable[[], System], memory: Remembers
    ) -> tuple[Event, System]:
        """The same of what `read` makes out of text, which is not even read for whoever may make none."""
        await self.must_be_maker(asked, person)
        system = read()
        request = MakeRoller(clean(name, NAME_LIMIT), system, memory)
        return await self._write(asked, request), system

    async def reset(self, asked: Asked, person: Person, name: str) -> Event:
        """Let a roller forget everything; can be undone."""
        await self._access.must_be_gm_here(asked, person, "Resetting a roller")
        return await self._write(asked, ResetRoller(name))

    async def undo(self, asked: Asked, person: Person, name: str) -> tuple[Event, Event | None]:
        """Take back the roller's newest event; the undo, and what was undone."""
        await self._access.must_be_gm_here(asked, person, "Undoing")
        event = await self._write(asked, UndoRoller(name))
        row = await self._reader.do(reading.event(event.campaign_id, event.target)) if event.target else None
        return event, row.event if row else None

    async def remove(self, asked: Asked, person: Person, name: str) -> Event:
        """Take a roller away; can be undone."""
        await self._access.must_be_gm_here(asked, person, "Removing a roller")
        return await self._write(asked, RemoveRoller(name))

    async def find(
        self, channel_id: int, name: str, person: Person, doing: str, parent_id: int | None = None
    ) -> Roller:
        """The roller of that name, for a game master about to do something to it."""
        (await self._access.here(person, channel_id, parent_id)).must_be_gm(doing)
        return (await self._find(channel_id, name, person.user_id))[0]

    async def present(self, channel_id: int) -> list[Roller]:
        """The channel's rollers, by name."""
        return await self._reader.do(reading.rollers(channel_id))

    async def suggest(self, channel_id: int, typed: str) -> list[str]:
        """Names of the channel's rollers that contain what was typed; 25 at most."""
        return await self._named(channel_id, typed, lambda _: True)

    async def suggest_decks(self, channel_id: int, typed: str) -> list[str]:
        """The same for rollers that have cards."""
        return await self._named(channel_id, typed, lambda system: isinstance(system, CARD_SYSTEMS))

    async def suggest_maps(self, channel_id: int, typed: str) -> list[str]:
        """The same for maps."""
        return await self._named(channel_id, typed, lambda system: isinstance(system, Destinator))

    async def show(self, channel_id: int, name: str, user_id: int) -> Roller:
        """The roller of that name, for anybody; Unknown if it isn't there."""
        return (await self._find(channel_id, name, user_id))[0]

    async def odds(self, channel_id: int, name: str, person: Person, parent_id: int | None = None) -> Odds:
        """A roller's odds, from the asker's own memory if each player has one.

        Unknown if it isn't there; NotAllowed where the campaign's rules keep odds for game masters.
        """
        roller, system, memory = await self._find(channel_id, name, person.user_id)
        private = (await self._rules(channel_id, parent_id)).odds is Whose.GMS
        if private and not (await self._access.here(person, channel_id, parent_id)).is_gm:
            raise NotAllowed("In this campaign only its game masters see the odds.")
        start = chances(system, system.start())
        now = start if memory is None else chances(system, memory)
        return Odds(roller.name, system, roller.memory, start, now, private)

    async def _named(self, channel_id: int, typed: str, fits: Callable[[System], bool]) -> list[str]:
        wanted = typed.strip().casefold()
        rollers = await self._reader.do(reading.rollers(channel_id))
        return [r.name for r in rollers if wanted in r.name.casefold() and r.system and fits(r.system)][:25]

    async def _find(
        self, channel_id: int, name: str, user_id: int
    ) -> tuple[Roller, System, tuple[int, ...] | None]:
        scene = await self._reader.do(reading.scene(channel_id, name.strip().casefold(), user_id))
        if scene.roller is None or scene.roller.system is None:
            raise Unknown(f"There is no roller {clean(name)} here. /roller list shows them.")
        return scene.roller, scene.roller.system, scene.memory

    async def _rules(self, channel_id: int, parent_id: int | None) -> Rules:
        found = await self._reader.do(campaigns.played_campaign(channel_id, parent_id))
        return found.campaign.rules if found else USUAL

    async def _write(self, asked: Asked, request: Request) -> Event:
        return (await self._writer.write(asked, request)).event
