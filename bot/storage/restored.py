"""Note in a campaign that its history was put back to a backup: what came after that is another branch."""

from sqlalchemy import update

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import HistoryRestored
from bot.storage import schema
from bot.storage.ledgers import end_keys, lock_ledger, standing
from bot.storage.queries import Queries, Query
from bot.storage.rows import of_campaign
from bot.storage.saving import save_appended

_e = schema.event.c
_SETTLE_ALL = update(schema.event).where(of_campaign(schema.event), _e.owed.is_not(None)).values(owed=None)
_ANYBODY = ""
"""The process that owes a word of it to whoever rolls next: none that runs."""


def note_restored(campaign_id: int, clock: int) -> Queries[None]:
    """Append the event that says so, at a time in milliseconds since 1970; end the keys of proof mode.

    Replies that are owed are dropped: since the backup was made each was given, or told under a later roll.
    """
    ledger = yield from lock_ledger(campaign_id)
    if ledger is None:
        return
    proof = yield from standing(campaign_id)
    yield Query(_SETTLE_ALL, {"campaign": campaign_id})
    body = HistoryRestored(last=ledger.seq)
    appended = ledger.append(Caller.nobody(clock), OPEN, body, ledger.secret)
    yield from save_appended(appended, process=_ANYBODY)
    if proof:
        yield from end_keys(campaign_id)
