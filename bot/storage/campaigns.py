"""Questions about campaigns: which one a channel plays, what they are called, who their game masters are."""

from sqlalchemy import bindparam, select

from bot.campaign.campaigns import Found, Master, MasterKind
from bot.campaign.events import Event
from bot.storage import schema
from bot.storage.loading import read_campaign
from bot.storage.reading import Reader
from bot.storage.rows import EVENTS, read_event

_PLAYED = select(schema.channel.c.channel_id, schema.channel.c.campaign_id).where(
    schema.channel.c.channel_id.in_(bindparam("channels", expanding=True))
)
_CAMPAIGN = select(schema.campaign).where(schema.campaign.c.id == bindparam("campaign"))
_NAMED = (
    select(schema.campaign)
    .where(schema.campaign.c.home == bindparam("home"), schema.campaign.c.name_key.is_not(None))
    .order_by(schema.campaign.c.name_key)
)
_MASTERS = select(schema.master).where(schema.master.c.campaign_id == bindparam("campaign"))
_CHANNELS = (
    select(schema.channel.c.channel_id)
    .where(schema.channel.c.campaign_id == bindparam("campaign"), schema.channel.c.follows.is_(None))
    .order_by(schema.channel.c.channel_id)
)
_EVENTS = EVENTS.where(
    schema.event.c.campaign_id == bindparam("campaign"),
    schema.event.c.interaction_id == bindparam("interaction"),
).order_by(schema.event.c.part)


class CampaignReader:
    """Reads what `Reader` can reach; every method raises Unavailable where that fails."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def played(self, channel_id: int, parent_id: int | None = None) -> int | None:
        """The number of the campaign that is played in a channel; None where nothing happened yet.

        A thread that chose none for itself plays that of its parent.
        """
        root = parent_id or channel_id
        rows = await self._reader.read(_PLAYED, channels=[channel_id, root])
        played = {row["channel_id"]: row["campaign_id"] for row in rows}
        return played.get(channel_id) or played.get(root)

    async def campaign(self, campaign_id: int) -> Found | None:
        """The campaign of that number; None if there is none."""
        rows = await self._reader.read(_CAMPAIGN, campaign=campaign_id)
        return Found(rows[0]["id"], read_campaign(rows[0]), rows[0]["seq"]) if rows else None

    async def named(self, home: int) -> list[Found]:
        """The campaigns of a home that have a name, by name; archived ones too."""
        rows = await self._reader.read(_NAMED, home=home)
        return [Found(row["id"], read_campaign(row), row["seq"]) for row in rows]

    async def masters(self, campaign_id: int) -> frozenset[Master]:
        """Who was named a game master of a campaign."""
        rows = await self._reader.read(_MASTERS, campaign=campaign_id)
        return frozenset(Master(MasterKind(row["kind"]), row["id"]) for row in rows)

    async def channels(self, campaign_id: int) -> list[int]:
        """The channels that play a campaign, without the threads that follow them."""
        rows = await self._reader.read(_CHANNELS, campaign=campaign_id)
        return [row["channel_id"] for row in rows]

    async def events_of(self, campaign_id: int, interaction_id: int) -> list[Event]:
        """Return a campaign's events of one interaction, by their part."""
        rows = await self._reader.read(_EVENTS, campaign=campaign_id, interaction=interaction_id)
        return [read_event(row) for row in rows]
