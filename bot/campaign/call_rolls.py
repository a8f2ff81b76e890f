"""Calling the table for rolls, and answering a call."""

from dataclasses import dataclass, replace

from bot.campaign.adjustments import PLAIN, Adjustment
from bot.campaign.call_fitting import must_count, once, shows_numbers
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import TIES, Call, Status, read_call
from bot.campaign.d100_rolls import KEPT
from bot.campaign.deals import CARD_SYSTEMS, DealCards
from bot.campaign.events import Asked, Event, Kind
from bot.campaign.request import Change, Needs, Scene
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import RollDice
from bot.dice.bases import Json
from bot.dice.draws import Draws
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean


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
        # Other people's rolls change nothing here, and reading them all for each of many presses takes time.
        concerned = (e for e in scene.following if e.kind is not Kind.ROLL or e.user_id == asked.user_id)
        call = find_call(replace(scene, following=tuple(concerned)), self.number)
        if entry := call.of(asked.user_id):
            raise Answered(entry.event.seq)
        must_be_open(call, asked)
        roller = scene.roller if scene.roller and scene.roller.system else None
        change = self._roll(call, roller, asked, scene, draws)
        detail: dict[str, Json] = {**change.detail, **lots(call, 1, draws)}
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


def find_call(scene: Scene, number: int) -> Call:
    """The call that a request is about; Unknown if that number is none."""
    event: Event | None = scene.event
    if event is None or event.kind is not Kind.CALL:
        raise Unknown(f"#{number} is no call for rolls.")
    return read_call(event, scene.following)


def must_be_open(call: Call, asked: Asked) -> None:
    """DiceError unless rolls are taken when it is asked."""
    if call.status is Status.CANCELLED:
        raise DiceError("This call was cancelled.")
    if not call.is_open(asked.time):
        raise DiceError("This call is closed. A game master can reopen it.")


def lots(call: Call, count: int, draws: Draws) -> dict[str, Json]:
    """A lot for each roll of an initiative, to break ties with."""
    if call.terms.form is not Form.INITIATIVE:
        return {}
    return {"lots": [draws.below(TIES) for _ in range(count)]}


def _must_remember(whose: Remembers | None, roller: Roller) -> None:
    """SpecError if a d100's own roller, which every player has for themselves, is to be the table's."""
    if whose is Remembers.TABLE and roller.name.casefold() in KEPT:
        raise SpecError(f"The {roller.name} is each player's own, and can't be the table's for a call.")
