"""Make any dN out of any dice with the fewest throws there can be: the table, and what it costs.

After k dice there are B equal results, B the product of their sides. B mod n of them can't be dealt out
evenly: they, and only they, go on. The dice are thrown in turn, over and over. See
docs/d100.md, "The table: as few dice as can be".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd

from bot.dice.errors import SpecError

SIDES_LIMIT = 100
VALUES_LIMIT = 1_000
KINDS_LIMIT = 4
"""How many different dice can take turns."""

_BETWEEN = re.compile(r"\s*[+,]\s*|\s+")
_DIE = re.compile(r"(?:1?[dD])?([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the table: throw more dice; at or over the threshold the number counts, else go on."""

    dice: tuple[int, ...]
    """The sides of the dice that are added, in the order in which they are thrown."""
    threshold: int


@dataclass(frozen=True, slots=True)
class Conversion:
    """The table for `values` n out of `dice`, thrown in turn."""

    dice: tuple[int, ...]
    values: int
    rows: tuple[Step, ...]
    loop: int | None
    """The row that follows the last one; None where the last one's threshold is 0, so that it ends."""

    def walk(self) -> Iterator[Step]:
        """Yield the rows in the order in which they are met while no number counts."""
        at: int | None = 0
        while at is not None:
            yield self.rows[at]
            at = at + 1 if at + 1 < len(self.rows) else self.loop


@lru_cache(maxsize=128)
def convert(dice: tuple[int, ...], values: int) -> Conversion:
    """Make the table; SpecError for over four dice, sides out of 2..100 or values out of 2..1,000."""
    check(dice, values)
    rows: list[Step] = []
    met: dict[tuple[int, int], int] = {}
    turn, left, added = 0, 1, list[int]()
    while left and (added or (turn, left) not in met):
        if not added:
            met[turn, left] = len(rows)
        added.append(dice[turn])
        dealt, left = divmod(left * dice[turn], values)
        turn = (turn + 1) % len(dice)
        if dealt:
            rows.append(Step(tuple(added), left))
            added.clear()
    return Conversion(dice, values, tuple(rows), met.get((turn, left)) if left else None)


def read_dice(text: str) -> tuple[int, ...]:
    """Read the sides of dice as typed: "d6", "6", "d6 + d4"; SpecError for anything else."""
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
    """Return the chance that more rolls are needed."""
    equal = equal_after(dice, rolls)
    return Fraction(equal % values, equal)


def expected(dice: tuple[int, ...], values: int, most: int | None = None) -> Fraction:
    """Return the mean number of rolls, E = sum over k >= 0 of (B_k mod n)/B_k; cut off after `most` if given.

    The remainders repeat, so the sum is a geometric series behind its first terms, and rational.
    """
    check(dice, values)
    if most is not None:
        return sum((open_after(dice, values, rolls) for rolls in range(most)), Fraction(0))
    met: dict[tuple[int, int], tuple[int, int, int]] = {}
    # `total` / `equal` is the sum so far; both stay integers, for fractions would be reduced at every step.
    rolls, left, equal, total = 0, 1, 1, 0
    while left and (rolls % len(dice), left) not in met:
        met[rolls % len(dice), left] = (rolls, total, equal)
        sides = dice[rolls % len(dice)]
        total = (total + left) * sides
        equal *= sides
        left = left * sides % values
        rolls += 1
    if not left:
        return Fraction(total, equal)
    _, before, start = met[rolls % len(dice), left]
    longer = equal // start
    period = Fraction(total - before * longer, equal)
    return Fraction(before, start) + period * Fraction(longer, longer - 1)


def rolls_at_most(dice: tuple[int, ...], values: int) -> int | None:
    """Return the number of rolls that always suffices; None where there is none."""
    if obstacle(dice, values) > 1:
        return None
    rolls = 0
    while equal_after(dice, rolls) % values:
        rolls += 1
    return rolls


def obstacle(dice: tuple[int, ...], values: int) -> int:
    """Return the part of n made of primes that no die has; over 1, no fixed number of rolls can be exact."""
    left = values
    for sides in dice:
        while (common := gcd(left, sides)) > 1:
            left //= common
    return left


def equal_after(dice: tuple[int, ...], rolls: int) -> int:
    """Return the number of equal results after some rolls."""
    whole, rest = divmod(rolls, len(dice))
    equal = 1
    for n, sides in enumerate(dice):
        equal *= sides ** (whole + (n < rest))
    return equal
