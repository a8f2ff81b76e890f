"""What a luck account shows: both chances of a check, and nothing of checks that are hidden."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.campaign.events import Event, Rolled
from bot.dice.system import Memory
from bot.systems.checks import CheckTerms, outcomes
from bot.systems.luck import FULL, LuckAccount
from bot.systems.odds import odds


@dataclass(frozen=True, slots=True)
class SeenAccount:
    """A memory as everybody may see it."""

    memory: Memory
    hidden: int = 0
    """How many hidden checks are left out of it."""


@dataclass(frozen=True, slots=True)
class CheckOdds:
    """The chance to pass a check."""

    plain: Fraction
    now: Fraction


@dataclass(frozen=True, slots=True)
class Future:
    """What a check would leave."""

    passes: bool
    degree: str
    """The degree of success; "" where there are none."""
    memory: Memory
    odds: CheckOdds
    """Of the same check, once more."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A check on an account before it is rolled."""

    name: str
    account: LuckAccount
    dice: str
    terms: CheckTerms
    seen: SeenAccount
    odds: CheckOdds
    futures: tuple[Future, ...]
    """The best first."""


def on_check(account: LuckAccount, body: Rolled) -> LuckAccount:
    """Return the rule of an account with a recorded roll's check."""
    return account.on(outcomes(body.text, body.check), body.stake)


def bound(body: Rolled) -> LuckAccount | None:
    """Return the rule of a roll on a luck account, with its check; None for every other roll."""
    system = body.of.system
    return on_check(system, body) if isinstance(system, LuckAccount) else None


def counted_check(body: Rolled) -> LuckAccount | None:
    """Return the rule of a check that an account counted in full, with its check; None for every other roll.

    A check that nothing hung on, since it could not fail or could not pass, counts nothing.
    """
    account = bound(body) if body.stake == FULL else None
    return None if account is None or account.outcomes.settled else account


def score(account: LuckAccount, body: Rolled) -> Fraction:
    """Return what a roll with this check scored."""
    return account.outcomes.scores[account.outcomes.totals.index(int(body.results[0]))]


def outlook(name: str, account: LuckAccount, dice: str, terms: CheckTerms, seen: SeenAccount) -> Outlook:
    """Return the chances of a check at full stake, and what it would leave."""
    account = account.on(outcomes(dice, terms))
    futures: dict[tuple[bool, str], Future] = {}
    for place, total in enumerate(account.outcomes.totals):
        degree = terms.degree(total)
        key = terms.passes(total), degree.name if degree else ""
        if key not in futures:
            after = account.advance(seen.memory, place)
            futures[key] = Future(*key, after, check_odds(account, terms, after))
    ordered = tuple(sorted(futures.values(), key=lambda future: -future.memory[0]))
    return Outlook(name, account, dice, terms, seen, check_odds(account, terms, seen.memory), ordered)


def check_odds(account: LuckAccount, terms: CheckTerms, memory: Memory) -> CheckOdds:
    """Return the chance of totals that meet the DC, with plain dice and on the account."""
    passing = [terms.passes(total) for total in account.outcomes.totals]
    weights = account.outcomes.weights
    plain = Fraction(sum(w for w, passes in zip(weights, passing, strict=True) if passes), sum(weights))
    chances = zip(odds(account, memory), passing, strict=True)
    return CheckOdds(plain, sum((p for p, passes in chances if passes), Fraction(0)))


def odds_of(body: Rolled, seen: SeenAccount | None = None) -> CheckOdds | None:
    """Return the chances that a check on an account had; None for every other roll, and for ranks."""
    account = bound(body)
    if account is None or body.check is None:
        return None
    memory = seen.memory if seen else body.before
    return check_odds(account, body.check, account.start() if memory is None else memory)


def seen_account(memory: Memory, checks: Sequence[tuple[Event, bool]]) -> SeenAccount:
    """Return an account without its hidden checks.

    `checks` are all that it has counted since its start, in order, each with whether everybody may see it.
    """
    shown = [event.roll for event, seen in checks if seen]
    if len(shown) == len(checks):
        return SeenAccount(memory)
    memory = LuckAccount().start()
    for body in shown:
        if account := bound(body):
            memory = account.advance(memory, account.outcomes.totals.index(int(body.results[0])))
    return SeenAccount(memory, len(checks) - len(shown))
