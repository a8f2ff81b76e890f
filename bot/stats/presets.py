"""The dial: five unpredictabilities that dynamic dice come in, worked out for an evening of 25 rolls."""

from fractions import Fraction

from bot.stats.tuner import TunedDice, best_factor

SAMPLES = 25
DIAL = tuple(Fraction(percent, 100) for percent in (80, 85, 90, 95, 99))


def presets(values: int) -> tuple[TunedDice, ...]:
    """The best factor for each position of the dial, for 2 to 20 equal faces."""
    return tuple(best_factor(values, SAMPLES, unpredictability) for unpredictability in DIAL)
