"""What the rolls of a check come to under its rule: exact, and the same whoever works it out."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.campaign.call_terms import Rule, Terms


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
