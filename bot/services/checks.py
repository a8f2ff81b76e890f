"""Checks of single players, and what stands on their luck accounts."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.campaign.accounts import SeenAccount, outlook
from bot.campaign.campaigns import Remembers, Roller, Whose
from bot.campaign.checks import fits
from bot.campaign.command import Caller
from bot.campaign.events import Event, Rolled
from bot.campaign.replay import one_number
from bot.dice import notation
from bot.dice.errors import DiceReading, NotAllowed, SpecError, Unknown
from bot.dice.names import clean
from bot.services.access import CampaignAccess, current_campaign
from bot.services.accounts import counted, find
from bot.services.naming import COMMENT
from bot.services.parsing import is_word
from bot.stats.check_evenings import AccountAnswer, record
from bot.storage import reading
from bot.storage.queries import Queries, Reader
from bot.systems.checks import EVEN_CHECK, EVEN_DICE, CheckTerms
from bot.systems.luck import LuckAccount
from bot.words.notation import AIMS, in_notation

_DC = re.compile(
    r"(?P<dice>.+?) (?P<word>(?:vs\.?|dc|ac) ?[:=]? ?)?(?P<dc>[0-9]{1,5})", re.ASCII | re.IGNORECASE
)
_LOOKED_AT = 100
"""How many of somebody's newest events are searched for their roll."""


def split_dc(text: str) -> tuple[str, int | None]:
    """Return dice and the DC that was typed behind them, as in "d20+5 dc 15"; None where there is none.

    A number alone is one behind dice only: behind a name, or a game's word, it may mean much else.
    """
    found = _DC.fullmatch(" ".join(in_notation(text, AIMS).split()))
    if found is None or is_word(text):
        return text, None
    dice = found["dice"]
    alone = notation.reads(dice) and not notation.reads(text)
    return (dice, int(found["dc"])) if found["word"] or alone else (text, None)


def aimed_at(dc: int, readings: Iterable[DiceReading]) -> tuple[DiceReading, ...]:
    """Return the readings of a check's dice as rolls against its DC, without those that take none."""
    aimed: list[DiceReading] = []
    for plain in readings:
        dice, comment, label = plain.text.partition(COMMENT)
        if ";" not in dice and notation.reads(f"{dice} vs {dc}"):
            aimed.append(plain._replace(text=f"{dice} vs {dc}{comment}{label}"))
    return tuple(aimed)


@dataclass(frozen=True, slots=True)
class AccountQuestion:
    """A check on an account, before its chances are worked out."""

    roller: Roller
    account: LuckAccount
    dice: str
    terms: CheckTerms
    seen: SeenAccount
    rolled: tuple[Event, ...]
    """The checks that it has counted."""
    private: bool
    """Whether only game masters may see the answer."""


@dataclass(frozen=True, slots=True)
class Checks:
    """The use cases of checks."""

    reader: Reader

    async def newest(self, caller: Caller, user_id: int) -> int:
        """Return the number of somebody's newest roll here that was one number and that everybody may see."""
        at = await self.reader.do(current_campaign(caller))
        if at.campaign_id is None:
            raise Unknown("Nobody rolled here yet.")
        rows = await self.reader.do(reading.page(at.campaign_id, limit=_LOOKED_AT, user_id=user_id))
        rolled = (row.event for row in rows if row.counts and isinstance(row.event.body, Rolled))
        for event in rolled:
            if one_number(event) is not None:
                return event.seq
        raise Unknown("They rolled no open number here yet. They roll first, then you.")

    async def ask(self, caller: Caller, name: str, dice: str, terms: CheckTerms | None) -> AccountQuestion:
        """Return the question about the caller's account that `outlook` answers.

        Without dice it is an even check. Unknown where there is no such account, SpecError where it does not
        count such checks, NotAllowed where the campaign's rules keep odds for game masters.
        """
        at = await self.reader.do(current_campaign(caller))
        private = at.campaign.rules.odds is Whose.GMS
        if private and not at.is_gm:
            raise NotAllowed("Only game masters see the odds here.")
        roller, seen, rolled = await self.reader.do(_account(caller, at, name))
        if isinstance(roller.system, LuckAccount) and roller.system.rank:
            raise SpecError(
                "{name} counts the ranks of rolls, so there is no chance to pass.", name=roller.name
            )
        asked = notation.parse(dice or EVEN_DICE)
        account, fitted = fits(roller, asked, terms or EVEN_CHECK)
        if fitted is None:
            raise AssertionError("a check has a DC")
        return AccountQuestion(roller, account, asked.text, fitted, seen, tuple(rolled), private)

    async def outlook(self, asked: AccountQuestion) -> AccountAnswer:
        """Return the chances of a check on an account, and what it would leave."""
        roller, account = asked.roller, asked.account
        found = await asyncio.to_thread(outlook, roller.name, account, asked.dice, asked.terms, asked.seen)
        return AccountAnswer(found, roller.memory, await asyncio.to_thread(record, asked.rolled))


def _account(
    caller: Caller, at: CampaignAccess, name: str
) -> Queries[tuple[Roller, SeenAccount, list[Event]]]:
    """Return a luck account, and what is on it for the caller or the table."""
    found = None if at.campaign_id is None else (yield from find(at.campaign_id, name, caller.user_id))
    if found is None or at.campaign_id is None:
        raise Unknown("There is no luck account `{name}` here. `/roller list` shows them.", name=clean(name))
    roller, seen = found
    owner = caller.user_id if roller.memory is Remembers.PLAYER else None
    return roller, seen, (yield from counted(at.campaign_id, roller, owner))
