"""The table: convert any dice to a dN with the least possible number of throws.

After k dice there are B equally likely results, B being the product of their sides. B mod n of them can't be
divided evenly among the values, so only those continue. The dice are thrown in turn, repeatedly. See
docs/d100.md, "The table: as few dice as can be".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import gcd, prod

from bot.dice.errors import SpecError

SIDES_LIMIT = 100
VALUES_LIMIT = 1_000
KINDS_LIMIT = 4
"""The most dice that can take turns."""

_BETWEEN = re.compile(r"\s*[+,]\s*|\s+")
_DIE = re.compile(r"(?:1?[dD])?([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the table: throw dice; a number at or over the threshold counts, otherwise continue."""

    dice: tuple[int, ...]
    """The sides of the further dice, in the order of throwing."""
    threshold: int


@dataclass(frozen=True, slots=True)
class Conversion:
    """The table that makes `values` values n with `dice`, thrown in turn."""

    dice: tuple[int, ...]
    values: int
    rows: tuple[Step, ...]
    loop: int | None
    """The index of the row after the last one; None if the last one always ends (threshold 0)."""

    def walk(self) -> Iterator[Step]:
        """Yield the rows in order, endlessly if the table loops."""
        index: int | None = 0
        while index is not None:
            yield self.rows[index]
            index = index + 1 if index + 1 < len(self.rows) else self.loop


@lru_cache(maxsize=128)
def convert(dice: tuple[int, ...], values: int) -> Conversion:
    """Return the table; SpecError for over four dice, sides out of 2..100 or values out of 2..1,000."""
    check(dice, values)
    rows: list[Step] = []
    row_by_state: dict[tuple[int, int], int] = {}
    turn, remainder, thrown = 0, 1, list[int]()
    while remainder and (thrown or (turn, remainder) not in row_by_state):
        if not thrown:
            row_by_state[turn, remainder] = len(rows)
        thrown.append(dice[turn])
        covered, remainder = divmod(remainder * dice[turn], values)
        turn = (turn + 1) % len(dice)
        if covered:
            rows.append(Step(tuple(thrown), remainder))
            thrown.clear()
    return Conversion(dice, values, tuple(rows), row_by_state.get((turn, remainder)) if remainder else None)


def read_dice(text: str) -> tuple[int, ...]:
    """Parse the sides of typed dice: "d6", "6", "d6 + d4"; SpecError for anything else."""
    words = _BETWEEN.split(text.strip())
    matches = [_DIE.fullmatch(word) for word in words]
    if not all(matches):
        raise SpecError("Dice to convert are written like d6, or d6 + d4 for dice that take turns.")
    dice = tuple(int(match[1]) for match in matches if match)
    check(dice, VALUES_LIMIT)
    return dice[:1] if len(set(dice)) == 1 else dice


def check(dice: tuple[int, ...], values: int) -> None:
    """Raise SpecError unless the dice and the number of values are within the limits."""
    if not 1 <= len(dice) <= KINDS_LIMIT:
        raise SpecError(
            "One to {most} dice can take turns, not {count:,}.", most=KINDS_LIMIT, count=len(dice)
        )
    for sides in dice:
        if not 2 <= sides <= SIDES_LIMIT:
            raise SpecError(
                "A die to convert has 2 to {most} sides, not {sides:,}.", most=SIDES_LIMIT, sides=sides
            )
    if not 2 <= values <= VALUES_LIMIT:
        raise SpecError(
            "A die to make has 2 to {most:,} sides, not {values:,}.", most=VALUES_LIMIT, values=values
        )


def open_after(dice: tuple[int, ...], values: int, rolls: int) -> Fraction:
    """Return the chance that more than `rolls` rolls are needed."""
    equal = equal_after(dice, rolls)
    return Fraction(equal % values, equal)


def expected(dice: tuple[int, ...], values: int, most: int | None = None) -> Fraction:
    """Return the mean number of rolls, E = sum over k >= 0 of (B_k mod n)/B_k; stopped after `most` if given.

    The remainders are periodic, so after some terms the sum is a geometric series, and rational.
    """
    check(dice, values)
    if most is not None:
        return sum((open_after(dice, values, rolls) for rolls in range(most)), Fraction(0))
    sum_by_state: dict[tuple[int, int], tuple[int, int, int]] = {}
    # `total` / `equal` is the sum so far, as integers, since a Fraction would be reduced at every step.
    rolls, remainder, equal, total = 0, 1, 1, 0
    while remainder and (rolls % len(dice), remainder) not in sum_by_state:
        sum_by_state[rolls % len(dice), remainder] = (rolls, total, equal)
        sides = dice[rolls % len(dice)]
        total = (total + remainder) * sides
        equal *= sides
        remainder = remainder * sides % values
        rolls += 1
    if not remainder:
        return Fraction(total, equal)
    _, before, start = sum_by_state[rolls % len(dice), remainder]
    growth = equal // start
    period = Fraction(total - before * growth, equal)
    return Fraction(before, start) + period * Fraction(growth, growth - 1)


def rolls_at_most(dice: tuple[int, ...], values: int) -> int | None:
    """Return the greatest number of rolls; None if it is unlimited."""
    if missing_factor(dice, values) > 1:
        return None
    return next(rolls for rolls in count() if not equal_after(dice, rolls) % values)


def missing_factor(dice: tuple[int, ...], values: int) -> int:
    """Return the factor of n whose primes divide no die; if over 1, no fixed number of rolls is exact."""
    remaining = values
    for sides in dice:
        while (common := gcd(remaining, sides)) > 1:
            remaining //= common
    return remaining


def equal_after(dice: tuple[int, ...], rolls: int) -> int:
    """Return the number of equally likely results after some rolls."""
    whole, rest = divmod(rolls, len(dice))
    return prod(sides ** (whole + (index < rest)) for index, sides in enumerate(dice))
