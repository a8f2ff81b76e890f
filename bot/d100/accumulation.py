"""The figures of the accumulation register, by exact convolution: even in the long run, but not independent.

Formulas and figures: docs/d100.md, "The register: always the same number of dice".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import log2

from bot.d100.register import Register
from bot.d100.scores import best_weights, score

SHOWN_DICE = (3, 4)
SHOWN_ROLLS = (1, 2, 3, 5, 10, 25)


@dataclass(frozen=True, slots=True)
class RegisterFigures:
    """The evenness and the dependence of a register's values."""

    register: Register
    scores: dict[int, Fraction]
    """The score after so many rolls from a known value, for somebody who did not see those between."""
    information: float
    """What one value says about the next one, in bits."""
    correlation: Fraction
    """Between one value and the next one, all values being equally likely before."""


def register_figures(register: Register, rolls: Iterable[int] = SHOWN_ROLLS) -> RegisterFigures:
    """Work out the figures, with the scores after these numbers of rolls."""
    added = best_weights(register.sides**register.dice, register.values)
    wanted = sorted(set(rolls))
    laws = after_rolls(added, wanted[-1])
    return RegisterFigures(
        register,
        {m: score(laws[m - 1]) for m in wanted},
        information(added),
        correlation(added),
    )


def after_rolls(added: tuple[int, ...], rolls: int) -> list[tuple[int, ...]]:
    """Return the weights of the value after 1 to `rolls` rolls from 0, when `added` is added each time.

    `added` gives the first values one more than the others. So a convolution is the sum of all weights,
    times the fewer, and a sliding sum over as many weights as have one more.
    """
    values, few = len(added), min(added)
    more = sum(added) - few * values
    if added != best_weights(sum(added), values):
        raise ValueError("the numbers of throws differ by more than one")
    laws = [added]
    while len(laws) < rolls:
        law = laws[-1]
        ends = [0, *accumulate((*law, *law))]
        base = few * ends[values]
        laws.append(tuple(base + ends[v + values + 1] - ends[v + values + 1 - more] for v in range(values)))
    return laws


def information(added: tuple[int, ...]) -> float:
    """Return the mutual information of a uniform value and the next, in bits: log2 n - H(added)."""
    total = sum(added)
    return log2(len(added)) + sum(w / total * log2(w / total) for w in added if w)


def correlation(added: tuple[int, ...]) -> Fraction:
    """Return the correlation of a uniform value and the next: the mean of 1 - 6y(n-y)/(n²-1) over `added`."""
    values, total = len(added), sum(added)
    turned = sum(w * y * (values - y) for y, w in enumerate(added))
    return 1 - Fraction(6 * turned, total * (values * values - 1))
