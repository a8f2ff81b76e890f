"""Texts about checks: the margin of a total, and the chances with plain dice and on a luck account.

A sum that was compared with a number is a check too: `d20+5 vs 15`, `(2d6)<=7`, `1d20>=14`.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from bot.campaign.accounts import CheckOdds, odds_of
from bot.campaign.replay import RollResult, result_totals
from bot.dice.modifiers import Comparison
from bot.dice.system import Memory
from bot.dice.throws import Throw, compared
from bot.stats.check_evenings import CheckRecord
from bot.systems.checks import DC_LIMIT, CheckTerms
from bot.systems.luck import ACCOUNT_UNIT
from bot.words.saying import phrase, say, say_many
from bot.words.text import capital, cut, mention, rounded

_NAME = 40


_MARGINS = (phrase("just passes"), phrase("passes by {margin}"), phrase("fails by {margin}"))


def met(check: CheckTerms, total: int, rival: str = "") -> str:
    """Return the result of a check: "passes by 3", "just passes", "critical miss, 12 short".

    In a contest return "wins by 5", or with a `rival` "beats" or "loses to" them.
    """
    margin, degree = check.margin(total), check.degree(total)
    if check.contest:
        return contested(margin, rival)
    if degree is None:
        return say(_MARGINS[0 if margin == 0 else 1 if margin > 0 else 2], margin=abs(margin))
    name = cut(degree.name, _NAME)
    if margin == 0:
        return name
    text = "{degree}, by {margin}" if margin > 0 or check.under else "{degree}, {margin} short"
    return say(text, degree=name, margin=abs(margin))


def checked(rolled: RollResult) -> tuple[str, str]:
    """Return the target of a check and its result: "vs DC 15", "Fails by 2"; both "" if it is no check.

    Both are also "" for a contest within one roll, since its result names the winner.
    """
    check = rolled.roll.check
    if check is None or (check.contest and rolled.roll.versus is None):
        return "", ""
    result = capital(met(check, int(result_totals(rolled.roll)[0]), _rival(rolled, check)))
    target = say("at most {dc}" if check.under else "vs DC {dc}", dc=check.dc)
    return "" if check.contest else target, result


def luck(rolled: RollResult) -> str:
    """Return both chances of a check on a luck account; "" for other rolls."""
    if not rolled.roll.stake:
        return ""
    odds = odds_of(rolled.roll, rolled.account)
    if odds is None:
        return ""
    left_out = rolled.account.hidden if rolled.account else 0
    without = say_many("without {n} hidden check", "without {n:,} hidden checks", left_out)
    return f"{both(odds)}, {without}" if left_out else both(odds)


def both(odds: CheckOdds) -> str:
    """Return the chance to pass on the account and with plain dice."""
    return say("luck {now}% · plain {plain}%", now=whole(odds.now), plain=whole(odds.plain))


def balance(memory: Memory, *, passes: bool = True) -> str:
    """Return the balance of an account: "0.65 passes behind", for other scores "1.2 ahead", or "even"."""
    gained = Fraction(memory[0], ACCOUNT_UNIT)
    score = rounded(abs(gained))
    if score == "0":
        return say("even")
    if not passes:
        return say("{score} behind" if gained < 0 else "{score} ahead", score=score)
    number = 1 if score == "1" else 2  # for the plural
    if gained < 0:
        return say_many("{score} pass behind", "{score} passes behind", number, score=score)
    return say_many("{score} pass ahead", "{score} passes ahead", number, score=score)


def passed(record: CheckRecord) -> str:
    """Return the number of passed checks and the expected one; no verdict, since they are evened out."""
    scored, expected = float(record.scored), float(record.expected)
    if record.passes:
        singular, plural = "{passed} of {n} check passed", "{passed} of {n:,} checks passed"
    else:
        singular = "The score of {n} check is {score:.1f}"
        plural = "The scores of {n:,} checks add up to {score:.1f}"
    counts = say_many(singular, plural, record.checks, passed=record.scored, score=scored)
    text = "{came}, {expected:.1f} expected: usually {plain} with plain dice."
    if record.usual:
        text = "{came}, {expected:.1f} expected: usually {usual} on this account, {plain} with plain dice."
    usual = _span(record.usual) if record.usual else ""
    return say(text, came=counts, expected=expected, usual=usual, plain=_span(record.plain))


def _span(band: tuple[float, float]) -> str:
    """Return a range, "12 to 15"."""
    low, high = band
    return f"{low:g}" if low == high else say("{low:g} to {high:g}", low=low, high=high)


def whole(chance: Fraction) -> str:
    """Return a chance in whole per cent; only an exact 0 or 1 is shown as 0 or 100."""
    if chance in {0, 1}:
        return str(100 * chance)
    share = int(100 * chance + Fraction(1, 2))
    return say("under 1") if share == 0 else say("over 99") if share == 100 else str(share)


def _rival(rolled: RollResult, check: CheckTerms) -> str:
    """Return the rival's total; "" if both sides belong to one roll."""
    if rolled.roll.versus is None:
        return ""
    values = {"total": check.dc, "number": rolled.roll.versus}
    if rolled.rival and rolled.rival.user_id:
        return say("{player}'s {total} (#{number:,})", player=mention(rolled.rival.user_id), **values)
    return say("{total} (#{number:,})", **values)


_WINS = (phrase("wins by {margin}"), phrase("beats {rival} by {margin}"))
_LOSES = (phrase("loses by {margin}"), phrase("loses to {rival} by {margin}"))
_TIES = (phrase("a tie"), phrase("ties with {rival}"))
"""Results of a contest: without and with a named rival."""


def contested(margin: int, rival: str = "") -> str:
    """Return the result of a contest: "wins by 5", or with a `rival` "loses to" them."""
    texts = _WINS if margin > 0 else _LOSES if margin else _TIES
    return say(texts[bool(rival)], rival=rival, margin=abs(margin))


COMPARED = re.compile(r"(?:\((.*)\)|(\d*d\d[^()]*))[<>]=?\d++(\[[^\]]*+\])?\Z", re.DOTALL)
"""Such a text in notation: the sum, or the die, and a tag."""
_BEYOND = {Comparison.AT_LEAST: 0, Comparison.AT_MOST: 0, Comparison.MORE: 1, Comparison.LESS: -1}
"""How far the number that just passes is from the one that was typed: above 14 is at least 15."""


class ComparedSum(NamedTuple):
    """A sum, the check that it is, and how its target is shown."""

    throw: Throw
    terms: CheckTerms
    target: str


def compared_sum(rolled: RollResult) -> ComparedSum | None:
    """Return the sum of one roll that was compared with a number; None for other rolls."""
    single = rolled.outcomes[0].throw if len(rolled.outcomes) == 1 else None
    return compare(single) if single else None


def compare(thrown: Throw) -> ComparedSum | None:
    """Return the sum or the one die of a throw that was compared with a number; None for others."""
    judged = compared(thrown)
    if judged is None or thrown.total < 0:
        return None
    throw, condition = judged
    beyond = _BEYOND.get(condition.comparison)
    if beyond is None or abs(condition.number) >= DC_LIMIT:
        return None
    under = condition.comparison in {Comparison.AT_MOST, Comparison.LESS}
    terms = CheckTerms(condition.number + beyond, under=under)
    return ComparedSum(throw, terms, say("at most {dc}" if under else "vs {dc}", dc=terms.dc))
