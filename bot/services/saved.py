"""Rolls that players save under a name, each for themselves, in the campaign that is played there."""

from bot.campaign.events import Asked
from bot.dice import notation
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.storage import campaigns, reading, saved
from bot.storage.asking import Piece
from bot.storage.engine import Database
from bot.storage.reading import Reader
from bot.storage.working import work

LIMIT = 50
"""As many rolls can a player save in a campaign."""


class Saved:
    """The use cases of saved rolls."""

    def __init__(self, database: Database, reader: Reader) -> None:
        self._database = database
        self._reader = reader

    async def save(self, asked: Asked, name: str, text: str) -> tuple[str, str]:
        """Keep dice under a name, or other dice under a name that is there; the name and the text.

        NotationError where the text is neither dice nor a roller of the channel, SpecError for a name that
        is empty or reads as dice, DiceError over the limit.
        """
        name, text = clean(name, NAME_LIMIT), text.strip()
        if not name:
            raise SpecError("A saved roll needs a name with letters in it.")
        if notation.reads(name):
            raise SpecError(f"{name} can't be the name of a saved roll, for it reads as dice. Take another.")
        here = {roller.name.casefold() for roller in await self._reader.do(reading.rollers(asked.channel_id))}
        if name.casefold() in here:
            raise SpecError(f"There is a roller {name} in this channel already. Take another name.")
        if text.casefold() not in here:
            notation.parse(text)
        if not await work(self._database, saved.keep(asked, name, text, LIMIT)):
            raise DiceError(f"You have {LIMIT} saved rolls in this campaign. Remove one first.")
        return name, text

    async def remove(self, asked: Asked, name: str) -> None:
        """Remove a saved roll; Unknown if there is none of that name."""
        name = clean(name, NAME_LIMIT)
        if not await work(self._database, _remove(asked, name)):
            raise Unknown(f"You have no saved roll {name} here. /saved list shows yours.")

    async def all(self, asked: Asked) -> list[tuple[str, str]]:
        """Who asks's saved rolls here, by name."""
        return await self._reader.do(_all(asked))

    async def suggest(self, asked: Asked, typed: str) -> list[str]:
        """Names of their saved rolls that contain what was typed; 25 at most."""
        wanted = typed.strip().casefold()
        return [name for name, _ in await self.all(asked) if wanted in name.casefold()][:25]

    async def find(self, asked: Asked, name: str) -> str | None:
        """The text of a saved roll; None if there is none of that name."""
        return await self._reader.do(_one(asked, clean(name, NAME_LIMIT)))


def _remove(asked: Asked, name: str) -> Piece[bool]:
    campaign_id = yield from campaigns.played(asked.channel_id, asked.parent_id)
    return campaign_id is not None and (yield from saved.remove((campaign_id, asked.user_id), name))


def _all(asked: Asked) -> Piece[list[tuple[str, str]]]:
    campaign_id = yield from campaigns.played(asked.channel_id, asked.parent_id)
    return [] if campaign_id is None else (yield from saved.all_of((campaign_id, asked.user_id)))


def _one(asked: Asked, name: str) -> Piece[str | None]:
    campaign_id = yield from campaigns.played(asked.channel_id, asked.parent_id)
    return None if campaign_id is None else (yield from saved.one((campaign_id, asked.user_id), name))
