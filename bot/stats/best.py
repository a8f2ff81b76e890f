"""The best roll of an evening: the one whose dice are equalled or beaten least often, exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bot.campaign.events import Event
from bot.dice import notation
from bot.dice.distribution import distribution
from bot.dice.errors import DiceError
from bot.dice.expressions import Expression
from bot.systems.registry import load_spec
from bot.systems.totals import are_numbers


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
            chance = _at_least(event, result)
            if chance is not None and (best is None or chance < best.chance):
                best = BestRoll(event, result, chance)
    return best


def _at_least(event: Event, result: str) -> Fraction | None:
    """Return the chance of as much or more; None where it takes too long to say, or has no meaning."""
    roll = event.roll
    if not roll.spec:
        law = _law(roll.text)
    elif roll.before is not None and len(roll.results) == 1:
        system = load_spec(roll.spec)
        if not are_numbers(system.faces):
            return None
        law = dict(zip(map(int, system.faces), system.weights(roll.before), strict=True))
    else:
        return None
    if not law or not are_numbers([result]):
        return None
    return Fraction(sum(weight for total, weight in law.items() if total >= int(result)), sum(law.values()))


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
