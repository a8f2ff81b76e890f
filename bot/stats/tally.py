"""One evening played out roll by roll on given draws, by the very functions that the table rolls with."""

from dataclasses import dataclass, field
from functools import lru_cache
from math import log

from bot.dice.draws import Draws
from bot.dice.system import System
from bot.stats.evening import table_entropy
from bot.systems.shares import shares


@dataclass(slots=True)
class Tally:
    """How often each face came out so far, and how unpredictable that was."""

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
        """So many more rolls; where several decks make an offer, each card is one."""
        for _ in range(rolls):
            weights = self.system.weights(self._memory)
            self._nats += _entropy(weights)
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


@lru_cache(maxsize=1 << 14)
def _entropy(weights: tuple[int, ...]) -> float:
    """In nats. Weights can be too large for a float, shares can't."""
    total = sum(weights)
    chances = (w / total for w in weights if w)
    return -sum(p * log(p) for p in chances if p)
