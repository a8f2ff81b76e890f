"""Simulate evenings with a seeded generator, many side by side or one by one, if exact figures take too long.

Floating point and numpy's generator: good enough for expectations, never used to roll.
"""

from dataclasses import dataclass, field

from bot.dice.draws import Draws
from bot.dice.system import System
from bot.stats.arrays import Floats
from bot.stats.crowd import chances_of, choose
from bot.stats.crowds import crowd
from bot.stats.measures import Curve, table_entropy
from bot.systems.odds import shares

_CELLS = 2_000_000
"""Most simulated rolls × faces."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Simulated evenings: one row for each evening, one column for each number of rolls from 1 on."""

    entropy: Floats
    """Before each roll, as a fraction of plain dice's."""
    square: Floats
    """The mean squared error of the counts."""

    def evening(self) -> Curve:
        """Return the means, with the largest standard error among them."""
        runs = len(self.square)
        return Curve(
            tuple(map(float, self.entropy.mean(axis=0))),
            tuple(map(float, self.square.mean(axis=0))),
            entropy_error=float(self.entropy.std(axis=0).max() / runs**0.5),
            variance_error=float(self.square.std(axis=0).max() / runs**0.5),
            simulated=True,
        )


def simulate(system: System, samples: int, *, runs: int = 20_000, seed: int = 0) -> Sample:
    """Simulate evenings of `samples` rolls; fewer than `runs` if that would take too long."""
    import numpy as np

    table = shares(system)
    share, full_entropy = chances_of(table), table_entropy(table) or 1.0
    runs = max(200, min(runs, _CELLS // (samples * len(share))))
    generator = np.random.Generator(np.random.Philox(key=seed))
    rollers = crowd(system, system.start(), runs)
    sample = Sample(np.zeros((runs, samples)), np.zeros((runs, samples)))
    counts = np.zeros((runs, len(share)), dtype=np.int64)
    rows = np.arange(runs)
    for n in range(samples):
        weights = rollers.weights()
        chances = weights / weights.sum(axis=1, keepdims=True)
        nats = -(chances * np.log(np.where(chances > 0, chances, 1))).sum(axis=1)
        sample.entropy[:, n] = nats / full_entropy
        chosen = choose(weights, generator)
        rollers.advance(chosen)
        counts[rows, chosen] += 1
        sample.square[:, n] = ((counts - share * (n + 1)) ** 2).mean(axis=1)
    return sample


@dataclass(slots=True)
class Playthrough:
    """One evening with its own draws, the counts of the faces and their unpredictability so far."""

    system: System
    draws: Draws
    rolls: int = 0
    counts: list[int] = field(init=False)
    _nats: float = 0.0
    _memory: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.counts = [0] * len(self.system.faces)
        self._memory = self.system.start()

    def play(self, rolls: int) -> None:
        """Play more rolls; each card of an offer of several decks counts as one."""
        for _ in range(rolls):
            weights = self.system.weights(self._memory)
            self._nats += table_entropy(weights)
            chosen = self.draws.choose(weights)
            self._memory = self.system.advance(self._memory, chosen)
            self.counts[chosen] += 1
        self.rolls += rolls

    @property
    def entropy(self) -> float:
        """The mean entropy before each roll, as a fraction of the base table's; 1 before the first one."""
        most = table_entropy(shares(self.system))
        return self._nats / (self.rolls * most) if self.rolls and most else 1.0

    @property
    def variance(self) -> float:
        """The mean squared error of the counts against their shares."""
        table = shares(self.system)
        total = sum(table)
        errors = (c * total - a * self.rolls for c, a in zip(self.counts, table, strict=True))
        return sum(e * e for e in errors) / (total * total * len(table))
