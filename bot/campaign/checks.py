"""Checks: rolls against a DC, on a luck account or without one."""

from dataclasses import dataclass, replace

from bot.campaign.campaigns import Roller
from bot.campaign.command import Caller, Drawing, Needs, RollOptions
from bot.campaign.events import Rolled
from bot.campaign.kinds import Visibility
from bot.campaign.replay import one_number
from bot.campaign.rolled import OfAccount
from bot.campaign.rolls import (
    Attempt,
    TextCommand,
    must_be_one_check,
    must_take_typed,
    practise,
    roll_spoken,
    roll_system,
)
from bot.campaign.state import State
from bot.dice.advantage import swap_advantage
from bot.dice.choices import named_faces
from bot.dice.draws import SourcedDraws
from bot.dice.errors import SpecError, Unknown
from bot.dice.expressions import Expression, Truth
from bot.dice.names import NAME_LIMIT, clean
from bot.systems.checks import CONTEST, CheckTerms, outcomes
from bot.systems.game import GameRoll
from bot.systems.luck import FULL, MINOR, NONE, LuckAccount, Own


@dataclass(frozen=True, slots=True)
class RollCheck(TextCommand, Drawing):
    """Roll dice or a roller against a DC; on a luck account the dice are notation."""

    terms: CheckTerms | None = None
    """None if an account counts ranks, and if a game sets the outcome."""
    account: str = ""
    """The name of the luck account; "" for none."""
    options: RollOptions = RollOptions()
    versus: int | None = None
    """The number of the opposing roll, instead of terms."""

    @property
    def source_text(self) -> str:
        """Return the dice; advantage keeps the lower die if low rolls succeed."""
        return swap_advantage(self.dice) if self.terms and self.terms.under else self.dice

    def needs(self) -> Needs:
        """Return the account or the roller of that name, the opposing roll and the game masters."""
        roller = self.account.strip().casefold() or self.meaning.name
        return Needs(roller=roller, event=self.versus, masters=True)

    def decide(self, caller: Caller, state: State, draws: SourcedDraws) -> Rolled:
        """Roll; a game master's own checks count as called.

        Raise Unknown if there is no such roller or roll, SpecError if they can't be compared.
        """
        terms = held_against(self.terms, self.versus, state)
        options = replace(self.options, called=self.options.called or caller.leads(state.masters))
        attempt = Attempt(caller, state, draws, options)
        if self.account:
            roller = find_account(state, self.account)
            body = roll_on_account(roller, self.resolve_dice(state), terms, attempt)
            return replace(body, versus=self.versus)
        roller_or_dice = self.resolve(state)
        roller = roller_or_dice if isinstance(roller_or_dice, Roller) else None
        if terms is None and not (roller and isinstance(roller.system, GameRoll)):
            raise lacks_target()
        if isinstance(roller_or_dice, Expression):
            must_have_one_dc(roller_or_dice, terms)
            if roller_or_dice.more:
                raise SpecError("A check is one roll, and those are several. Roll the others on their own.")
            must_be_one_check(roller_or_dice.repeat)
        if terms and roller:
            must_show_numbers(roller)
        body = roll_spoken(self, 1, attempt, under=terms is not None and terms.under)
        return replace(body, check=terms, versus=self.versus)


def roll_on_account(roller: Roller, dice: Expression, terms: CheckTerms | None, attempt: Attempt) -> Rolled:
    """Roll a check on a luck account; SpecError if it does not count such checks."""
    account, terms = fits(roller, dice, terms)
    stake = _stake(account, attempt)
    system = account.on(outcomes(dice.text, terms), stake)
    if stake == NONE:
        body = practise(roller.name, system, 1, attempt.draws)
    else:
        must_take_typed(system, attempt)
        body = roll_system(roller, system, 1, attempt)
    return replace(body, of=OfAccount(roller.spec, dice.text), check=terms, stake=stake)


def find_account(state: State, name: str) -> Roller:
    """Return the luck account of that name; Unknown if there is none, SpecError for another roller."""
    roller = state.present()
    if roller is None:
        name = clean(name, NAME_LIMIT)
        raise Unknown(
            "There is no luck account `{name}` here. A game master makes one with `/roller luck`.", name=name
        )
    if not isinstance(roller.system, LuckAccount):
        raise SpecError(
            "{name} is no luck account, and one roll can't use two memories. Give it as the dice, "
            "or take a roller made with `/roller luck`.",
            name=roller.name,
        )
    return roller


def must_have_one_dc(dice: Expression, terms: CheckTerms | None) -> None:
    """Raise SpecError for a check of dice that have a DC of their own: they only pass or fail."""
    if terms and isinstance(dice.body, Truth):
        raise SpecError("A check has one DC. Leave one of them out.")


def fits(roller: Roller, dice: Expression, terms: CheckTerms | None) -> tuple[LuckAccount, CheckTerms | None]:
    """Return the account, and the terms with its degrees of success.

    Raise SpecError if it does not count such checks, or if the dice's exact law is too costly.
    """
    must_have_one_dc(dice, terms)
    name, account = roller.name, roller.system
    if not isinstance(account, LuckAccount):
        raise TypeError(f"{name} is no luck account")
    if account.rank and terms:
        raise SpecError("{name} counts rolls without a DC. Leave the DC out.", name=name)
    if not account.rank and terms is None:
        raise SpecError("{name} counts checks. What must it beat? Add `dc:15`.", name=name)
    if terms and terms.degrees not in {(), CONTEST, account.degrees}:
        if account.degrees:
            raise SpecError("{name} has degrees of success of its own. Leave these out.", name=name)
        if {degree.score for degree in terms.degrees} - {0, 1}:
            raise SpecError(
                "{name} counts passes and misses. Leave the scores out, or make an account of these degrees.",
                name=name,
            )
    if terms and not terms.degrees:
        terms = replace(terms, degrees=account.degrees)
    try:
        outcomes(dice.text, terms)
    except SpecError as error:
        raise SpecError("{error} Roll such dice without a luck account.", error=error) from error
    return account, terms


def lacks_target() -> SpecError:
    """Return the refusal of a check without a DC and without a roll to beat."""
    return SpecError("What must it beat? Add `dc:15` or `against:@Ann`.")


def must_show_numbers(roller: Roller) -> None:
    """Raise SpecError unless every roll of a roller is one number."""
    if not roller.shows_numbers:
        raise SpecError(
            "{name} shows no number to compare. Leave the DC or the rule out, or take dice such as 1d20.",
            name=roller.name,
        )


def must_have_no_names(label: str) -> None:
    """Raise SpecError if a label names the faces, as of a coin or a choice: a name is no number."""
    if names := named_faces(label):
        raise SpecError(
            "{names} are no numbers, so no DC or rule fits them. Roll them with `/roll`, or call without.",
            names=" / ".join(names),
        )


def held_against(terms: CheckTerms | None, number: int | None, state: State) -> CheckTerms | None:
    """Return the terms of a check, or if `number` is given, the contest with that public roll's total."""
    if number is None:
        return terms
    event = state.event
    if event is None or not isinstance(event.body, Rolled):
        raise Unknown("There is no roll #{number} here.", number=number)
    if event.visibility is not Visibility.PUBLIC and not state.revealed:
        raise SpecError("#{number} is hidden. Reveal it first.", number=number)
    total = one_number(event)
    if total is None:
        raise SpecError("#{number} is not one number, so nobody can beat it.", number=number)
    return CheckTerms(total, degrees=CONTEST)


def _stake(account: LuckAccount, attempt: Attempt) -> int:
    if attempt.options.practice or attempt.uncalled(account):
        return NONE
    return FULL if attempt.options.called else MINOR if account.own is Own.MINOR else NONE
