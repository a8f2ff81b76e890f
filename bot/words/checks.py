"""Checks in words: how a total meets the DC, and the chance that there was with plain dice and with luck."""

from fractions import Fraction

from bot.campaign.accounts import CheckOdds, odds_of
from bot.campaign.replay import RollResult, summed
from bot.dice.system import Memory
from bot.stats.check_evenings import CheckRecord
from bot.systems.checks import CheckTerms
from bot.systems.luck import ACCOUNT_UNIT
from bot.words.saying import phrase, say, say_many
from bot.words.text import capital, cut, mention, rounded

_NAME = 40


_MET = (phrase("just passes"), phrase("passes by {margin}"), phrase("fails by {margin}"))


def met(check: CheckTerms, total: int, rival: str = "") -> str:
    """Return how a total meets the DC: "passes by 3", "just passes", "critical miss, 12 short".

    In a contest it is "wins by 5", or where a rival is named "beats" and "loses to" them.
    """
    margin, degree = check.margin(total), check.degree(total)
    if check.contest:
        return contested(margin, rival)
    if degree is None:
        return say(_MET[0 if margin == 0 else 1 if margin > 0 else 2], margin=abs(margin))
    name = cut(degree.name, _NAME)
    if margin == 0:
        return name
    return say(
        "{degree}, by {margin}" if margin > 0 else "{degree}, {margin} short", degree=name, margin=abs(margin)
    )


def checked(rolled: RollResult) -> tuple[str, str]:
    """Return what a roll had to meet, and how it does: "vs DC 15", "Fails by 2"; "" for what is no check.

    Who wins where both sides are of one roll is its result, and not said again.
    """
    check = rolled.roll.check
    if check is None or (check.contest and rolled.roll.versus is None):
        return "", ""
    how = capital(met(check, int(summed(rolled.roll)[0]), _rival(rolled, check)))
    aim = say("at most {dc}" if check.under else "vs DC {dc}", dc=check.dc)
    return "" if check.contest else aim, how


def luck(rolled: RollResult) -> str:
    """Return both chances that a check on a luck account had; "" for every other roll."""
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
    """Return how an account stands: "0.65 passes behind", of other scores "1.2 ahead", or "even"."""
    gained = Fraction(memory[0], ACCOUNT_UNIT)
    shown = rounded(abs(gained))
    if shown == "0":
        return say("even")
    if not passes:
        return say("{score} behind" if gained < 0 else "{score} ahead", score=shown)
    counted = 1 if shown == "1" else 2
    if gained < 0:
        return say_many("{score} pass behind", "{score} passes behind", counted, score=shown)
    return say_many("{score} pass ahead", "{score} passes ahead", counted, score=shown)


def passed(record: CheckRecord) -> str:
    """Return how many checks were passed; they are evened out on purpose, so nothing is judged."""
    scored, expected = float(record.scored), float(record.expected)
    if record.passes:
        one, many = "{passed} of {n} check passed", "{passed} of {n:,} checks passed"
    else:
        one, many = (
            "The score of {n} check is {score:.1f}",
            "The scores of {n:,} checks add up to {score:.1f}",
        )
    came = say_many(one, many, record.checks, passed=record.scored, score=scored)
    told = "{came}, {expected:.1f} expected: usually {plain} with plain dice."
    if record.usual:
        told = "{came}, {expected:.1f} expected: usually {usual} on this account, {plain} with plain dice."
    usual = _span(record.usual) if record.usual else ""
    return say(told, came=came, expected=expected, usual=usual, plain=_span(record.plain))


def _span(band: tuple[float, float]) -> str:
    """Return "12 to 15"."""
    low, high = band
    return f"{low:g}" if low == high else say("{low:g} to {high:g}", low=low, high=high)


def whole(chance: Fraction) -> str:
    """Return a chance in whole per cent; what may still happen, or still fail, never reads as 0 or 100."""
    if chance in {0, 1}:
        return str(100 * chance)
    share = int(100 * chance + Fraction(1, 2))
    return say("under 1") if share == 0 else say("over 99") if share == 100 else str(share)


def _rival(rolled: RollResult, check: CheckTerms) -> str:
    """Return whose total it is held against, and which; "" where both sides are of one roll."""
    if rolled.roll.versus is None:
        return ""
    values = {"total": check.dc, "number": rolled.roll.versus}
    if rolled.rival and rolled.rival.user_id:
        return say("{player}'s {total} (#{number:,})", player=mention(rolled.rival.user_id), **values)
    return say("{total} (#{number:,})", **values)


_WINS = (phrase("wins by {margin}"), phrase("beats {rival} by {margin}"))
_LOSES = (phrase("loses by {margin}"), phrase("loses to {rival} by {margin}"))
_TIES = (phrase("a tie"), phrase("ties with {rival}"))
"""What a contest came to, alone and against a rival who is named."""


def contested(margin: int, rival: str = "") -> str:
    """Return who wins and by how much: "wins by 5", or where a rival is named "loses to" them."""
    told = _WINS if margin > 0 else _LOSES if margin else _TIES
    return say(told[bool(rival)], rival=rival, margin=abs(margin))
