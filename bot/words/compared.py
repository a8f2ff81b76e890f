"""A sum or one die that was compared with a number: `d20+5 vs 15`, `(2d6)<=7`, `1d20>=14`."""

import re
from typing import NamedTuple

from bot.campaign.replay import RollResult
from bot.dice.modifiers import Comparison
from bot.dice.reached import compared
from bot.dice.throws import Throw
from bot.systems.checks import DC_LIMIT, CheckTerms
from bot.words.saying import say

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
