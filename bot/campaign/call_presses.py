"""A press on a call's button: who may roll for it, and what they roll."""

from dataclasses import dataclass, replace

from bot.campaign.adjustments import PLAIN, Adjustment
from bot.campaign.call_commands import find_call
from bot.campaign.call_rolls import AnswerCall
from bot.campaign.call_terms import Terms
from bot.campaign.calls import Call
from bot.campaign.command import Caller, Drawing, Following, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.state import State
from bot.dice import notation
from bot.dice.errors import NotAllowed, NotationError, SpecError, Unknown
from bot.dice.sources import SourcedDraws


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
