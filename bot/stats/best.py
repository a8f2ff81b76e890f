"""Highlights of an evening: the best roll, and the longest run of one face.

The best roll is the one with the smallest exact chance to be equalled or beaten: by a lower one in a check
that passes at or under its DC. In `d20+5 vs 15` the sum counts, and no name of a face is better than others.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import ge, le
from typing import NamedTuple

from bot.campaign.events import Event
from bot.campaign.replay import read_roll
from bot.campaign.rolled import OfAccount, OfDice
from bot.dice import notation
from bot.dice.choices import named_faces
from bot.dice.distribution import distribution
from bot.dice.errors import DiceError
from bot.dice.expressions import Expression
from bot.dice.modifiers import Comparison
from bot.dice.system import System
from bot.dice.throws import compared, sum_of
from bot.systems.odds import are_numbers, has_odds, shares

_LOW = {Comparison.AT_LEAST: False, Comparison.MORE: False, Comparison.AT_MOST: True, Comparison.LESS: True}
"""Whether a low sum passes such a comparison."""


@dataclass(frozen=True, slots=True)
class BestRoll:
    """A roll, its best result, and the chance of that result or a better one."""

    event: Event
    result: str
    chance: Fraction


def best_roll(rolls: Iterable[Event]) -> BestRoll | None:
    """Return the best roll of a player, the first of equals; None if no result can be ranked."""
    chances = (
        BestRoll(event, candidate.number, chance)
        for event in rolls
        for candidate in (_results(event) if event.player_id is not None else ())
        if (chance := _as_good(event, candidate)) is not None
    )
    return min(chances, key=lambda best: best.chance, default=None)


class _Result(NamedTuple):
    """A result as it is shown, whether a lower one is better, and whether it is a sum that was compared."""

    number: str
    is_low: bool
    is_sum: bool = False


def _results(event: Event) -> list[_Result]:
    """Return the results of a roll that can be better than others: none of names, or of `2d6 = 7`."""
    roll = event.roll
    results = [_Result(result, bool(roll.check and roll.check.under)) for result in roll.results]
    if not isinstance(roll.of, OfDice):
        return results
    if named_faces(event.label or ""):
        return []
    for place, outcome in enumerate(read_roll(event).outcomes):
        if outcome.throw and (sum_and_condition := compared(outcome.throw)):
            throw, condition = sum_and_condition
            if condition.comparison not in _LOW:
                return []
            results[place] = _Result(str(throw.total), _LOW[condition.comparison], is_sum=True)
    return results


def _as_good(event: Event, candidate: _Result) -> Fraction | None:
    """Return the chance of this result or a better one; None if it takes too long or has no meaning."""
    roll, result = event.roll, candidate.number
    system, is_as_good = roll.of.system, le if candidate.is_low else ge
    if isinstance(roll.of, OfDice | OfAccount):
        law = _law(roll.of.text, is_sum=candidate.is_sum)
    elif system is not None and roll.before is not None and len(roll.results) == 1:
        if not has_odds(system) or not are_numbers(system.faces):
            return None
        law = dict(zip(map(int, system.faces), system.weights(roll.before), strict=True))
    else:
        return None
    if not law or not are_numbers([result]):
        return None
    as_good = sum(weight for total, weight in law.items() if is_as_good(total, int(result)))
    return Fraction(as_good, sum(law.values()))


@lru_cache(maxsize=256)
def _law(text: str, *, is_sum: bool) -> Mapping[int, int]:
    """Return the weight of each total, or of each sum that is compared; empty if it takes too long."""
    expression = notation.parse(text)
    if expression.more:
        return {}
    try:
        return distribution(Expression(sum_of(expression.body) if is_sum else expression.body))
    except DiceError:
        return {}


@dataclass(frozen=True, slots=True)
class Streak:
    """The longest run of one face."""

    face: str
    length: int
    dice: int
    """Number of dice that were searched."""
    chance: float
    """The share of equally long stretches of plain dice with such a streak."""

    def of(self, count: int) -> "Streak":
        """Return this streak as the rarest of `count`, with an upper bound on the chance of one this rare."""
        return replace(self, chance=1 - (1 - self.chance) ** count)


def longest_streak(system: System, faces: Sequence[str]) -> Streak | None:
    """Return the longest run in the faces, the oldest first; None for a single die, or a single face."""
    if len(faces) < 2 or len(system.faces) < 2:
        return None
    runs = ((face, sum(1 for _ in run)) for face, run in groupby(faces))
    face, length = max(runs, key=lambda run: run[1])
    return Streak(face, length, len(faces), streak_chance(shares(system), len(faces), length))


def streak_chance(weights: Sequence[int], rolls: int, length: int) -> float:
    """Return the probability that `rolls` rolls of plain dice have a run of `length` or more of one face."""
    import numpy as np

    if length <= 1:
        return 1.0
    p = np.array(weights, dtype=float) / sum(weights)
    # Chances that no such run has occurred yet and a run of each face ends, or begins, at this roll.
    ending, began = p, deque([p])
    for n in range(1, rolls):
        begins = p * (ending.sum() - ending)
        ending = begins + p * ending
        if n >= length - 1:
            # A run that began `length` rolls ago would be complete now.
            ending -= began.popleft() * p ** (length - 1)
        if n <= rolls - length:
            began.append(begins)
    return float(1 - ending.sum())
