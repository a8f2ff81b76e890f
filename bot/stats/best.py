"""The best roll of an evening: the one whose dice are equalled or beaten least often, exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.campaign.events import Event
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.errors import DiceError
from bot.dice.expressions import Expression
from bot.dice.system import System
from bot.stats.crowds import crowd
from bot.systems.registry import load_spec
from bot.systems.totals import are_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ABOUT = 1 + 1e-6
"""By how much floating point may be off."""


@dataclass(frozen=True, slots=True)
class BestRoll:
    """A roll, what of it was the best, and how common as much or more is for just these dice."""

    event: Event
    result: str
    chance: Fraction


def best_roll(rolls: Iterable[Event]) -> BestRoll | None:
    """Return the best of these rolls, the first one of several; None where none has a rank."""
    best: BestRoll | None = None
    for event in rolls:
        for result in event.roll.results if event.user_id is not None else ():
            chance = _at_least(event, result, best.chance if best else Fraction(1))
            if chance is not None and (best is None or chance < best.chance):
                best = BestRoll(event, result, chance)
    return best


def _at_least(event: Event, result: str, most: Fraction) -> Fraction | None:
    """Return the chance of as much or more; None where it takes too long to say, or has no meaning.

    Of a roller it is worked out exactly only where it is about `most` or less.
    """
    roll = event.roll
    if not roll.spec:
        law = _law(roll.text)
    elif roll.before is not None and len(roll.results) == 1:
        system = load_spec(roll.spec)
        values = _values(system)
        if values is None:
            return None
        about = crowd(system, roll.before, 1).weights()[0]
        if about[values >= int(result)].sum() > _ABOUT * float(most) * about.sum():
            return None
        law = dict(zip(values.tolist(), system.weights(roll.before), strict=True))
    else:
        return None
    if not law or not are_numbers([result]):
        return None
    return Fraction(sum(weight for total, weight in law.items() if total >= int(result)), sum(law.values()))


@lru_cache(maxsize=128)
def _values(system: System) -> "NDArray[np.int64] | None":
    """Return the faces' numbers; None where they are none."""
    import numpy as np

    return np.array([int(face) for face in system.faces]) if are_numbers(system.faces) else None


@lru_cache(maxsize=256)
def _law(text: str) -> Mapping[int, int]:
    """Return the weight of each total; empty where it takes too long to say."""
    expression = notation.parse(text)
    if expression.more:
        return {}
    try:
        return distribution(Expression(expression.body))
    except DiceError:
        return {}
