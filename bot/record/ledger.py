"""A campaign's ledger: its number of events and the head of its chain, and how a body joins it."""

from dataclasses import dataclass

from bot.campaign.caller import Caller
from bot.campaign.command import RollOptions
from bot.campaign.events import Body, Event, Seal
from bot.campaign.visibility import Visibility
from bot.record.chain import START, hash_person, link


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where a campaign's history stands: its newest event's number, and the head after it."""

    campaign_id: int
    seq: int = 0
    head: bytes = START

    def append(
        self,
        caller: Caller,
        options: RollOptions,
        body: Body,
        salt: bytes,
        usual: Visibility = Visibility.PUBLIC,
    ) -> tuple["Ledger", Event]:
        """Return the ledger with a body as its newest event; `usual` is for options that leave it open."""
        event = Event(
            campaign_id=self.campaign_id,
            seq=self.seq + 1,
            interaction_id=caller.interaction_id,
            part=caller.part,
            clock=caller.clock,
            channel_id=caller.channel_id,
            user_id=caller.user_id if caller.clock is None else None,
            label=options.label if caller.clock is None else None,
            visibility=options.visibility or usual,
            body=body,
            seal=Seal(salt, hash_person(salt, caller.user_id, options.label), self.head),
        )
        sealed = link(self.head, event)
        return Ledger(self.campaign_id, sealed.seq, sealed.seal.head), sealed
