"""The rollers of a campaign: making, resetting and undoing for game masters, odds for everybody.

Resetting all of them writes one event per roller, so that each can be undone alone. The events of one command
are numbered parts of its interaction, so that a second delivery finds them done.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.campaign.adjustments import Summand, read_modifiers, summand
from bot.campaign.campaigns import REGISTER, Remembers, RightHolder, Roller
from bot.campaign.command import Caller, Command, RollOptions
from bot.campaign.events import Event
from bot.campaign.followups import EVERYBODY, Viewer
from bot.campaign.histories import Filter
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import MakeRoller, RemoveRoller, ResetRoller, UndoRoller, making_needs_gm
from bot.campaign.rolls import must_be_dice, must_take_more
from bot.dice import notation
from bot.dice.dialects.dialect import Dialect
from bot.dice.errors import DiceError, NotAllowed, NotationError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.system import Memory, Spec, System
from bot.parsing.offers import with_offers
from bot.parsing.texts import in_english, must_know_words, parse_game_roll, reads_as_game, shipped
from bot.rulebooks.options import UnknownWord
from bot.rulebooks.played import on_usual
from bot.services.access import CampaignAccess, DataStore, campaign_by_id, current_campaign, read_for
from bot.services.saved import explain_refusal, load_names, translate_dice_words
from bot.services.visibility import memory_hides
from bot.stats.luck import Counts, counted
from bot.storage import campaigns, reading
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.systems.fair import Fair
from bot.systems.game import GameRoll, game_roll
from bot.systems.luck import LuckAccount
from bot.systems.odds import Chances, after, chances, long_run
from bot.systems.plain import PlainDice, plain_dice
from bot.systems.registry import read_spec
from bot.words.games import is_named, recorded_faces

_COMPARISON = re.compile(r"\s*[<>]")
_COUNTED_EVENTS = 5_000
LIMIT = 500
"""The most rollers that are reset at once."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The subject of an odds query; the chances are computed on demand."""

    text: str
    """The roller's name, or dice with all names resolved: the same for everybody."""
    name: str
    """The roller's name; "" for dice."""
    system: System
    memory: Remembers
    remembered: Memory
    private: bool = False
    """Whether they are hidden from other players."""
    beside: Summand | None = None
    """The summand that is added to it."""

    def chances(self) -> Chances:
        """Compute the chance of each face."""
        if not self.beside:
            return Chances(self.system.faces, long_run(self.system), chances(self.system, self.remembered))
        base, now = (self.beside.law(self.system, memory) for memory in (None, self.remembered))
        of_values = tuple(now.get(value, Fraction(0)) for value in base)
        return Chances(tuple(map(str, base)), tuple(base.values()), of_values)

    def what_if(self, faces: Sequence[str]) -> "Odds":
        """Return the odds after further results; SpecError for an impossible one, or without a memory."""
        if faces and not self.system.has_state:
            raise SpecError("Plain dice remember nothing. Add tightness:1 to see what fair ones would do.")
        remembered = after(self.system, recorded_faces(self.system, faces), self.remembered)
        return replace(self, remembered=remembered)

    def at(self, tightness: str) -> "Odds":
        """Return the odds with another tightness; raise SpecError for systems without one."""
        if not isinstance(self.system, Fair | PlainDice):
            raise SpecError("Dice and fair rollers have a tightness. Leave it out here.")
        spec: Spec = {"system": "fair", "base": self.system.base.as_json(), "tightness": tightness}
        fair = read_spec(spec)
        remembered = self.remembered if self.system.has_state else fair.start()
        return replace(self, system=fair, remembered=remembered)


@dataclass(frozen=True, slots=True)
class Rollers:
    """The use cases of rollers."""

    store: DataStore

    async def may_make(self, caller: Caller) -> None:
        """Raise NotAllowed unless the campaign's rules let the caller make rollers."""
        await self.store.reader.do(current_campaign(caller, for_masters=making_needs_gm))

    async def register(self, caller: Caller) -> int | None:
        """Return the value of the caller's own d100 register; None if a hidden roll is in it."""
        return await self.store.reader.do(_load_register(caller))

    async def make_of(
        self, caller: Caller, name: str, read: Callable[[], System], memory: Remembers
    ) -> tuple[Event, System]:
        """Check the right to make rollers, parse the system with `read`, and make the roller."""
        system = await read_for(self.store.reader, caller, making_needs_gm, read)
        command = MakeRoller(clean(name, NAME_LIMIT), system, memory)
        return (await self.store.writer.write(caller, command)).event, system

    async def make_instead(self, caller: Caller, name: str, system: System, memory: Remembers) -> Event:
        """Replace the roller of that name with a new one, in one transaction."""
        make = MakeRoller(name, system, memory)
        remove = caller, RemoveRoller(name)
        together = await self.store.writer.write_all([remove], lambda _: [(caller, make)])
        return together.written_or_raise()[-1].event

    async def undo(self, caller: Caller, name: str) -> tuple[Event, Event | None]:
        """Undo the roller's newest event; return the undo and the undone event."""
        written = await self.store.writer.write(caller, UndoRoller(name))
        event, undone = written.event, written.about
        if undone is None:
            row = await self.store.reader.do(reading.event(event.campaign_id, event.target or 0))
            undone = row.event if row else None
        return event, undone

    async def present(self, caller: Caller) -> list[Roller]:
        """Return the campaign's rollers, by name."""
        return await self.store.reader.do(_load_rollers(caller))

    async def suggest(
        self, caller: Caller, typed: str, kind: type[System] | tuple[type[System], ...] = System
    ) -> list[str]:
        """Return names of the campaign's rollers that contain the typed text, optionally of one kind."""
        matches = [roller for roller in await self.present(caller) if is_named(roller.name, typed)]
        return [roller.name for roller in matches if isinstance(roller.system, kind)]

    async def get(self, caller: Caller, name: str, *, for_masters: bool = False) -> tuple[Roller, System]:
        """Return the roller of that name and its system; raise Unknown if there is none.

        Raise NotAllowed if it is `for_masters` and the caller is no game master.
        """
        _, roller, _ = await self.store.reader.do(_find_roller(caller, name, for_masters=for_masters))
        return _require(roller, name)

    async def odds(self, caller: Caller, text: str, *, typed: bool = False) -> Odds:
        """Return the odds of a roller (by the caller's own memory if each has one), of dice or of a game.

        A `typed` text is read in the campaign's dialect. Raise NotationError if the text is none of these;
        NotAllowed if the campaign's rules reserve a roller's odds for game masters, or if they would reveal a
        roll that is hidden from the caller.
        """
        try:
            return await self._odds(caller, text, typed=typed)
        except (UnknownWord, NotationError) as refused:
            raise await self.store.reader.do(explain_refusal(caller, text, refused)) from None

    async def _odds(self, caller: Caller, text: str, *, typed: bool) -> Odds:
        access, roller, memory = await self.store.reader.do(_find_roller(caller, text))
        if roller and roller.system:
            return await self._roller_odds(caller, access, roller, memory)
        played = access.campaign.rules.played(shipped())
        text = on_usual(await translate_dice_words(self.store.reader, caller, text), played)
        dialect = access.campaign.rules.dialect
        if typed and dialect is not Dialect.EVENHAND and notation.reads(text, dialect):
            text = str(notation.read_in(dialect, text))
        resolved = names = None
        if not notation.reads(text):
            names = await self.store.reader.do(load_names(caller))
            try:
                resolved = names.resolve_text(text)
            except NotationError as refused:
                must_know_words(text, names.game)
                if not reads_as_game(text, names.game):
                    raise with_offers(names, refused, text) from None
        if resolved and resolved.roller:
            if resolved.times > 1:
                raise SpecError("Odds are for one roll. Leave the repeats out.")
            beside = summand(read_modifiers(resolved.text))
            access, roller, memory = await self.store.reader.do(_find_roller(caller, resolved.roller))
            roller, _ = _require(roller, resolved.roller)
            must_be_dice(roller)
            must_take_more(roller)
            odds = await self._roller_odds(caller, access, roller, memory)
            sign = "+ " if resolved.text[:1].isdigit() else ""
            canonical = f'"{roller.name}" {sign}{resolved.text}'
            # A sign is not shown in names; the span says it.
            name = clean(_COMPARISON.split(text)[0])
            return replace(odds, text=canonical, name=name, beside=beside)
        dice = resolved.text if resolved else text
        game_request = parse_game_roll(dice, played)
        try:
            system = game_roll(game_request) if game_request else plain_dice(dice)
        except NotationError as refused:
            raise (with_offers(names, refused, text) if names else refused) from None
        if isinstance(system, GameRoll):
            # Computing its law may take half a second; the result is cached.
            await asyncio.to_thread(lambda: (system.faces, system.amounts))
        has_names = isinstance(system, PlainDice) and system.base.dice is None
        name = game_request.words if game_request else clean(dice) if has_names else ""
        return Odds(in_english(dice, played), name, system, Remembers.TABLE, system.start())

    async def counts(self, caller: Caller, name: str) -> Counts:
        """Return how often a fair roller showed each face; errors as in `odds`, SpecError for other dice."""
        odds = await self.odds(caller, name)
        access, roller, _ = await self.store.reader.do(_find_roller(caller, name))
        if roller is None or not isinstance(odds.system, Fair):
            raise SpecError("Fair rollers keep counts. `/stats` shows those of other dice.")
        rows = await self.store.reader.do(_load_memory_rolls(access.campaign_id, roller))
        per_player = roller.memory is Remembers.PLAYER
        events = [row.event for row in rows if not per_player or row.event.user_id == caller.user_id]
        return counted(roller.name, odds.system, odds.remembered, events, own=per_player)

    async def _roller_odds(
        self, caller: Caller, access: CampaignAccess, roller: Roller, memory: Memory | None
    ) -> Odds:
        _, system = _require(roller, roller.name)
        private = access.campaign.rules.odds is RightHolder.GMS
        if private and not access.is_gm:
            raise NotAllowed("Only game masters see the odds here.")
        owner = caller.user_id if roller.memory is Remembers.PLAYER else None
        # A luck account shows its public balance.
        open_to_all = isinstance(system, LuckAccount)
        viewer, hides = Viewer(caller.user_id, access.is_gm), False
        if not open_to_all:
            hides = await self.store.reader.do(memory_hides(access, roller, owner, EVERYBODY))
        if hides and await self.store.reader.do(memory_hides(access, roller, owner, viewer)):
            raise NotAllowed(
                "A hidden roll is in the memory of {name}, and its odds now would tell it. They are "
                "back once it is revealed, or after a reset.",
                name=roller.name,
            )
        remembered = system.start() if memory is None else memory
        return Odds(roller.name, roller.name, system, roller.memory, remembered, private or hides)

    async def aimed(self, caller: Caller, name: str) -> list[Roller]:
        """Return the rollers that a reset would concern, "" names all; raise Unknown if there are none."""
        if name:
            return [(await self.get(caller, name, for_masters=True))[0]]
        rollers = await self.store.reader.do(_load_rollers(caller, for_masters=True))
        if not rollers:
            raise Unknown("There are no rollers to reset here.")
        if len(rollers) > LIMIT:
            raise DiceError(
                "At most {most} rollers can be reset at once, not {count:,}.", most=LIMIT, count=len(rollers)
            )
        return rollers

    async def reset(self, caller: Caller, name: str = "", why: str = "") -> list[Event]:
        """Reset the memories of a roller, or of all; `why` is recorded with each."""
        options = RollOptions(clean(why), Visibility.PUBLIC)
        aimed = await self.aimed(caller, name)
        return await self._write(caller, [ResetRoller(roller.name, options=options) for roller in aimed])

    async def undo_resets(self, caller: Caller, campaign_id: int, interaction_id: int) -> list[Event]:
        """Undo the resets of one interaction, for rollers to which nothing happened since."""
        events = await self.store.reader.do(_resets_of(caller, campaign_id, interaction_id))
        if not events:
            raise Unknown("That reset is gone from the history, so I can't undo it.")
        commands = [UndoRoller(event.roller, campaign_id, event.seq) for event in events]
        return await self._write(caller, commands)

    async def _write(self, caller: Caller, commands: Sequence[Command]) -> list[Event]:
        together = await self.store.writer.write_all([(caller, command) for command in commands])
        return [row.event for row in together.written_or_raise()]


def _load_rollers(caller: Caller, *, for_masters: bool = False) -> Queries[list[Roller]]:
    access = yield from current_campaign(caller, for_masters=for_masters)
    return (yield from reading.rollers(access.campaign_id))


def _find_roller(
    caller: Caller, name: str, *, for_masters: bool = False
) -> Queries[tuple[CampaignAccess, Roller | None, Memory | None]]:
    """Return the campaign, its roller of that name, and the roller's memory for the caller."""
    access = yield from current_campaign(caller, for_masters=for_masters)
    key = name.strip().casefold()
    return access, *(yield from reading.find_roller(access.campaign_id, key, caller.user_id))


def _load_memory_rolls(campaign_id: int, roller: Roller) -> Queries[list[Row]]:
    """Return the rolls in a roller's memories, typed ones too, among its newest 5,000 events."""
    only, since = Filter(roller=roller.name), roller.epoch
    rows = yield from reading.newest(campaign_id, _COUNTED_EVENTS, only, down_to=since)
    effective = [row for row in rows if row.event.seq > since and row.stands]
    return [row for row in effective if row.event.roll.before is not None]


def _require(roller: Roller | None, name: str) -> tuple[Roller, System]:
    if roller is None or roller.system is None:
        raise Unknown("There is no roller `{name}` here. `/roller list` shows them.", name=clean(name))
    return roller, roller.system


def _resets_of(caller: Caller, campaign_id: int, interaction_id: int) -> Queries[list[Event]]:
    yield from campaign_by_id(caller, campaign_id, for_masters=True)
    events = yield from campaigns.events_of(campaign_id, interaction_id)
    return [event for event in events if event.roller]


def _load_register(caller: Caller) -> Queries[int | None]:
    access = yield from current_campaign(caller)
    roller, memory = yield from reading.find_roller(access.campaign_id, REGISTER, caller.user_id)
    viewer = Viewer(caller.user_id, access.is_gm)
    if roller and (yield from memory_hides(access, roller, caller.user_id, viewer)):
        return None
    return memory[0] if memory else 0
