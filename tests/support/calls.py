"""Calls in a campaign in memory, and entries of calls without a campaign."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from bot.campaign.adjustments import PLAIN, Adjustment
from bot.campaign.call_commands import OpenCall
from bot.campaign.call_rolls import AnswerCall, find_call
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import Call
from bot.campaign.campaigns import Remembers
from bot.campaign.command import Following, Needs
from bot.campaign.events import Event
from bot.campaign.replay import CallEntry
from bot.campaign.roller_commands import MakeRoller
from bot.campaign.rolls import RollDice
from bot.dice.draws import Draws, seeded
from bot.dice.system import System
from bot.record.audit import Audit
from tests.support.play import LOG, Campaign, audited

GM = 99


@dataclass
class Table:
    """A game master and players at a campaign; the game master's number is `GM`."""

    campaign: Campaign = field(default_factory=Campaign)
    draws: Draws = field(default_factory=lambda: seeded(0))

    def make(self, name: str, system: System, memory: Remembers = Remembers.TABLE) -> None:
        """Make a roller as the game master."""
        self.campaign.ask(MakeRoller(name, system, memory), self.draws, GM)

    def call(self, dice: str, terms: Terms | None = None, deadline: int | None = None) -> Event:
        """Open a call as the game master."""
        return self.campaign.ask(OpenCall(dice, terms or Terms(Form.CHECK), deadline), self.draws, GM)

    def answer(
        self,
        call: Event,
        user: int,
        adjustment: Adjustment = PLAIN,
        *,
        dice: str = "",
        at: int | None = None,
    ) -> Event:
        """Answer a call as a player, with its dice or with `dice`."""
        command = AnswerCall(1, call.seq, adjustment=adjustment, dice=dice)
        return self.campaign.ask(command, self.draws, user, at=at)

    def read(self, call: Event) -> Call:
        """Return the state of a call."""
        state = self.campaign.state(Needs(event=call.seq, following=Following.ALL))
        return find_call(state, call.seq)

    def holds(self) -> bool:
        """Return whether the audit accepts the history."""
        audit = Audit(LOG)
        audited(self.campaign.events, audit)
        return audit.tree == self.campaign.ledger.tree


def entries_of(totals: Iterable[int | None], lots: Iterable[int] = ()) -> list[CallEntry]:
    """Return an entry for each total, in order; entries beyond the lots have lot 0."""
    event = Campaign().ask(RollDice("1d20"), seeded(0))
    drawn = iter(lots)
    return [
        CallEntry(replace(event, seq=seq), 0, "", (), total, next(drawn, 0))
        for seq, total in enumerate(totals, start=1)
    ]
