"""The entropy and variance of any system, roll by roll: exact where that is quick, else simulated."""

from bot.dice.system import System
from bot.stats.decks import deck_curve
from bot.stats.dynamic import dynamic_curve
from bot.stats.measures import Curve, table_entropy
from bot.stats.simulation import simulate
from bot.stats.states import states_curve
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

_EXCHANGEABLE_VALUES = 20
_EXCHANGEABLE_SAMPLES = 60
# Above this factor the states of many faces are too many to be worth waiting for.
_EXCHANGEABLE_FACTOR = 0.8


def curve(system: System, samples: int, *, seed: int = 0) -> Curve:
    """Compute the curve of 1 to `samples` rolls from the start, exact unless marked as simulated."""
    if isinstance(system, PlainDice):
        return _plain(system, samples)
    if isinstance(system, Deck):
        return deck_curve(system, samples)
    values, factor = len(system.faces), _factor(system)
    if factor and _few(values, samples, factor):
        return dynamic_curve(values, factor, samples)
    exact = states_curve(system, samples) if samples <= _EXCHANGEABLE_SAMPLES else None
    return exact or simulate(system, samples, seed=seed).evening(table_entropy(shares(system)))


def _factor(system: System) -> float | None:
    """Return the factor of the dynamic dice that equal this system; None if none do."""
    if isinstance(system, Dynamic):
        return float(system.factor)
    if isinstance(system, Fair) and system.base.uniform and system.tightness is not None:
        return 2.0 ** -float(system.tightness)
    return None


def _few(values: int, samples: int, factor: float) -> bool:
    """Return whether the exchangeable states of dynamic dice are few enough."""
    if not 2 <= values <= _EXCHANGEABLE_VALUES or samples > _EXCHANGEABLE_SAMPLES:
        return False
    return factor <= _EXCHANGEABLE_FACTOR or samples <= 25 or values <= 6


def _plain(dice: PlainDice, samples: int) -> Curve:
    """Compute plain dice: full entropy, and a variance that grows by the same amount with each roll."""
    total = dice.base.total
    each = sum(a * (total - a) for a in dice.base.weights) / (total * total * len(dice.base.weights))
    return Curve((1.0,) * samples, tuple(each * n for n in range(1, samples + 1)))
