"""A campaign's ledger: its number of events and the head of its chain, and how a change joins it."""

from dataclasses import dataclass, replace

from bot.campaign.events import Asked, Event, Visibility
from bot.campaign.request import THIS, Change
from bot.campaign.rollers import Roller
from bot.dice.labels import Label
from bot.record.chain import START, hash_person, seal


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where a campaign's history stands: its newest event's number, and the head after it."""

    campaign_id: int
    seq: int = 0
    head: bytes = START

    def append(
        self, asked: Asked, change: Change, source: Label | None, salt: bytes
    ) -> tuple["Ledger", Event]:
        """The ledger after a change, and the change as its newest event."""
        event = Event(
            campaign_id=self.campaign_id,
            seq=self.seq + 1,
            interaction_id=asked.interaction_id,
            channel_id=asked.channel_id,
            user_id=asked.user_id,
            kind=change.kind,
            roller=change.roller,
            text=change.text,
            visibility=asked.visibility or Visibility.PUBLIC,
            label=asked.label,
            source=source,
            results=change.results,
            spec=change.spec,
            target=change.target,
            detail=change.detail,
            salt=salt,
            person=hash_person(salt, asked.user_id, asked.label),
            head=self.head,
        )
        sealed = seal(self.head, event)
        return Ledger(self.campaign_id, sealed.seq, sealed.head), sealed


def numbered(roller: Roller, seq: int) -> Roller:
    """The roller with THIS replaced by the event's number."""
    epoch = seq if roller.epoch == THIS else roller.epoch
    last = seq if roller.last == THIS else roller.last
    return replace(roller, epoch=epoch, last=last)
