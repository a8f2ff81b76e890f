"""Resets of one roller or of all rollers of a campaign, and taking one back.

Each roller's reset is an event of its own, so that each can be undone alone. Those that come from one
command are numbered parts of its interaction, so that a second delivery finds them done.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.campaigns import Roller
from bot.campaign.command import Caller, Command, RollOptions
from bot.campaign.events import Event
from bot.campaign.kinds import Visibility
from bot.campaign.roller_commands import ResetRoller, UndoRoller
from bot.dice.errors import DiceError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.access import Here, here, there
from bot.storage import campaigns, reading
from bot.storage.asking import Piece, Reader
from bot.storage.writer import Writer

LIMIT = 500
"""At most so many rollers are reset at once."""


class Scope(StrEnum):
    """What is reset."""

    ROLLER = "roller"
    CAMPAIGN = "campaign"


@dataclass(frozen=True, slots=True)
class Aim:
    """A scope, and the roller's name where it is one."""

    scope: Scope
    name: str = ""


class Resets:
    """The use cases of resetting, for game masters."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._reader = reader
        self._writer = writer

    async def aimed(self, caller: Caller, aim: Aim) -> list[Roller]:
        """Return the rollers that would be reset; Unknown if there are none."""
        at, rollers = await self._reader.do(_rollers(caller))
        at.must_be_gm("Resetting rollers")
        if aim.scope is Scope.ROLLER:
            wanted = aim.name.strip().casefold()
            rollers = [roller for roller in rollers if roller.name.casefold() == wanted]
            if not rollers:
                name = clean(aim.name, NAME_LIMIT)
                raise Unknown(f"There is no roller {name} here. /roller list shows them.")
        if not rollers:
            raise Unknown("There are no rollers to reset here.")
        if len(rollers) > LIMIT:
            raise DiceError(f"At most {LIMIT} rollers can be reset at once, not {len(rollers)}.")
        return rollers

    async def reset(self, caller: Caller, aim: Aim, why: str = "") -> list[Event]:
        """Let all of them forget everything; `why` is recorded with each."""
        options = RollOptions(clean(why), Visibility.PUBLIC)
        aimed = await self.aimed(caller, aim)
        return await self._write(caller, [ResetRoller(roller.name, options=options) for roller in aimed])

    async def undo(self, caller: Caller, campaign_id: int, interaction_id: int) -> list[Event]:
        """Take back the resets that one interaction made, where nothing happened to the rollers since."""
        at, events = await self._reader.do(_made(caller, campaign_id, interaction_id))
        at.must_be_gm("Undoing")
        if not events:
            raise Unknown("That reset is not in the history any more, so it can't be undone.")
        return await self._write(caller, [UndoRoller(e.roller, campaign_id, e.seq) for e in events])

    async def _write(self, caller: Caller, commands: Sequence[Command]) -> list[Event]:
        written = await asyncio.gather(
            *(self._writer.write(caller.at_part(n), one) for n, one in enumerate(commands, start=1)),
            return_exceptions=True,
        )
        errors = [one for one in written if isinstance(one, BaseException)]
        if len(errors) == len(written):
            raise errors[0]
        return [one.event for one in written if not isinstance(one, BaseException)]


def _rollers(caller: Caller) -> Piece[tuple[Here, list[Roller]]]:
    at = yield from here(caller)
    return at, [] if at.campaign_id is None else (yield from reading.rollers(at.campaign_id))


def _made(caller: Caller, campaign_id: int, interaction_id: int) -> Piece[tuple[Here, list[Event]]]:
    at = yield from there(caller, campaign_id)
    events = yield from campaigns.events_of(campaign_id, interaction_id)
    return at, [event for event in events if event.roller]
