"""A roller that is brought in from a file: it never takes the place of one that is there."""

from dataclasses import dataclass

from bot.campaign.events import Asked
from bot.campaign.request import Change, Needs, Scene
from bot.campaign.roller_requests import MakeRoller
from bot.dice.draws import Draws
from bot.dice.errors import SpecError


@dataclass(frozen=True, slots=True)
class BringRoller:
    """Make a roller, unless there is one of its name."""

    make: MakeRoller

    def needs(self) -> Needs:
        """The roller that may be there."""
        return self.make.needs()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A made roller; SpecError if there is one of that name, or for what `MakeRoller` refuses."""
        if scene.roller and scene.roller.system:
            raise SpecError("There is a roller of that name already. Remove it first, and import once more.")
        return self.make.decide(asked, scene, draws)
