"""The exact distribution of a roll: each total with an integer weight, and no float anywhere."""

from collections.abc import Mapping
from math import gcd

from bot.dice.budget import Budget
from bot.dice.errors import SpecError
from bot.dice.expressions import Roll
from bot.dice.law import law_of

MAX_FACES = 1_000


def distribution(expression: Roll) -> Mapping[int, int]:
    """Each total and its weight, ascending, in lowest terms; 2d6 gives 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1.

    SpecError for a repeated roll, for more than 1,000 totals, or where working it out would take too long.
    """
    if expression.repeat > 1:
        raise SpecError("A repeated roll has many results, not one: take the # away.")
    weights = law_of(expression.body, Budget()).weights
    if len(weights) > MAX_FACES:
        raise SpecError(f"It has {len(weights):,} different totals: at most {MAX_FACES:,}.")
    shared = gcd(*weights.values())
    return {total: weights[total] // shared for total in sorted(weights)}
