"""Resets of one roller, of a channel's, or of a whole campaign's, and taking one back.

Each roller's reset is an event of its own, so that each can be undone alone. Those that come from one
command carry the numbers that follow its interaction's, so that a second delivery finds them done.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.campaign.events import Asked, Event
from bot.campaign.request import Request
from bot.campaign.roller_requests import ResetRoller, UndoRoller
from bot.campaign.rollers import Roller
from bot.dice.errors import DiceError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.access import Access, Person
from bot.storage import campaigns, exports
from bot.storage.reading import Reader
from bot.storage.writer import Writer

LIMIT = 500
"""As many rollers are reset at once."""
_DOING = "Resetting rollers"


class Scope(StrEnum):
    """What is reset."""

    ROLLER = "roller"
    CHANNEL = "channel"
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
        self._access = Access(reader)

    async def aimed(self, asked: Asked, person: Person, aim: Aim) -> list[Roller]:
        """The rollers that would be reset; Unknown if there are none."""
        return [roller for _, roller in (await self._aimed(asked, person, aim))[1]]

    async def reset(self, asked: Asked, person: Person, aim: Aim) -> list[Event]:
        """Let all of them forget everything."""
        campaign_id, aimed = await self._aimed(asked, person, aim)
        requests = [(channel_id, ResetRoller(roller.name, campaign_id)) for channel_id, roller in aimed]
        return await self._write(asked, requests)

    async def undo(
        self, asked: Asked, person: Person, campaign_id: int, interaction_id: int, count: int
    ) -> list[Event]:
        """Take back the resets that one interaction made, where nothing happened to the rollers since."""
        await self._access.must_be_here(asked, campaign_id)
        (await self._access.known(person, campaign_id)).must_be_gm("Undoing")
        events = await self._reader.do(
            campaigns.events_of(campaign_id, interaction_id, interaction_id + count - 1)
        )
        requests = [
            (event.channel_id, UndoRoller(event.roller, campaign_id, event.seq))
            for event in events
            if event.roller
        ]
        if not requests:
            raise Unknown("That reset is not in the history any more, so it can't be undone.")
        return await self._write(asked, requests)

    async def _aimed(
        self, asked: Asked, person: Person, aim: Aim
    ) -> tuple[int | None, Sequence[tuple[int, Roller]]]:
        campaign_id = await self._reader.do(campaigns.played(asked.channel_id, asked.parent_id))
        (await self._access.known(person, campaign_id)).must_be_gm(_DOING)
        rollers = await self._reader.do(exports.rollers(campaign_id)) if campaign_id is not None else []
        found = [(channel_id, r) for channel_id, r in rollers if _fits(aim, asked, channel_id, r)]
        if not found and aim.scope is Scope.ROLLER:
            name = clean(aim.name, NAME_LIMIT)
            raise Unknown(f"There is no roller {name} here. /roller list shows them.")
        if not found:
            raise Unknown("There are no rollers to reset here.")
        if len(found) > LIMIT:
            raise DiceError(f"At most {LIMIT} rollers can be reset at once, not {len(found)}.")
        return campaign_id, found

    async def _write(self, asked: Asked, requests: Sequence[tuple[int, Request]]) -> list[Event]:
        written = await asyncio.gather(
            *(
                self._writer.write(
                    replace(asked, interaction_id=asked.interaction_id + n, channel_id=channel_id), request
                )
                for n, (channel_id, request) in enumerate(requests)
            ),
            return_exceptions=True,
        )
        errors = [one for one in written if isinstance(one, BaseException)]
        if len(errors) == len(written):
            raise errors[0]
        return [one.event for one in written if not isinstance(one, BaseException)]


def _fits(aim: Aim, asked: Asked, channel_id: int, roller: Roller) -> bool:
    match aim.scope:
        case Scope.CAMPAIGN:
            return True
        case Scope.CHANNEL:
            return channel_id == asked.channel_id
        case Scope.ROLLER:
            wanted = aim.name.strip().casefold()
            return channel_id == asked.channel_id and roller.name.casefold() == wanted
