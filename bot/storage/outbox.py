"""Rolls whose reply never reached Discord: their players are told of them at the next roll.

Every roll is owed a reply from its own transaction on. This process learns how each reply went, and keeps
that in memory until the next batch takes it to the database; rolls of a process that died are found there.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from bot.campaign.campaigns import UNNAMED, Campaign
from bot.campaign.events import Event
from bot.record.checkpoint import Checkpoint
from bot.storage.batch import EventAt
from bot.storage.rows import is_replied_to

SHOWN = 3
"""At most as many lost rolls are shown with one reply; the rest come with the next."""
PATIENCE_SECONDS = 10
"""A living process may still be replying to a roll that is younger than this."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a request came to, once it is durable."""

    event: Event
    new: bool
    """False if this interaction was delivered, and so decided, before."""
    undelivered: tuple[Event, ...] = ()
    """Rolls of the same campaign whose reply was lost, the oldest first; only this reply shows them."""
    campaign: Campaign = UNNAMED
    """What is set about the campaign after the batch."""
    about: Event | None = None
    """The event that it is about, if the command saw it."""
    checkpoint: Checkpoint | None = None
    """The log after the batch, where the reply is to show it."""


class Outbox:
    """What this process knows about replies."""

    def __init__(self, *, alone: bool) -> None:
        self._patience = 0 if alone else PATIENCE_SECONDS
        self._lost: dict[int, dict[int, Event]] = {}
        self._showing: set[EventAt] = set()
        self._settled: set[EventAt] = set()

    @property
    def settled(self) -> frozenset[EventAt]:
        """Rolls that are owed nothing any more, which the database does not know yet."""
        return frozenset(self._settled)

    def delivered(self, written: Written) -> None:
        """Note that the reply was shown, and with it the undelivered ones."""
        if is_replied_to(written.event):
            self._settle(written.event)
        for event in written.undelivered:
            self._settle(event)

    def lost(self, written: Written) -> None:
        """Note that the reply did not reach Discord; what it would have shown waits for the next one.

        A second delivery's reply is not counted: the first one's decides.
        """
        event = written.event
        if written.new and is_replied_to(event):
            self._lost.setdefault(event.campaign_id, {})[event.seq] = event
        self._showing.difference_update(map(_at, written.undelivered))

    def saved(self, settled: Iterable[EventAt]) -> None:
        """Note that the database knows these now."""
        self._settled.difference_update(settled)

    def claim(self, event: Event, elsewhere: Iterable[Event]) -> tuple[Event, ...]:
        """Return what to show with an event's reply: this process's lost rolls, and those found elsewhere."""
        lost = {_at(e): e for e in (*elsewhere, *self._lost.get(event.campaign_id, {}).values())}
        waiting = sorted(at for at in lost if at not in self._showing and at not in self._settled)[:SHOWN]
        self._showing.update(waiting)
        return tuple(lost[at] for at in waiting)

    def before(self) -> float:
        """Another process's rolls asked for before this, in seconds since 1970, count as lost."""
        return time.time() - self._patience

    def _settle(self, event: Event) -> None:
        self._settled.add(_at(event))
        self._showing.discard(_at(event))
        lost = self._lost.get(event.campaign_id, {})
        if lost.pop(event.seq, None) and not lost:
            del self._lost[event.campaign_id]


def _at(event: Event) -> EventAt:
    return EventAt(event.campaign_id, event.seq)
