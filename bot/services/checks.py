"""Checks of single players: DCs, opposed rolls, and the public balances and chances on luck accounts.

A hidden check counts in a public balance once it is revealed.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.campaign.accounts import SeenAccount, outlook, seen_account
from bot.campaign.calls import Call
from bot.campaign.campaigns import Remembers, RightHolder, Roller
from bot.campaign.checks import fits
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.followups import EVERYBODY
from bot.campaign.histories import Filter
from bot.campaign.kinds import Kind
from bot.campaign.replay import RollResult, one_number
from bot.dice import notation
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.dice.names import clean
from bot.services.access import CampaignAccess, current_campaign, require_played
from bot.stats.check_evenings import AccountAnswer, record
from bot.storage import reading
from bot.storage.queries import Queries, Reader
from bot.storage.rows import Row
from bot.systems.checks import EVEN_CHECK, EVEN_DICE, CheckTerms
from bot.systems.luck import LuckAccount

_CHECKS_LIMIT = 2_000
"""Most checks examined of an account with hidden ones."""
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


def with_rival(rolled: RollResult) -> Queries[RollResult]:
    """Return a check with the opposed roll and the public balance of its account."""
    if (number := rolled.roll.versus) is not None:
        row = yield from reading.event(rolled.event.campaign_id, number)
        rolled = replace(rolled, rival=row.event if row else None)
    return (yield from with_account(rolled)) if rolled.roll.stake else rolled


def with_account(rolled: RollResult) -> Queries[RollResult]:
    """Return a check with the public balance of its account."""
    balances = yield from _balances_before([rolled.event])
    return replace(rolled, account=balances.get(rolled.event.seq))


def with_accounts(call: Call) -> Queries[Call]:
    """Return a call whose rolls have the public balances of their accounts.

    The number of queries does not depend on the number of rolls.
    """
    balances = yield from _balances_before([entry.event for entry in call.entries if entry.event.roll.stake])
    entries = [replace(entry, account=balances.get(entry.event.seq)) for entry in call.entries]
    return replace(call, entries=tuple(entries)) if balances else call


def _balances_before(events: Sequence[Event]) -> Queries[dict[int, SeenAccount]]:
    """Return the public balance before each of an account's checks, by event number.

    Without hidden checks the result is empty: the balance recorded with the check is the public one.
    """
    if not events:
        return {}
    campaign_id, name = events[0].campaign_id, events[0].roller
    roller, _ = yield from reading.find_roller(campaign_id, name.casefold(), 0)
    checks = (yield from _load_if_hidden(campaign_id, roller)) if roller else []
    # A person being erased is anonymous in the events, but still has an account.
    owners = {row.event.seq: row.event.user_id for row in checks}
    balances: dict[int, SeenAccount] = {}
    for event in events if checks else ():
        shared, owner = event.roll.whose is Remembers.TABLE, owners.get(event.seq, event.user_id)
        earlier = (row for row in checks if row.event.seq < event.seq)
        earlier_checks = [(row.event, row.counts) for row in earlier if shared or row.event.user_id == owner]
        balances[event.seq] = seen_account(event.roll.before or (), earlier_checks)
    return balances


def find_account(campaign_id: int, name: str, user_id: int) -> Queries[tuple[Roller, SeenAccount] | None]:
    """Return a luck account and its public balance for a player or the table; None if there is none."""
    roller, memory = yield from reading.find_roller(campaign_id, name.strip().casefold(), user_id)
    if roller is None or not isinstance(roller.system, LuckAccount):
        return None
    owner = user_id if roller.memory is Remembers.PLAYER else None
    stored = roller.system.start() if memory is None else memory
    checks = yield from _load_if_hidden(campaign_id, roller, owner)
    return roller, seen_account(stored, [(row.event, row.counts) for row in checks])


def _load_if_hidden(campaign_id: int, roller: Roller, owner: int | None = None) -> Queries[list[Row]]:
    """Return an account's checks since its start, in order; [] if none of them is hidden."""
    since = roller.since((yield from reading.evening(campaign_id)))
    key = roller.name.casefold()
    if not (yield from reading.find_hidden(campaign_id, key, EVERYBODY, _is_hidden_check, since=since)):
        return []
    return (yield from _load_checks(campaign_id, roller, owner, since))


def _load_checks(campaign_id: int, roller: Roller, owner: int | None, since: int) -> Queries[list[Row]]:
    rows = yield from reading.page(campaign_id, Filter(owner, roller.name), limit=_CHECKS_LIMIT)
    return [row for row in reversed(rows) if row.event.seq > since and _is_counted(row)]


def _is_hidden_check(row: Row) -> bool:
    return _is_counted(row) and not row.counts


def _is_counted(row: Row) -> bool:
    """Return whether a row is a valid check that moved an account."""
    event = row.event
    return event.kind is Kind.ROLL and not row.undone and event.roll.stake > 0


def _load_account(
    caller: Caller, access: CampaignAccess, name: str
) -> Queries[tuple[Roller, SeenAccount, list[Event]]]:
    """Return a luck account, its balance for the caller or the table, and the checks it counted."""
    account = yield from find_account(access.campaign_id, name, caller.user_id)
    if account is None:
        raise Unknown("There is no luck account `{name}` here. `/roller list` shows them.", name=clean(name))
    roller, balance = account
    owner = caller.user_id if roller.memory is Remembers.PLAYER else None
    since = roller.since((yield from reading.evening(access.campaign_id)))
    checks = yield from _load_checks(access.campaign_id, roller, owner, since)
    return roller, balance, [row.event for row in checks if row.counts]
