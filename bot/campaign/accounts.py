"""Luck accounts for display: the odds of checks, and memories without hidden checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress

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
    """The number of hidden checks left out."""


@dataclass(frozen=True, slots=True)
class CheckOdds:
    """The chance to pass a check: with plain dice, and on the account now."""

    plain: Fraction
    now: Fraction


@dataclass(frozen=True, slots=True)
class Future:
    """The account after one outcome of a check."""

    passes: bool
    degree: str
    """The degree of success; "" if there are none."""
    memory: Memory
    odds: CheckOdds
    """The odds of the same check afterwards."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A check on an account, before the roll."""

    name: str
    account: LuckAccount
    dice: str
    terms: CheckTerms
    view: SeenAccount
    odds: CheckOdds
    futures: tuple[Future, ...]
    """The possible accounts after the check, best outcome first."""


def on_check(account: LuckAccount, body: Rolled) -> LuckAccount:
    """Return an account bound to a recorded roll's check."""
    return account.on(outcomes(body.text, body.check), body.stake)


def bound_account(body: Rolled) -> LuckAccount | None:
    """Return the account of a roll, bound to its check; None for rolls without an account."""
    system = body.of.system
    return on_check(system, body) if isinstance(system, LuckAccount) else None


def counted_check(body: Rolled) -> LuckAccount | None:
    """Return the account of a check that was counted in full, bound to the check; None for other rolls.

    A check that could not fail or could not pass is never counted.
    """
    account = bound_account(body) if body.stake == FULL else None
    return None if account is None or account.outcomes.settled else account


def score(account: LuckAccount, body: Rolled) -> Fraction:
    """Return the score of a roll on its bound account."""
    return account.outcomes.scores[account.outcomes.totals.index(int(body.results[0]))]


def outlook(name: str, account: LuckAccount, dice: str, terms: CheckTerms, view: SeenAccount) -> Outlook:
    """Return the odds of a check at full stake, and the account after each outcome."""
    account = account.on(outcomes(dice, terms))
    futures: dict[tuple[bool, str], Future] = {}
    for place, total in enumerate(account.outcomes.totals):
        degree = terms.degree(total)
        key = terms.passes(total), degree.name if degree else ""
        if key not in futures:
            after = account.advance(view.memory, place)
            futures[key] = Future(*key, after, check_odds(account, terms, after))
    ordered = tuple(sorted(futures.values(), key=lambda future: -future.memory[0]))
    return Outlook(name, account, dice, terms, view, check_odds(account, terms, view.memory), ordered)


def check_odds(account: LuckAccount, terms: CheckTerms, memory: Memory) -> CheckOdds:
    """Return the chance to meet the DC, with plain dice and on the account."""
    passing = [terms.passes(total) for total in account.outcomes.totals]
    weights = account.outcomes.weights
    plain = Fraction(sum(compress(weights, passing)), sum(weights))
    return CheckOdds(plain, sum(compress(odds(account, memory), passing), Fraction(0)))


def odds_of(body: Rolled, view: SeenAccount | None = None) -> CheckOdds | None:
    """Return the odds that a check on an account had; None for other rolls, and for ranks."""
    account = bound_account(body)
    if account is None or body.check is None:
        return None
    memory = view.memory if view else body.before
    return check_odds(account, body.check, account.start() if memory is None else memory)


def seen_account(memory: Memory, checks: Sequence[tuple[Event, bool]]) -> SeenAccount:
    """Return an account's memory without its hidden checks.

    `checks` are all checks it has counted since its start, in order, each with its public visibility.
    """
    visible = [event.roll for event, is_visible in checks if is_visible]
    if len(visible) == len(checks):
        return SeenAccount(memory)
    memory = LuckAccount().start()
    for body in visible:
        if account := bound_account(body):
            memory = account.advance(memory, account.outcomes.totals.index(int(body.results[0])))
    return SeenAccount(memory, len(checks) - len(visible))
