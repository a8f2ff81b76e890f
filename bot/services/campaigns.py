"""Campaigns: make, play, rename and archive them; name their game masters; set their rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.campaign.campaign_commands import CreateCampaign, SetRules, UseCampaign, joining
from bot.campaign.campaigns import USUAL, Found, Rules, Shown
from bot.campaign.command import Caller
from bot.campaign.events import CampaignCreated, Event
from bot.campaign.kinds import FOREVER
from bot.dice.errors import NotAllowed, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.access import CampaignAccess, DataStore, current_campaign
from bot.storage import campaigns
from bot.storage.engine import work
from bot.storage.queries import Queries
from bot.storage.reading import rollers


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


@dataclass(frozen=True, slots=True)
class UsualSet:
    """The rules that a server's campaigns begin with, before and after they were set."""

    before: Rules
    after: Rules
    followed: int
    """How many campaigns changed with them."""


@dataclass(frozen=True, slots=True)
class Campaigns:
    """The use cases of campaigns, and of their settings.

    A name of None is the campaign that is played in the caller's channel; `retention` is for how many days
    all histories are kept at most, 0 for ever.
    """

    store: DataStore
    retention: int = FOREVER

    async def only_for_masters(self, caller: Caller) -> None:
        """Raise NotAllowed unless the caller is a game master of the campaign here."""
        await self.store.reader.do(current_campaign(caller, for_masters=True))

    async def create(self, caller: Caller, name: str, *, fresh: bool = False) -> Created:
        """Make a campaign of the channel's history and rollers, or a fresh one.

        It is fresh in any case where the channel plays a campaign with a name. It is played here from now
        on, unless that campaign has other game masters; where there are none, whoever comes first may take
        over.
        """
        at, extent = await self.store.reader.do(_here(caller))
        joins = joining(caller, None if at.campaign_id is None else at.masters)
        own = at.campaign_id is None or (at.campaign.own and at.campaign.name is None)
        fresh = fresh or not own or not joins
        event = (await self.store.writer.write(caller, CreateCampaign(clean(name, NAME_LIMIT), fresh))).event
        joins = isinstance(event.body, CampaignCreated) and event.body.joins
        return Created(event, joins, None if fresh else extent)

    async def use(self, caller: Caller, name: str | None) -> Used:
        """Play a campaign here; for game masters of this one and of the one that was played here."""
        (_, before), wanted = await self.store.reader.do(_using(caller, name))
        event = (await self.store.writer.write(caller, UseCampaign(wanted))).event
        return Used(event, await self.store.reader.do(_extent(event.campaign_id)), before)

    async def named(self, caller: Caller) -> list[Found]:
        """Return the campaigns that have a name here, by name, behind the channel's own if that is played."""
        return await self.store.reader.do(_listed(caller))

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return names of campaigns here that contain what was typed."""
        wanted = typed.strip().casefold()
        names = [one.campaign.name for one in await self.named(caller) if one.campaign.name]
        return [name for name in names if wanted in name.casefold()]

    async def show(self, caller: Caller, name: str | None) -> Shown | None:
        """Return a campaign with its channels and game masters; None where nothing was played yet."""
        return await self.store.reader.do(_named_campaign(caller, name))

    async def number(self, caller: Caller, name: str | None) -> int | None:
        """Return the number of the campaign of that name; None for None, Unknown if there is none."""
        return None if name is None else (await self.store.reader.do(_called(caller, name))).campaign_id

    async def played(self, caller: Caller) -> int | None:
        """Return the number of the campaign that is played here; None where nothing happened yet."""
        return await self.store.reader.do(campaigns.played(caller))

    async def leads(self, caller: Caller) -> bool:
        """Return whether the caller is a game master here."""
        return (await self.store.reader.do(current_campaign(caller))).is_gm

    async def rules(self, caller: Caller) -> Rules:
        """Return the rules of the campaign that is played here."""
        found = await self.store.reader.do(campaigns.played_campaign(caller))
        return found.campaign.rules if found else USUAL

    async def allowed(self, caller: Caller) -> int:
        """Return how many campaigns this server may have."""
        return await self.store.reader.do(campaigns.allowed(caller.home))

    async def allow(self, caller: Caller, count: int) -> None:
        """Set how many campaigns this server may have; NotAllowed unless the caller manages it."""
        if not caller.manages:
            raise NotAllowed("Only people with Manage Server can change that number.")
        await work(self.store.database, campaigns.allow(caller.home, count))

    async def usual(self, caller: Caller) -> Rules:
        """Return the rules that new campaigns of this server begin with."""
        return (await self.store.reader.do(campaigns.usual_rules([caller.home])))[caller.home]

    async def set_usual(self, caller: Caller, rules: Mapping[str, object]) -> UsualSet:
        """Set some of the rules that this server's campaigns begin with; NotAllowed unless they manage it.

        Campaigns that are there follow, but for what was chosen otherwise in them.
        """
        if not caller.manages:
            raise NotAllowed("Only people with Manage Server change settings of the whole server.")
        self._check(rules)
        followed = set[int]()
        # Campaigns go first, all at once: who asks again after a stop finds what is still to do. What begins
        # meanwhile is found by the transaction that changes the usual rules.
        while (change := await self._change_usual(caller, rules, followed)).due:
            asked = [(caller, SetRules(number, to)) for number, to in change.due.items()]
            (await self.store.writer.write_all(asked)).some()
            followed |= change.due.keys()
        # Only another process can have begun one amid that.
        late = await self.store.reader.do(campaigns.due_to_follow(caller.home, change.before, change.after))
        for number, to in late.items():
            if number not in followed:
                await self.store.writer.write(caller, SetRules(number, to))
        return UsualSet(change.before, change.after, len(followed | late.keys()))

    async def _change_usual(
        self, caller: Caller, rules: Mapping[str, object], followed: Collection[int]
    ) -> campaigns.UsualChange:
        return await work(self.store.database, campaigns.change_usual_rules(caller.home, rules, followed))

    def _check(self, rules: Mapping[str, object]) -> None:
        days = rules.get("retention")
        if isinstance(days, int) and FOREVER < self.retention < days:
            raise SpecError("Histories stay for {retention} days at most here.", retention=self.retention)

    async def set_rules(self, caller: Caller, rules: Mapping[str, object]) -> Event:
        """Set some rules of the campaign that is played here, for its game masters."""
        self._check(rules)
        return (await self.store.writer.write(caller, SetRules(None, rules))).event


def _called(caller: Caller, name: str) -> Queries[Found]:
    """Return the campaign of that name; Unknown if there is none."""
    wanted = clean(name, NAME_LIMIT)
    for found in (yield from campaigns.named(caller.home)):
        if found.campaign.name and found.campaign.name.casefold() == wanted.casefold():
            return found
    raise Unknown("There is no campaign `{wanted}` here. `/campaign list` shows them.", wanted=wanted)


def _using(
    caller: Caller, name: str | None
) -> Queries[tuple[tuple[CampaignAccess, Extent | None], int | None]]:
    """Return what is played here, and the number of the campaign that is to be."""
    before = yield from _here(caller)
    return before, None if name is None else (yield from _called(caller, name)).campaign_id


def _here(caller: Caller) -> Queries[tuple[CampaignAccess, Extent | None]]:
    """Return the campaign that is played here, and how much there is of it; None for nothing."""
    at = yield from current_campaign(caller)
    return at, None if at.campaign_id is None else (yield from _extent(at.campaign_id))


def _listed(caller: Caller) -> Queries[list[Found]]:
    played = yield from campaigns.played_campaign(caller)
    own = [played] if played and played.campaign.name is None else []
    return [*own, *(yield from campaigns.named(caller.home))]


def _extent(campaign_id: int) -> Queries[Extent]:
    found = yield from campaigns.campaign(campaign_id)
    if found is None:
        return Extent(None, 0, 0)
    return Extent(found.campaign.name, found.seq, len((yield from rollers(campaign_id))))


def _named_campaign(caller: Caller, name: str | None) -> Queries[Shown | None]:
    if name is None:
        found = yield from campaigns.played_campaign(caller)
    else:
        found = yield from _called(caller, name)
    if found is None:
        return None
    channels = yield from campaigns.channels(found.campaign_id)
    masters = yield from campaigns.masters(found.campaign_id)
    at = yield from current_campaign(caller)
    usable = caller.leads(masters) and (at.campaign_id is None or at.is_gm)
    return Shown(found.campaign, found.seq, tuple(channels), masters, usable)
