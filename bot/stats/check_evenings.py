"""Evenings of checks on a luck account: passes, runs of misses, and surprise; what came, and what is usual.

The states of an evening are few: the account, and how long the last run of misses is. So the law
is walked through exactly, by the account's own functions; the figures are floating point.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log2, sqrt
from typing import TypeAlias

from bot.campaign.accounts import counted_check, score
from bot.campaign.campaigns import TABLE, Remembers
from bot.campaign.events import Event, Rolled
from bot.dice.system import Memory
from bot.systems.checks import Outcomes
from bot.systems.luck import ACCOUNT_UNIT, LuckAccount

RUN = 5
"""So many misses in a row are what people remember."""
_WORKED_OUT = 40
"""So many checks an account is followed; what was before them is forgotten by then."""

_State: TypeAlias = tuple[Memory, int]
"""The account, and the run of misses, for good once it was as long as was looked for."""


@dataclass(frozen=True, slots=True)
class CheckEvening:
    """What an evening of checks comes to, exactly but for rounding."""

    expected: float
    """Passes of plain dice."""
    bias: float
    """Passes too many, on the mean."""
    spread: float
    """The standard deviation of the passes."""
    run: float
    """The chance of five misses in a row, or more, somewhere."""
    bits: float
    """The mean entropy of a check."""
    plain_bits: float
    accounts: Mapping[Memory, float]
    """Where the account stands at the end, and how likely."""


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
    start = first.before
    if account.evens_out and len(evening) > _WORKED_OUT:
        # The spread of a long evening is that of its end.
        evening, start = evening[-_WORKED_OUT:], None
    return play_checks(account, [law.outcomes for law, _ in evening], start, run=0).spread ** 2


def play_checks(
    account: LuckAccount, checks: Sequence[Outcomes], start: Memory | None = None, run: int = RUN
) -> CheckEvening:
    """Return what checks of pass and miss come to, one after another at full stake.

    `run` is the run of misses that is looked for; 0 for none, which takes less time.
    """
    first = account.start() if start is None else start
    states: dict[_State, float] = {(first, 0): 1.0}
    bits = 0.0
    for one in checks:
        now = account.on(one)
        places = [_place(one, score) for score in (0, 1)]
        after: defaultdict[_State, float] = defaultdict(float)
        for (memory, missed), p in states.items():
            up = chance(now, memory)
            bits += p * _entropy(up)
            miss, passed = (now.advance(memory, place) for place in places)
            if not account.drought:  # then the rest of the memory matters to nothing
                miss, passed = (miss[0], 0, 0), (passed[0], 0, 0)
            after[passed, run if missed == run else 0] += p * up
            after[miss, min(missed + 1, run)] += p * (1 - up)
        states = after
    accounts: defaultdict[Memory, float] = defaultdict(float)
    for (memory, _), p in states.items():
        accounts[memory] += p
    # What was passed beyond what was expected stands on the account.
    gained = {memory: (memory[0] - first[0]) / ACCOUNT_UNIT for memory in accounts}
    bias = sum(p * gained[memory] for memory, p in accounts.items())
    return CheckEvening(
        float(sum(one.expected for one in checks)),
        bias,
        sqrt(sum(p * (gained[memory] - bias) ** 2 for memory, p in accounts.items())),
        sum(p for (_, missed), p in states.items() if missed == run),
        bits / len(checks),
        sum(_entropy(float(one.expected)) for one in checks) / len(checks),
        accounts,
    )


def chance(account: LuckAccount, memory: Memory) -> float:
    """Return the chance to pass: plain odds times 2^-g."""
    plain = float(account.outcomes.expected)
    passing = plain * 2.0 ** -float(account.bits(memory))
    return passing / (passing + 1 - plain)


def _place(one: Outcomes, score: int) -> int:
    return one.scores.index(Fraction(score)) if score in one.scores else 0


def _entropy(p: float) -> float:
    return -p * log2(p) - (1 - p) * log2(1 - p) if 0 < p < 1 else 0.0
