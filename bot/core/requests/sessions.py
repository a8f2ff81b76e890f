"""An evening begins or ends; the statistics and the recap go by these marks."""

from dataclasses import dataclass

from bot.core.draws import Draws
from bot.core.events import Asked, Kind
from bot.core.requests.request import Change, Needs, Scene
from bot.core.sessions import Mark


@dataclass(frozen=True, slots=True)
class MarkSession:
    """Begin an evening, or end it."""

    mark: Mark

    def needs(self) -> Needs:
        """Nothing."""
        return Needs()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (it only marks)
        """The mark, whatever was marked before; see `bot.core.sessions.sessions`."""
        return Change(Kind.SESSION, text=self.mark.value)
