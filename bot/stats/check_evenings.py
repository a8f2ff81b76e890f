"""Evenings of checks on a luck account: the number of passes and its usual range.

An account has few states, so its distribution is calculated exactly, by the account's own functions, as
floats.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TypeAlias

from bot.campaign.accounts import Outlook, SeenAccount, counted_check, score
from bot.campaign.campaigns import TABLE, Remembers
from bot.campaign.events import Event, Rolled
from bot.campaign.histories import Session
from bot.dice.system import Memory, System
from bot.stats.bands import narrowest
from bot.systems.checks import Outcomes
from bot.systems.luck import ACCOUNT_UNIT, LuckAccount

_WORK = 250_000
"""Approximate limit of calculated states: some seconds."""
_RANKS = 10
"""Ranks are rounded to 1/10."""
_FOR_EVER = 10**9

_Law: TypeAlias = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """The results of checks and their usual ranges."""

    scored: Fraction
    """The sum of the scores; the number of passes if all checks only pass or miss."""
    checks: int
    expected: Fraction
    usual: tuple[float, float] | None
    """The range of 19 of 20 such evenings on this account; None if it is not calculated."""
    plain: tuple[float, float]
    """The same range for plain dice."""
    passes: bool
    """True if all checks only pass or miss."""


@dataclass(frozen=True, slots=True)
class AccountReport:
    """The statistics of a luck account."""

    name: str
    system: System
    checks: CheckRecord
    account: SeenAccount | None
    """The requested account; None if the report covers several accounts."""
    rolls: int
    true: int
    session: Session | None
    by_hand: int = 0


@dataclass(frozen=True, slots=True)
class AccountAnswer:
    """The answer of /odds for a luck account."""

    look: Outlook
    memory: Remembers
    record: CheckRecord


def record(events: Iterable[Event]) -> CheckRecord:
    """Return the results of fully counted checks, the oldest first, with their usual ranges.

    Leave out contests on an account of passes: it counts them, but they are not passes.
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
    checks = [*chain.from_iterable(evenings)]
    laws = [account.outcomes for account, _ in checks]
    passes = all(law.passes for law in laws)
    laws_of_passes = [law for law in map(_passes, evenings if passes else []) if law]
    scale = 1 if all(value.denominator == 1 for law in laws for value in law.scores) else _RANKS
    return CheckRecord(
        sum((score(account, body) for account, body in checks), Fraction(0)),
        len(checks),
        sum((law.expected for law in laws), Fraction(0)),
        _band(laws_of_passes) if passes and len(laws_of_passes) == len(evenings) else None,
        _band([_scores(law, scale) for law in laws], scale),
        passes,
    )


def _band(laws: Iterable[_Law], scale: int = 1) -> tuple[float, float]:
    """Return the narrowest band of a sum of independent numbers, given their distributions."""
    import numpy as np

    law, first = np.ones(1), 0
    for summand in laws:
        low = min(summand)
        chances = np.zeros(max(summand) - low + 1)
        chances[[value - low for value in summand]] = [*summand.values()]
        law, first = np.convolve(law, chances), first + low
    band = narrowest(law, first)
    return band.low / scale, band.high / scale


def _scores(outcomes: Outcomes, scale: int) -> _Law:
    """Return the probability of each score with plain dice; scores are in units of 1/`scale`."""
    law: defaultdict[int, float] = defaultdict(float)
    for weight, points in zip(outcomes.weights, outcomes.scores, strict=True):
        law[round(points * scale)] += weight / sum(outcomes.weights)
    return law


def _passes(evening: Sequence[tuple[LuckAccount, Rolled]]) -> _Law | None:
    """Return the probability of each number of passes on one account, from its memory before the checks.

    Return None if that takes too long.
    """
    account, began = evening[-1][0], evening[0][1].before or (0, 0, 0)
    laws = [law.outcomes for law, _ in evening]
    expected = sum(law.expected for law in laws)
    # Of a long evening only the end matters: the checks whose total variance is enough to settle the account.
    first, variance = len(laws), Fraction(0)
    while first and variance < Fraction(account.settled(_FOR_EVER), 4):
        first -= 1
        variance += laws[first].variance
    start = began
    if first:
        # Of the earlier checks only the fractional part of the balance remains.
        balance = began[0] - ACCOUNT_UNIT * sum(law.expected for law in laws[:first])
        start = (int((balance + ACCOUNT_UNIT // 2) % ACCOUNT_UNIT) - ACCOUNT_UNIT // 2, 0, 0)
    tail = len(laws) - first
    if tail ** (3 if account.drought else 2) > _WORK:
        return None
    law: defaultdict[int, float] = defaultdict(float)
    for memory, p in after_checks(account, laws[first:], start).items():
        law[round(expected + Fraction(memory[0] - began[0], ACCOUNT_UNIT))] += p
    return law


def after_checks(account: LuckAccount, checks: Sequence[Outcomes], start: Memory) -> Mapping[Memory, float]:
    """Return the probability of each memory of an account after checks of pass and miss at full stake."""
    states: Mapping[Memory, float] = {start: 1.0}
    for outcomes in checks:
        now = account.on(outcomes)
        places = [place_of(outcomes, points) for points in (0, 1)]
        after: defaultdict[Memory, float] = defaultdict(float)
        for memory, p in states.items():
            p_pass = chance(now, memory)
            miss, passed = (now.advance(memory, place) for place in places)
            if not account.drought:  # the rest of the memory has no effect
                miss, passed = (miss[0], 0, 0), (passed[0], 0, 0)
            after[passed] += p * p_pass
            after[miss] += p * (1 - p_pass)
        states = after
    return states


def chance(account: LuckAccount, memory: Memory) -> float:
    """Return the chance to pass: the plain odds times 2^-bits(memory)."""
    plain = float(account.outcomes.expected)
    passing = plain * 2.0 ** -float(account.bits(memory))
    return passing / (passing + 1 - plain)


def place_of(outcomes: Outcomes, points: int) -> int:
    """Return the index of the first outcome with a score; 0 if there is none."""
    return outcomes.scores.index(Fraction(points)) if points in outcomes.scores else 0
