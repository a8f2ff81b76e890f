"""Checks of single players: DCs, opposed rolls, and the chances on luck accounts."""

import asyncio
from dataclasses import dataclass

from bot.campaign.accounts import SeenAccount, outlook
from bot.campaign.campaigns import RightHolder, Roller
from bot.campaign.checks import fits
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.histories import Filter
from bot.campaign.replay import one_number
from bot.dice import notation
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.dice.names import clean
from bot.services.access import CampaignAccess, current_campaign, require_played
from bot.services.accounts import find_account, load_counted_checks
from bot.stats.check_evenings import AccountAnswer, record
from bot.storage import reading
from bot.storage.queries import Queries, Reader
from bot.systems.checks import EVEN_CHECK, EVEN_DICE, CheckTerms
from bot.systems.luck import LuckAccount

_SEARCHED = 100
"""Newest events of a player that are searched for a roll."""


@dataclass(frozen=True, slots=True)
class AccountQuestion:
    """A check on an account, whose chances are to be computed."""

    roller: Roller
    account: LuckAccount
    dice: str
    terms: CheckTerms
    balance: SeenAccount
    rolled: tuple[Event, ...]
    """The checks that the account has counted."""
    private: bool
    """True if only game masters may see the answer."""


@dataclass(frozen=True, slots=True)
class Checks:
    """The use cases of checks."""

    reader: Reader

    async def newest(self, caller: Caller, user_id: int) -> int:
        """Return the event number of a player's newest public roll here with a single number."""
        campaign_id = await self.reader.do(require_played(caller))
        for row in await self.reader.do(reading.page(campaign_id, Filter(user_id), limit=_SEARCHED)):
            if row.counts and one_number(row.event) is not None:
                return row.event.seq
        raise Unknown("They rolled no open number here yet. They roll first, then you.")

    async def ask(self, caller: Caller, name: str, dice: str, terms: CheckTerms | None) -> AccountQuestion:
        """Return the question about the caller's account that `outlook` answers; by default an even check.

        Raise Unknown if there is no such account, SpecError if it does not count such checks, NotAllowed if
        the campaign's rules reserve odds for game masters.
        """
        access = await self.reader.do(current_campaign(caller))
        private = access.campaign.rules.odds is RightHolder.GMS
        if private and not access.is_gm:
            raise NotAllowed("Only game masters see the odds here.")
        roller, balance, rolled = await self.reader.do(_load_account(caller, access, name))
        if isinstance(roller.system, LuckAccount) and roller.system.rank:
            raise SpecError(
                "{name} counts the ranks of rolls, so there is no chance to pass.", name=roller.name
            )
        roll = notation.parse(dice or EVEN_DICE)
        account, fitted = fits(roller, roll, terms or EVEN_CHECK)
        if fitted is None:
            raise AssertionError("a check has a DC")
        return AccountQuestion(roller, account, roll.text, fitted, balance, tuple(rolled), private)

    async def outlook(self, question: AccountQuestion) -> AccountAnswer:
        """Return the chances of a check on an account, and the balances after it."""
        roller, account = question.roller, question.account
        prospects = await asyncio.to_thread(
            outlook, roller.name, account, question.dice, question.terms, question.balance
        )
        return AccountAnswer(prospects, roller.memory, await asyncio.to_thread(record, question.rolled))


def _load_account(
    caller: Caller, access: CampaignAccess, name: str
) -> Queries[tuple[Roller, SeenAccount, list[Event]]]:
    """Return a luck account, its balance for the caller or the table, and the checks it counted."""
    account = yield from find_account(access.campaign_id, name, caller.user_id)
    if account is None:
        raise Unknown("There is no luck account `{name}` here. `/roller list` shows them.", name=clean(name))
    roller, balance = account
    return roller, balance, (yield from load_counted_checks(access.campaign_id, roller, caller.user_id))
