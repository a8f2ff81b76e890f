"""Public balances of luck accounts: a hidden check counts in them once it is revealed."""

from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.accounts import SeenAccount, seen_account
from bot.campaign.calls import Call
from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.events import Event
from bot.campaign.histories import Filter
from bot.campaign.kinds import Kind
from bot.campaign.replay import RollResult
from bot.storage import reading
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.systems.luck import LuckAccount

_CHECKS_LIMIT = 2_000
"""Most checks examined of an account with hidden ones."""


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


def load_counted_checks(campaign_id: int, roller: Roller, user_id: int) -> Queries[list[Event]]:
    """Return the visible checks that a player's or the table's account counts, in order."""
    owner = user_id if roller.memory is Remembers.PLAYER else None
    since = roller.since((yield from reading.evening(campaign_id)))
    return [row.event for row in (yield from _load_checks(campaign_id, roller, owner, since)) if row.counts]


def _load_if_hidden(campaign_id: int, roller: Roller, owner: int | None = None) -> Queries[list[Row]]:
    """Return an account's checks since its start, in order; [] if none of them is hidden."""
    since = roller.since((yield from reading.evening(campaign_id)))
    hidden = yield from reading.hidden_rolls(campaign_id, roller.name.casefold(), since)
    if not any(_is_counted(row) and not row.counts for row in hidden):
        return []
    return (yield from _load_checks(campaign_id, roller, owner, since))


def _load_checks(campaign_id: int, roller: Roller, owner: int | None, since: int) -> Queries[list[Row]]:
    rows = yield from reading.page(campaign_id, Filter(owner, roller.name), limit=_CHECKS_LIMIT)
    return [row for row in reversed(rows) if row.event.seq > since and _is_counted(row)]


def _is_counted(row: Row) -> bool:
    """Return whether a row is a valid check that moved an account."""
    event = row.event
    return event.kind is Kind.ROLL and not row.undone and event.roll.stake > 0
