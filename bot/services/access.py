"""Who may do what: game masters, and everybody else. Who is one is looked up anew each time."""

from dataclasses import dataclass, replace

from bot.campaign.campaigns import Master, MasterKind
from bot.campaign.events import Asked
from bot.dice.errors import NotAllowed, Unknown
from bot.storage import campaigns
from bot.storage.asking import Piece
from bot.storage.reading import Reader


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks, and what Discord says they may do where they ask."""

    user_id: int
    manages: bool
    """Whether they have Manage Server here, or are alone with the bot."""
    roles: frozenset[int] = frozenset()
    named: bool = False
    """Whether the campaign counts them among its game masters; `Access` finds out."""

    @property
    def is_gm(self) -> bool:
        """Whether they are a game master here."""
        return self.manages or self.named

    def must_be_gm(self, doing: str) -> None:
        """NotAllowed unless they are a game master; `doing` is what they tried, "Resetting a roller"."""
        if not self.is_gm:
            raise NotAllowed(
                f"{doing} is for game masters: those of this campaign, and people with Manage Server here. "
                "/campaign show names them."
            )


class Access:
    """Knows the game masters of every campaign."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    async def here(self, person: Person, channel_id: int, parent_id: int | None = None) -> Person:
        """The person as the campaign that is played in a channel knows them."""
        return await self._reader.do(known_here(person, channel_id, parent_id))

    async def must_be_gm_here(self, asked: Asked, person: Person, doing: str) -> None:
        """NotAllowed unless they are a game master of the campaign that is played where it is asked."""
        (await self.here(person, asked.channel_id, asked.parent_id)).must_be_gm(doing)

    async def must_be_here(self, asked: Asked, campaign_id: int) -> None:
        """Unknown for a campaign of another place; see `check_here`."""
        await self._reader.do(check_here(asked, campaign_id))

    async def known(self, person: Person, campaign_id: int | None) -> Person:
        """The person as a campaign knows them; None is a campaign that is not there yet."""
        return await self._reader.do(known(person, campaign_id))


def check_here(asked: Asked, campaign_id: int) -> Piece[None]:
    """Unknown for a campaign of another place, which only a button with a forged id can name.

    A right here is none there, and what happened there is nobody's business here.
    """
    found = yield from campaigns.campaign(campaign_id)
    if found is not None and found.campaign.home == asked.home:
        return
    # A channel's own campaign may be older than the bot's membership in its server.
    if found is None or (yield from campaigns.played(asked.channel_id, asked.parent_id)) != campaign_id:
        raise Unknown("That belongs to another place. Ask there.")


def known(person: Person, campaign_id: int | None) -> Piece[Person]:
    """The person as a campaign knows them; None is a campaign that is not there yet."""
    if person.is_gm or campaign_id is None:
        return person
    masters = yield from campaigns.masters(campaign_id)
    mine = {Master(MasterKind.ROLE, role) for role in person.roles}
    mine.add(Master(MasterKind.USER, person.user_id))
    return replace(person, named=not mine.isdisjoint(masters))


def known_here(person: Person, channel_id: int, parent_id: int | None) -> Piece[Person]:
    """The person as the campaign that is played in a channel knows them."""
    if person.is_gm:
        return person
    return (yield from known(person, (yield from campaigns.played(channel_id, parent_id))))
