"""What a game master calls for, who sees it, and what the rolls come to under its rule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from bot.campaign.campaigns import Remembers
from bot.campaign.kinds import Visibility
from bot.dice.errors import SpecError
from bot.systems.checks import CheckTerms, Degree

NEEDED_LIMIT = 1_000
CARDS_LIMIT = 20


class Form(StrEnum):
    """What kind of call it is."""

    CHECK = "check"
    DEAL = "deal"
    """Everybody gets cards of one deck, for their own eyes."""
    INITIATIVE = "initiative"
    """Everybody gets a place in an order."""


class Rule(StrEnum):
    """How the rolls of a check become one result."""

    EACH = "each"
    """Everybody stands for themselves."""
    HALF = "half"
    """At least half of those who rolled succeed: the group check of the fifth edition."""
    ALL = "all"
    ANY = "any"
    HIGHEST = "highest"
    LOWEST = "lowest"
    SUM = "sum"
    AVERAGE = "average"
    SUCCESSES = "successes"
    """Enough rolls succeed; without a DC the dice count successes themselves, and they are added."""


_NEED_A_DC = {Rule.HALF, Rule.ALL, Rule.ANY}
_VALUES: Mapping[Rule, Callable[[Sequence[int]], int | Fraction]] = {
    Rule.HIGHEST: max,
    Rule.LOWEST: min,
    Rule.SUM: sum,
    Rule.AVERAGE: lambda totals: Fraction(sum(totals), len(totals)),
}
"""The group's one number, where it is no matter of successes."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A call's terms; SpecError says which of them don't go together."""

    form: Form = Form.CHECK
    dc: int | None = None
    """What a roll is held against; None judges nothing."""
    under: bool = False
    """Whether a roll succeeds at or under the DC, instead of at or above it."""
    rule: Rule = Rule.EACH
    needed: int = 1
    """How many successes `Rule.SUCCESSES` asks for."""
    cards: int = 1
    """How many cards everybody is dealt."""
    role: int | None = None
    """The role whose members are called; None calls those who are named, or everybody."""
    whose: Remembers | None = None
    """Whose rolls the roller remembers for this call; None is as the roller has it."""
    visibility: Visibility = Visibility.PUBLIC
    """Of the rolls, until they are revealed."""
    hold: bool = False
    """Whether the rolls are shown once all are in, or the call is closed."""
    degrees: tuple[Degree, ...] = ()
    """The degrees of success of each roll; none are pass and miss alone."""
    named: bool = False
    """Whether players were named; who they are is not kept with the history, so that they can be erased."""
    keeps: bool = False
    """Whether cards stay in hands; what several decks offer does not."""

    def __post_init__(self) -> None:
        if self.check is None and self.degrees:
            raise SpecError("Degrees of success need a DC. Add `dc`.")
        if self.dc is None and self.rule in _NEED_A_DC:
            raise SpecError("This rule needs a DC. Add `dc`.")
        if not 1 <= self.needed <= NEEDED_LIMIT:
            raise SpecError("Ask for 1 to {most:,} successes.", most=NEEDED_LIMIT)
        if not 1 <= self.cards <= CARDS_LIMIT:
            raise SpecError(
                "Deal 1 to {most} cards to each, not {cards:,}.", most=CARDS_LIMIT, cards=self.cards
            )

    @property
    def hides(self) -> bool:
        """Return whether the rolls are kept from the others at first."""
        return self.visibility is not Visibility.PUBLIC

    @property
    def check(self) -> CheckTerms | None:
        """Return what each roll is held against; None if there is no DC."""
        return None if self.dc is None else CheckTerms(self.dc, self.under, self.degrees)

    def succeeds(self, total: int) -> bool | None:
        """Return whether a total meets the DC; None if there is no DC."""
        margin = self.margin(total)
        return None if margin is None else margin >= 0

    def margin(self, total: int) -> int | None:
        """By how much a total meets the DC, negative where it fails; None if there is no DC."""
        return self.check.margin(total) if self.check else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check came to so far."""

    rolled: int
    """How many totals were judged."""
    succeeded: int | None
    """How many of them meet the DC; None without a DC."""
    value: Fraction | None
    """The group's one result under its rule; None where each stands for themselves, or nobody rolled."""
    passed: bool | None
    """Whether the group succeeds; None where there is nothing to hold it against."""
    margin: Fraction | None
    """By how much, negative where it fails; None without a verdict, and where it is a matter of yes or no."""


def judge(terms: Terms, totals: Sequence[int]) -> Verdict:
    """Judge totals; there is no verdict on none."""
    rolled = len(totals)
    succeeded = None if terms.dc is None else sum(terms.succeeds(total) is True for total in totals)
    if not totals or terms.rule is Rule.EACH:
        return Verdict(rolled, succeeded, None, None, None)
    if terms.rule in _NEED_A_DC and succeeded is not None:
        passed = {Rule.HALF: 2 * succeeded >= rolled, Rule.ALL: succeeded == rolled, Rule.ANY: succeeded > 0}
        return Verdict(rolled, succeeded, Fraction(succeeded), passed[terms.rule], None)
    if terms.rule is Rule.SUCCESSES:
        value, goal = Fraction(sum(totals) if succeeded is None else succeeded), terms.needed
    else:
        value, goal = Fraction(_VALUES[terms.rule](totals)), terms.dc
    if goal is None:
        return Verdict(rolled, succeeded, value, None, None)
    under = terms.under and terms.rule is not Rule.SUCCESSES
    margin = goal - value if under else value - goal
    return Verdict(rolled, succeeded, value, margin >= 0, margin)
