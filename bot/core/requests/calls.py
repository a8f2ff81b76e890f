"""Calling the table for rolls, answering a call, and what its game master does with it."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.core.bases import Json
from bot.core.calls.adjusting import PLAIN, Adjustment
from bot.core.calls.call import TIES, Call, Status, read_call
from bot.core.calls.fitting import must_count, once, shows_numbers
from bot.core.calls.terms import Form, Terms
from bot.core.draws import Draws
from bot.core.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.core.events import Asked, Event, Kind, Visibility
from bot.core.names import NAME_LIMIT, clean
from bot.core.requests.d100 import KEPT
from bot.core.requests.deals import CARD_SYSTEMS, DealCards
from bot.core.requests.request import Change, Needs, Scene
from bot.core.requests.rolls import RollDice
from bot.core.rollers import Remembers, Roller

NAMES_LIMIT = 20
"""As many of their own can a game master roll for at once."""


class Answered(DiceError):
    """Who asks has answered the call already."""

    def __init__(self, number: int) -> None:
        super().__init__(f"You have rolled for this already, as #{number}.")
        self.number = number


@dataclass(frozen=True, slots=True)
class OpenCall:
    """Call for rolls of a roller of the channel, or of notation."""

    terms: Terms
    dice: str
    deadline: int | None = None
    """Milliseconds since 1970; None leaves it open until it is closed."""

    def needs(self) -> Needs:
        """The roller of that name, if there is one."""
        return Needs(roller=self.dice.strip().casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (it only calls)
        """The call; NotationError, SpecError or Unknown where the dice can't be rolled so."""
        detail: dict[str, Json] = {"call": self.terms.as_json()}
        if self.deadline is not None:
            detail["deadline"] = self.deadline
        roller = scene.roller
        if roller and roller.system:
            self._check_roller(roller)
            return Change(Kind.CALL, roller.name, detail=detail)
        if self.terms.form is Form.DEAL:
            name = clean(self.dice, NAME_LIMIT)
            raise Unknown(f"There is no deck {name} here. A game master makes one with /roller cards.")
        return Change(Kind.CALL, text=once(self.dice), detail=detail)

    def _check_roller(self, roller: Roller) -> None:
        if self.terms.form is Form.DEAL:
            if not isinstance(roller.system, CARD_SYSTEMS):
                raise SpecError(f"{roller.name} has no cards to deal. Call for it with /group call.")
        else:
            must_count(self.terms, roller)
        _must_remember(self.terms.whose, roller)


@dataclass(frozen=True, slots=True)
class AnswerCall:
    """Roll for a call, once: for oneself, or for somebody who did not."""

    campaign_id: int
    number: int
    dice: str
    """What the call is for, or what is rolled in its place: a roller's name, or notation."""
    adjustment: Adjustment = PLAIN
    whose: Remembers | None = None
    """Whose rolls the roller remembers for the call; None is as it has it."""
    absent: bool = False
    """Whether the game master rolls for somebody who did not."""

    def needs(self) -> Needs:
        """The call with what became of it, and the roller."""
        return Needs(
            roller=self.dice.strip().casefold(),
            campaign=self.campaign_id,
            event=self.number,
            following=True,
            whose=self.whose,
        )

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll; Answered if the player has rolled, DiceError where no rolls are taken (any more)."""
        call = _find(scene, self.number)
        if entry := call.of(asked.user_id):
            raise Answered(entry.event.seq)
        _must_be_open(call, asked)
        roller = scene.roller if scene.roller and scene.roller.system else None
        change = self._roll(call, roller, asked, scene, draws)
        detail: dict[str, Json] = {**change.detail, **_lots(call, 1, draws)}
        if self.absent:
            detail["absent"] = True
        if roller:
            detail |= self._said(roller)
        state = replace(change.state, memory=roller.memory) if change.state and roller else change.state
        return replace(change, target=self.number, detail=detail, state=state)

    def _roll(self, call: Call, roller: Roller | None, asked: Asked, scene: Scene, draws: Draws) -> Change:
        if roller is None:
            if self.dice.strip().casefold() == call.event.roller.casefold():
                gone = call.event.roller
                raise Unknown(f"The roller {gone} is not here any more. A game master can cancel this call.")
            if call.terms.form is Form.DEAL:
                raise SpecError("This call deals cards, and nothing can be rolled in their place.")
            return RollDice(once(self.adjustment.on_dice(self.dice))).decide(asked, scene, draws)
        # What doesn't fit is refused before anything is drawn.
        _must_remember(self.whose, roller)
        if self.whose:
            scene = replace(scene, roller=replace(roller, memory=self.whose))
        if self.adjustment != PLAIN and (call.terms.form is Form.DEAL or not shows_numbers(roller)):
            raise SpecError(f"{roller.name} shows no numbers that anything could be added to.")
        if call.terms.form is Form.DEAL:
            return DealCards(self.dice, call.terms.cards).decide(asked, scene, draws)
        must_count(call.terms, roller)
        self.adjustment.on_roller()
        return RollDice(self.dice, 2 if self.adjustment.keep else 1).decide(asked, scene, draws)

    def _said(self, roller: Roller) -> dict[str, Json]:
        """What the record must say of a roller's roll, for the total and for replay."""
        said: dict[str, Json] = {}
        if plus := self.adjustment.on_roller():
            said["plus"] = plus
        if self.adjustment.keep:
            said["keep"] = self.adjustment.keep.value
        if self.whose and roller.system and roller.system.remembers and self.whose is not roller.memory:
            said["whose"] = self.whose.value
        return said


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
        call = None if self.number is None else _find(scene, self.number)
        if call:
            _must_be_open(call, asked)
        if call and call.terms.form is Form.DEAL:
            raise SpecError("This call deals cards to players. Deal to others with /deal.")
        if call and scene.roller and scene.roller.system:
            must_count(call.terms, scene.roller)
        change = RollDice(self.dice, len(self.names)).decide(asked, scene, draws)
        if len(change.results) != len(self.names):
            raise SpecError("Each rolls once. Leave out what repeats the roll.")
        detail: dict[str, Json] = {**change.detail, "names": list(self.names)}
        if call:
            detail |= _lots(call, len(self.names), draws)
        return replace(change, target=self.number, detail=detail)


@dataclass(frozen=True, slots=True)
class CloseCall:
    """Take no more rolls for a call."""

    campaign_id: int
    number: int

    def needs(self) -> Needs:
        """The call with what became of it."""
        return _whole(self.campaign_id, self.number)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The close; DiceError unless it is open."""
        call = _find(scene, self.number)
        if call.status is not Status.OPEN:
            raise DiceError(f"This call is {call.status} already.")
        return _about(call, Kind.CLOSE)


@dataclass(frozen=True, slots=True)
class ReopenCall:
    """Take rolls for a call again."""

    campaign_id: int
    number: int
    deadline: int | None = None

    def needs(self) -> Needs:
        """The call with what became of it."""
        return _whole(self.campaign_id, self.number)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The call is open again, also after its deadline; DiceError if it is open."""
        call = _find(scene, self.number)
        if call.is_open(asked.time):
            raise DiceError("This call is open already.")
        change = _about(call, Kind.REOPEN)
        return change if self.deadline is None else replace(change, detail={"deadline": self.deadline})


@dataclass(frozen=True, slots=True)
class CancelCall:
    """Call it off: what was rolled stays in the history and comes to nothing."""

    campaign_id: int
    number: int

    def needs(self) -> Needs:
        """The call with what became of it."""
        return _whole(self.campaign_id, self.number)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The end; DiceError if it was cancelled before."""
        call = _find(scene, self.number)
        if call.status is Status.CANCELLED:
            raise DiceError("This call is cancelled already.")
        return _about(call, Kind.CANCEL)


@dataclass(frozen=True, slots=True)
class RevealCall:
    """Show everybody all rolls of a hidden call, those included that are yet to come."""

    campaign_id: int
    number: int

    def needs(self) -> Needs:
        """The call with what became of it."""
        return _whole(self.campaign_id, self.number)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A reveal; DiceError if everybody may see it already."""
        call = _find(scene, self.number)
        if call.shown:
            raise DiceError("Everybody can see this call's rolls already.")
        if call.terms.visibility is Visibility.SELF:
            raise NotAllowed("Hands belong to those who hold them. Each can reveal their own.")
        return _about(call, Kind.REVEAL)


CallDeed: TypeAlias = CloseCall | ReopenCall | CancelCall | RevealCall
"""What a game master does with a call."""


def _whole(campaign_id: int, number: int) -> Needs:
    return Needs(campaign=campaign_id, event=number, following=True)


def _find(scene: Scene, number: int) -> Call:
    event: Event | None = scene.event
    if event is None or event.kind is not Kind.CALL:
        raise Unknown(f"#{number} is no call for rolls.")
    return read_call(event, scene.following)


def _must_be_open(call: Call, asked: Asked) -> None:
    if call.status is Status.CANCELLED:
        raise DiceError("This call was cancelled.")
    if not call.is_open(asked.time):
        raise DiceError("This call is closed. A game master can reopen it.")


def _about(call: Call, kind: Kind) -> Change:
    return Change(kind, call.event.roller, call.event.text, target=call.event.seq)


def _lots(call: Call, count: int, draws: Draws) -> dict[str, Json]:
    """A lot for each roll of an initiative, to break ties with."""
    if call.terms.form is not Form.INITIATIVE:
        return {}
    return {"lots": [draws.below(TIES) for _ in range(count)]}


def _must_remember(whose: Remembers | None, roller: Roller) -> None:
    """SpecError if a d100's own roller, which every player has for themselves, is to be the table's."""
    if whose is Remembers.TABLE and roller.name.casefold() in KEPT:
        raise SpecError(f"The {roller.name} is each player's own, and can't be the table's for a call.")
