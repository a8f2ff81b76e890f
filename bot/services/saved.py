"""Rolls that players save under a name, each for themselves, in the campaign that is played there."""

from bot.campaign.caller import Caller
from bot.dice import notation
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.storage import campaigns, saved
from bot.storage.asking import Piece
from bot.storage.engine import Database
from bot.storage.reading import Reader, rollers
from bot.storage.working import work

LIMIT = 50
"""A player can save so many rolls in a campaign."""


class Saved:
    """The use cases of saved rolls."""

    def __init__(self, database: Database, reader: Reader) -> None:
        self._database = database
        self._reader = reader

    async def save(self, caller: Caller, name: str, text: str) -> tuple[str, str]:
        """Keep dice under a name, new or not; return the name and the text.

        Raise NotationError where the text is neither dice nor a roller of the campaign, SpecError for a name
        that is empty or reads as dice, DiceError over the limit.
        """
        name, text = clean(name, NAME_LIMIT), text.strip()
        if not name:
            raise SpecError("A saved roll needs a name with letters in it.")
        if notation.reads(name):
            raise SpecError(f"{name} can't be the name of a saved roll, for it reads as dice. Take another.")
        here = await self._reader.do(_rollers(caller))
        if name.casefold() in here:
            raise SpecError(f"There is a roller {name} here already. Take another name.")
        if text.casefold() not in here:
            notation.parse(text)
        if not await work(self._database, saved.keep(caller, name, text, LIMIT)):
            raise DiceError(f"You have {LIMIT} saved rolls in this campaign. Remove one first.")
        return name, text

    async def remove(self, caller: Caller, name: str) -> None:
        """Remove a saved roll; raise Unknown if there is none of that name."""
        name = clean(name, NAME_LIMIT)
        if not await work(self._database, _remove(caller, name)):
            raise Unknown(f"You have no saved roll {name} here. /saved list shows yours.")

    async def all(self, caller: Caller) -> list[tuple[str, str]]:
        """Return the names and texts of the caller's saved rolls here, by name."""
        return await self._reader.do(saved_rolls(caller))

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return the names of the caller's saved rolls that contain what was typed."""
        wanted = typed.strip().casefold()
        return [name for name, _ in await self.all(caller) if wanted in name.casefold()]

    async def find(self, caller: Caller, name: str) -> str | None:
        """Return the text of a saved roll; None if there is none of that name."""
        return await self._reader.do(_one(caller, clean(name, NAME_LIMIT)))


def saved_rolls(caller: Caller) -> Piece[list[tuple[str, str]]]:
    """Return the names and texts of the caller's saved rolls here, by name."""
    campaign_id = yield from campaigns.played(caller.channel_id, caller.parent_id)
    return [] if campaign_id is None else (yield from saved.all_of((campaign_id, caller.user_id)))


def _rollers(caller: Caller) -> Piece[set[str]]:
    """Return the casefolded names of the rollers here."""
    campaign_id = yield from campaigns.played(caller.channel_id, caller.parent_id)
    if campaign_id is None:
        return set()
    return {roller.name.casefold() for roller in (yield from rollers(campaign_id))}


def _remove(caller: Caller, name: str) -> Piece[bool]:
    campaign_id = yield from campaigns.played(caller.channel_id, caller.parent_id)
    return campaign_id is not None and (yield from saved.remove((campaign_id, caller.user_id), name))


def _one(caller: Caller, name: str) -> Piece[str | None]:
    campaign_id = yield from campaigns.played(caller.channel_id, caller.parent_id)
    return None if campaign_id is None else (yield from saved.one((campaign_id, caller.user_id), name))
