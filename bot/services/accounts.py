"""Luck accounts as everybody may see them: a hidden check moves one, and shows once it is revealed."""

from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.accounts import SeenAccount, seen_account
from bot.campaign.calls import Call
from bot.campaign.campaigns import Remembers, Roller
from bot.campaign.events import Event
from bot.campaign.kinds import Kind
from bot.campaign.replay import RollResult
from bot.storage import reading
from bot.storage.queries import Queries
from bot.storage.rows import Row
from bot.systems.luck import LuckAccount

_CHECKS_LIMIT = 2_000
"""How many checks of an account are looked at where some of them are hidden."""


def with_rival(rolled: RollResult) -> Queries[RollResult]:
    """Return a check with the roll that it is held against, and its account as everybody may see it."""
    if (number := rolled.roll.versus) is not None:
        row = yield from reading.event(rolled.event.campaign_id, number)
        rolled = replace(rolled, rival=row.event if row else None)
    return (yield from with_account(rolled)) if rolled.roll.stake else rolled


def with_account(rolled: RollResult) -> Queries[RollResult]:
    """Return a check with its account as everybody may see it."""
    seen = yield from _before([rolled.event])
    return replace(rolled, account=seen.get(rolled.event.seq))


def with_accounts(call: Call) -> Queries[Call]:
    """Return a call whose rolls have their accounts as everybody may see them.

    It takes the same reads for any number of rolls.
    """
    seen = yield from _before([entry.event for entry in call.entries if entry.event.roll.stake])
    entries = [replace(entry, account=seen.get(entry.event.seq)) for entry in call.entries]
    return replace(call, entries=tuple(entries)) if seen else call


def _before(events: Sequence[Event]) -> Queries[dict[int, SeenAccount]]:
    """Return what was on an account before each of its checks, by their numbers.

    What the check itself says is left out: that of an account on which nothing is hidden.
    """
    if not events:
        return {}
    campaign_id, name = events[0].campaign_id, events[0].roller
    roller, _ = yield from reading.find_roller(campaign_id, name.casefold(), 0)
    checks = ((yield from _with_hidden(campaign_id, roller)) if roller else None) or []
    # Who is being erased is nobody in the events that are shown, but has an account of their own.
    owners = {row.event.seq: row.event.user_id for row in checks}
    found: dict[int, SeenAccount] = {}
    for event in events if checks else ():
        shared, owner = event.roll.whose is Remembers.TABLE, owners.get(event.seq, event.user_id)
        earlier = (row for row in checks if row.event.seq < event.seq)
        told = [(row.event, row.counts) for row in earlier if shared or row.event.user_id == owner]
        found[event.seq] = seen_account(event.roll.before or (), told)
    return found


def find(campaign_id: int, name: str, user_id: int) -> Queries[tuple[Roller, SeenAccount] | None]:
    """Return a luck account, and what is on it for a player or the table; None where there is none."""
    found, memory = yield from reading.find_roller(campaign_id, name.strip().casefold(), user_id)
    if found is None or not isinstance(found.system, LuckAccount):
        return None
    owner = user_id if found.memory is Remembers.PLAYER else None
    kept = found.system.start() if memory is None else memory
    checks = yield from _with_hidden(campaign_id, found, owner)
    seen = [(row.event, row.counts) for row in checks or ()]
    return found, seen_account(kept, seen)


def counted(campaign_id: int, roller: Roller, owner: int | None) -> Queries[list[Event]]:
    """Return the checks that an account has counted since its start, in order, without hidden ones."""
    since = roller.since((yield from reading.evening(campaign_id)))
    return [row.event for row in (yield from _checks(campaign_id, roller, owner, since)) if row.counts]


def _with_hidden(campaign_id: int, roller: Roller, owner: int | None = None) -> Queries[list[Row] | None]:
    """Return an account's checks since its start, in order; None where none of them is hidden now."""
    since = roller.since((yield from reading.evening(campaign_id)))
    hidden = yield from reading.hidden_rolls(campaign_id, roller.name.casefold(), since)
    if not any(_counts(row) and not row.counts for row in hidden):
        return None
    return (yield from _checks(campaign_id, roller, owner, since))


def _checks(campaign_id: int, roller: Roller, owner: int | None, since: int) -> Queries[list[Row]]:
    rows = yield from reading.page(campaign_id, limit=_CHECKS_LIMIT, user_id=owner, roller=roller.name)
    return [row for row in reversed(rows) if row.event.seq > since and _counts(row)]


def _counts(row: Row) -> bool:
    """Return whether it is a check that stands and moved an account."""
    event = row.event
    return event.kind is Kind.ROLL and not row.undone and event.roll.stake > 0
