"""E-processes: evidence against fair rolls that may be looked at after every roll.

Each is a bet that pays 1 on average if the rolls are what they claim to be. The chance that it ever
reaches 20 is then at most 1/20 (Ville's inequality; Ramdas et al., arXiv 2210.01948). An average of bets is
a bet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, lgamma, log
from typing import TYPE_CHECKING

from bot.dice.system import Memory, System
from bot.stats.crowds import crowd
from bot.systems.odds import shares

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TIGHTNESSES = (-1.0, -0.5, 0.5, 1.0, 2.0)
"""What the bet on memory tries: smoothing where positive, streaks where negative."""

ENOUGH = 20
"""What a bet must be worth before anything is said against the dice."""
ROLLS_LIMIT = 50_000
_RUNS = 401
_CELLS = 500_000
"""Errors of faces that are held in memory at a time."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The worth of a bet now and at its best, as natural logarithms."""

    log_now: float = 0.0
    log_most: float = 0.0

    @property
    def p(self) -> float:
        """The p-value that holds however often one looked: 1/(the most it was ever worth), at most 1."""
        return exp(-self.log_most)

    def then(self, log_now: float) -> "Evidence":
        """Return the evidence once the bet is worth so much."""
        return Evidence(log_now, max(self.log_most, log_now))


def bet_on_values(weights: Sequence[int], faces: Sequence[int]) -> "NDArray[np.float64]":
    """Bet that some faces come out more often than they should: a Dirichlet(a) mixture against the table.

    Return the logarithm of the worth after each roll; its factor is (a+c)/(A+n) against a/A.
    """
    import numpy as np

    seen, table = np.array(faces), np.array(weights, dtype=float)
    order = np.argsort(seen, kind="stable")
    begin = np.searchsorted(seen[order], seen[order])
    before = np.empty(len(seen))
    before[order] = np.arange(len(seen)) - begin
    share = table[seen] / table.sum()
    return np.cumsum(np.log((table[seen] + before) / (table.sum() + np.arange(len(seen))) / share))


def bet_on_memory(weights: Sequence[int], faces: Sequence[int]) -> "NDArray[np.float64]":
    """Bet that plain dice secretly remember: fair dice of several tightnesses, some of them streaky.

    Return the logarithm of the worth after each roll, the average over the tightnesses.
    """
    import numpy as np

    share = np.array(weights, dtype=float) / sum(weights)
    ahead = np.zeros(len(share))
    steps = np.empty((len(TIGHTNESSES), len(faces)))
    rows = max(1, _CELLS // len(share))
    for start in range(0, len(faces), rows):
        seen = np.array(faces[start : start + rows])
        moves = np.eye(len(share))[seen] - share
        after: NDArray[np.float64] = ahead + np.cumsum(moves, axis=0)
        errors, ahead = after - moves, after[-1]
        for at, tightness in enumerate(TIGHTNESSES):
            exponents = -tightness * log(2) * errors
            exponents -= exponents.max(axis=1, keepdims=True)
            own = exponents[np.arange(len(seen)), seen]
            steps[at, start : start + rows] = own - np.log(np.exp(exponents) @ share)
    return _log_mean(np.cumsum(steps, axis=1))


def bet_on_repeats(weights: Sequence[int], faces: Sequence[int]) -> "NDArray[np.float64]":
    """Bet that faces repeat more or less often than they should: Beta(1, k-1) on repeat or not.

    Of unequal faces k is 1 over the chance that two rolls agree. Return the logarithm of the worth after each
    roll; the first one says nothing.
    """
    import numpy as np

    share = np.array(weights, dtype=float) / sum(weights)
    kinds, seen = 1 / (share**2).sum(), np.array(faces)
    worth = np.zeros(len(seen))
    if len(share) > 1:
        repeat = seen[1:] == seen[:-1]
        earlier = np.cumsum(repeat) - repeat
        expected = share[seen[:-1]]
        bet: NDArray[np.float64] = (1 + earlier) / (kinds + np.arange(len(repeat)))
        worth[1:] = np.cumsum(np.log(np.where(repeat, bet / expected, (1 - bet) / (1 - expected))))
    return worth


def bet_on_all(weights: Sequence[int], faces: Sequence[int]) -> Evidence:
    """Return the evidence of the three bets in equal parts, which are a bet."""
    import numpy as np

    bets = (bet_on_values, bet_on_memory, bet_on_repeats)
    worth = _log_mean(np.stack([bet(weights, faces) for bet in bets]))
    return Evidence(float(worth[-1]), max(0.0, float(worth.max())))


class SystemBet:
    """Bet against any system's own chances, memory included: the one test that suits a fair roller.

    Two bets in equal parts: that faces ahead of what the chances added up to go on being favoured, and
    that the rolls have no memory at all.
    """

    def __init__(self, system: System, memory: Memory | None = None) -> None:
        import numpy as np

        table = np.array(shares(system), dtype=float)
        self._share = table / table.sum()
        self._seen = self._share * len(table)
        self._expected = self._seen.copy()
        self._logs = [0.0, 0.0]
        self.begin(system, system.start() if memory is None else memory)

    def begin(self, system: System, memory: Memory) -> None:
        """Say what the next roll begins with: somebody else's memory, a reset one, or tuned chances."""
        self._roller = crowd(system, memory, 1)

    def see(self, face: int) -> float:
        """See one more roll; infinite once a face came out that could not."""
        import numpy as np

        weights = self._roller.weights()[0]
        chances = weights / weights.sum()
        if chances[face]:
            self._roller.advance(np.array([face]))
        return self.judge(chances, self._share, face)

    def judge(self, chances: "NDArray[np.float64]", plain: "NDArray[np.float64]", face: int) -> float:
        """See one more roll that had these chances, and with plain dice those."""
        if not chances[face]:
            self._logs = [inf, inf]
            return inf
        tilts = self._seen / self._expected
        self._logs[0] += log(tilts[face] / (chances * tilts).sum())
        self._logs[1] += log(plain[face] / chances[face])
        self._expected = self._expected + chances
        self._seen[face] += 1
        most = max(self._logs)
        return most + log(sum(exp(x - most) for x in self._logs) / 2)


def rolls_needed(weights: Sequence[int], truth: Sequence[Fraction], *, seed: int = 0) -> int | None:
    """Return the median number of rolls until the bet on values is worth 20, if the chances are `truth`.

    Found by seeded simulation, so good to about a tenth; None if 50,000 rolls are not enough.
    """
    import numpy as np

    if _worth_at(weights, truth, ROLLS_LIMIT) + len(weights) < log(ENOUGH):
        return None
    generator = np.random.Generator(np.random.Philox(key=seed))
    table = np.array(weights, dtype=float)
    ends = np.cumsum(np.array([float(p) for p in truth]))
    counts = np.tile(table, (_RUNS, 1))
    worth = np.zeros(_RUNS)
    reached = np.zeros(_RUNS, dtype=bool)
    rows = np.arange(_RUNS)
    for rolls in range(ROLLS_LIMIT):
        faces = np.minimum(np.searchsorted(ends, generator.random(_RUNS), side="right"), len(table) - 1)
        worth += np.log(counts[rows, faces] * table.sum() / ((table.sum() + rolls) * table[faces]))
        counts[rows, faces] += 1
        reached |= worth >= np.log(ENOUGH)
        if 2 * int(reached.sum()) > _RUNS:
            return rolls + 1
    return None


def _worth_at(weights: Sequence[int], truth: Sequence[Fraction], rolls: int) -> float:
    """Return the logarithm of the bet on values if each face comes as often as expected.

    Chance adds about half a unit a face to that.
    """
    total = sum(weights)
    worth = lgamma(total) - lgamma(total + rolls)
    for a, p in zip(weights, truth, strict=True):
        count = rolls * float(p)
        worth += lgamma(a + count) - lgamma(a) - count * log(a / total)
    return worth


def with_face_at(weights: Sequence[int], face: int, chance: Fraction) -> tuple[Fraction, ...]:
    """Return the table with one face at a given chance, the others in their old proportion."""
    rest = sum(weights) - weights[face]
    return tuple(chance if i == face else (1 - chance) * Fraction(a, rest) for i, a in enumerate(weights))


def _log_mean(logs: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the logarithms of the mean of the rows whose logarithms are given."""
    import numpy as np

    return np.logaddexp.reduce(logs, axis=0) - log(len(logs))
