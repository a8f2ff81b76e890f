"""Checks of single players, and what stands on their luck accounts."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.campaign.accounts import Outlook, SeenAccount, bound, outlook
from bot.campaign.caller import Caller
from bot.campaign.calls import entries
from bot.campaign.checks import RollCheck, fits
from bot.campaign.events import Rolled
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rules import Whose
from bot.dice import notation
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.dice.names import clean
from bot.services.access import Here, here
from bot.services.accounts import counted, look
from bot.services.rolling import Answer, Rolling
from bot.stats.check_evenings import CheckRecord, record
from bot.storage import reading
from bot.storage.asking import Piece
from bot.storage.reading import Reader
from bot.systems.checks import CheckTerms
from bot.systems.luck import LuckAccount

EVEN_DICE, EVEN_CHECK = "1d2", CheckTerms(2)
"""What an account is looked at with while no check is at hand."""
_LOOKED_AT = 100
"""Among so many of somebody's newest events their roll is looked for."""


@dataclass(frozen=True, slots=True)
class AccountQuestion:
    """A check on an account, before its chances are worked out."""

    roller: Roller
    account: LuckAccount
    dice: str
    terms: CheckTerms
    seen: SeenAccount
    rolled: tuple[Rolled, ...]
    """The checks that it has counted."""
    private: bool
    """Whether only game masters may see the answer."""


@dataclass(frozen=True, slots=True)
class AccountAnswer:
    """What /odds tells of a luck account."""

    look: Outlook
    memory: Remembers
    record: CheckRecord


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

    async def newest(self, caller: Caller, user_id: int) -> int:
        """Return the number of somebody's newest roll here that was one number and that everybody may see."""
        at = await self._reader.do(here(caller))
        if at.campaign_id is None:
            raise Unknown("Nothing was rolled here yet.")
        rows = await self._reader.do(reading.page(at.campaign_id, limit=_LOOKED_AT, user_id=user_id))
        rolled = (row.event for row in rows if row.counts and isinstance(row.event.body, Rolled))
        for event in rolled:
            found = entries(event)
            if len(found) == 1 and found[0].total is not None and not found[0].name:
                return event.seq
        raise Unknown("They have rolled no number here that everybody may see. They roll first, then you.")

    async def ask(self, caller: Caller, name: str, dice: str, terms: CheckTerms | None) -> AccountQuestion:
        """Return the question about the caller's account that `outlook` answers.

        Without dice it is an even check. Unknown where there is no such account, SpecError where it does not
        count such checks, NotAllowed where the campaign's rules keep odds for game masters.
        """
        at = await self._reader.do(here(caller))
        private = at.campaign.rules.odds is Whose.GMS
        if private and not at.is_gm:
            raise NotAllowed("In this campaign only its game masters see the odds.")
        roller, seen, rolled = await self._reader.do(_account(caller, at, name))
        if isinstance(roller.system, LuckAccount) and roller.system.rank:
            raise SpecError(f"{roller.name} counts the ranks of rolls, so there is no chance to pass.")
        dice = str(notation.parse(dice)) if dice else EVEN_DICE
        account, fitted = fits(roller, dice, terms or EVEN_CHECK)
        if fitted is None:
            raise AssertionError("a check has a DC")
        return AccountQuestion(roller, account, dice, fitted, seen, tuple(rolled), private)

    async def outlook(self, asked: AccountQuestion) -> AccountAnswer:
        """Return the chances of a check on an account, and what it would leave."""
        roller, account = asked.roller, asked.account
        found = await asyncio.to_thread(outlook, roller.name, account, asked.dice, asked.terms, asked.seen)
        kept = await asyncio.to_thread(_record, account, asked.rolled)
        return AccountAnswer(found, roller.memory, kept)


def _account(caller: Caller, at: Here, name: str) -> Piece[tuple[Roller, SeenAccount, list[Rolled]]]:
    """Return a luck account, and what is on it for the caller or the table."""
    found = memory = None
    if at.campaign_id is not None:
        found, memory = yield from reading.roller(at.campaign_id, name.strip().casefold(), caller.user_id)
    if found is None or at.campaign_id is None or not isinstance(found.system, LuckAccount):
        raise Unknown(f"There is no luck account {clean(name)} here. /roller list shows what there is.")
    owner = caller.user_id if found.memory is Remembers.PLAYER else None
    kept = found.system.start() if memory is None else memory
    seen = yield from look(at.campaign_id, found, kept, owner)
    return found, seen, (yield from counted(at.campaign_id, found, owner))


def _record(account: LuckAccount, rolled: Sequence[Rolled]) -> CheckRecord:
    """Return how many checks of pass and miss were passed; those that nothing hung on are left out."""
    laws = [(law, body) for body in rolled if (law := bound(body)) and law.outcomes.passes]
    open_ones = [(law.outcomes, body) for law, body in laws if not law.outcomes.settled]
    passed = sum(bool(law.scores[law.totals.index(int(body.results[0]))]) for law, body in open_ones)
    return record(account, [law for law, _ in open_ones], passed)
