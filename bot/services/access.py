"""Which campaign a caller is in, and what they may do there: looked up once for each request."""

from dataclasses import dataclass

from bot.campaign.campaigns import UNNAMED, Campaign, Found, Master, MasterKind
from bot.campaign.command import Caller
from bot.dice.errors import NotAllowed, Unknown
from bot.storage import campaigns
from bot.storage.asking import Piece, Reader

FIRST = "Whoever makes a campaign here with /campaign create becomes its first one."
"""The way out where nobody is a game master."""


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
    masters: frozenset[Master] = frozenset()
    """Who was named a game master; not looked up where the caller is one anyway."""
    governed: bool = True
    """Whether anybody is a game master here without being named: on a server, and alone with the bot."""

    @property
    def has_gm(self) -> bool:
        """Return whether there is anybody who could see what is for game masters."""
        return self.is_gm or self.governed or bool(self.masters)

    def must_be_gm(self, doing: str) -> None:
        """Raise NotAllowed unless the caller is a game master; `doing` is such as "Resetting a roller"."""
        if self.is_gm:
            return
        if not self.has_gm:
            raise NotAllowed(f"{doing} is for game masters, and this place has none. {FIRST}")
        if not self.governed:
            named = " and ".join(sorted(master.mention for master in self.masters))
            raise NotAllowed(f"{doing} is for this campaign's game masters: {named}.")
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
    governed = caller.manages or caller.guild_id is not None
    if found is None:
        return Here(is_gm=caller.manages, governed=governed)
    masters = frozenset[Master]()
    if not caller.manages:
        masters = yield from campaigns.masters(found.campaign_id)
    mine = {Master(MasterKind.ROLE, role) for role in caller.roles}
    mine.add(Master(MasterKind.USER, caller.user_id))
    is_gm = caller.manages or not mine.isdisjoint(masters)
    return Here(found.campaign_id, found.campaign, found.seq, is_gm, masters, governed)
