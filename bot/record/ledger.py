"""A campaign's ledger: its keys and its tree, and how a body joins it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.campaign.command import Caller, RollOptions
from bot.campaign.events import Body, Event
from bot.campaign.seals import Seal
from bot.campaign.visibility import Visibility
from bot.dice.sources import SourcedDraws
from bot.record.checkpoint import Checkpoint
from bot.record.commitments import Keys
from bot.record.entries import ORIGIN, Entered, enter
from bot.record.proof_mode import Epoch, KeyedDraws
from bot.record.tree import Spot, Tree


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where a campaign's history stands."""

    campaign_id: int
    log: str
    """The 32 hexadecimal digits that name it for ever."""
    secret: bytes = field(repr=False)
    """The campaign's key."""
    tree: Tree = field(default_factory=Tree)
    epoch: Epoch | None = None
    """In proof mode, where its keys come from."""

    @property
    def seq(self) -> int:
        """Return the newest event's number."""
        return self.tree.size

    @property
    def checkpoint(self) -> Checkpoint:
        """Return the checkpoint after the newest event."""
        return Checkpoint(f"{ORIGIN}{self.log}", self.tree.size, self.tree.root)

    @property
    def key(self) -> bytes | None:
        """Return the key of the next event; None without proof mode, and where its keys are used up."""
        return self.epoch.key_of(self.seq + 1) if self.epoch else None

    def draws(self, caller: Caller) -> SourcedDraws | None:
        """Return the draws that the next event's key gives to who asks; None where there is no key."""
        epoch, key = self.epoch, self.key
        return KeyedDraws(key, self.log, self.seq + 1, caller, epoch.salt) if epoch and key else None

    def append(
        self,
        caller: Caller,
        options: RollOptions,
        body: Body,
        person: bytes,
        usual: Visibility = Visibility.PUBLIC,
    ) -> "Appended":
        """Return the ledger with a body as its newest event; `usual` is for options that leave it open.

        `person` is the key of who asks, in this campaign; it is not used where nobody does.
        """
        asked = caller.clock is None
        event = Event(
            campaign_id=self.campaign_id,
            seq=self.seq + 1,
            interaction_id=caller.interaction_id,
            part=caller.part,
            clock=caller.clock,
            channel_id=caller.channel_id,
            user_id=caller.user_id if asked else None,
            label=options.label if asked else None,
            visibility=options.visibility or usual,
            body=body,
            log="" if self.seq else self.log,
        )
        entered = enter(event, Keys(self.secret, person if asked else self.secret))
        tree, completed = self.tree.append(entered.leaf)
        epoch = self.epoch.after(event) if self.epoch else None
        ledger = Ledger(self.campaign_id, self.log, self.secret, tree, epoch)
        return Appended(ledger, replace(event, seal=Seal(entered.leaf)), completed, entered)


class Appended(NamedTuple):
    """A ledger after one more event."""

    ledger: Ledger
    event: Event
    completed: Mapping[Spot, bytes]
    """The hashes of tiles that are to be stored from now on."""
    entered: Entered
    """What the event's row is made of."""
