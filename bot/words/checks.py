"""Checks in words: how a total meets the DC, and the chance that there was with plain dice and with luck."""

from fractions import Fraction

from bot.campaign.accounts import CheckOdds, odds_of
from bot.campaign.replay import RollResult, summed
from bot.dice.system import Memory
from bot.stats.check_evenings import CheckRecord
from bot.systems.checks import CheckTerms
from bot.systems.luck import ACCOUNT_UNIT
from bot.words.text import capital, cut, mention, plural

_NAME = 40


def met(check: CheckTerms, total: int, rival: str = "") -> str:
    """Return how a total meets the DC: "passes by 3", "just passes", "critical miss, 12 short".

    In a contest it is "wins by 5", or where a rival is named "beats" and "loses to" them.
    """
    margin, degree = check.margin(total), check.degree(total)
    if check.contest:
        return contested(margin, rival)
    if degree is None:
        if margin == 0:
            return "just passes"
        return f"passes by {margin}" if margin > 0 else f"fails by {-margin}"
    name = cut(degree.name, _NAME)
    if margin == 0:
        return name
    return f"{name}, by {margin}" if margin > 0 else f"{name}, {-margin} short"


def checked(rolled: RollResult) -> tuple[str, str]:
    """Return what a roll had to meet, and how it does: "vs DC 15", "Fails by 2"; "" for what is no check.

    Who wins where both sides are of one roll is its result, and not said again.
    """
    check = rolled.roll.check
    if check is None or (check.contest and rolled.roll.versus is None):
        return "", ""
    how = capital(met(check, int(summed(rolled.roll)[0]), _rival(rolled, check)))
    aim = f"at most {check.dc}" if check.under else f"vs DC {check.dc}"
    return "" if check.contest else aim, how


def luck(rolled: RollResult) -> str:
    """Return both chances that a check on a luck account had; "" for every other roll."""
    if not rolled.roll.stake:
        return ""
    odds = odds_of(rolled.roll, rolled.account)
    if odds is None:
        return ""
    left_out = rolled.account.hidden if rolled.account else 0
    without = f", without {plural(left_out, 'hidden check')}" if left_out else ""
    return f"{both(odds)}{without}"


def both(odds: CheckOdds) -> str:
    """Return the chance to pass on the account and with plain dice."""
    return f"luck {whole(odds.now)}% · plain {whole(odds.plain)}%"


def balance(memory: Memory, *, passes: bool = True) -> str:
    """Return how an account stands: "0.65 passes behind", of other scores "1.2 ahead", or "even"."""
    gained = Fraction(memory[0], ACCOUNT_UNIT)
    shown = f"{float(abs(gained)):.2f}".rstrip("0").rstrip(".")
    if shown == "0":
        return "even"
    unit = "" if not passes else " pass" if shown == "1" else " passes"
    return f"{shown}{unit} {'behind' if gained < 0 else 'ahead'}"


def passed(record: CheckRecord) -> str:
    """Return how many checks were passed; they are evened out on purpose, so nothing is judged."""
    if record.passes:
        scored = f"{record.scored} of {plural(record.checks, 'check')} passed"
    else:
        scored = f"The scores of {plural(record.checks, 'check')} add up to {float(record.scored):.1f}"
    usual = f" {_span(record.usual)} on this account," if record.usual else ""
    plain = f"{_span(record.plain)} with plain dice"
    return f"{scored}, {float(record.expected):.1f} expected: usually{usual} {plain}."


def _span(band: tuple[float, float]) -> str:
    """Return "12 to 15"."""
    return " to ".join(f"{end:g}" for end in dict.fromkeys(band))


def whole(chance: Fraction) -> str:
    """Return a chance in whole per cent; what may still happen, or still fail, never reads as 0 or 100."""
    if chance in {0, 1}:
        return str(100 * chance)
    rounded = int(100 * chance + Fraction(1, 2))
    return "under 1" if rounded == 0 else "over 99" if rounded == 100 else str(rounded)


def _rival(rolled: RollResult, check: CheckTerms) -> str:
    """Return whose total it is held against, and which; "" where both sides are of one roll."""
    if rolled.roll.versus is None:
        return ""
    whose = f"{mention(rolled.rival.user_id)}'s " if rolled.rival and rolled.rival.user_id else ""
    return f"{whose}{check.dc} (#{rolled.roll.versus:,})"


def contested(margin: int, rival: str = "") -> str:
    """Return who wins and by how much: "wins by 5", or where a rival is named "loses to" them."""
    by = f" by {abs(margin)}" if margin else ""
    if not rival:
        return f"wins{by}" if margin > 0 else f"loses{by}" if margin else "a tie"
    how = "beats" if margin > 0 else "loses to" if margin else "ties with"
    return f"{how} {rival}{by}"
