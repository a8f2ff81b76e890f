"""What a game master does with a call: close it, reopen it, cancel it, reveal its rolls."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.call_rolls import find_call
from bot.campaign.calls import Status
from bot.campaign.events import Asked, Kind, Visibility
from bot.campaign.request import Change, Needs, Scene
from bot.dice.draws import Draws
from bot.dice.errors import DiceError, NotAllowed


@dataclass(frozen=True, slots=True)
class _Deed:
    """About one call."""

    campaign_id: int
    number: int

    def needs(self) -> Needs:
        """The call with what became of it."""
        return Needs(campaign=self.campaign_id, event=self.number, following=True)

    def _done(self, kind: Kind, scene: Scene) -> Change:
        call = scene.event
        about = (call.roller, call.text) if call else ("", "")
        return Change(kind, *about, target=self.number)


class CloseCall(_Deed):
    """Take no more rolls for a call."""

    __slots__ = ()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The close; DiceError unless it is open."""
        call = find_call(scene, self.number)
        if call.status is not Status.OPEN:
            raise DiceError(f"This call is {call.status} already.")
        return self._done(Kind.CLOSE, scene)


class ReopenCall(_Deed):
    """Take rolls for a call again, without a deadline."""

    __slots__ = ()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The call is open again, also after its deadline; DiceError if it is open."""
        if find_call(scene, self.number).is_open(asked.time):
            raise DiceError("This call is open already.")
        return self._done(Kind.REOPEN, scene)


class CancelCall(_Deed):
    """Call it off: what was rolled stays in the history and comes to nothing."""

    __slots__ = ()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The end; DiceError if it was cancelled before."""
        if find_call(scene, self.number).status is Status.CANCELLED:
            raise DiceError("This call is cancelled already.")
        return self._done(Kind.CANCEL, scene)


class RevealCall(_Deed):
    """Show everybody all rolls of a hidden call, those included that are yet to come."""

    __slots__ = ()

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A reveal; DiceError if everybody may see it already, NotAllowed for hands."""
        call = find_call(scene, self.number)
        if call.shown:
            raise DiceError("Everybody can see this call's rolls already.")
        if call.terms.visibility is Visibility.SELF:
            raise NotAllowed("Hands belong to those who hold them. Each can reveal their own.")
        return self._done(Kind.REVEAL, scene)


CallDeed: TypeAlias = CloseCall | ReopenCall | CancelCall | RevealCall
"""What a game master does with a call."""
