"""Any system with few enough memories, exactly: the probability of every memory it can be in.

With each memory goes the mean error of every face there, which is all that the variance's next step needs.
"""

from math import log

from bot.dice.system import Memory, System
from bot.stats.measures import Curve, table_entropy
from bot.systems.fair import Fair
from bot.systems.odds import shares

STATES_LIMIT = 4_000
"""Memories of one number of rolls; more would take longer than a simulation is worth."""


class _MemoryState:
    """The probability of a memory, and each face's error there times that probability."""

    __slots__ = ("chance", "errors")

    def __init__(self, faces: int) -> None:
        self.chance = 0.0
        self.errors = [0.0] * faces


def states_curve(system: System, samples: int, limit: int = STATES_LIMIT) -> Curve | None:
    """Compute the exact curve of 1 to `samples` rolls; None if there are too many memories."""
    table = shares(system)
    share = [a / sum(table) for a in table]
    most = table_entropy(table)
    now = {system.start(): _MemoryState(len(table))}
    now[system.start()].chance = 1.0
    square = 0.0
    entropies: list[float] = []
    variances: list[float] = []
    for _ in range(samples):
        nats = 0.0
        after: dict[Memory, _MemoryState] = {}
        for memory, state in now.items():
            weights = system.weights(memory)
            total = sum(weights)
            for i, weight in enumerate(weights):
                p = weight / total
                square += 2 * state.errors[i] * (p - share[i])
                square += state.chance * (p * (1 - 2 * share[i]) + share[i] ** 2)
                if weight:
                    nats -= state.chance * p * log(p)
                    _flow(after, system, memory, i, state, p, share)
            if len(after) > limit:
                return None
        now = after
        entropies.append(nats / most if most else 1.0)
        variances.append(square / len(table))
    return Curve(tuple(entropies), tuple(variances), 1e-12 * samples, 1e-12 * samples**2)


def _flow(
    after: dict[Memory, _MemoryState],
    system: System,
    memory: Memory,
    chosen: int,
    state: _MemoryState,
    p: float,
    share: list[float],
) -> None:
    """Add the probability that one memory passes on by one face."""
    order, key = _canonical(system, system.advance(memory, chosen))
    target = after.get(key)
    if target is None:
        target = after[key] = _MemoryState(len(share))
    target.chance += state.chance * p
    for at, i in enumerate(order):
        error = state.errors[i] - state.chance * share[i] + (state.chance if i == chosen else 0.0)
        target.errors[at] += p * error


def _canonical(system: System, memory: Memory) -> tuple[list[int], Memory]:
    """Return the order of the faces, and the memory in it, that stands for all that differ by naming only."""
    order = [*range(len(system.faces))]
    if not isinstance(system, Fair):
        return order, memory
    weights = system.base.weights
    # Faces of one weight are exchangeable; a stable sort leaves each face among those of its weight.
    ranked = sorted(order, key=lambda i: (weights[i], memory[i]))
    places = sorted(order, key=lambda i: weights[i])
    for place, i in zip(places, ranked, strict=True):
        order[place] = i
    return order, tuple(memory[i] for i in order)
