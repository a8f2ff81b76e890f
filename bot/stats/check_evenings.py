"""Evenings of checks on a luck account: how many passed, and how many usually do.

The states of an account are few, so the law is walked through exactly, by the account's own functions; the
figures are floating point.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
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
"""States of an account that are worked out at most, about: some seconds."""
_RANKS = 10
"""Parts of 1 that ranks are rounded to."""
_FOR_EVER = 10**9

_Law: TypeAlias = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """Checks that were rolled, and what is usual for such ones."""

    scored: Fraction
    """The sum of the scores; where all are passes and misses, how many passed."""
    checks: int
    expected: Fraction
    usual: tuple[float, float] | None
    """Where 19 of 20 such evenings on this account lie; None where it is not worked out."""
    plain: tuple[float, float]
    """The same of plain dice."""
    passes: bool
    """Whether all are passes and misses."""


@dataclass(frozen=True, slots=True)
class AccountReport:
    """The numbers of a luck account."""

    name: str
    system: System
    checks: CheckRecord
    account: SeenAccount | None
    """How it stands for whom it was asked for; None where there is no one account."""
    rolls: int
    true: int
    session: Session | None
    by_hand: int = 0


@dataclass(frozen=True, slots=True)
class AccountAnswer:
    """What /odds tells of a luck account."""

    look: Outlook
    memory: Remembers
    record: CheckRecord


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
    usual = [law for law in map(_passes, evenings if passes else []) if law]
    scale = 1 if all(one.denominator == 1 for law in laws for one in law.scores) else _RANKS
    return CheckRecord(
        sum((score(account, body) for account, body in checks), Fraction(0)),
        len(checks),
        sum((law.expected for law in laws), Fraction(0)),
        _band(usual) if passes and len(usual) == len(evenings) else None,
        _band([_scores(law, scale) for law in laws], scale),
        passes,
    )


def _band(laws: Iterable[_Law], scale: int = 1) -> tuple[float, float]:
    """Return the narrowest band of a sum of numbers, each with its law, none of which tells of another."""
    import numpy as np

    law, first = np.ones(1), 0
    for each in laws:
        low = min(each)
        one = np.zeros(max(each) - low + 1)
        one[[value - low for value in each]] = [*each.values()]
        law, first = np.convolve(law, one), first + low
    band = narrowest(law, first)
    return band.low / scale, band.high / scale


def _scores(outcomes: Outcomes, scale: int) -> _Law:
    """Return how likely plain dice make each score, in parts of 1."""
    law: defaultdict[int, float] = defaultdict(float)
    for weight, one in zip(outcomes.weights, outcomes.scores, strict=True):
        law[round(one * scale)] += weight / sum(outcomes.weights)
    return law


def _passes(evening: Sequence[tuple[LuckAccount, Rolled]]) -> _Law | None:
    """Return how likely each number of passes is on one account, from the memory that its checks began with.

    None where that takes too long.
    """
    account, began = evening[-1][0], evening[0][1].before or (0, 0, 0)
    laws = [law.outcomes for law, _ in evening]
    expected = sum(law.expected for law in laws)
    # The passes of a long evening spread as its end does: as what moves the account as often as enough coins.
    last, moved = len(laws), Fraction(0)
    while last and moved < Fraction(account.settled(_FOR_EVER), 4):
        last -= 1
        moved += laws[last].variance
    start = began
    if last:
        # All that is left of the beginning is the fraction that the account comes to.
        owed = began[0] - ACCOUNT_UNIT * sum(law.expected for law in laws[:last])
        start = (int((owed + ACCOUNT_UNIT // 2) % ACCOUNT_UNIT) - ACCOUNT_UNIT // 2, 0, 0)
    tail = len(laws) - last
    if tail ** (3 if account.drought else 2) > _WORK:
        return None
    law: defaultdict[int, float] = defaultdict(float)
    for memory, p in after_checks(account, laws[last:], start).items():
        law[round(expected + Fraction(memory[0] - began[0], ACCOUNT_UNIT))] += p
    return law


def after_checks(account: LuckAccount, checks: Sequence[Outcomes], start: Memory) -> Mapping[Memory, float]:
    """Return where checks of pass and miss at full stake leave an account, and how likely each place is."""
    states: Mapping[Memory, float] = {start: 1.0}
    for one in checks:
        now = account.on(one)
        places = [place_of(one, points) for points in (0, 1)]
        after: defaultdict[Memory, float] = defaultdict(float)
        for memory, p in states.items():
            up = chance(now, memory)
            miss, passed = (now.advance(memory, place) for place in places)
            if not account.drought:  # then the rest of the memory matters to nothing
                miss, passed = (miss[0], 0, 0), (passed[0], 0, 0)
            after[passed] += p * up
            after[miss] += p * (1 - up)
        states = after
    return states


def chance(account: LuckAccount, memory: Memory) -> float:
    """Return the chance to pass: plain odds times 2^-g."""
    plain = float(account.outcomes.expected)
    passing = plain * 2.0 ** -float(account.bits(memory))
    return passing / (passing + 1 - plain)


def place_of(one: Outcomes, points: int) -> int:
    """Return the place of the first outcome with a score; 0 where none has it."""
    return one.scores.index(Fraction(points)) if points in one.scores else 0
