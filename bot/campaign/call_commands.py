"""What game masters do with a call: open, close, reopen, cancel it, reveal its rolls, roll for their own."""

import re
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from bot.campaign.adjustments import PLAIN, Adjustment
from bot.campaign.beside import must_take_more, roll_beside
from bot.campaign.call_rolls import (
    draw_lots,
    find_call,
    must_be_once,
    must_be_open,
    must_count,
    must_remember,
    options_of,
)
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import LIFE, Status
from bot.campaign.campaigns import Roller
from bot.campaign.checks import find_account, fits
from bot.campaign.command import OPEN, Caller, Drawing, Following, Needs, Plain, RollOptions
from bot.campaign.deals import no_deck
from bot.campaign.events import (
    Body,
    CallCancelled,
    CallClosed,
    CallOpened,
    CallReopened,
    Revealed,
    Rolled,
)
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import Attempt, TextCommand, must_be_dice, roll_dice, roll_spoken
from bot.campaign.state import State
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, SpecError
from bot.dice.expressions import Expression, Node, Truth
from bot.dice.modifiers import Comparison
from bot.dice.names import NAME_LIMIT, clean
from bot.systems.checks import CheckTerms
from bot.systems.registry import CARD_SYSTEMS

NAMES_LIMIT = 20
"""How many dice of their own a game master can roll for at once."""
_TIMES = re.compile(r"(?P<name>.*?)(?:\bx|×|\*)\s*+(?P<count>[0-9]{1,3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenCall(TextCommand, Plain):
    """Call for rolls of a roller of the campaign, of notation, or in a game's words."""

    terms: Terms
    dice: str
    deadline: int | None = None
    """Milliseconds since 1970; None leaves it open until it is closed."""
    account: str = ""
    """The name of the luck account that counts the rolls; "" for none."""
    options: RollOptions = OPEN
    adjustment: Adjustment = PLAIN
    """What is added to the roller."""
    seats: frozenset[int] = frozenset()
    """The players who are named; the history does not have them, so that they can be erased."""
    gm = True

    @property
    def said(self) -> str:
        """Return the dice."""
        return self.dice

    def needs(self) -> Needs:
        """Return the account, or else the roller of that name, if there is one."""
        return Needs(roller=self.account.strip().casefold() or self.meaning.name)

    def decide(self, caller: Caller, state: State) -> CallOpened:
        """Open it; NotationError, SpecError or Unknown where the dice can't be rolled so."""
        if self.account:
            return self._open_on_account(find_account(state, self.account), state)
        if self.terms.form is Form.DEAL and not state.present():
            raise no_deck(self.dice)
        found = self.found(state)
        if isinstance(found, Roller):
            self._check_roller(found)
            keeps = self.terms.form is Form.DEAL and self.terms.visibility is Visibility.SELF
            alone = found.system is not None and found.system.hand == 1
            terms = replace(self.terms, keeps=keeps and alone)
            keep, dice, plus = self.adjustment.beside(under=terms.under)
            return CallOpened(
                roller=found.name,
                terms=terms,
                deadline=self.deadline,
                rest=dice.text if dice else "",
                plus=plus,
                keep=keep,
            )
        must_be_once(found)
        return CallOpened(text=found.text, terms=self.terms, deadline=self.deadline)

    def _open_on_account(self, roller: Roller, state: State) -> CallOpened:
        terms = self.terms
        if terms.form is not Form.CHECK or terms.rule in {Rule.HIGHEST, Rule.LOWEST, Rule.SUM, Rule.AVERAGE}:
            raise SpecError(
                "{name} counts each roll, but this rule makes one number of them all. Leave "
                "the account out, or take another rule.",
                name=roller.name,
            )
        dice = self.found_dice(state)
        must_be_once(dice)
        fits(roller, dice, terms.check)
        return CallOpened(roller=roller.name, text=dice.text, terms=terms, deadline=self.deadline)

    def _check_roller(self, roller: Roller) -> None:
        if self.terms.form is Form.DEAL:
            if not isinstance(roller.system, CARD_SYSTEMS):
                raise SpecError(
                    "{name} has no cards to deal. Call for it with `/group call`.", name=roller.name
                )
        else:
            must_be_dice(roller)
            must_count(self.terms, roller)
        if self.adjustment != PLAIN:
            must_take_more(roller)
        must_remember(self.terms.whose, roller)


@dataclass(frozen=True, slots=True)
class _AboutCall(Plain):
    gm = True

    campaign_id: int
    number: int

    def needs(self) -> Needs:
        """Return the call with what became of it."""
        return Needs(campaign=self.campaign_id, event=self.number, following=Following.ALL)


@dataclass(frozen=True, slots=True)
class _LeadCall(_AboutCall):
    """Take a call to another status, as far as `LIFE` allows."""

    leads_to: ClassVar[type[CallClosed | CallReopened | CallCancelled]]

    def decide(self, caller: Caller, state: State) -> Body:
        """Lead it there; DiceError where it stands already, or time would close what was reopened."""
        call = find_call(state, self.number)
        reopened = caller.clock is not None and call.deadline != caller.clock
        if reopened or (self.leads_to is CallReopened and call.is_open(caller.time)):
            raise DiceError("This call is open already.")
        if (call.status, self.leads_to) not in LIFE:
            cancelled = call.status is Status.CANCELLED
            raise DiceError(
                "This call is cancelled already." if cancelled else "This call is closed already."
            )
        return self.leads_to(roller=call.opened.roller, target=self.number)


class CloseCall(_LeadCall):
    """Take no more rolls for a call."""

    __slots__ = ()
    leads_to = CallClosed


class ReopenCall(_LeadCall):
    """Take rolls for a call again, without a deadline."""

    __slots__ = ()
    leads_to = CallReopened


class CancelCall(_LeadCall):
    """Cancel a call: what was rolled stays in the history and comes to nothing."""

    __slots__ = ()
    leads_to = CallCancelled


@dataclass(frozen=True, slots=True)
class RevealCall(_AboutCall):
    """Show everybody all rolls of a hidden call, those included that are yet to come."""

    def decide(self, caller: Caller, state: State) -> Revealed:
        """Reveal them; DiceError if everybody may see them already, NotAllowed for hands."""
        call = find_call(state, self.number)
        if call.shown:
            raise DiceError("Everybody already sees this call's rolls.")
        if call.terms.visibility is Visibility.SELF:
            raise NotAllowed("Each player reveals their own hand.")
        return Revealed(roller=call.opened.roller, target=self.number)


@dataclass(frozen=True, slots=True)
class RollForNames(TextCommand, Drawing):
    """The game master rolls for people of their own, once for each name; also into an initiative."""

    dice: str
    names: tuple[str, ...]
    campaign_id: int | None = None
    number: int | None = None
    """The call that they join; None for none."""
    adjustment: Adjustment = PLAIN
    """What is added to each roll of a roller."""
    terms: CheckTerms | None = None
    """What each roll of a roller is held against; None for nothing."""
    options: RollOptions = RollOptions(called=True)
    gm = True

    @property
    def said(self) -> str:
        """Return the dice."""
        return self.dice

    def needs(self) -> Needs:
        """Return the call, if there is one, and the roller."""
        return Needs(
            roller=self.meaning.name,
            campaign=self.campaign_id,
            event=self.number,
            following=Following.NONE if self.number is None else Following.OWN,
        )

    def options_in(self, state: State) -> RollOptions:
        """Return its own options, or those that the call gives its rolls."""
        return self.options if self.number is None else options_of(find_call(state, self.number))

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll once for each name; DiceError for no name, too many, or a call that is closed."""
        if not 1 <= len(self.names) <= NAMES_LIMIT:
            raise SpecError(
                "Roll for 1 to {most} at once, not for {count:,}.", most=NAMES_LIMIT, count=len(self.names)
            )
        if not all(self.names):
            raise SpecError("Give everybody you roll for a name.")
        call = None if self.number is None else find_call(state, self.number)
        if call:
            must_be_open(call, caller.time)
        if call and call.terms.form is Form.DEAL:
            raise SpecError("This call deals to players only. Use `/deal` for others.")
        found = self.found(state)
        if call and isinstance(found, Roller):
            must_count(call.terms, found)
        check, attempt = self.terms, Attempt(caller, state, draws, self.options_in(state))
        if isinstance(found, Expression) and call is None and (against := against_number(found.body)):
            once, check = against
            dice = Expression(once, found.repeat * len(self.names), found.more)
            body = roll_dice(dice, attempt)
        elif isinstance(found, Roller) and (self.adjustment != PLAIN or check):
            body = self._roll_beside(found, attempt)
        else:
            body = roll_spoken(self, len(self.names), attempt)
        if len(body.results) != len(self.names):
            raise SpecError("Each rolls once. Leave the repeats out.")
        lots = draw_lots(call, len(self.names), draws) if call else ()
        return replace(body, target=self.number, names=self.names, lots=lots, check=check)

    def _roll_beside(self, roller: Roller, attempt: Attempt) -> Rolled:
        """Roll a roller with something added, or against a number, once for each name."""
        if self.terms and self.number is not None:
            raise SpecError("The call says what the rolls must reach. Leave the DC out.")
        if self.adjustment.keep:
            raise SpecError("Advantage is for one roll of a roller. Roll these without it.")
        must_take_more(roller)
        return roll_beside(roller, self.adjustment.beside(), len(self.names), attempt)


def against_number(body: Node) -> tuple[Node, CheckTerms] | None:
    """Return dice and what they are held against, where somebody typed "ac 15" behind them; else None."""
    if not isinstance(body, Truth) or body.failure or body.condition.comparison is not Comparison.AT_LEAST:
        return None
    return body.body, CheckTerms(body.condition.number)


LeadCommand: TypeAlias = CloseCall | ReopenCall | CancelCall | RevealCall
"""What a game master does with a call that was opened."""


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
        raise SpecError(
            "Those are {count} names for {rolls} rolls. Give one name, or all of them.",
            count=len(names),
            rolls=count,
        )
    name = names[0] if names else "No."
    return tuple(f"{name} {n}" for n in range(1, count + 1))
