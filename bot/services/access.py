"""The data store of use cases with the rules of its channels, and a caller's access to campaigns.

Rights to change something are checked by commands (`bot.campaign.command`). Queries say here whether they are
for game masters, and are refused while they are read.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeAlias, TypeVar

from bot.campaign.campaign_commands import SetRules
from bot.campaign.campaigns import UNNAMED, USUAL, CampaignEntry, Master, Rules
from bot.campaign.command import Caller, Command
from bot.campaign.events import Event
from bot.dice.errors import DiceError, Unavailable, Unknown
from bot.newest import Newest
from bot.storage import campaigns
from bot.storage.engine import Database
from bot.storage.queries import Queries, Reader
from bot.storage.writer import Writer, Written

_T = TypeVar("_T")
_NOTHING = CampaignEntry(0, UNNAMED, 0)
ForMasters: TypeAlias = bool | Callable[[Rules], bool]
"""True if something is for game masters only, or a function of the rules that says so."""
_PLACES = 1_000
"""Most channels whose rules are remembered."""


class PlaceRules:
    """Rules of the channels that were used last, so that most rolls need no query before their text is read.

    `is_shared` says whether other processes change them too.
    """

    def __init__(self, reader: Reader, *, is_shared: bool) -> None:
        self._reader = reader
        self._is_shared = is_shared
        self._known = Newest[int, Rules](_PLACES)

    def last_known(self, caller: Caller) -> Rules:
        """Return the rules of the caller's channel as they were last known; the default ones if never."""
        return self._known.get(caller.channel_id, USUAL)

    async def find(self, caller: Caller) -> Rules:
        """Return the rules of the caller's channel; the default ones if they can't be read."""
        if caller.channel_id not in self._known:
            with suppress(Unavailable):
                self.learn(caller, await self._reader.do(campaigns.played_rules(caller)))
        return self.last_known(caller)

    async def find_current(self, caller: Caller) -> Rules:
        """Return the rules of the caller's channel, with what another process has just changed."""
        if self._is_shared:
            return await self._reader.do(campaigns.played_rules(caller))
        return await self.find(caller)

    def learn(self, caller: Caller, rules: Rules) -> None:
        """Remember the rules of the caller's channel."""
        self._known[caller.channel_id] = rules

    def forget(self) -> None:
        """Forget all rules: a change of a campaign's or a server's concerns many channels."""
        self._known.clear()


@dataclass(frozen=True, slots=True)
class DataStore:
    """The database with its writer and readers."""

    database: Database
    writer: Writer
    reader: Reader
    reports: Reader
    """The reader for long queries."""
    rules: PlaceRules

    @classmethod
    def of(cls, database: Database, writer: Writer) -> Self:
        """Return the store on an open database."""
        reader = Reader(database.reader)
        rules = PlaceRules(reader, is_shared=not database.alone)
        return cls(database, writer, reader, Reader(database.reports), rules)

    async def change_rules(self, caller: Caller, command: Command) -> Written:
        """Return the result of a command after which other rules may apply in some channels."""
        try:
            return await self.writer.write(caller, command)
        finally:
            self.rules.forget()

    async def set_rules(self, caller: Caller, rules: Mapping[str, object]) -> Event:
        """Set some rules of the campaign played here, for its game masters."""
        written = await self.change_rules(caller, SetRules(None, rules))
        self.rules.learn(caller, written.campaign.rules)
        return written.event


@dataclass(frozen=True, slots=True)
class CampaignAccess(CampaignEntry):
    """A campaign with one caller's rights in it.

    Its id is 0 if nothing happened yet: no campaign has this id, so queries of it find nothing.
    """

    is_gm: bool
    """True if the caller is one of its game masters, as everybody with Manage Server is."""
    masters: frozenset[Master]
    """Its named game masters; empty if the caller has Manage Server."""


async def read_for(reader: Reader, caller: Caller, for_masters: ForMasters, read: Callable[[], _T]) -> _T:
    """Return the result of `read`; if it fails, raise NotAllowed first for callers without the right."""
    try:
        return await asyncio.to_thread(read)  # some rules take half a second to work out
    except DiceError:
        await reader.do(current_campaign(caller, for_masters=for_masters))
        raise


def current_campaign(caller: Caller, *, for_masters: ForMasters = False) -> Queries[CampaignAccess]:
    """Return the caller's access to the campaign of the channel, or of the channel of a thread.

    Raise NotAllowed if it is `for_masters` and the caller is no game master; likewise below.
    """
    current = yield from campaigns.played_campaign(caller)
    return (yield from _with_rights(caller, current or _NOTHING, for_masters))


def require_played(caller: Caller) -> Queries[int]:
    """Return the id of the campaign of the channel; raise Unknown if nothing happened yet."""
    if campaign_id := (yield from campaigns.played(caller)):
        return campaign_id
    raise Unknown("Nobody rolled here yet.")


def campaign_by_id(
    caller: Caller, campaign_id: int, *, for_masters: ForMasters = False
) -> Queries[CampaignAccess]:
    """Return the caller's access to the campaign that a button names; see `require_same_home`."""
    entry = yield from require_same_home(caller, campaign_id)
    return (yield from _with_rights(caller, entry, for_masters))


def require_same_home(caller: Caller, campaign_id: int) -> Queries[CampaignEntry]:
    """Return a campaign by its id; raise Unknown for one that was deleted, and for one of another server.

    Only a forged id names the latter. Rights in one server give none in another, and its events are private.
    """
    entry = yield from campaigns.campaign(campaign_id)
    if entry is None:
        raise Unknown("That campaign is gone.")
    if entry.campaign.home == caller.home:
        return entry
    # A channel's own campaign may be older than the bot's present membership in its server.
    if campaign_id == (yield from campaigns.played(caller)):
        return entry
    raise Unknown("That belongs to another place. Use it there.")


def _with_rights(caller: Caller, entry: CampaignEntry, for_masters: ForMasters) -> Queries[CampaignAccess]:
    """Return a campaign with the caller's rights in it."""
    masters = frozenset[Master]()
    if entry.campaign_id and not caller.manages:
        masters = yield from campaigns.masters(entry.campaign_id)
    if for_masters is True or (for_masters and for_masters(entry.campaign.rules)):
        caller.must_lead(masters)
    return CampaignAccess(entry.campaign_id, entry.campaign, entry.seq, caller.leads(masters), masters)
