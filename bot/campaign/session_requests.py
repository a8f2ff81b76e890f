"""An evening begins or ends; the statistics and the recap go by these marks."""

from dataclasses import dataclass

from bot.campaign.events import Asked, Kind
from bot.campaign.request import Change, Needs, Scene
from bot.campaign.sessions import Mark
from bot.dice.draws import Draws


@dataclass(frozen=True, slots=True)
class MarkSession:
    """Begin an evening, or end it."""

    mark: Mark

    def needs(self) -> Needs:
        """Nothing."""
        return Needs()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (it only marks)
        """The mark, whatever was marked before; see `bot.campaign.sessions.sessions`."""
        return Change(Kind.SESSION, text=self.mark.value)
