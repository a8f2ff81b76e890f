"""What a game master calls for, who sees it, and what the rolls come to under its rule."""

from collections.abc import Sequence
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
                "Deal 1 to {most} cards to each, not {cards}.", most=CARDS_LIMIT, cards=self.cards
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
    succeeded = None if terms.dc is None else sum(terms.succeeds(total) is True for total in totals)
    if not totals or terms.rule is Rule.EACH:
        return Verdict(len(totals), succeeded, None, None, None)
    match terms.rule:
        case Rule.HALF:
            passed = 2 * (succeeded or 0) >= len(totals)
        case Rule.ALL:
            passed = succeeded == len(totals)
        case Rule.ANY:
            passed = bool(succeeded)
        case _:
            value, margin = _value(terms, totals, succeeded)
            passed = None if margin is None else margin >= 0
            return Verdict(len(totals), succeeded, value, passed, margin)
    return Verdict(len(totals), succeeded, Fraction(succeeded or 0), passed, None)


def _value(terms: Terms, totals: Sequence[int], succeeded: int | None) -> tuple[Fraction, Fraction | None]:
    """Return the group's one number, and by how much it meets what it is held against."""
    match terms.rule:
        case Rule.HIGHEST:
            value = Fraction(max(totals))
        case Rule.LOWEST:
            value = Fraction(min(totals))
        case Rule.AVERAGE:
            value = Fraction(sum(totals), len(totals))
        case Rule.SUCCESSES:
            value = Fraction(sum(totals) if succeeded is None else succeeded)
            return value, value - terms.needed
        case _:
            value = Fraction(sum(totals))
    if terms.dc is None:
        return value, None
    return value, terms.dc - value if terms.under else value - terms.dc
