"""An evening by brute force: every sequence of faces, with its exact chance."""

from fractions import Fraction
from math import log

from bot.dice.system import Memory, System
from bot.stats.measures import table_entropy
from bot.systems.odds import shares


def brute_force(system: System, samples: int) -> tuple[tuple[float, ...], tuple[Fraction, ...]]:
    """Return entropies and exact variances after 1 to `samples` rolls, by a walk of all sequences."""
    table = shares(system)
    share = [Fraction(a, sum(table)) for a in table]
    nats = [0.0] * samples
    squares = [Fraction(0)] * samples

    def walk(memory: Memory, counts: tuple[int, ...], chance: Fraction, n: int) -> None:
        if n:
            errors = [c - p * n for c, p in zip(counts, share, strict=True)]
            squares[n - 1] += chance * sum((e * e for e in errors), Fraction(0)) / len(errors)
        if n == samples:
            return
        weights = system.weights(memory)
        for i, weight in enumerate(weights):
            if weight:
                p = Fraction(weight, sum(weights))
                nats[n] -= float(chance * p) * log(p)
                walk(
                    system.advance(memory, i),
                    (*counts[:i], counts[i] + 1, *counts[i + 1 :]),
                    chance * p,
                    n + 1,
                )

    walk(system.start(), (0,) * len(table), Fraction(1), 0)
    most = table_entropy(table)
    entropies = [sum(nats[: n + 1]) / (most * (n + 1)) for n in range(samples)]
    return tuple(entropies), tuple(squares)
