"""The terms of a group call, and the verdict on its rolls."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from bot.campaign.campaigns import Remembers
from bot.campaign.kinds import Visibility
from bot.dice.errors import SpecError
from bot.systems.checks import CheckTerms, Degree

NEEDED_LIMIT = 1_000
CARDS_LIMIT = 20


class Form(StrEnum):
    """The kind of a call."""

    CHECK = "check"
    DEAL = "deal"
    """Everybody is dealt cards of one deck, visible to themselves only."""
    INITIATIVE = "initiative"
    """Everybody gets a position in a turn order."""


class Rule(StrEnum):
    """How a group result follows from the rolls of a check."""

    EACH = "each"
    """No group result."""
    HALF = "half"
    """At least half of those who rolled succeed: the group check of the fifth edition."""
    ALL = "all"
    ANY = "any"
    HIGHEST = "highest"
    LOWEST = "lowest"
    SUM = "sum"
    AVERAGE = "average"
    SUCCESSES = "successes"
    """Enough rolls succeed; without a DC, the sum of the dice's own success counts."""


_NEED_A_DC = {Rule.HALF, Rule.ALL, Rule.ANY}
_VALUES: Mapping[Rule, Callable[[Sequence[int]], int | Fraction]] = {
    Rule.HIGHEST: max,
    Rule.LOWEST: min,
    Rule.SUM: sum,
    Rule.AVERAGE: lambda totals: Fraction(sum(totals), len(totals)),
}
"""Rule to the function that combines the totals."""


@dataclass(frozen=True)
class Terms:
    """A call's terms; SpecError if they contradict each other."""

    form: Form = Form.CHECK
    dc: int | None = None
    """The DC of the rolls; None for no check."""
    under: bool = False
    """Whether a roll succeeds at or under the DC, instead of at or above it."""
    rule: Rule = Rule.EACH
    needed: int = 1
    """The number of successes required by `Rule.SUCCESSES`."""
    cards: int = 1
    """The number of cards for each player."""
    role: int | None = None
    """The role whose members are called; None for the named players, or everybody."""
    whose: Remembers | None = None
    """Whose memory the rolls use; None for the roller's own setting."""
    visibility: Visibility = Visibility.PUBLIC
    """The visibility of the rolls until they are revealed."""
    hold: bool = False
    """Whether to show the rolls only once all are in, or the call is closed."""
    degrees: tuple[Degree, ...] = ()
    """The degrees of success of each roll; empty for pass and miss only."""
    named: bool = False
    """Whether players were named; their ids are not recorded here, so that they can be erased."""
    keeps: bool = False
    """Whether cards go into hands; offers of several decks never do."""

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
        """Return whether the rolls start hidden from others."""
        return self.visibility is not Visibility.PUBLIC

    @property
    def ranks(self) -> bool:
        """Return whether the best or the worst roll alone counts, which may be no number."""
        return self.form is Form.CHECK and self.dc is None and self.rule in {Rule.HIGHEST, Rule.LOWEST}

    @cached_property
    def check(self) -> CheckTerms | None:
        """Return the check on each roll; None if there is no DC."""
        return None if self.dc is None else CheckTerms(self.dc, self.under, self.degrees)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check so far."""

    rolled: int
    """The number of totals judged."""
    succeeded: int | None
    """The number of totals that meet the DC; None without a DC."""
    value: Fraction | None
    """The group's result under its rule; None for `Rule.EACH`, or if nobody rolled."""
    passed: bool | None
    """Whether the group succeeds; None if there is nothing to compare with."""
    margin: Fraction | None
    """By how much, negative if it fails; None without a verdict, and for yes-or-no rules."""


def judge(terms: Terms, totals: Sequence[int]) -> Verdict:
    """Return the verdict on totals; an empty sequence has none."""
    rolled, check = len(totals), terms.check
    succeeded = sum(check.margin(total) >= 0 for total in totals) if check else None
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
