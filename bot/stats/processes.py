"""E-processes: evidence against fair rolls that stays valid if it is checked after every roll.

Each is a bet that pays 1 on average if the rolls are what they claim to be. The chance that it ever
reaches 20 is then at most 1/20 (Ville's inequality; Ramdas et al., arXiv 2210.01948). An average of bets is
a bet.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

from bot.dice.system import Memory, System
from bot.stats.arrays import Flags, Floats, Indices
from bot.stats.crowd import chances_of
from bot.stats.crowds import crowd
from bot.systems.odds import shares

STRENGTHS = (1, 30, 300, 1_000)
"""Prior strengths of the bets on values, in rolls of each face; strong ones detect small biases."""
TIGHTNESSES = (-1.0, -0.5, 0.5, 1.0, 2.0)
"""Alternatives of the bets on memory: smoothing if positive, streaks if negative."""

ENOUGH = 20
"""Least worth of the bets for a verdict against the dice."""
ROLLS_LIMIT = 50_000
_RUNS = 201
_ROUNDING = 1e-9
_GRID = 1 << 14
_CELLS = 500_000
"""Most errors of faces in memory at a time."""
# Number of bets of each kind. Kinds share the stake equally, and so do the bets of one kind.
_ON_PLAIN_DICE = (len(STRENGTHS), len(TIGHTNESSES), 1)
_ON_A_SYSTEM = (len(STRENGTHS), 1)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The current and the largest worth of a bet, as natural logarithms."""

    log_now: float = 0.0
    log_most: float = 0.0


@dataclass(frozen=True, slots=True)
class BetState(Evidence):
    """The state of the bets on a die: all that is needed of earlier rolls to continue them."""

    counts: Sequence[int] = ()
    """The count of each face; empty before the first roll."""
    logs: Sequence[float] = ()
    """The logarithm of each single bet's worth."""
    repeats: int = 0
    last: int = -1
    """The last face; -1 for none. It and `repeats` are only used for plain dice."""
    expected: Sequence[float] = ()
    """The expected count of each face; only used for dice with a memory."""


FRESH = BetState()


def bet_on_plain_dice(weights: Sequence[int], faces: Sequence[int], state: BetState = FRESH) -> BetState:
    """Continue the bets on plain dice with more rolls, the oldest first: on values, memory and repeats."""
    import numpy as np

    rolled, share = np.array(faces), chances_of(weights)
    counts = np.array(state.counts or np.zeros(len(share)))
    values, memory = bet_on_values(share, rolled, counts), bet_on_memory(share, rolled, counts)
    logs = np.concatenate([values, memory, bet_on_repeats(share, rolled, state)])
    logs += np.reshape(state.logs or [0.0], (-1, 1))
    worth = _mix(logs, _ON_PLAIN_DICE)
    most = max(state.log_most, float(worth.max()))
    new_counts = (counts + np.bincount(rolled, minlength=len(share))).astype(int).tolist()
    repeats = state.repeats + int(_is_repeat(rolled, state.last).sum())
    return BetState(float(worth[-1]), most, new_counts, logs[:, -1].tolist(), repeats, int(rolled[-1]))


def bet_on_values(share: Floats, faces: Indices, counts: Floats) -> Floats:
    """Bet that some faces come more often than they should: Dirichlet mixtures against the table.

    `counts` is of earlier rolls. Return the logarithm of the worth after each roll, for each of the
    strengths s; a roll's factor is (s·k·share + count)/(s·k + rolls) against the share.
    """
    import numpy as np

    # 16-bit integers are sorted by counting, which is much faster.
    order = np.argsort(faces.astype(np.int16) if len(share) < 1 << 15 else faces, kind="stable")
    times = np.bincount(faces, minlength=len(share))
    rolls = np.arange(len(faces))
    earlier = np.empty(len(faces))
    earlier[order] = rolls - np.repeat(np.cumsum(times) - times, times)
    firm, due = np.array(STRENGTHS)[:, None] * len(share), share[faces]
    # In place: there are up to 50,000 rolls, and allocating memory takes longer than arithmetic.
    bets = firm * due
    bets += counts[faces]
    bets += earlier
    bets /= firm + counts.sum() + rolls
    bets /= due
    return np.cumsum(np.log(bets, out=bets), axis=1, out=bets)


def bet_on_memory(share: Floats, faces: Indices, counts: Floats) -> Floats:
    """Bet that plain dice have a memory: fair dice of several tightnesses, some of them streaky.

    `counts` is of earlier rolls. Return the logarithm of the worth after each roll, for each tightness.
    """
    import numpy as np

    ahead = counts - counts.sum() * share
    steps = np.empty((len(TIGHTNESSES), len(faces)))
    rows = max(1, _CELLS // len(share))
    for start in range(0, len(faces), rows):
        part = faces[start : start + rows]
        moves = np.eye(len(share))[part] - share
        after: Floats = ahead + np.cumsum(moves, axis=0)
        errors, ahead = after - moves, after[-1]
        for at, tightness in enumerate(TIGHTNESSES):
            exponents = -tightness * log(2) * errors
            exponents -= exponents.max(axis=1, keepdims=True)
            own = exponents[np.arange(len(part)), part]
            steps[at, start : start + rows] = own - np.log(np.exp(exponents) @ share)
    return np.cumsum(steps, axis=1)


def bet_on_repeats(share: Floats, faces: Indices, state: BetState = FRESH) -> Floats:
    """Bet that faces repeat more or less often than they should: Beta(1, k-1) on repeat or not.

    Of unequal faces k is 1 over the chance that two rolls agree; `state` is of earlier rolls. Return the
    logarithm of the worth after each roll; the very first roll does not change it.
    """
    import numpy as np

    if len(share) == 1:
        return np.zeros((1, len(faces)))
    repeat = _is_repeat(faces, state.last)
    earlier = state.repeats + np.cumsum(repeat) - repeat
    tried = np.maximum(sum(state.counts) - 1 + np.arange(len(faces)), 0)
    expected = share[np.concatenate(([state.last], faces[:-1]))]
    bet: Floats = (1 + earlier) / (1 / (share**2).sum() + tried)
    steps = np.log(np.where(repeat, bet / expected, (1 - bet) / (1 - expected)))
    if state.last < 0:
        steps[0] = 0
    return np.cumsum(steps)[None]


class SystemBet:
    """Bets against any system's own chances, memory included: the test for fair rollers.

    Two kinds of bets share the stake: that faces above their expected counts stay favoured, with several
    strengths, and that the rolls have no memory.
    """

    def __init__(self, system: System, memory: Memory | None = None, state: BetState = FRESH) -> None:
        import numpy as np

        # Avoid 0/0 for a face that has a share of 0 in the long run, but may come at first.
        self._share = np.maximum(chances_of(shares(system)), np.finfo(float).tiny)
        self._firm = np.array(STRENGTHS)[:, None] * len(self._share) * self._share
        self._counts = np.array(state.counts or np.zeros(len(self._share)))
        self._expected = np.array(state.expected or np.zeros(len(self._share)))
        self._logs = np.array(state.logs or np.zeros(sum(_ON_A_SYSTEM)))
        self._worth = state.log_now, state.log_most
        self.begin(system, system.start() if memory is None else memory)

    @property
    def state(self) -> BetState:
        """Return the state of the bets."""
        counts, logs = self._counts.astype(int).tolist(), self._logs.tolist()
        return BetState(*self._worth, counts, logs, expected=self._expected.tolist())

    def begin(self, system: System, memory: Memory) -> None:
        """Set the system and memory of the next roll, such as another player's, a reset or a tuned one."""
        self._roller = crowd(system, memory, 1)

    def see(self, face: int) -> float:
        """Add a roll, and return the logarithm of the worth; infinity after an impossible face."""
        import numpy as np

        weights = self._roller.weights()[0]
        chances = weights / weights.sum()
        if chances[face]:
            self._roller.advance(np.array([face]))
        return self.judge(chances, self._share, face)

    def judge(self, chances: Floats, plain: Floats, face: int) -> float:
        """Add a roll with its `chances` and those of plain dice; return the logarithm of the worth."""
        import numpy as np

        if chances[face]:
            tilts = (self._firm + self._counts) / (self._firm + self._expected)
            self._logs[:-1] += np.log(tilts[:, face] / (tilts @ chances))
            self._logs[-1] += log(plain[face] / chances[face])
        else:
            self._logs += inf
        self._expected += chances
        self._counts[face] += 1
        now = float(_mix(self._logs, _ON_A_SYSTEM))
        self._worth = now, max(now, self._worth[1])
        return now


def rolls_needed(weights: Sequence[int], truth: Sequence[Fraction]) -> int | None:
    """Return the median number of rolls until the bets on plain dice are worth 20 if the chances are `truth`.

    Only the bets on values count, since the others hardly gain on rolls without a memory. The result of a
    seeded simulation, accurate to about a tenth; None if 50,000 rolls are not enough.
    """
    import numpy as np

    share, true_chances = chances_of(weights), np.array(truth, dtype=float)
    threshold = log(ENOUGH * len(_ON_PLAIN_DICE) * len(STRENGTHS))
    # This is the largest mean gain of any bet per roll.
    if ROLLS_LIMIT * float(true_chances @ np.log(true_chances / share)) < threshold:
        return None
    generator, none = np.random.Generator(np.random.Philox(key=0)), np.zeros(len(share))
    draw_faces = _face_sampler(true_chances)
    for rolls in (ROLLS_LIMIT // 12, ROLLS_LIMIT // 3, ROLLS_LIMIT):
        reached = list[int]()
        for run in range(1, _RUNS + 1):
            faces = draw_faces(generator.random(rolls))
            worth = bet_on_values(share, faces, none)
            # Their total worth is between the best one and the best one times their number.
            best = worth.max(axis=0)
            end = (best >= threshold).argmax() + 1 if best.max() >= threshold else rolls
            candidates = np.flatnonzero(best[:end] > threshold - log(len(STRENGTHS)) - _ROUNDING)
            reached += candidates[np.logaddexp.reduce(worth[:, candidates], axis=0) >= threshold][:1].tolist()
            # The median is beyond this number of rolls.
            if 2 * (run - len(reached)) > _RUNS:
                break
        else:
            return 1 + sorted(reached)[_RUNS // 2]
    return None


def _face_sampler(chances: Floats) -> Callable[[Floats], Indices]:
    """Return a function from uniform numbers in 0..1 to faces with these chances.

    Nearly all cells of a fine grid belong to one face; only numbers in the others are searched.
    """
    import numpy as np

    ends = np.cumsum(chances)
    ends /= ends[-1]
    grid = ends.searchsorted(np.arange(_GRID + 1) / _GRID, side="right")
    is_shared = grid[:-1] != grid[1:]

    def faces(numbers: Floats) -> Indices:
        cells = (numbers * _GRID).astype(np.intp)
        result = grid[cells]
        unresolved = np.flatnonzero(is_shared[cells])
        result[unresolved] = ends.searchsorted(numbers[unresolved], side="right")
        return result

    return faces


def with_face_at(weights: Sequence[int], face: int, chance: Fraction) -> tuple[Fraction, ...]:
    """Return the table with one face at this chance, the others in their old proportion."""
    rest = sum(weights) - weights[face]
    return tuple(chance if i == face else (1 - chance) * Fraction(a, rest) for i, a in enumerate(weights))


def _is_repeat(faces: Indices, last: int) -> Flags:
    """Return for each roll True if it equals the one before."""
    import numpy as np

    return faces == np.concatenate(([last], faces[:-1]))


def _mix(logs: Floats, kinds: Sequence[int]) -> Floats:
    """Return the logarithm of the bets' total worth; each kind has an equal part of the stake."""
    import numpy as np

    parts = np.concatenate([np.full(n, log(n * len(kinds))) for n in kinds])
    return np.logaddexp.reduce((logs.T - parts).T, axis=0)
