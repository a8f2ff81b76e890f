"""Rolls for a call: a player's answer, and a game master's for monsters and whoever else has no player."""

import re
from dataclasses import dataclass, replace

from bot.campaign.adjustments import PLAIN, Adjustment
from bot.campaign.call_commands import (
    find_call,
    must_be_open,
    must_count,
    must_remember,
    read_once,
)
from bot.campaign.call_terms import Form
from bot.campaign.calls import TIES, Call
from bot.campaign.checks import RollCheck
from bot.campaign.command import Caller, Drawing, Following, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.rollers import Remembers, Roller
from bot.campaign.rolls import DealCards, RollDice
from bot.campaign.state import State
from bot.dice import notation
from bot.dice.errors import DiceError, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.sources import SourcedDraws

NAMES_LIMIT = 20
"""As many of their own can a game master roll for at once."""
_TIMES = re.compile(r"(?P<name>.*?)\s*(?:\bx|×|\*)\s*(?P<count>[0-9]{1,3})", re.IGNORECASE)


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
        body = replace(body, target=self.number, lots=_lots(call, 1, draws), absent=self.absent)
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


@dataclass(frozen=True, slots=True)
class RollForNames(Drawing):
    """The game master rolls for people of their own, once for each name; also into an initiative."""

    dice: str
    names: tuple[str, ...]
    campaign_id: int | None = None
    number: int | None = None
    """The call that they join; None for none."""
    options: RollOptions = RollOptions(called=True)

    def needs(self) -> Needs:
        """Return the call, if there is one, and the roller."""
        return Needs(
            roller="" if notation.reads(self.dice) else self.dice.strip().casefold(),
            campaign=self.campaign_id,
            event=self.number,
            following=Following.NONE if self.number is None else Following.OWN,
        )

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll once for each name; DiceError for no name, too many, or a call that is closed."""
        if not 1 <= len(self.names) <= NAMES_LIMIT:
            raise SpecError(f"Roll for 1 to {NAMES_LIMIT} at once, not for {len(self.names)}.")
        if not all(self.names):
            raise SpecError("Everybody that you roll for needs a name.")
        call = None if self.number is None else find_call(state, self.number)
        if call:
            must_be_open(call, caller.time)
        if call and call.terms.form is Form.DEAL:
            raise SpecError("This call deals cards to players. Deal to others with /deal.")
        roller = state.present()
        if call and roller:
            must_count(call.terms, roller)
        body = RollDice(self.dice, len(self.names), self.options).decide(caller, state, draws)
        if len(body.results) != len(self.names):
            raise SpecError("Each rolls once. Leave out what repeats the roll.")
        lots = _lots(call, len(self.names), draws) if call else ()
        return replace(body, target=self.number, names=self.names, lots=lots)


def read_names(text: str, count: int | None = None) -> tuple[str, ...]:
    """Return the names, cleaned: "Goblin x3, Boss" are four; one name alone stands for `count` of them.

    SpecError where there are several names, and not `count`.
    """
    names: list[str] = []
    for part in text.split(","):
        found = _TIMES.fullmatch(part.strip())
        name = clean(found["name"] if found else part, NAME_LIMIT - 3)
        number = int(found["count"]) if found else 1
        if name:
            names += [name] if number == 1 else [f"{name} {n}" for n in range(1, number + 1)]
    if count is None or len(names) == count:
        return tuple(names)
    if len(names) > 1:
        raise SpecError(f"Those are {len(names)} names for {count} rolls. Give one name, or all of them.")
    name = names[0] if names else "No."
    return tuple(f"{name} {n}" for n in range(1, count + 1))


def _with_memory(state: State, whose: Remembers | None) -> State:
    """Return the state with the roller's memory as the call has it."""
    if whose is None or state.roller is None:
        return state
    return replace(state, roller=replace(state.roller, memory=whose))


def _lots(call: Call, count: int, draws: SourcedDraws) -> tuple[int, ...]:
    """Draw a lot for each roll of an initiative, to break ties with."""
    if call.terms.form is not Form.INITIATIVE:
        return ()
    return tuple(draws.below(TIES) for _ in range(count))
