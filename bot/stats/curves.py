"""The entropy and variance of any system, roll by roll: exact where that is quick, else simulated."""

from contextlib import suppress

from bot.dice.system import Base, OnBase, System
from bot.stats.decks import deck_curve
from bot.stats.dynamic import TooManyStates, dynamic_curve
from bot.stats.measures import Curve, table_entropy
from bot.stats.simulation import simulate
from bot.stats.states import states_curve
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

_STATES_SAMPLES = 60
_ROOM = 2_000_000


def curve(system: System, samples: int, *, seed: int = 0) -> Curve:
    """Compute the curve of 1 to `samples` rolls from the start, exact unless marked as simulated."""
    if isinstance(system, PlainDice):
        return _plain(system.base, samples)
    if isinstance(system, Deck):
        return deck_curve(system, samples)
    factor = _factor(system)
    if isinstance(system, OnBase) and factor == 1:
        return _plain(system.base, samples)
    if factor:
        with suppress(TooManyStates):
            return dynamic_curve(len(system.faces), factor, samples, room=_ROOM)
    exact = states_curve(system, samples) if samples <= _STATES_SAMPLES else None
    return exact or simulate(system, samples, seed=seed).evening(table_entropy(shares(system)))


def ends(system: System) -> tuple[PlainDice, Deck]:
    """Return plain dice and the plain deck of a system's shares: all that evens out lies between these."""
    base = system.base if isinstance(system, OnBase) else Base(system.faces, tuple(shares(system)))
    return PlainDice(base), Deck(base, 1, 1, "add")


def _factor(system: System) -> float | None:
    """Return the factor of the dynamic dice that equal this system; None if none do."""
    if isinstance(system, Dynamic):
        return float(system.factor)
    if isinstance(system, Fair) and system.base.uniform and system.tightness is not None:
        return 2.0 ** -float(system.tightness)
    return None


def _plain(base: Base, samples: int) -> Curve:
    """Compute plain dice: full entropy, and a variance that grows by the same amount with each roll."""
    total = base.total
    each = sum(a * (total - a) for a in base.weights) / (total * total * len(base.weights))
    return Curve((1.0,) * samples, tuple(each * n for n in range(1, samples + 1)))
