"""Evenings of checks on a luck account: passes, runs of misses, surprise, and what burning gains.

The states of an evening are few: how many checks passed, and how long the last run of misses is. So the law
is walked through exactly, by the account's own functions; the figures are floating point.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2, sqrt
from typing import TYPE_CHECKING, TypeAlias

from bot.dice.system import Memory
from bot.systems.checks import Outcomes
from bot.systems.luck import FULL, SCORE_UNIT, LuckAccount

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RUN = 5
"""So many misses in a row are what people remember."""
SIDES = 20
"""Chances of burnt checks and targets are twentieths."""
_TARGETS = range(4, 10)
"""The chances that burning lifts most."""

_State: TypeAlias = tuple[Memory, int, int]
"""The account, how many passed, and the run of misses, `RUN` once there was one as long."""


@dataclass(frozen=True, slots=True)
class CheckEvening:
    """What an evening of checks comes to, exactly but for rounding."""

    expected: float
    """Passes of plain dice."""
    mean: float
    spread: float
    """The standard deviation of the passes."""
    run: float
    """The chance of five misses in a row, or more, somewhere."""
    bits: float
    """The mean entropy of a check."""
    plain_bits: float
    accounts: Mapping[Memory, float]
    """Where the account stands at the end, and how likely."""

    @property
    def bias(self) -> float:
        """Passes too many, on the mean."""
        return self.mean - self.expected


def check(twentieths: int) -> Outcomes:
    """Return a check that passes with so many twentieths."""
    return Outcomes((0, 1), (SIDES - twentieths, twentieths), (Fraction(0), Fraction(1)))


def play_checks(
    account: LuckAccount, checks: Sequence[Outcomes], start: Memory | None = None
) -> CheckEvening:
    """Return what checks of pass and miss come to, one after another at full stake."""
    states: dict[_State, float] = {(account.start() if start is None else start, 0, 0): 1.0}
    bits = 0.0
    for one in checks:
        now = account.on(one)
        after: defaultdict[_State, float] = defaultdict(float)
        for (memory, passed, run), p in states.items():
            up = chance(now, memory)
            bits += p * _entropy(up)
            after[now.advance(memory, _place(one, 1)), passed + 1, run if run == RUN else 0] += p * up
            after[now.advance(memory, _place(one, 0)), passed, min(run + 1, RUN)] += p * (1 - up)
        states = after
    mean = sum(p * passed for (_, passed, _), p in states.items())
    square = sum(p * passed * passed for (_, passed, _), p in states.items())
    accounts: defaultdict[Memory, float] = defaultdict(float)
    for (memory, _, _), p in states.items():
        accounts[memory] += p
    return CheckEvening(
        float(sum(one.expected for one in checks)),
        mean,
        sqrt(max(0.0, square - mean * mean)),
        sum(p for (_, _, run), p in states.items() if run == RUN),
        bits / len(checks),
        sum(_entropy(float(one.expected)) for one in checks) / len(checks),
        accounts,
    )


def chance(account: LuckAccount, memory: Memory) -> float:
    """Return the chance to pass: plain odds times 2^-g."""
    plain = float(account.outcomes.expected)
    passing = plain * 2.0 ** -float(account.bits(memory))
    return passing / (passing + 1 - plain)


def lift(account: LuckAccount, accounts: Mapping[Memory, float], burned: int, stake: int = FULL) -> float:
    """Return how much burning up to so many checks lifts the chance of the one that counts, in points.

    The burner chooses the chance of each burnt check, 1 to 19 twentieths, looks at the account, and stops
    when that is best; the check that counts has the chance of 4 to 9 twentieths that is lifted most. At full
    stake a drought must be 0, for burnt checks then move that as well.
    """
    import numpy as np

    if stake == FULL and account.drought:
        raise ValueError("burnt checks at full stake move the drought too")
    step = stake * SCORE_UNIT // SIDES
    reach = burned * SIDES
    lowest = min(n for n, _, _ in accounts) // step - reach
    grid = np.arange(lowest, max(n for n, _, _ in accounts) // step + reach + 1)
    burning = _factors(account.on(check(1), stake), grid * step, (0, 0))
    moves = {q: _chances(q, burning) for q in range(1, SIDES)}
    gains = [-target / SIDES for target in _TARGETS]
    for rest, among in _by_drought(accounts).items():
        counting = _factors(account.on(check(1)), grid * step, rest)
        for place, target in enumerate(_TARGETS):
            value = _chances(target, counting)
            for _ in range(burned):
                value = _burn(value, moves)
            gains[place] += sum(p * float(value[n // step - lowest]) for n, p in among.items())
    return 100 * max(gains)


def _burn(value: "NDArray[np.float64]", moves: Mapping[int, "NDArray[np.float64]"]) -> "NDArray[np.float64]":
    """Return the value of the best of stopping and of burning one check."""
    import numpy as np

    found = value.copy()
    for q, up in moves.items():
        passed = np.concatenate([value[SIDES - q :], np.repeat(value[-1], SIDES - q)])
        missed = np.concatenate([np.repeat(value[0], q), value[:-q]])
        found = np.maximum(found, up * passed + (1 - up) * missed)
    return found


def _factors(
    account: LuckAccount, balances: "NDArray[np.int64]", rest: tuple[int, int]
) -> "NDArray[np.float64]":
    """Return what plain odds are multiplied with at each balance."""
    import numpy as np

    return np.exp2([-float(account.bits((int(n), *rest))) for n in balances])


def _chances(twentieths: int, factors: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the chance to pass a check at each balance."""
    odds = twentieths * factors
    return odds / (odds + SIDES - twentieths)


def _by_drought(accounts: Mapping[Memory, float]) -> dict[tuple[int, int], dict[int, float]]:
    """Return the balances with their chances, by what else stands on the accounts."""
    found: defaultdict[tuple[int, int], dict[int, float]] = defaultdict(dict)
    for (n, d, b), p in accounts.items():
        found[d, b][n] = p
    return found


def _place(one: Outcomes, score: int) -> int:
    return one.scores.index(Fraction(score)) if score in one.scores else 0


def _entropy(p: float) -> float:
    return -p * log2(p) - (1 - p) * log2(1 - p) if 0 < p < 1 else 0.0
