"""Play evenings out by a seeded generator, many side by side or one by one, where exact ways take too long.

Floating point and numpy's generator: good enough to tell what to expect, never used to roll.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from math import log, log2
from typing import TYPE_CHECKING

from bot.dice.draws import Draws
from bot.dice.seeded import seeded
from bot.dice.system import System
from bot.stats.measures import Curve, table_entropy
from bot.systems.deck import Deck
from bot.systems.dynamic import Dynamic
from bot.systems.fair import Fair
from bot.systems.odds import shares
from bot.systems.plain import PlainDice

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

_CELLS = 2_000_000
"""How many rolls of one face are played at most by the quick way, and by the general one below."""
_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Evenings side by side: one row an evening, one column a number of rolls from 1 on."""

    entropy: "NDArray[np.float64]"
    """Before each roll, in nats."""
    square: "NDArray[np.float64]"
    """The mean squared error of the counts."""
    worst: "NDArray[np.float64]"
    """The largest error of any count."""
    counts: "NDArray[np.int64]"
    """How often each face came out in the end: one column a face."""

    @classmethod
    def empty(cls, runs: int, samples: int, faces: int) -> "Sample":
        """Return arrays for evenings yet to be played."""
        import numpy as np

        entropy, square, worst = (np.zeros((runs, samples)) for _ in range(3))
        return cls(entropy, square, worst, np.zeros((runs, faces), dtype=np.int64))

    def evening(self, table_entropy: float) -> Curve:
        """Return the means, with the largest standard error among them."""
        runs = len(self.square)
        entropy = self.entropy / (table_entropy or 1.0)
        return Curve(
            tuple(map(float, entropy.mean(axis=0))),
            tuple(map(float, self.square.mean(axis=0))),
            entropy_error=float(entropy.std(axis=0).max() / runs**0.5),
            variance_error=float(self.square.std(axis=0).max() / runs**0.5),
            simulated=True,
        )


def simulate(system: System, samples: int, *, runs: int = 20_000, seed: int = 0) -> Sample:
    """Play evenings of so many rolls; fewer runs than asked for where they would take too long."""
    cells = samples * len(system.faces)
    if isinstance(system, PlainDice | Dynamic | Fair | Deck):
        return _side_by_side(system, samples, max(200, min(runs, _CELLS // cells)), seed)
    return _one_by_one(system, samples, max(50, min(runs, _STEPS // samples)), seed)


def _side_by_side(system: PlainDice | Dynamic | Fair | Deck, samples: int, runs: int, seed: int) -> Sample:
    import numpy as np

    table = np.array(system.base.weights, dtype=float)
    share = table / table.sum()
    generator = np.random.Generator(np.random.Philox(key=seed))
    left = np.tile(table * system.size if isinstance(system, Deck) else table, (runs, 1))
    weigh = _weigher(system, table)
    sample = Sample.empty(runs, samples, len(table))
    counts = sample.counts
    rows = np.arange(runs)
    for n in range(samples):
        weights = left if isinstance(system, Deck) else weigh(counts, n)
        ends = np.cumsum(weights, axis=1)
        chances = weights / ends[:, -1:]
        sample.entropy[:, n] = -(chances * np.log(np.where(chances > 0, chances, 1))).sum(axis=1)
        at = generator.random(runs)[:, None] * ends[:, -1:]
        chosen = np.minimum((ends <= at).sum(axis=1), len(table) - 1)
        counts[rows, chosen] += 1
        if isinstance(system, Deck):
            left = _after(system, left, rows, chosen, table)
        errors = counts - share * (n + 1)
        sample.square[:, n] = (errors**2).mean(axis=1)
        sample.worst[:, n] = np.abs(errors).max(axis=1)
    return sample


def _weigher(
    system: PlainDice | Dynamic | Fair | Deck, table: "NDArray[np.float64]"
) -> "Callable[[NDArray[np.int64], int], NDArray[np.float64]]":
    """Return the function from counts after n rolls to the weights of the next roll."""
    import numpy as np

    scaled = table.astype(np.int64)
    tightness = _tightness(system)

    def weigh(counts: "NDArray[np.int64]", n: int) -> "NDArray[np.float64]":
        ahead = counts * scaled.sum() - scaled * n
        ahead -= ahead.min(axis=1, keepdims=True)
        if tightness is None:
            return np.where(ahead == 0, table, 0.0)
        return table * np.exp2(-tightness / scaled.sum() * ahead)

    return weigh


def _tightness(system: PlainDice | Dynamic | Fair | Deck) -> float | None:
    """Return the tightness of the equal fair die; None for the hat, 0 for systems that do not use it."""
    match system:
        case Dynamic():
            return -log2(system.factor)
        case Fair():
            return None if system.tightness is None else float(system.tightness)
        case _:
            return 0.0


def _after(
    deck: Deck,
    left: "NDArray[np.float64]",
    rows: "NDArray[np.intp]",
    chosen: "NDArray[np.intp]",
    table: "NDArray[np.float64]",
) -> "NDArray[np.float64]":
    """Return the cards left after a draw, and after the refill that comes for all evenings at once."""
    import numpy as np

    left[rows, chosen] -= 1
    if left[0].sum() >= deck.refill:
        return left
    new = table * deck.size
    return np.tile(new, (len(left), 1)) if deck.mode == "reset" else left + new


def _one_by_one(system: System, samples: int, runs: int, seed: int) -> Sample:
    import numpy as np

    table = np.array(shares(system), dtype=float)
    share = table / table.sum()
    sample = Sample.empty(runs, samples, len(table))
    draws = seeded(seed)
    for run in range(runs):
        memory = system.start()
        counts = sample.counts[run]
        for n in range(samples):
            weights = system.weights(memory)
            chances = np.array([w / sum(weights) for w in weights if w])
            sample.entropy[run, n] = -(chances * np.log(chances)).sum()
            chosen = draws.choose(weights)
            memory = system.advance(memory, chosen)
            counts[chosen] += 1
            errors = counts - share * (n + 1)
            sample.square[run, n] = (errors**2).mean()
            sample.worst[run, n] = np.abs(errors).max()
    return sample


@dataclass(slots=True)
class Playthrough:
    """One evening on given draws, with the counts of the faces and their unpredictability so far."""

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
        """Play so many more rolls; where several decks make an offer, each card is one."""
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
    """Return the entropy in nats; weights can be too large for a float, shares can't."""
    total = sum(weights)
    chances = (w / total for w in weights if w)
    return -sum(p * log(p) for p in chances if p)
