"""Evenings of checks on a luck account: passes, runs of misses, surprise, and what burning gains.

The states of an evening are few: how many checks passed, and how long the last run of misses is. So the law
is walked through exactly, by the account's own functions; the figures are floating point.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2, sqrt
from typing import TYPE_CHECKING, TypeAlias

from bot.campaign.accounts import counted_check, score
from bot.campaign.events import Event, Rolled
from bot.campaign.rollers import TABLE, Remembers
from bot.dice.system import Memory
from bot.systems.checks import Outcomes
from bot.systems.luck import ACCOUNT_UNIT, FULL, SCORE_UNIT, LuckAccount

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RUN = 5
"""So many misses in a row are what people remember."""
SIDES = 20
"""Chances of burnt checks and targets are twentieths."""
_WORKED_OUT = 40
"""So many checks an account is followed; what was before them is forgotten by then."""
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


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """Checks that were rolled, and what is usual for such ones."""

    scored: Fraction
    """The sum of the scores; where all are passes and misses, how many passed."""
    checks: int
    expected: Fraction
    spread: float | None
    """The standard deviation of `scored` on this account; None where it is not worked out."""
    plain: float
    """The same of plain dice."""
    passes: bool
    """Whether all are passes and misses."""


def record(events: Iterable[Event]) -> CheckRecord:
    """Return what came of checks that were counted in full, the oldest first, beside what is usual.

    An account of passes counts contests too, but they are no passes and are left out.
    """
    evenings: list[list[tuple[LuckAccount, Rolled]]] = []
    latest: dict[int, list[tuple[LuckAccount, Rolled]]] = {}
    for event in events:
        account = counted_check(event.roll)
        if account is None or not (account.outcomes.passes or account.rank or account.scored):
            continue
        owner = event.user_id if event.roll.whose is Remembers.PLAYER and event.user_id else TABLE
        if owner not in latest or event.roll.before == account.start():
            latest[owner] = []
            evenings.append(latest[owner])
        latest[owner].append((account, event.roll))
    checks = [one for evening in evenings for one in evening]
    laws = [account.outcomes for account, _ in checks]
    passes = all(law.passes for law in laws)
    return CheckRecord(
        sum((score(account, body) for account, body in checks), Fraction(0)),
        len(checks),
        sum((law.expected for law in laws), Fraction(0)),
        sqrt(sum(_usual(evening) for evening in evenings)) if passes else None,
        sqrt(sum(law.variance for law in laws)),
        passes,
    )


def _usual(evening: Sequence[tuple[LuckAccount, Rolled]]) -> float:
    """Return the variance of the passes of one account's checks, from the memory that they began with."""
    account, first = evening[-1][0], evening[0][1]
    if account.independent:
        return float(sum(law.outcomes.variance for law, _ in evening))
    states: Mapping[Memory, float] = {first.before or account.start(): 1.0}
    if account.evens_out and len(evening) > _WORKED_OUT:
        # The spread of a long evening is that of its end.
        evening, states = evening[-_WORKED_OUT:], {account.start(): 1.0}
    for law, _ in evening:
        after: defaultdict[Memory, float] = defaultdict(float)
        now = account.on(law.outcomes)
        for memory, p in states.items():
            up = chance(now, memory)
            after[now.advance(memory, _place(law.outcomes, 1))] += p * up
            after[now.advance(memory, _place(law.outcomes, 0))] += p * (1 - up)
        states = after
    # What was passed beyond what was expected stands on the account.
    mean = sum(p * n for (n, _, _), p in states.items())
    return sum(p * (n - mean) ** 2 for (n, _, _), p in states.items()) / ACCOUNT_UNIT**2


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
