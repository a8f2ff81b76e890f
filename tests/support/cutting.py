"""Histories whose beginning was cut off, made without a database."""

from collections.abc import Sequence

from bot.campaign.command import OPEN, Caller
from bot.campaign.events import Event, HistoryCut
from bot.campaign.histories import Beginning, read_cut
from bot.record.audit import Cutting
from bot.record.hashing import Tree
from bot.record.ledger import Ledger
from bot.times import DISCORD_EPOCH
from tests.support.play import KEYS, LOG, SECRET


def cut(events: Sequence[Event], upto: int, *, days: int = 90) -> list[Event]:
    """Return the events after #`upto`, followed by the cut.

    The events may begin after a cut that they hold.
    """
    begun = events[0].seq - 1
    last = beginning_of(events)
    cutting = Cutting(LOG, KEYS, last)
    for event in events[: upto - begun]:
        cutting.see(event)
    tree = Tree(begun, last.frontier) if last else Tree()
    for event in events:
        tree = tree.append(event.seal.leaf).tree
    ledger = Ledger(events[-1].campaign_id, LOG, SECRET, tree)
    appended = ledger.append(Caller.nobody(DISCORD_EPOCH + tree.size), OPEN, cutting.cut(days), SECRET)
    return [*events[upto - begun :], appended.event]


def beginning_of(events: Sequence[Event]) -> Beginning | None:
    """Return the beginning that a cut among the events records; None without one."""
    begun = events[0].seq - 1
    cuts = (event for event in events if isinstance(event.body, HistoryCut) and event.target == begun)
    return next(map(read_cut, cuts), None)
