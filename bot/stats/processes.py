"""E-processes: evidence against fair rolls that may be looked at after every roll.

Each is a bet that pays 1 on average if the rolls are what they claim to be. The chance that it ever
reaches 20 is then at most 1/20 (Ville's inequality; Ramdas et al., arXiv 2210.01948). An average of bets is
a bet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

from bot.dice.system import Memory, System
from bot.stats.arrays import Flags, Floats, Indices
from bot.stats.crowd import chances_of
from bot.stats.crowds import crowd
from bot.systems.odds import shares

STRENGTHS = (1, 30, 300, 1_000)
"""How firmly the bets on values believe the table at first, in rolls of each face; a small bias needs it."""
TIGHTNESSES = (-1.0, -0.5, 0.5, 1.0, 2.0)
"""What the bets on memory try: smoothing where positive, streaks where negative."""

ENOUGH = 20
"""What a bet must be worth before anything is said against the dice."""
ROLLS_LIMIT = 50_000
_RUNS = 201
_CELLS = 500_000
"""Errors of faces that are held in memory at a time."""
# How many bets there are of each sort; the sorts have equal parts of the stake, and so have bets of one sort.
_ON_PLAIN_DICE = (len(STRENGTHS), len(TIGHTNESSES), 1)
_ON_A_SYSTEM = (len(STRENGTHS), 1)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The worth of a bet now and at its best, as natural logarithms."""

    log_now: float = 0.0
    log_most: float = 0.0


@dataclass(frozen=True, slots=True)
class BetState(Evidence):
    """How the bets on some dice stand: all that they have to know of earlier rolls to go on."""

    counts: Sequence[int] = ()
    """How often each face was seen; empty before the first roll."""
    logs: Sequence[float] = ()
    """The worth of each single bet, as a logarithm."""
    repeats: int = 0
    last: int = -1
    """The face that was seen last; -1 for none. It and `repeats` are kept of plain dice alone."""
    expected: Sequence[float] = ()
    """How often each face should have been seen; kept of dice with a memory alone."""


FRESH = BetState()


def bet_on_plain_dice(weights: Sequence[int], faces: Sequence[int], state: BetState = FRESH) -> BetState:
    """Bet on more rolls of plain dice, the oldest first: on values, memory and repeats in equal parts."""
    import numpy as np

    seen, share = np.array(faces), chances_of(weights)
    counts = np.array(state.counts or np.zeros(len(share)))
    values, memory = bet_on_values(share, seen, counts), bet_on_memory(share, seen, counts)
    logs = np.concatenate([values, memory, bet_on_repeats(share, seen, state)])
    logs += np.reshape(state.logs or [0.0], (-1, 1))
    worth = _mixed(logs, _ON_PLAIN_DICE)
    most = max(state.log_most, float(worth.max()))
    after = (counts + np.bincount(seen, minlength=len(share))).astype(int).tolist()
    same = state.repeats + int(_repeat(seen, state.last).sum())
    return BetState(float(worth[-1]), most, after, logs[:, -1].tolist(), same, int(seen[-1]))


def bet_on_values(share: Floats, seen: Indices, counts: Floats) -> Floats:
    """Bet that some faces come out more often than they should: Dirichlet mixtures against the table.

    `counts` is what was seen before. Return the logarithm of the worth after each roll, for each of the
    strengths s; a roll's factor is (s·k·share + count)/(s·k + rolls) against the share.
    """
    import numpy as np

    # Sixteen bits are sorted by counting, which is much quicker.
    order = np.argsort(seen.astype(np.int16) if len(share) < 1 << 15 else seen, kind="stable")
    earlier = np.empty(len(seen))
    earlier[order] = np.arange(len(seen)) - np.searchsorted(seen[order], seen[order])
    firm = np.array(STRENGTHS)[:, None] * len(share)
    chances = (firm * share[seen] + counts[seen] + earlier) / (firm + counts.sum() + np.arange(len(seen)))
    return np.cumsum(np.log(chances / share[seen]), axis=1)


def bet_on_memory(share: Floats, seen: Indices, counts: Floats) -> Floats:
    """Bet that plain dice secretly remember: fair dice of several tightnesses, some of them streaky.

    `counts` is what was seen before. Return the logarithm of the worth after each roll, for each tightness.
    """
    import numpy as np

    ahead = counts - counts.sum() * share
    steps = np.empty((len(TIGHTNESSES), len(seen)))
    rows = max(1, _CELLS // len(share))
    for start in range(0, len(seen), rows):
        part = seen[start : start + rows]
        moves = np.eye(len(share))[part] - share
        after: Floats = ahead + np.cumsum(moves, axis=0)
        errors, ahead = after - moves, after[-1]
        for at, tightness in enumerate(TIGHTNESSES):
            exponents = -tightness * log(2) * errors
            exponents -= exponents.max(axis=1, keepdims=True)
            own = exponents[np.arange(len(part)), part]
            steps[at, start : start + rows] = own - np.log(np.exp(exponents) @ share)
    return np.cumsum(steps, axis=1)


def bet_on_repeats(share: Floats, seen: Indices, state: BetState = FRESH) -> Floats:
    """Bet that faces repeat more or less often than they should: Beta(1, k-1) on repeat or not.

    Of unequal faces k is 1 over the chance that two rolls agree; `state` tells what was seen before. Return
    the logarithm of the worth after each roll; the very first one says nothing.
    """
    import numpy as np

    if len(share) == 1:
        return np.zeros((1, len(seen)))
    repeat = _repeat(seen, state.last)
    earlier = state.repeats + np.cumsum(repeat) - repeat
    tried = np.maximum(sum(state.counts) - 1 + np.arange(len(seen)), 0)
    expected = share[np.concatenate(([state.last], seen[:-1]))]
    bet: Floats = (1 + earlier) / (1 / (share**2).sum() + tried)
    steps = np.log(np.where(repeat, bet / expected, (1 - bet) / (1 - expected)))
    if state.last < 0:
        steps[0] = 0
    return np.cumsum(steps)[None]


class SystemBet:
    """Bet against any system's own chances, memory included: the one test that suits a fair roller.

    Two sorts of bets in equal parts: that faces ahead of what the chances added up to go on being favoured,
    with several strengths, and that the rolls have no memory at all.
    """

    def __init__(self, system: System, memory: Memory | None = None, state: BetState = FRESH) -> None:
        import numpy as np

        # A face that never comes out in the long run may do so at first, and is nothing ahead: no 0/0.
        self._share = np.maximum(chances_of(shares(system)), np.finfo(float).tiny)
        self._firm = np.array(STRENGTHS)[:, None] * len(self._share) * self._share
        self._counts = np.array(state.counts or np.zeros(len(self._share)))
        self._expected = np.array(state.expected or np.zeros(len(self._share)))
        self._logs = np.array(state.logs or np.zeros(sum(_ON_A_SYSTEM)))
        self._worth = state.log_now, state.log_most
        self.begin(system, system.start() if memory is None else memory)

    @property
    def state(self) -> BetState:
        """Return how the bets stand."""
        counts, logs = self._counts.astype(int).tolist(), self._logs.tolist()
        return BetState(*self._worth, counts, logs, expected=self._expected.tolist())

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

    def judge(self, chances: Floats, plain: Floats, face: int) -> float:
        """See one more roll that had these chances, and with plain dice those."""
        import numpy as np

        if chances[face]:
            tilts = (self._firm + self._counts) / (self._firm + self._expected)
            self._logs[:-1] += np.log(tilts[:, face] / (tilts @ chances))
            self._logs[-1] += log(plain[face] / chances[face])
        else:
            self._logs += inf
        self._expected += chances
        self._counts[face] += 1
        now = float(_mixed(self._logs, _ON_A_SYSTEM))
        self._worth = now, max(now, self._worth[1])
        return now


def rolls_needed(weights: Sequence[int], truth: Sequence[Fraction]) -> int | None:
    """Return the median number of rolls until the bets on plain dice are worth 20 if the chances are `truth`.

    The bets on values have to reach that alone: the others hardly gain on rolls without a memory. Found by
    seeded simulation, so good to about a tenth; None if 50,000 rolls are not enough.
    """
    import numpy as np

    share, true = chances_of(weights), np.array(truth, dtype=float)
    bar = log(ENOUGH * len(_ON_PLAIN_DICE) * len(STRENGTHS))
    # No bet gains more a roll on average than this.
    if ROLLS_LIMIT * float(true @ np.log(true / share)) < bar:
        return None
    generator, none = np.random.Generator(np.random.Philox(key=0)), np.zeros(len(share))
    for rolls in (ROLLS_LIMIT // 12, ROLLS_LIMIT // 3, ROLLS_LIMIT):
        reached = list[int]()
        for run in range(1, _RUNS + 1):
            seen = generator.choice(len(share), rolls, p=true)
            logs = bet_on_values(share, seen, none)
            # Together they are worth no more than the best of them times their number.
            near = np.flatnonzero(logs.max(axis=0) > bar - log(2 * len(STRENGTHS)))
            worth = np.logaddexp.reduce(logs[:, near], axis=0)
            reached += near[worth >= bar][:1].tolist()
            # The median is beyond this number of rolls.
            if 2 * (run - len(reached)) > _RUNS:
                break
        else:
            return 1 + sorted(reached)[_RUNS // 2]
    return None


def with_face_at(weights: Sequence[int], face: int, chance: Fraction) -> tuple[Fraction, ...]:
    """Return the table with one face at a given chance, the others in their old proportion."""
    rest = sum(weights) - weights[face]
    return tuple(chance if i == face else (1 - chance) * Fraction(a, rest) for i, a in enumerate(weights))


def _repeat(seen: Indices, last: int) -> Flags:
    """Return of each roll whether it is the same as the one before."""
    import numpy as np

    return seen == np.concatenate(([last], seen[:-1]))


def _mixed(logs: Floats, sorts: Sequence[int]) -> Floats:
    """Return the logarithm of what bets are worth together; each sort has an equal part of the stake."""
    import numpy as np

    parts = np.concatenate([np.full(n, log(n * len(sorts))) for n in sorts])
    return np.logaddexp.reduce((logs.T - parts).T, axis=0)
