"""Campaigns: make, play, rename and archive them; name their game masters; set their rules."""

from dataclasses import dataclass

from bot.campaign.campaign_commands import (
    ArchiveCampaign,
    ChangeMaster,
    CreateCampaign,
    RenameCampaign,
    SetRules,
    UseCampaign,
)
from bot.campaign.campaigns import Found, Master, Rules, Shown
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.kinds import FOREVER
from bot.dice.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.access import Access, Here, here, stand
from bot.storage import campaigns
from bot.storage.asking import Piece, Reader
from bot.storage.engine import Database, work
from bot.storage.reading import rollers
from bot.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class Extent:
    """How much there is of a campaign; a channel's own one may have no name."""

    name: str | None
    events: int
    rollers: int


@dataclass(frozen=True, slots=True)
class Created:
    """A campaign that was made."""

    event: Event
    joins: bool
    """Whether it is played here from now on."""
    taken: Extent | None
    """What it took along from the channel; None where it begins empty."""


@dataclass(frozen=True, slots=True)
class Used:
    """A campaign that is played here from now on."""

    event: Event
    now: Extent
    before: Extent | None
    """What was played here before, and stays behind; None for nothing."""


class Campaigns:
    """The use cases of campaigns. A name of None is the campaign that is played in the caller's channel."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    async def must_be_gm(self, caller: Caller, doing: str) -> None:
        """Raise NotAllowed unless the caller is a game master of the campaign here."""
        (await self._access.here(caller)).must_be_gm(doing)

    async def create(self, caller: Caller, name: str, *, fresh: bool = False) -> Created:
        """Make a campaign of the channel's history and rollers, or a fresh one.

        It is fresh in any case where the channel plays a campaign with a name. It is played here from now
        on, unless that campaign has other game masters; where there are none, whoever comes first may take
        over.
        """
        at, extent = await self._reader.do(_here(caller))
        joins = at.campaign_id is None or at.is_gm or not at.has_gm
        own = at.campaign_id is None or (at.campaign.own and at.campaign.name is None)
        fresh = fresh or not own or not joins
        command = CreateCampaign(clean(name, NAME_LIMIT), fresh, joins)
        event = (await self._writer.write(caller, command)).event
        return Created(event, joins, None if fresh else extent)

    async def use(self, caller: Caller, name: str | None) -> Used:
        """Play a campaign here; for game masters of this one and of the one that was played here."""
        at, before = await self._reader.do(_here(caller))
        if at.campaign_id is not None or name is None:
            at.must_be_gm("Changing what is played here")
        wanted = await self._gm(caller, name, "Playing that campaign here") if name is not None else None
        event = (await self._writer.write(caller, UseCampaign(wanted))).event
        return Used(event, await self._reader.do(_extent(event.campaign_id)), before)

    async def rename(self, caller: Caller, name: str | None, new: str) -> Event:
        """Rename a campaign."""
        campaign_id = await self._gm(caller, name, "Renaming a campaign")
        command = RenameCampaign(campaign_id, clean(new, NAME_LIMIT))
        return (await self._writer.write(caller, command)).event

    async def archive(self, caller: Caller, name: str | None) -> tuple[Event, str]:
        """Archive a campaign; return its name too."""
        campaign_id = await self._gm(caller, name, "Archiving a campaign")
        written = await self._writer.write(caller, ArchiveCampaign(campaign_id))
        return written.event, written.campaign.name or ""

    async def change_master(self, caller: Caller, name: str | None, master: Master, *, named: bool) -> Event:
        """Name a game master, or dismiss one; raise DiceError if nothing would change."""
        campaign_id = await self._gm(caller, name, "Naming game masters")
        masters = frozenset[Master]()
        if campaign_id is not None:
            masters = await self._reader.do(campaigns.masters(campaign_id))
        if (master in masters) is named:
            raise DiceError(
                "They are game masters of this campaign already."
                if named
                else "The campaign does not name them as game masters. /campaign show says whom it names."
            )
        return (await self._writer.write(caller, ChangeMaster(campaign_id, master, named))).event

    async def named(self, caller: Caller) -> list[Found]:
        """Return the campaigns that have a name here, by name."""
        return await self._reader.do(campaigns.named(caller.home))

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return names of campaigns here that contain what was typed."""
        wanted = typed.strip().casefold()
        names = [one.campaign.name for one in await self.named(caller) if one.campaign.name]
        return [name for name in names if wanted in name.casefold()]

    async def show(self, caller: Caller, name: str | None) -> Shown | None:
        """Return a campaign with its channels and game masters; None where nothing was played yet."""
        return await self._reader.do(_shown(caller, name))

    async def _gm(self, caller: Caller, name: str | None, doing: str) -> int | None:
        """Return a campaign's number; raise NotAllowed unless the caller is its game master."""
        at = await self._reader.do(_which(caller, name))
        at.must_be_gm(doing)
        return at.campaign_id


def _which(caller: Caller, name: str | None) -> Piece[Here]:
    """Return the campaign of that name, or the one played here, as the caller stands in it."""
    if name is None:
        return (yield from here(caller))
    wanted = clean(name, NAME_LIMIT)
    for found in (yield from campaigns.named(caller.home)):
        if found.campaign.name and found.campaign.name.casefold() == wanted.casefold():
            return (yield from stand(caller, found))
    raise Unknown(f"There is no campaign {wanted} here. /campaign list shows them.")


def _here(caller: Caller) -> Piece[tuple[Here, Extent | None]]:
    """Return the campaign that is played here, and how much there is of it; None for nothing."""
    at = yield from here(caller)
    return at, None if at.campaign_id is None else (yield from _extent(at.campaign_id))


def _extent(campaign_id: int) -> Piece[Extent]:
    found = yield from campaigns.campaign(campaign_id)
    if found is None:
        return Extent(None, 0, 0)
    return Extent(found.campaign.name, found.seq, len((yield from rollers(campaign_id))))


def _shown(caller: Caller, name: str | None) -> Piece[Shown | None]:
    at = yield from _which(caller, name)
    if at.campaign_id is None:
        return None
    channels = yield from campaigns.channels(at.campaign_id)
    masters = yield from campaigns.masters(at.campaign_id)
    return Shown(at.campaign, at.size, tuple(channels), masters)


class Administration:
    """The use cases of settings; `retention` is for how many days all histories are kept, 0 for ever."""

    def __init__(self, database: Database, writer: Writer, reader: Reader, retention: int = FOREVER) -> None:
        self._retention = retention
        self._database = database
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    @property
    def retention(self) -> int:
        """Return for how many days every history is kept at most; 0 is for ever."""
        return self._retention

    async def rules(self, caller: Caller) -> Rules:
        """Return the rules of the campaign that is played here."""
        return (await self._access.here(caller)).campaign.rules

    async def allowed(self, caller: Caller) -> int:
        """Return how many campaigns this server may have."""
        return await self._reader.do(campaigns.allowed(caller.home))

    async def allow(self, caller: Caller, count: int) -> None:
        """Let this server have so many campaigns; NotAllowed unless the caller manages it."""
        if not caller.manages:
            raise NotAllowed("How many campaigns there may be is set by people with Manage Server here.")
        await work(self._database, campaigns.allow(caller.home, count))

    async def set_rules(self, caller: Caller, rules: Rules) -> Event:
        """Set the rules of the campaign that is played here, for its game masters."""
        (await self._access.here(caller)).must_be_gm("Changing settings")
        if FOREVER < self._retention < rules.retention:
            raise SpecError(f"Here a history is kept for {self._retention} days at most.")
        return (await self._writer.write(caller, SetRules(None, rules))).event
