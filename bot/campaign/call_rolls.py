"""The command behind a call's button: check who may roll, and roll for the call."""

from dataclasses import dataclass, field, replace

from bot.campaign.adjustments import PLAIN, Added, Adjustment
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import TIES, Call, Status
from bot.campaign.campaigns import Remembers, Roller, Rules, remembers
from bot.campaign.checks import find_account, must_show_numbers, roll_on_account
from bot.campaign.command import OPEN, Caller, Drawing, Following, Needs, RollOptions
from bot.campaign.deals import DealCards
from bot.campaign.events import Rolled
from bot.campaign.replay import recorded_dice
from bot.campaign.rolls import Attempt, TextCommand, must_take_more, roll_beside, roll_dice, roller_of
from bot.campaign.state import State
from bot.dice.by_hand import ByHand
from bot.dice.draws import Draws, SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, NotationError, SpecError, Unknown
from bot.dice.expressions import Expression
from bot.rulebooks.words import GamesByKey, understand
from bot.systems.game import GameRoll


class Answered(DiceError):
    """The caller already rolled for the call."""

    def __init__(self, number: int) -> None:
        super().__init__("You already rolled for this (#{number}).", number=number)
        self.number = number


class CallOver(DiceError):
    """The call takes no more rolls."""


@dataclass(frozen=True, slots=True)
class AnswerCall(TextCommand, Drawing):
    """Roll for a call, once: its dice with additions, or a saved roll instead."""

    campaign_id: int
    number: int
    dice: str = field(default="", kw_only=True)
    """What to roll instead, such as a game's words; "" for the call's dice."""
    typed: str = ""
    """The text as typed if it contained names or another program's notation; else ""."""
    absent: bool = False
    """Whether the game master rolls for a player who did not."""
    options: RollOptions = OPEN
    """The dice that the player threw by hand; all else is as the call says."""
    more: bool = False
    """Whether it is a further card of the hand that the same interaction deals."""
    gm = True

    def needs(self) -> Needs:
        """Return the call with the caller's own roll, and the roller."""
        return Needs(
            roller=self.meaning.name,
            campaign=self.campaign_id,
            event=self.number,
            following=Following.OWN,
            called=True,
        )

    def right(self, caller: Caller, _rules: Rules) -> bool:
        """Return whether it is for another player, which needs a game master."""
        return caller.hand is not None

    def options_in(self, state: State) -> RollOptions:
        """Return the options that the call gives its rolls."""
        return replace(options_of(find_call(state, self.number)), typed=self.typed)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; raise Answered if the player has rolled, NotAllowed if they were not called.

        Raise DiceError if the call takes no rolls, or the additions don't fit.
        """
        call = find_call(state, self.number)
        # The call may override whose memory a roll uses.
        options = replace(options_of(call), remembers_for=call.terms.whose)
        attempt, entry = Attempt(caller, state, draws, options), call.of(caller.user_id)
        if self.more and entry and entry.event.interaction_id == caller.interaction_id:
            return _deal(call, attempt)
        must_take(call, state.seats, caller)
        if roller := self._roller(call, state):
            body = self._roll_roller(call, roller, attempt)
        else:
            body = self._roll_dice(call, attempt)
        return replace(body, target=self.number, lots=draw_lots(call, 1, draws), absent=self.absent)

    def _roller(self, call: Call, state: State) -> Roller | None:
        """Return the roller or the roll of a game to roll; None for dice."""
        name = call.opened.roller
        if call.account or self.meaning.dice:
            return None
        if roller := state.present():
            return roller
        if name and (self.dice or name).strip().casefold() == name.casefold():
            return _parse_recorded(name, self.by.games, state)
        roller_or_dice = self.resolve(state) if self.dice else None
        return roller_or_dice if isinstance(roller_or_dice, Roller) else None

    def _roll_dice(self, call: Call, attempt: Attempt) -> Rolled:
        if call.terms.form is Form.DEAL:
            raise SpecError("This call deals cards, so you can't roll here.")
        dice = self.resolve_dice(attempt.state) if self.dice else recorded_dice(call.opened.text)
        if self.adjustment != PLAIN:
            dice = _adjust(self.adjustment, dice, under=call.terms.under)
        must_be_once(dice)
        if call.account:
            return roll_on_account(find_account(attempt.state, call.account), dice, call.terms.check, attempt)
        return roll_dice(dice, attempt)

    def _roll_roller(self, call: Call, roller: Roller, attempt: Attempt) -> Rolled:
        adjustment, opened = self.adjustment, call.opened
        # Refuse before anything is drawn.
        must_remember(call.terms.whose, roller)
        if adjustment != PLAIN:
            must_take_more(roller)
        if call.terms.form is Form.DEAL:
            return _deal(call, attempt)
        must_count(call.terms, roller, opened.roller)
        # A saved roll replaces the call's own additions.
        dice = recorded_dice(opened.rest) if opened.rest else None
        call_additions = None if self.dice else Added(opened.keep, dice, opened.plus)
        beside = adjustment.beside(call_additions, under=call.terms.under)
        return roll_beside(roller, beside, 1, attempt)


def _deal(call: Call, attempt: Attempt) -> Rolled:
    """Deal a call's cards; each card for a hand is an event of its own."""
    keeps, (caller, state, draws, options) = call.terms.keeps, attempt
    cards = 1 if keeps else call.terms.cards
    return DealCards(call.opened.roller, cards, options, hand=keeps).decide(caller, state, draws)


def options_of(call: Call) -> RollOptions:
    """Return the options of a roll for a call: its label and visibility, with `called` set."""
    return RollOptions(call.event.label or "", call.terms.visibility, called=True)


def must_take(call: Call, seats: frozenset[int], caller: Caller) -> None:
    """Raise Answered, NotAllowed or CallOver if a call takes no roll of the caller, whatever it is."""
    if entry := call.of(caller.user_id):
        raise Answered(entry.event.seq)
    if caller.hand is None:
        _must_be_called(call.terms, seats, caller)
    must_be_open(call, caller.time)


def _must_be_called(terms: Terms, seats: frozenset[int], caller: Caller) -> None:
    """Raise NotAllowed unless the caller is called."""
    # The named players may have been erased since.
    is_for_all = terms.role is None and not seats and not terms.named
    if is_for_all or caller.user_id in seats or terms.role in caller.roles:
        return
    if terms.role and not terms.named:
        raise NotAllowed(
            "This call is for {role}. Ask a game master for that role, or for another call.",
            role=f"<@&{terms.role}>",
        )
    raise NotAllowed("This call is for others. Ask a game master to add you.")


def _adjust(adjustment: Adjustment, dice: Expression, *, under: bool) -> Expression:
    """Return the dice with the adjustment; SpecError without a column, which would refer to untyped text."""
    try:
        return adjustment.on_dice(dice, under=under)
    except NotationError as error:
        raise SpecError(
            "I can't roll that with {rest} added. {error}", rest=adjustment.rest, error=error
        ) from error


def _parse_recorded(words: str, games: GamesByKey | None, state: State) -> Roller:
    """Return the roll of a game by its recorded words; Unknown if they named a roller that was removed."""
    request = understand(words, games, state.campaign.rules.played(games)) if games else None
    if request is None:
        raise Unknown(
            "The roller {words} is not here any more. A game master can cancel this call.", words=words
        )
    return roller_of(request)


def find_call(state: State, number: int) -> Call:
    """Return the command's call; Unknown if that number is no call."""
    if state.call is None:
        raise Unknown("There is no call #{number} here.", number=number)
    return state.call


def must_be_open(call: Call, time: float) -> None:
    """Raise CallOver unless the call takes rolls at a time, in seconds since 1970."""
    if call.status is Status.CANCELLED:
        raise CallOver("This call was cancelled.")
    if not call.is_open(time):
        raise CallOver("This call is closed. A game master can reopen it.")


def must_be_once(roll: Expression) -> None:
    """Raise SpecError for several rolls of dice."""
    if roll.repeat != 1 or roll.more:
        raise SpecError(
            "Everybody rolls once for a call. Take {body} instead of {roll}.", body=roll.body, roll=roll
        )


def must_count(terms: Terms, roller: Roller, called: str) -> None:
    """Raise SpecError if the terms need numbers and the roller shows none.

    The outcomes of a game's roll can be ranked, if the roll that is `called` for is the same.
    """
    is_ranked = terms.ranks and isinstance(roller.system, GameRoll)
    if needs_numbers(terms) and not (is_ranked and roller.name.split()[:2] == called.split()[:2]):
        must_show_numbers(roller)


def needs_numbers(terms: Terms) -> bool:
    """Return whether a call compares its rolls, or makes one number of them."""
    return terms.dc is not None or terms.form is Form.INITIATIVE or terms.rule is not Rule.EACH


def must_remember(remembers_for: Remembers | None, roller: Roller | None) -> None:
    """Raise SpecError if the call says whose rolls are remembered, and nothing does.

    A built-in d100 roller is each player's own, so that a call can't share it.
    """
    if remembers_for is not None and not (roller and (roller.system is None or roller.system.has_state)):
        raise SpecError("Nothing remembers these rolls. Leave `memory` out, or take a roller that does.")
    if roller and remembers_for is Remembers.TABLE and remembers(roller.name) is Remembers.PLAYER:
        raise SpecError("The {name} is each player's own, so a call can't share it.", name=roller.name)


def draw_lots(call: Call, count: int, draws: Draws) -> tuple[int, ...]:
    """Draw a tie-breaking lot for each roll of an initiative; () for other calls."""
    if call.terms.form is not Form.INITIATIVE:
        return ()
    draws = draws.machine if isinstance(draws, ByHand) and draws.machine else draws
    return tuple(draws.below(TIES) for _ in range(count))
