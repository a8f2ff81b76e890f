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
            clock=None,
            channel_id=caller.channel_id,
            user_id=caller.user_id,
            label=options.label,
            visibility=options.visibility or usual,
            body=body,
            seal=Seal(salt, hash_person(salt, caller.user_id, options.label), self.head),
        )
        return self._sealed(event)

    def append_unasked(self, clock: int, body: Body, salt: bytes) -> tuple["Ledger", Event]:
        """Return the ledger with an event that nobody asked for, at a time in milliseconds since 1970."""
        event = Event(
            campaign_id=self.campaign_id,
            seq=self.seq + 1,
            interaction_id=None,
            part=0,
            clock=clock,
            channel_id=0,
            user_id=None,
            label=None,
            visibility=Visibility.PUBLIC,
            body=body,
            seal=Seal(salt, hash_person(salt, NOBODY, ""), self.head),
        )
        return self._sealed(event)

    def _sealed(self, event: Event) -> tuple["Ledger", Event]:
        sealed = link(self.head, event)
        return Ledger(self.campaign_id, sealed.seq, sealed.seal.head), sealed


NOBODY = 0
"""Who asks for what nobody asked for: no player."""
