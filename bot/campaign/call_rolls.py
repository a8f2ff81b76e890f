"""A press on a call's button: who may roll for it, and what they roll."""

from dataclasses import dataclass, replace

from bot.campaign.adjustments import PLAIN, Adjustment
from bot.campaign.call_commands import (
    draw_lots,
    find_call,
    must_be_open,
    must_count,
    must_remember,
    read_once,
)
from bot.campaign.call_terms import Form, Terms
from bot.campaign.calls import Call
from bot.campaign.checks import RollCheck
from bot.campaign.command import Caller, Drawing, Following, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import DealCards, RollDice
from bot.campaign.state import State
from bot.dice import notation
from bot.dice.errors import DiceError, NotAllowed, NotationError, SpecError, Unknown
from bot.dice.sources import SourcedDraws


class Answered(DiceError):
    """The caller has answered the call already."""

    def __init__(self, number: int) -> None:
        super().__init__(f"You have rolled for this already, as #{number}.")
        self.number = number


@dataclass(frozen=True, slots=True)
class AnswerCall(Drawing):
    """Roll for a call, once: for oneself, or for somebody who did not."""

    campaign_id: int
    number: int
    dice: str
    """The roller's name or the notation: what the call is for, or what is rolled in its place."""
    adjustment: Adjustment = PLAIN
    whose: Remembers | None = None
    """Whose rolls the roller remembers for the call; None is as it has it."""
    absent: bool = False
    """Whether the game master rolls for somebody who did not."""
    account: str = ""
    """The luck account that the call has; "" for none."""
    options: RollOptions = RollOptions(called=True)

    def needs(self) -> Needs:
        """Return the call with the caller's own roll, and the roller."""
        name = self.account or ("" if notation.reads(self.dice) else self.dice)
        return Needs(
            roller=name.strip().casefold(),
            campaign=self.campaign_id,
            event=self.number,
            following=Following.OWN,
            whose=self.whose,
        )

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Answered if the player has rolled, DiceError where no rolls are taken (any more)."""
        call = find_call(state, self.number)
        if entry := call.of(caller.user_id):
            raise Answered(entry.event.seq)
        must_be_open(call, caller.time)
        roller = state.present()
        body = self._roll(call, roller, caller, state, draws)
        body = replace(body, target=self.number, lots=draw_lots(call, 1, draws), absent=self.absent)
        if roller is None or self.account:
            return body
        return replace(body, plus=self.adjustment.on_roller(), keep=self.adjustment.keep)

    def _roll(
        self, call: Call, roller: Roller | None, caller: Caller, state: State, draws: SourcedDraws
    ) -> Rolled:
        if self.account:
            dice = read_once(self.adjustment.on_dice(self.dice))
            check = RollCheck(dice, call.terms.check, self.account, self.options)
            return check.decide(caller, _with_memory(state, self.whose), draws)
        if roller is None:
            if self.dice.strip().casefold() == call.opened.roller.casefold():
                gone = call.opened.roller
                raise Unknown(f"The roller {gone} is not here any more. A game master can cancel this call.")
            if call.terms.form is Form.DEAL:
                raise SpecError("This call deals cards, and nothing can be rolled in their place.")
            dice = read_once(self.adjustment.on_dice(self.dice))
            return RollDice(dice, options=self.options).decide(caller, state, draws)
        # What doesn't fit is refused before anything is drawn.
        must_remember(self.whose, roller)
        state = _with_memory(state, self.whose)
        if self.adjustment != PLAIN and (call.terms.form is Form.DEAL or not roller.shows_numbers):
            raise SpecError(f"{roller.name} shows no numbers that anything could be added to.")
        if call.terms.form is Form.DEAL:
            deal = DealCards(self.dice, call.terms.cards, self.options)
            return deal.decide(caller, state, draws)
        must_count(call.terms, roller)
        self.adjustment.on_roller()
        times = 2 if self.adjustment.keep else 1
        return RollDice(self.dice, times, self.options).decide(caller, state, draws)


def _with_memory(state: State, whose: Remembers | None) -> State:
    """Return the state with the roller's memory as the call has it."""
    if whose is None or state.roller is None:
        return state
    return replace(state, roller=replace(state.roller, memory=whose))


@dataclass(frozen=True, slots=True)
class PressRoll(Drawing):
    """Roll for a call: its dice with something added, or a saved roll in their place."""

    campaign_id: int
    number: int
    adjustment: Adjustment = PLAIN
    saved: str = ""
    """The saved roll; "" for the call's dice."""

    def needs(self) -> Needs:
        """Return the call with the caller's own roll, and the roller."""
        return Needs(
            roller="" if self._is_dice else self.saved.strip().casefold(),
            campaign=self.campaign_id,
            event=self.number,
            following=Following.OWN,
            called=True,
        )

    def options_in(self, state: State) -> RollOptions:
        """Return the options that the call gives its rolls."""
        return options_of(find_call(state, self.number))

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; Answered if the player has rolled, NotAllowed for players who were not called.

        Unknown for a call of another place, which only a forged id can name; DiceError where no rolls are
        taken (any more), or nothing can be added.
        """
        if not state.played and state.campaign.home != caller.home:
            raise Unknown("That belongs to another place. Ask there.")
        call = find_call(state, self.number)
        terms, adjustment = call.terms, self.adjustment
        if not _is_called(terms, state.seats, caller) and not call.of(caller.user_id):
            raise NotAllowed("This call is for others. A game master can call for you too.")
        if call.opened.text and adjustment != PLAIN:
            _must_fit(adjustment, call.dice)
        if terms.under:
            # Advantage is what helps.
            adjustment = adjustment.turned
        if self._is_dice and not call.account:
            state = replace(state, roller=None)
        command = AnswerCall(
            self.campaign_id,
            self.number,
            self.saved or call.dice,
            adjustment,
            terms.whose,
            account=call.account,
            options=options_of(call),
        )
        return command.decide(caller, state, draws)

    @property
    def _is_dice(self) -> bool:
        """Return whether the saved roll is notation, which needs no roller."""
        return bool(self.saved) and notation.reads(self.saved)


def options_of(call: Call) -> RollOptions:
    """Return the options of a roll for a call: its label and visibility, and that it was called for."""
    return RollOptions(call.event.label or "", call.terms.visibility, called=True)


def _is_called(terms: Terms, seats: frozenset[int], caller: Caller) -> bool:
    if terms.role is None and not seats:
        # Those who were named may have been erased since.
        return not terms.named
    return caller.user_id in seats or terms.role in caller.roles


def _must_fit(adjustment: Adjustment, dice: str) -> None:
    """Raise SpecError where it can't be added; columns would count characters that nobody typed."""
    try:
        adjustment.on_dice(dice)
    except NotationError as error:
        raise SpecError(f"With {adjustment.rest} added I can't roll that. {error}") from error
