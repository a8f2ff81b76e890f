"""The database as use cases have it: which campaign a caller is in, and what they may look at there.

What they may do is decided with what they do (`bot.campaign.command`); here a question says whether it is
for game masters, and is refused in the reading that answers it.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from bot.campaign.campaigns import UNNAMED, Campaign, Found, Master, Rules
from bot.campaign.command import Caller
from bot.dice.errors import DiceError, Unknown
from bot.storage import campaigns
from bot.storage.engine import Database
from bot.storage.queries import Queries, Reader
from bot.storage.writer import Writer

_T = TypeVar("_T")
ForMasters: TypeAlias = bool | Callable[[Rules], bool]
"""Whether it is for game masters alone, or how the rules say that."""


@dataclass(frozen=True, slots=True)
class DataStore:
    """What use cases stand on."""

    database: Database
    writer: Writer
    reader: Reader
    reports: Reader
    """For what takes long."""


@dataclass(frozen=True, slots=True)
class CampaignAccess:
    """A campaign as one caller stands in it."""

    campaign_id: int | None = None
    """None where nothing happened yet."""
    campaign: Campaign = UNNAMED
    size: int = 0
    """How many events it has."""
    is_gm: bool = False
    """Whether the caller is one of its game masters; whoever has Manage Server always is."""
    masters: frozenset[Master] = frozenset()
    """Who was named a game master; not looked up where the caller manages the place."""


async def read_for(reader: Reader, caller: Caller, for_masters: ForMasters, read: Callable[[], _T]) -> _T:
    """Return what a text was read as; where it can't be, who may not even try is told that instead."""
    try:
        return await asyncio.to_thread(read)  # some rules take half a second to work out
    except DiceError:
        await reader.do(current_campaign(caller, for_masters=for_masters))
        raise


def current_campaign(caller: Caller, *, for_masters: ForMasters = False) -> Queries[CampaignAccess]:
    """Return the campaign that is played in the caller's channel, or in the one that a thread belongs to.

    NotAllowed where it is for game masters and the caller is none; so below.
    """
    found = yield from campaigns.played_campaign(caller)
    return (yield from with_rights(caller, found, for_masters=for_masters))


def campaign_by_id(
    caller: Caller, campaign_id: int, *, for_masters: ForMasters = False
) -> Queries[CampaignAccess]:
    """Return the campaign that a button names, as the caller stands in it; see `require_same_home`."""
    return (
        yield from with_rights(
            caller, (yield from require_same_home(caller, campaign_id)), for_masters=for_masters
        )
    )


def require_same_home(caller: Caller, campaign_id: int) -> Queries[Found]:
    """Return a campaign by its number; Unknown for one of another place, which only a forged id can name.

    A right here is none there, and what happened there is nobody's business here.
    """
    found = yield from campaigns.campaign(campaign_id)
    if found is None or found.campaign.home != caller.home:
        # A channel's own campaign may be older than the bot's membership in its server.
        played = None if found is None else (yield from campaigns.played(caller))
        if found is None or played != campaign_id:
            raise Unknown("That belongs to another place. Use it there.")
    return found


def with_rights(
    caller: Caller, found: Found | None, *, for_masters: ForMasters = False
) -> Queries[CampaignAccess]:
    """Return a campaign with the caller's rights in it."""
    campaign, masters = found.campaign if found else UNNAMED, frozenset[Master]()
    if found and not caller.manages:
        masters = yield from campaigns.masters(found.campaign_id)
    if for_masters is True or (for_masters and for_masters(campaign.rules)):
        caller.must_lead(masters)
    is_gm = caller.leads(masters)
    return (
        CampaignAccess(found.campaign_id, campaign, found.seq, is_gm, masters)
        if found
        else CampaignAccess(is_gm=is_gm)
    )
