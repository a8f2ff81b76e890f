"""Checks of single players, and what stands on their luck accounts."""

import asyncio
from dataclasses import replace

from bot.campaign.accounts import Outlook, SeenAccount, outlook
from bot.campaign.caller import Caller
from bot.campaign.checks import RollCheck, fits
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rules import Whose
from bot.dice import notation
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.dice.names import clean
from bot.services.access import Here, here
from bot.services.accounts import look
from bot.services.rolling import Answer, Rolling
from bot.storage import reading
from bot.storage.asking import Piece
from bot.storage.reading import Reader
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount

EVEN_DICE, EVEN_CHECK = "1d2", CheckTerms(2)
"""What an account is looked at with while no check is at hand."""


class Checks:
    """The use cases of checks."""

    def __init__(self, rolling: Rolling, reader: Reader) -> None:
        self._rolling = rolling
        self._reader = reader

    async def check(self, caller: Caller, command: RollCheck) -> Answer:
        """Roll a check; one that a game master rolls was called for."""
        at = await self._reader.do(here(caller))
        options = replace(command.options, called=at.is_gm)
        return await self._rolling.ask(caller, replace(command, options=options))

    async def outlook(
        self, caller: Caller, name: str, dice: str, terms: CheckTerms | None
    ) -> tuple[Outlook, Remembers, bool]:
        """Return the chances of a check on the caller's account, and what it would leave.

        With it come whose account it is, and whether only game masters may see it. Without dice it is an
        even check. Unknown where there is no such account, SpecError where it does not
        count such checks, NotAllowed where the campaign's rules keep odds for game masters.
        """
        at = await self._reader.do(here(caller))
        private = at.campaign.rules.odds is Whose.GMS
        if private and not at.is_gm:
            raise NotAllowed("In this campaign only its game masters see the odds.")
        roller, seen = await self._reader.do(_account(caller, at, name))
        if isinstance(roller.system, LuckAccount) and roller.system.rank:
            raise SpecError(f"{roller.name} counts the ranks of rolls, so there is no chance to pass.")
        dice = str(notation.parse(dice)) if dice else EVEN_DICE
        account, fitted = fits(roller, dice, terms or EVEN_CHECK)
        if fitted is None:
            raise AssertionError("a check has a DC")
        found = await asyncio.to_thread(outlook, roller.name, account, dice, fitted, seen)
        return found, roller.memory, private


def _account(caller: Caller, at: Here, name: str) -> Piece[tuple[Roller, SeenAccount]]:
    """Return a luck account, and what is on it for the caller or the table."""
    found = memory = None
    if at.campaign_id is not None:
        found, memory = yield from reading.roller(at.campaign_id, name.strip().casefold(), caller.user_id)
    if found is None or at.campaign_id is None or not isinstance(found.system, LuckAccount):
        raise Unknown(f"There is no luck account {clean(name)} here. /roller list shows what there is.")
    owner = caller.user_id if found.memory is Remembers.PLAYER else None
    kept = found.system.start() if memory is None else memory
    return found, (yield from look(at.campaign_id, found, kept, owner))
