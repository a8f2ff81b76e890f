"""Campaigns: made, played in channels, renamed, put away; their game masters named and dismissed."""

from bot.campaign.campaign_requests import (
    ArchiveCampaign,
    ChangeMaster,
    CreateCampaign,
    RenameCampaign,
    UseCampaign,
)
from bot.campaign.campaigns import Found, Master, Shown
from bot.campaign.events import Asked, Event
from bot.campaign.request import Request
from bot.dice.errors import DiceError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.access import Access, Person
from bot.storage import campaigns
from bot.storage.asking import Piece
from bot.storage.reading import Reader
from bot.storage.writer import Writer


class Campaigns:
    """The use cases of campaigns. A name of None is the campaign that is played where it is asked."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._writer = writer
        self._reader = reader
        self._access = Access(reader)

    async def create(self, asked: Asked, person: Person, name: str) -> tuple[Event, bool]:
        """Make a campaign; whether it is played here from now on.

        It is, unless the place already plays a campaign that the person is no game master of.
        """
        played = await self._reader.do(campaigns.played(asked.channel_id, asked.parent_id))
        joins = played is None or (await self._access.known(person, played)).is_gm
        return await self._write(asked, CreateCampaign(clean(name, NAME_LIMIT), joins)), joins

    async def use(self, asked: Asked, person: Person, name: str | None) -> Event:
        """Play a campaign here; for game masters of this one and of the one that was played here."""
        played = await self._reader.do(campaigns.played(asked.channel_id, asked.parent_id))
        if played is not None or name is None:
            (await self._access.known(person, played)).must_be_gm("Changing what is played here")
        wanted = await self._found(asked, name) if name is not None else None
        if wanted is not None:
            (await self._access.known(person, wanted)).must_be_gm("Playing that campaign here")
        return await self._write(asked, UseCampaign(wanted))

    async def rename(self, asked: Asked, person: Person, name: str | None, new: str) -> Event:
        """Call a campaign otherwise."""
        campaign_id = await self._gm(asked, person, name, "Renaming a campaign")
        return await self._write(asked, RenameCampaign(campaign_id, clean(new, NAME_LIMIT)))

    async def archive(self, asked: Asked, person: Person, name: str | None) -> Event:
        """Put a campaign away."""
        campaign_id = await self._gm(asked, person, name, "Archiving a campaign")
        return await self._write(asked, ArchiveCampaign(campaign_id))

    async def change_master(
        self, asked: Asked, person: Person, name: str | None, master: Master, *, named: bool
    ) -> Event:
        """Name a game master, or dismiss one; DiceError if nothing would change."""
        campaign_id = await self._gm(asked, person, name, "Naming game masters")
        masters = frozenset[Master]()
        if campaign_id is not None:
            masters = await self._reader.do(campaigns.masters(campaign_id))
        if (master in masters) is named:
            raise DiceError(
                "They are game masters of this campaign already."
                if named
                else "The campaign does not name them as game masters. /campaign show says whom it names."
            )
        return await self._write(asked, ChangeMaster(campaign_id, master, named))

    async def named(self, asked: Asked) -> list[Found]:
        """The campaigns that have a name here, by name."""
        return await self._reader.do(campaigns.named(asked.home))

    async def suggest(self, asked: Asked, typed: str) -> list[str]:
        """Names of campaigns here that contain what was typed; 25 at most."""
        wanted = typed.strip().casefold()
        found = await self._reader.do(campaigns.named(asked.home))
        names = [one.campaign.name for one in found if one.campaign.name]
        return [name for name in names if wanted in name.casefold()][:25]

    async def show(self, asked: Asked, name: str | None) -> Shown | None:
        """A campaign with its channels and game masters; None where nothing was played yet."""
        campaign_id = await self._campaign(asked, name)
        return None if campaign_id is None else await self._reader.do(_shown(campaign_id))

    async def _gm(self, asked: Asked, person: Person, name: str | None, doing: str) -> int | None:
        """The campaign's number, if the person is its game master."""
        campaign_id = await self._campaign(asked, name)
        (await self._access.known(person, campaign_id)).must_be_gm(doing)
        return campaign_id

    async def _campaign(self, asked: Asked, name: str | None) -> int | None:
        if name is None:
            return await self._reader.do(campaigns.played(asked.channel_id, asked.parent_id))
        return await self._found(asked, name)

    async def _found(self, asked: Asked, name: str) -> int:
        wanted = clean(name, NAME_LIMIT).casefold()
        for found in await self._reader.do(campaigns.named(asked.home)):
            if found.campaign.name and found.campaign.name.casefold() == wanted:
                return found.campaign_id
        raise Unknown(f"There is no campaign {clean(name, NAME_LIMIT)} here. /campaign list shows them.")

    async def _write(self, asked: Asked, request: Request) -> Event:
        return (await self._writer.write(asked, request)).event


def _shown(campaign_id: int) -> Piece[Shown | None]:
    found = yield from campaigns.campaign(campaign_id)
    if found is None:
        return None
    channels = yield from campaigns.channels(campaign_id)
    masters = yield from campaigns.masters(campaign_id)
    return Shown(found.campaign, found.seq, tuple(channels), masters)
