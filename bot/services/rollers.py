"""The rollers of a campaign: game masters make, tune, reset, undo, remove; everybody sees the odds.

Where all are reset, each roller's reset is an event of its own, so that each can be undone alone. Those that
come from one command are numbered parts of its interaction, so that a second delivery finds them done.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from bot.campaign.beside import Summand, must_take_more, read_around, summand
from bot.campaign.campaigns import REGISTER, Remembers, Roller, Whose
from bot.campaign.command import Caller, Command, RollOptions
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller, making
from bot.dice import notation
from bot.dice.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import Memory, Spec, System, read_base
from bot.services.access import CampaignAccess, DataStore, campaign_by_id, current_campaign, read_for
from bot.services.naming import in_notation_here, known_here
from bot.services.parsing import asked_game, in_english, shipped
from bot.services.sight import hidden_now, sees_all
from bot.stats.counts import Counts, counted
from bot.storage import campaigns, reading
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.systems.fair import Fair
from bot.systems.game import GameRoll, game_roll
from bot.systems.luck import LuckAccount
from bot.systems.odds import after, chances, long_run
from bot.systems.plain import PlainDice
from bot.systems.registry import read_spec
from bot.words.games import is_named, recorded

_LOOKED_AT = 5_000
LIMIT = 500
"""The most rollers that are reset at once."""


class Chances(NamedTuple):
    """What can come out, with each one's chance."""

    faces: tuple[str, ...]
    base: tuple[Fraction, ...]
    """In the long run."""
    now: tuple[Fraction, ...]
    """For the next roll."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Whose odds were asked for; the odds themselves are worked out when they are read."""

    asked: str
    """The roller's name, or dice without names in them: it means the same to everybody."""
    name: str
    """The roller's; "" where dice were asked for."""
    system: System
    memory: Remembers
    remembered: Memory
    private: bool = False
    """Whether not everybody may see them."""
    beside: Summand | None = None
    """What is added to it."""

    def chances(self) -> Chances:
        """Work out what can come out, and how likely it is."""
        if not self.beside:
            return Chances(self.system.faces, long_run(self.system), chances(self.system, self.remembered))
        base, now = (self.beside.law(self.system, memory) for memory in (None, self.remembered))
        return Chances(
            tuple(map(str, base)), tuple(base.values()), tuple(now.get(value, Fraction(0)) for value in base)
        )

    def what_if(self, faces: Sequence[str]) -> "Odds":
        """Return the odds after these results too; SpecError where one can't come, or none is remembered."""
        if faces and not self.system.has_state:
            raise SpecError("Plain dice remember nothing. Add tightness:1 to see what fair ones would do.")
        return replace(self, remembered=after(self.system, recorded(self.system, faces), self.remembered))

    def at(self, tightness: str) -> "Odds":
        """Return the odds as they are with this tightness; SpecError where there is none to have."""
        if not isinstance(self.system, Fair | PlainDice):
            raise SpecError("Dice and fair rollers have a tightness. Leave it out here.")
        spec: Spec = {"system": "fair", "base": self.system.base.as_json(), "tightness": tightness}
        fair = read_spec(spec)
        remembered = self.remembered if self.system.has_state else fair.start()
        return replace(self, system=fair, remembered=remembered)


class Scope(StrEnum):
    """What is reset."""

    ROLLER = "roller"
    CAMPAIGN = "campaign"


@dataclass(frozen=True, slots=True)
class Aim:
    """A scope, and the roller's name where it is one."""

    scope: Scope
    name: str = ""


@dataclass(frozen=True, slots=True)
class Rollers:
    """The use cases of rollers."""

    store: DataStore

    async def may_make(self, caller: Caller) -> None:
        """Raise NotAllowed unless the campaign's rules let the caller make rollers."""
        await self.store.reader.do(current_campaign(caller, for_masters=making))

    async def register(self, caller: Caller) -> int | None:
        """Return the value of the caller's own d100 register; None where a hidden roll is in it."""
        return await self.store.reader.do(_register_of(caller))

    async def make_of(
        self, caller: Caller, name: str, read: Callable[[], System], memory: Remembers
    ) -> tuple[Event, System]:
        """Make a roller of what `read` makes out of text."""
        system = await read_for(self.store.reader, caller, making, read)
        command = MakeRoller(clean(name, NAME_LIMIT), system, memory)
        return (await self.store.writer.write(caller, command)).event, system

    async def make_instead(self, caller: Caller, name: str, system: System, memory: Remembers) -> Event:
        """Make a roller in the place of the one of that name, which is removed: both or neither."""
        make = MakeRoller(name, system, memory)
        together = await self.store.writer.write_all(
            [(caller, RemoveRoller(name))], lambda _: [(caller, make)]
        )
        return together.some()[-1].event

    async def undo(self, caller: Caller, name: str) -> tuple[Event, Event | None]:
        """Take back the roller's newest event; return the undo, and what was undone."""
        written = await self.store.writer.write(caller, UndoRoller(name))
        event, about = written.event, written.about
        if about is None:
            row = await self.store.reader.do(reading.event(event.campaign_id, event.target or 0))
            about = row.event if row else None
        return event, about

    async def find(self, caller: Caller, name: str) -> Roller:
        """Return the roller of that name to a game master who is about to do something to it."""
        _, roller, _ = await self.store.reader.do(_known(caller, name, for_masters=True))
        return _present(roller, name)[0]

    async def present(self, caller: Caller) -> list[Roller]:
        """Return the campaign's rollers, by name."""
        return await self.store.reader.do(_rollers(caller))

    async def suggest(
        self, caller: Caller, typed: str, kind: type[System] | tuple[type[System], ...] = ()
    ) -> list[str]:
        """Return names of the campaign's rollers that contain what was typed; of a kind, if one is given."""
        rollers = [r for r in await self.store.reader.do(_rollers(caller)) if is_named(r.name, typed)]
        return [r.name for r in rollers if r.system and (not kind or isinstance(r.system, kind))]

    async def known(self, caller: Caller, name: str) -> tuple[Roller, System]:
        """Return the roller of that name, and its system, to anybody; Unknown if it isn't there."""
        _, roller, _ = await self.store.reader.do(_known(caller, name))
        return _present(roller, name)

    async def odds(self, caller: Caller, what: str) -> Odds:
        """Return the odds of a roller, from the caller's own memory if each has one, of dice or a game.

        NotationError where it is neither; NotAllowed where the campaign's rules keep a roller's odds for
        game masters, or the odds would tell a roll that is hidden from the caller.
        """
        at, roller, memory = await self.store.reader.do(_known(caller, what))
        if roller and roller.system:
            return await self._of_roller(caller, at, roller, memory)
        what = await in_notation_here(self.store.reader, caller, what)
        found = (
            None
            if notation.reads(what)
            else (await self.store.reader.do(known_here(caller))).resolve_text(what)
        )
        if found and found.roller:
            if found.times > 1:
                raise SpecError("Odds are for one roll. Leave the repeats out.")
            beside = summand(read_around(found.text))
            at, roller, memory = await self.store.reader.do(_known(caller, found.roller))
            roller, _ = _present(roller, found.roller)
            must_take_more(roller)
            own = await self._of_roller(caller, at, roller, memory)
            sign = "+ " if found.text[:1].isdigit() else ""
            asked = f'"{roller.name}" {sign}{found.text}'
            return replace(own, asked=asked, name=clean(what), beside=beside)
        dice = found.text if found else what
        played = at.campaign.rules.played(shipped())
        asked = asked_game(dice, played)
        system = game_roll(asked) if asked else PlainDice(read_base(dice))
        if isinstance(system, GameRoll):
            # Its law may take half a second, and is remembered.
            await asyncio.to_thread(lambda: (system.faces, system.amounts))
        dice = in_english(dice, played)
        return Odds(dice, asked.words if asked else "", system, Remembers.TABLE, system.start())

    async def counts(self, caller: Caller, name: str) -> Counts:
        """Return how often each face of a fair roller came; errors as in `odds`, SpecError for others."""
        odds = await self.odds(caller, name)
        at, roller, _ = await self.store.reader.do(_known(caller, name))
        if roller is None or at.campaign_id is None or not isinstance(odds.system, Fair):
            raise SpecError("Fair rollers keep counts. `/stats` shows those of other dice.")
        rows = await self.store.reader.do(_since(at.campaign_id, roller))
        own = roller.memory is Remembers.PLAYER
        mine = [row.event for row in rows if not own or row.event.user_id == caller.user_id]
        return counted(roller.name, odds.system, odds.remembered, mine, own=own)

    async def _of_roller(
        self, caller: Caller, at: CampaignAccess, roller: Roller, memory: Memory | None
    ) -> Odds:
        _, system = _present(roller, roller.name)
        private = at.campaign.rules.odds is Whose.GMS
        if private and not at.is_gm:
            raise NotAllowed("Only game masters see the odds here.")
        owner = caller.user_id if roller.memory is Remembers.PLAYER else None
        # A luck account shows what is on it as everybody may see it.
        open_to_all = isinstance(system, LuckAccount)
        hidden = [] if open_to_all else await self.store.reader.do(hidden_now(at, roller, owner))
        if not sees_all(hidden, at, caller):
            raise NotAllowed(
                "A hidden roll is in the memory of {name}, and its odds now would tell it. They are "
                "back once it is revealed, or after a reset.",
                name=roller.name,
            )
        remembered = system.start() if memory is None else memory
        return Odds(roller.name, roller.name, system, roller.memory, remembered, private or bool(hidden))

    async def aimed(self, caller: Caller, aim: Aim) -> list[Roller]:
        """Return the rollers that would be reset; Unknown if there are none."""
        rollers = await self.store.reader.do(_rollers(caller, for_masters=True))
        if aim.scope is Scope.ROLLER:
            wanted = aim.name.strip().casefold()
            rollers = [roller for roller in rollers if roller.name.casefold() == wanted]
            if not rollers:
                name = clean(aim.name, NAME_LIMIT)
                raise Unknown("There is no roller `{name}` here. `/roller list` shows them.", name=name)
        if not rollers:
            raise Unknown("There are no rollers to reset here.")
        if len(rollers) > LIMIT:
            raise DiceError(
                "At most {most} rollers can be reset at once, not {count:,}.", most=LIMIT, count=len(rollers)
            )
        return rollers

    async def reset(self, caller: Caller, aim: Aim, why: str = "") -> list[Event]:
        """Let all of them forget everything; `why` is recorded with each."""
        options = RollOptions(clean(why), Visibility.PUBLIC)
        aimed = await self.aimed(caller, aim)
        return await self._write(caller, [ResetRoller(roller.name, options=options) for roller in aimed])

    async def undo_resets(self, caller: Caller, campaign_id: int, interaction_id: int) -> list[Event]:
        """Take back the resets that one interaction made, where nothing happened to the rollers since."""
        events = await self.store.reader.do(_made(caller, campaign_id, interaction_id))
        if not events:
            raise Unknown("That reset is gone from the history, so I can't undo it.")
        return await self._write(caller, [UndoRoller(e.roller, campaign_id, e.seq) for e in events])

    async def _write(self, caller: Caller, commands: Sequence[Command]) -> list[Event]:
        together = await self.store.writer.write_all([(caller, command) for command in commands])
        return [one.event for one in together.some()]


def _rollers(caller: Caller, *, for_masters: bool = False) -> Queries[list[Roller]]:
    at = yield from current_campaign(caller, for_masters=for_masters)
    return [] if at.campaign_id is None else (yield from reading.rollers(at.campaign_id))


def _known(
    caller: Caller, name: str, *, for_masters: bool = False
) -> Queries[tuple[CampaignAccess, Roller | None, Memory | None]]:
    """Return the campaign, a roller of it by its name, and what that remembers for the caller."""
    at = yield from current_campaign(caller, for_masters=for_masters)
    if at.campaign_id is None:
        return at, None, None
    roller, memory = yield from reading.find_roller(at.campaign_id, name.strip().casefold(), caller.user_id)
    return at, roller, memory


def _since(campaign_id: int, roller: Roller) -> Queries[list[Row]]:
    """Return the rolls that are in a roller's memories, typed ones too, of its newest 5,000 events."""
    rows = yield from reading.newest(campaign_id, _LOOKED_AT, roller=roller.name, down_to=roller.epoch)
    standing = [row for row in rows if row.event.seq > roller.epoch and row.stands]
    return [row for row in standing if row.event.roll.before is not None]


def _present(roller: Roller | None, name: str) -> tuple[Roller, System]:
    if roller is None or roller.system is None:
        raise Unknown("There is no roller `{name}` here. `/roller list` shows them.", name=clean(name))
    return roller, roller.system


def _made(caller: Caller, campaign_id: int, interaction_id: int) -> Queries[list[Event]]:
    yield from campaign_by_id(caller, campaign_id, for_masters=True)
    events = yield from campaigns.events_of(campaign_id, interaction_id)
    return [event for event in events if event.roller]


def _register_of(caller: Caller) -> Queries[int | None]:
    at = yield from current_campaign(caller)
    if at.campaign_id is None:
        return 0
    roller, memory = yield from reading.find_roller(at.campaign_id, REGISTER, caller.user_id)
    if roller and not sees_all((yield from hidden_now(at, roller, caller.user_id)), at, caller):
        return None
    return memory[0] if memory else 0
