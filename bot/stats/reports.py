"""The numbers that reports of luck are made of."""

from dataclasses import dataclass

from bot.campaign.accounts import Outlook, SeenAccount
from bot.campaign.campaigns import Remembers
from bot.campaign.histories import Session
from bot.dice.system import System
from bot.stats.best import Streak
from bot.stats.check_evenings import CheckRecord
from bot.stats.luck import Luck


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of one die."""

    name: str
    """The roller's name, or d20."""
    system: System
    luck: Luck
    streak: Streak | None
    rolls: int
    """How many rolls show it; 0 where its faces alone are counted."""
    true: int
    """How many of these had true-random bits throughout."""
    session: Session | None = None
    more: int = 0
    """How many dice of it are older than those that were looked at."""
    plainly: bool = False
    """Whether a roller with a memory was compared with plain dice, since what it began with is not known."""
    by_hand: int = 0
    """How many rolls were thrown by hand, which nothing here judges."""


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
