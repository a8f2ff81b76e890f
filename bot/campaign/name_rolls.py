"""Rolls for people of the game master's own: monsters, and whoever else has no player."""

from dataclasses import dataclass, replace

from bot.campaign.call_fitting import must_count
from bot.campaign.call_rolls import find_call, lots, must_be_open
from bot.campaign.call_terms import Form
from bot.campaign.events import Asked
from bot.campaign.request import Change, Needs, Scene
from bot.campaign.rolls import RollDice
from bot.dice.draws import Draws
from bot.dice.errors import SpecError

NAMES_LIMIT = 20
"""As many of their own can a game master roll for at once."""


@dataclass(frozen=True, slots=True)
class RollForNames:
    """The game master rolls for people of their own, once for each name; also into an initiative."""

    dice: str
    names: tuple[str, ...]
    campaign_id: int | None = None
    number: int | None = None
    """The call that they join; None for none."""

    def needs(self) -> Needs:
        """The call with what became of it, if there is one, and the roller."""
        return Needs(
            roller=self.dice.strip().casefold(),
            campaign=self.campaign_id,
            event=self.number,
            following=self.number is not None,
        )

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll with a result for each name; DiceError for no name, too many, or a call that is closed."""
        if not 1 <= len(self.names) <= NAMES_LIMIT:
            raise SpecError(f"Roll for 1 to {NAMES_LIMIT} at once, not for {len(self.names)}.")
        if not all(self.names):
            raise SpecError("Everybody that you roll for needs a name.")
        call = None if self.number is None else find_call(scene, self.number)
        if call:
            must_be_open(call, asked)
        if call and call.terms.form is Form.DEAL:
            raise SpecError("This call deals cards to players. Deal to others with /deal.")
        if call and scene.roller and scene.roller.system:
            must_count(call.terms, scene.roller)
        change = RollDice(self.dice, len(self.names)).decide(asked, scene, draws)
        if len(change.results) != len(self.names):
            raise SpecError("Each rolls once. Leave out what repeats the roll.")
        drawn = lots(call, len(self.names), draws) if call else {}
        detail = {**change.detail, "names": list(self.names), **drawn}
        return replace(change, target=self.number, detail=detail)
