"""Who may see a hidden roll, and showing it to everybody."""

from dataclasses import dataclass

from bot.campaign.events import Asked, Event, Kind, Visibility
from bot.campaign.request import Change, Needs, Scene
from bot.dice.draws import Draws
from bot.dice.errors import DiceError, NotAllowed, Unknown


def may_see(event: Event, user_id: int, *, is_gm: bool) -> bool:
    """Whether a person may see a roll's result before it is revealed."""
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
class Reveal:
    """Show a hidden roll to everybody; who may see it may show it."""

    number: int
    is_gm: bool
    campaign_id: int | None = None
    """None is the campaign that is played where it is asked."""

    def needs(self) -> Needs:
        """The roll."""
        return Needs(event=self.number, campaign=self.campaign_id)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A reveal; Unknown, NotAllowed or DiceError: no hidden roll, not theirs to see, revealed before."""
        event = scene.event
        if event is None or event.kind is not Kind.ROLL or event.visibility is Visibility.PUBLIC:
            raise Unknown(f"#{self.number} is no hidden roll, so there is nothing to reveal.")
        if not may_see(event, asked.user_id, is_gm=self.is_gm):
            raise NotAllowed(f"#{self.number} is hidden from you, so you can't reveal it.")
        if scene.revealed:
            raise DiceError(f"#{self.number} is revealed already.")
        return Change(Kind.REVEAL, event.roller, target=event.seq)
