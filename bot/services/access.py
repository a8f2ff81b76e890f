"""Which campaign a caller is in, and what they may do there: looked up once for each request."""

from dataclasses import dataclass

from bot.campaign.caller import Caller
from bot.campaign.campaigns import UNNAMED, Campaign, Found, Master, MasterKind
from bot.dice.errors import NotAllowed, Unknown
from bot.storage import campaigns
from bot.storage.asking import Piece
from bot.storage.reading import Reader


@dataclass(frozen=True, slots=True)
class Here:
    """A campaign as one caller stands in it."""

    campaign_id: int | None = None
    """None where nothing happened yet."""
    campaign: Campaign = UNNAMED
    size: int = 0
    """How many events it has."""
    is_gm: bool = False
    """Whether the caller is one of its game masters; whoever has Manage Server always is."""

    def must_be_gm(self, doing: str) -> None:
        """Raise NotAllowed unless the caller is a game master; `doing` is such as "Resetting a roller"."""
        if not self.is_gm:
            raise NotAllowed(
                f"{doing} is for game masters: those of this campaign, and people with Manage Server here. "
                "/campaign show names them."
            )


class Access:
    """Finds the campaign of a request, and its caller's rights."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def here(self, caller: Caller) -> Here:
        """Return the campaign that is played in the caller's channel."""
        return await self._reader.do(here(caller))

    async def there(self, caller: Caller, campaign_id: int) -> Here:
        """Return the campaign that a button names; see `there`."""
        return await self._reader.do(there(caller, campaign_id))


def here(caller: Caller) -> Piece[Here]:
    """Return the campaign that is played in the caller's channel, or in the one that a thread belongs to."""
    found = yield from campaigns.played_campaign(caller.channel_id, caller.parent_id)
    return (yield from stand(caller, found))


def there(caller: Caller, campaign_id: int) -> Piece[Here]:
    """Return the campaign that a button names, as the caller stands in it; see `belonging`."""
    return (yield from stand(caller, (yield from belonging(caller, campaign_id))))


def belonging(caller: Caller, campaign_id: int) -> Piece[Found]:
    """Return a campaign by its number; Unknown for one of another place, which only a forged id can name.

    A right here is none there, and what happened there is nobody's business here.
    """
    found = yield from campaigns.campaign(campaign_id)
    if found is None or found.campaign.home != caller.home:
        # A channel's own campaign may be older than the bot's membership in its server.
        played = None if found is None else (yield from campaigns.played(caller.channel_id, caller.parent_id))
        if found is None or played != campaign_id:
            raise Unknown("That belongs to another place. Ask there.")
    return found


def stand(caller: Caller, found: Found | None) -> Piece[Here]:
    """Return a campaign with the caller's rights in it."""
    if found is None:
        return Here(is_gm=caller.manages)
    is_gm = caller.manages or (yield from _is_master(caller, found.campaign_id))
    return Here(found.campaign_id, found.campaign, found.seq, is_gm)


def _is_master(caller: Caller, campaign_id: int) -> Piece[bool]:
    named = yield from campaigns.masters(campaign_id)
    mine = {Master(MasterKind.ROLE, role) for role in caller.roles}
    mine.add(Master(MasterKind.USER, caller.user_id))
    return not mine.isdisjoint(named)
