"""A game master's commands on calls: open, close, reopen, cancel, reveal, and roll for named characters."""

import re
from abc import ABC
from dataclasses import dataclass, replace
from typing import ClassVar

from bot.campaign.adjustments import PLAIN
from bot.campaign.call_rolls import (
    draw_lots,
    find_call,
    must_be_once,
    must_be_open,
    must_count,
    must_remember,
    needs_numbers,
    options_of,
)
from bot.campaign.call_terms import Form, Rule, Terms
from bot.campaign.calls import LIFE, Call, Status
from bot.campaign.campaigns import Roller
from bot.campaign.checks import find_account, fits, must_have_no_names, must_have_one_dc, must_show_numbers
from bot.campaign.command import OPEN, AboutEvent, Caller, Drawing, Following, Needs, Plain, RollOptions
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
from bot.campaign.rolls import Attempt, TextCommand, must_be_dice, must_take_more, roll_dice, roll_spoken
from bot.campaign.state import State
from bot.dice.draws import SourcedDraws
from bot.dice.errors import DiceError, NotAllowed, SpecError
from bot.dice.expressions import Expression, Truth
from bot.dice.modifiers import Comparison, Condition
from bot.dice.names import NAME_LIMIT, clean
from bot.dice.naming import number_names
from bot.systems.checks import CheckTerms
from bot.systems.registry import CARD_SYSTEMS

NAMES_LIMIT = 20
"""The most names a game master can roll for at once."""
_TIMES = re.compile(r"(?P<name>.*?)(?:\bx|×|\*)\s*+(?P<count>[0-9]{1,3})", re.IGNORECASE)
_TIMES_FIRST = re.compile(r"(?P<count>[0-9]{1,3})\s*+(?:x(?=\s)|×|\*)(?P<name>.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenCall(TextCommand, Plain):
    """Call for rolls of a roller, of dice notation, or of a game's words."""

    terms: Terms
    deadline: int | None = None
    """Milliseconds since 1970; None for no deadline."""
    account: str = ""
    """The name of the luck account to count the rolls on; "" for none."""
    options: RollOptions = OPEN
    seats: frozenset[int] = frozenset()
    """The ids of the named players; not recorded in the history, so that they can be erased."""
    gm = True

    def needs(self) -> Needs:
        """Return the account, else the roller of that name."""
        return Needs(roller=self.account.strip().casefold() or self.meaning.name)

    def decide(self, caller: Caller, state: State) -> CallOpened:
        """Open it; NotationError, SpecError or Unknown if the dice can't be rolled so."""
        opened = self._opened(state)
        if opened.terms.under and opened.terms.dc is None:
            raise SpecError("At or under what? Add `dc:45`.")
        return opened

    def _opened(self, state: State) -> CallOpened:
        if self.account or needs_numbers(self.terms):
            must_have_no_names(self.options.label)
        if self.account:
            return self._open_on_account(find_account(state, self.account), state)
        if self.terms.form is Form.DEAL and not state.present():
            raise no_deck(self.dice)
        roller_or_dice = self.resolve(state)
        if isinstance(roller_or_dice, Roller):
            self._check_roller(roller_or_dice)
            keeps = self.terms.form is Form.DEAL and self.terms.visibility is Visibility.SELF
            alone = roller_or_dice.system is not None and roller_or_dice.system.hand == 1
            terms = replace(self.terms, keeps=keeps and alone)
            keep, dice, plus = self.adjustment.beside(under=terms.under)
            return CallOpened(
                roller=roller_or_dice.name,
                terms=terms,
                deadline=self.deadline,
                rest=dice.text if dice else "",
                plus=plus,
                keep=keep,
            )
        must_be_once(roller_or_dice)
        must_remember(self.terms.whose, None)
        must_have_one_dc(roller_or_dice, self.terms.check)
        text, terms = roller_or_dice.text, self.terms
        match roller_or_dice.body:
            # Dice whose text ended in a check, such as "vs 15": what is added goes to their total.
            case Truth(node, Condition((Comparison.AT_LEAST | Comparison.AT_MOST) as kind, dc), None) if (
                terms.form is Form.CHECK and not number_names(self.options.typed)
            ):
                text = Expression(node).text
                terms = replace(terms, dc=dc, under=terms.under or kind is Comparison.AT_MOST)
            case _:
                pass
        return CallOpened(text=text, terms=terms, deadline=self.deadline)

    def _open_on_account(self, roller: Roller, state: State) -> CallOpened:
        terms = self.terms
        if terms.form is not Form.CHECK or terms.rule in {Rule.HIGHEST, Rule.LOWEST, Rule.SUM, Rule.AVERAGE}:
            raise SpecError(
                "{name} counts each roll, but this rule makes one number of them all. Leave "
                "the account out, or take another rule.",
                name=roller.name,
            )
        dice = self.resolve_dice(state)
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
            must_count(self.terms, roller, roller.name)
        if self.adjustment != PLAIN:
            must_take_more(roller)
        must_remember(self.terms.whose, roller)


class LeadCommand(AboutEvent, Plain, ABC):
    """A command on an open call."""

    __slots__ = ()
    gm = True
    following = Following.ALL


class _ChangeStatus(LeadCommand):
    """Change a call's status, as far as `LIFE` allows."""

    __slots__ = ()
    leads_to: ClassVar[type[CallClosed | CallReopened | CallCancelled]]

    def decide(self, caller: Caller, state: State) -> Body:
        """Change it; DiceError if it has that status already, or a timer would close a reopened call."""
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


class CloseCall(_ChangeStatus):
    """Close a call to further rolls."""

    leads_to = CallClosed


class ReopenCall(_ChangeStatus):
    """Reopen a call without a deadline."""

    leads_to = CallReopened


class CancelCall(_ChangeStatus):
    """Cancel a call: its rolls stay in the history but have no result."""

    leads_to = CallCancelled


class RevealCall(LeadCommand):
    """Show everybody all rolls of a hidden call, including later ones."""

    def decide(self, caller: Caller, state: State) -> Revealed:
        """Reveal them; DiceError if everybody may see them already, NotAllowed for cards in hands."""
        call = find_call(state, self.number)
        if call.is_visible:
            raise DiceError("Everybody already sees this call's rolls.")
        if call.terms.visibility is Visibility.SELF:
            raise NotAllowed("Each player reveals their own hand.")
        return Revealed(roller=call.opened.roller, target=self.number)


@dataclass(frozen=True, slots=True)
class RollForNames(TextCommand, Drawing):
    """Roll for a game master's own characters, once for each name; also as part of a call."""

    names: tuple[str, ...]
    campaign_id: int | None = None
    number: int | None = None
    """The number of the call they join; None for none."""
    terms: CheckTerms | None = None
    """The check on each roll of a roller; None for none."""
    options: RollOptions = RollOptions(called=True)
    gm = True

    def needs(self) -> Needs:
        """Return the call, if any, and the roller."""
        return Needs(
            roller=self.meaning.name,
            campaign=self.campaign_id,
            event=self.number,
            following=Following.NONE if self.number is None else Following.OWN,
        )

    def options_in(self, state: State) -> RollOptions:
        """Return its own options, or those of the call."""
        return self.options if self.number is None else options_of(find_call(state, self.number))

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll once for each name; DiceError for no name, too many, or a closed call."""
        _must_fit(len(self.names))
        if not all(self.names):
            raise SpecError("Give everybody you roll for a name.")
        call = None if self.number is None else find_call(state, self.number)
        if call:
            must_be_open(call, caller.time)
        if call and call.terms.form is Form.DEAL:
            raise SpecError("This call deals to players only. Use `/deal` for others.")
        roller_or_dice = self.resolve(state)
        if isinstance(roller_or_dice, Roller):
            self._check_roller(roller_or_dice, call)
        if isinstance(roller_or_dice, Expression) and roller_or_dice.more:
            raise SpecError(
                "Each rolls once, and those are {count} rolls. Roll `{body}` first, then the others.",
                count=1 + len(roller_or_dice.more),
                body=roller_or_dice.body,
            )
        check, attempt = self.terms, Attempt(caller, state, draws, self.options_in(state))
        match roller_or_dice:
            # Dice whose text ended in a check, such as "ac 15".
            case Expression(Truth(node, Condition(Comparison.AT_LEAST, dc), None), repeat, more) if not call:
                check = CheckTerms(dc)
                body = roll_dice(Expression(node, repeat * len(self.names), more), attempt)
            case _:
                body = roll_spoken(self, len(self.names), attempt)
        if len(body.results) != len(self.names):
            raise SpecError("Each rolls once. Leave the repeats out.")
        lots = draw_lots(call, len(self.names), draws) if call else ()
        return replace(body, target=self.number, names=self.names, lots=lots, check=check)

    def _check_roller(self, roller: Roller, call: Call | None) -> None:
        if self.terms and call:
            raise SpecError("The call says what the rolls must reach. Leave the DC out.")
        if self.adjustment.keep:
            raise SpecError("Advantage is for one roll of a roller. Roll these without it.")
        if self.terms:
            must_show_numbers(roller)
        if call:
            must_count(call.terms, roller, call.opened.roller)


def _must_fit(count: int) -> None:
    """Raise SpecError for no name, or for too many."""
    if not 1 <= count <= NAMES_LIMIT:
        raise SpecError("Roll for 1 to {most} at once, not for {count:,}.", most=NAMES_LIMIT, count=count)


def read_names(text: str, count: int | None = None) -> tuple[str, ...]:
    """Parse names: "Goblin x3, Boss" are four, and so are "3x Goblin, Boss".

    A single name is repeated `count` times. Raise SpecError if there are several names, but not `count`, and
    for too many.
    """
    if count is not None:
        _must_fit(count)
    names: list[str] = []
    for part in text.split(","):
        match = _TIMES.fullmatch(part.strip()) or _TIMES_FIRST.fullmatch(part.strip())
        name = clean(match["name"] if match else part, NAME_LIMIT - 3)
        number = int(match["count"]) if match else 1
        if name:
            names += [name] if number == 1 else [f"{name} {n}" for n in range(1, number + 1)]
    if count is None or len(names) == count:
        return tuple(names)
    if len(names) > 1:
        raise SpecError(
            "Those are {count} names, and the count is {rolls}. Give one name, or one for each.",
            count=len(names),
            rolls=count,
        )
    name = names[0] if names else "No."
    return tuple(f"{name} {n}" for n in range(1, count + 1))
