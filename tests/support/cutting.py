"""Histories whose beginning was removed, made with the pure rooms alone."""

from collections.abc import Sequence

from bot.campaign.caller import Caller
from bot.campaign.command import OPEN
from bot.campaign.cuts import read_cut
from bot.campaign.events import DISCORD_EPOCH, Event, HistoryCut
from bot.record.cutting import Cutting
from bot.record.ledger import Ledger

SALT = bytes(range(16))


def cut(events: Sequence[Event], upto: int, *, days: int = 90, salt: bytes = SALT) -> list[Event]:
    """What is left after the event of that number, with the cut as its newest event.

    The events may begin after a cut that they hold.
    """
    begun = events[0].seq - 1
    last = next((e for e in events if isinstance(e.body, HistoryCut) and e.target == begun), None)
    cutting = Cutting(salt, read_cut(last) if last else None, last.seal.salt if last else None)
    for event in events[: upto - begun]:
        cutting.see(event)
    newest = events[-1]
    ledger = Ledger(newest.campaign_id, newest.seq, newest.seal.head)
    _, event = ledger.append(Caller.nobody(DISCORD_EPOCH + newest.seq), OPEN, cutting.cut(days), salt)
    return [*events[upto - begun :], event]
