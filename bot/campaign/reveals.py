"""Who may see a hidden roll, and showing it to everybody."""

from dataclasses import dataclass

from bot.campaign.command import Caller, Needs, Plain
from bot.campaign.events import Event, Revealed, Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.state import State
from bot.dice.errors import DiceError, NotAllowed, Unknown


def may_see(event: Event, user_id: int, *, is_gm: bool) -> bool:
    """Return whether a person may see a roll's result before it is revealed."""
    match event.visibility:
        case Visibility.PUBLIC:
            return True
        case Visibility.SELF:
            return event.user_id == user_id
        case Visibility.GM:
            return is_gm or event.user_id == user_id
        case Visibility.BLIND:
            return is_gm


@dataclass(frozen=True, slots=True)
class Reveal(Plain):
    """Show a hidden roll to everybody; who may see it may show it."""

    number: int
    is_gm: bool
    campaign_id: int | None = None
    """None is the campaign that is played in the caller's channel."""

    def needs(self) -> Needs:
        """Return the roll."""
        return Needs(event=self.number, campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> Revealed:
        """Reveal it; Unknown, NotAllowed or DiceError: no hidden roll, not theirs to see, revealed before."""
        event = state.event
        if event is None or not isinstance(event.body, Rolled) or event.visibility is Visibility.PUBLIC:
            raise Unknown(f"#{self.number} is no hidden roll, so there is nothing to reveal.")
        if not may_see(event, caller.user_id, is_gm=self.is_gm):
            raise NotAllowed(f"#{self.number} is hidden from you, so you can't reveal it.")
        if state.revealed:
            raise DiceError(f"#{self.number} is revealed already.")
        return Revealed(roller=event.roller, target=event.seq)
