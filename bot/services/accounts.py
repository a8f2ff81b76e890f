"""Luck accounts as everybody may see them: a hidden check moves one, and shows once it is revealed."""

from dataclasses import replace

from bot.campaign.accounts import SeenAccount, seen_account
from bot.campaign.calls import Call, CallEntry
from bot.campaign.events import Event
from bot.campaign.kinds import Kind
from bot.campaign.replay import RollResult
from bot.campaign.rollers import Remembers, Roller
from bot.dice.system import Memory
from bot.storage import reading
from bot.storage.asking import Piece
from bot.storage.rows import Row
from bot.systems.luck import LuckAccount

_CHECKS_LIMIT = 2_000
"""As many checks of an account are looked at where some of them are hidden."""


def with_rival(rolled: RollResult) -> Piece[RollResult]:
    """Return a check with the roll that it is held against, and its account as everybody may see it."""
    if (number := rolled.roll.versus) is not None:
        row = yield from reading.event(rolled.event.campaign_id, number)
        rolled = replace(rolled, rival=row.event if row else None)
    return (yield from with_account(rolled)) if rolled.roll.stake else rolled


def with_account(rolled: RollResult) -> Piece[RollResult]:
    """Return a check with its account as everybody may see it."""
    event, body = rolled.event, rolled.roll
    owner = event.user_id if body.whose is Remembers.PLAYER else None
    roller, _ = yield from reading.roller(event.campaign_id, event.roller.casefold(), 0)
    if roller is None or body.before is None:
        return rolled
    seen = yield from look(event.campaign_id, roller, body.before, owner, event.seq)
    return replace(rolled, account=seen)


def with_accounts(call: Call) -> Piece[Call]:
    """Return a call whose rolls have their accounts as everybody may see them."""
    if not call.account:
        return call
    entries: list[CallEntry] = []
    for entry in call.entries:
        rolled = yield from with_account(RollResult(entry.event, ()))
        entries.append(replace(entry, account=rolled.account))
    return replace(call, entries=tuple(entries))


def look(
    campaign_id: int, roller: Roller, memory: Memory, owner: int | None, before: int | None = None
) -> Piece[SeenAccount]:
    """Return an account, of a player or the table (None), as it was before event `before`."""
    since = roller.since((yield from reading.evening(campaign_id)))
    hidden = yield from reading.hidden_rolls(campaign_id, roller.name.casefold(), since)
    if not any(_counts(row) and not row.counts for row in hidden):
        return SeenAccount(memory)
    rows = yield from reading.page(
        campaign_id, before=before, limit=_CHECKS_LIMIT, user_id=owner, roller=roller.name
    )
    checks = [(row.event, row.counts) for row in reversed(rows) if row.event.seq > since and _counts(row)]
    return seen_account(memory, checks)


def find(campaign_id: int, name: str, user_id: int) -> Piece[tuple[Roller, SeenAccount] | None]:
    """Return a luck account, and what is on it for a player or the table; None where there is none."""
    found, memory = yield from reading.roller(campaign_id, name.strip().casefold(), user_id)
    if found is None or not isinstance(found.system, LuckAccount):
        return None
    owner = user_id if found.memory is Remembers.PLAYER else None
    kept = found.system.start() if memory is None else memory
    return found, (yield from look(campaign_id, found, kept, owner))


def counted(campaign_id: int, roller: Roller, owner: int | None) -> Piece[list[Event]]:
    """Return the checks that an account has counted since its start, in order, without hidden ones."""
    since = roller.since((yield from reading.evening(campaign_id)))
    rows = yield from reading.page(campaign_id, limit=_CHECKS_LIMIT, user_id=owner, roller=roller.name)
    return [row.event for row in reversed(rows) if row.event.seq > since and row.counts and _counts(row)]


def _counts(row: Row) -> bool:
    """Return whether it is a check that stands and moved an account."""
    event = row.event
    return event.kind is Kind.ROLL and not row.undone and event.roll.stake > 0
