"""Histories whose beginning was removed, made with the core's functions alone."""

from collections.abc import Sequence
from dataclasses import replace

from bot.campaign.cuts import NOBODY, read_cut
from bot.campaign.events import Asked, Event, Kind
from bot.record.cutting import Cutting
from bot.record.ledger import Ledger

SALT = bytes(range(16))


def cut(events: Sequence[Event], upto: int, *, days: int = 90, salt: bytes = SALT) -> list[Event]:
    """What is left after the event of that number, with the cut as its newest event.

    The events may begin after a cut that they hold.
    """
    begun = events[0].seq - 1
    last = next((event for event in events if event.kind is Kind.CUT and event.target == begun), None)
    cutting = Cutting(salt, read_cut(last) if last else None, last.salt if last else None)
    for event in events[: upto - begun]:
        cutting.see(event)
    newest = events[-1]
    asked = Asked(-(newest.seq << 22), None, 0, NOBODY)
    ledger = Ledger(newest.campaign_id, newest.seq, newest.head)
    _, event = ledger.append(asked, cutting.cut(days).change(), None, salt)
    return [*events[upto - begun :], replace(event, user_id=None, label=None)]
