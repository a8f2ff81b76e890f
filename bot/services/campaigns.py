"""Create, play, list and show campaigns, and set their rules."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.campaign.campaign_commands import CreateCampaign, SetRules, UseCampaign, is_played_here
from bot.campaign.campaigns import CampaignDetails, CampaignEntry, Rules
from bot.campaign.command import Caller
from bot.campaign.events import Event
from bot.campaign.kinds import FOREVER
from bot.dice.errors import DiceError, NotAllowed, SpecError, Unknown
from bot.dice.names import NAME_LIMIT, clean
from bot.services.access import CampaignAccess, DataStore, current_campaign
from bot.storage import campaigns
from bot.storage.engine import transact
from bot.storage.queries import Queries
from bot.storage.reading import rollers


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of a campaign; a channel's own one may have no name."""

    name: str | None
    events: int
    rollers: int


@dataclass(frozen=True, slots=True)
class Campaigns:
    """The use cases of campaigns, and of their settings.

    A name of None is the campaign played in the caller's channel. `retention` is the most days that any
    history is kept, 0 for ever.
    """

    store: DataStore
    retention: int = FOREVER

    async def only_for_masters(self, caller: Caller) -> None:
        """Raise NotAllowed unless the caller is a game master of the campaign here."""
        await self.store.reader.do(current_campaign(caller, for_masters=True))

    async def create(self, caller: Caller, name: str, *, fresh: bool = False) -> tuple[Event, Extent | None]:
        """Create a campaign from the channel's history and rollers, or a `fresh` one.

        Return the event, and what it took over from the channel; None if it begins empty.

        It is always fresh if the channel plays a named campaign. The channel switches to it unless that
        campaign has other game masters; without any, anybody may take over.
        """
        extent, can_be_taken_over = await self.store.reader.do(_load_for_creation(caller))
        fresh = fresh or not can_be_taken_over
        try:
            written = await self.store.change_rules(caller, CreateCampaign(clean(name, NAME_LIMIT), fresh))
        except DiceError:
            # Somebody may have created one from this channel after it was read.
            if fresh or (await self.store.reader.do(_load_for_creation(caller)))[1]:
                raise
            return await self.create(caller, name, fresh=True)
        return written.event, None if fresh else extent

    async def use(self, caller: Caller, name: str | None) -> tuple[Event, Extent, Extent | None]:
        """Switch the channel to a campaign; for game masters of both the old and the new one.

        Return the event, and the extents of the campaign now and of the one before; None for none.
        """
        (_, before), campaign_id = await self.store.reader.do(_load_switch(caller, name))
        event = (await self.store.change_rules(caller, UseCampaign(campaign_id))).event
        return event, await self.store.reader.do(_load_extent(event.campaign_id)), before

    async def list_all(self, caller: Caller) -> list[CampaignEntry]:
        """Return the server's named campaigns by name, after the channel's own one if it is played."""
        return await self.store.reader.do(_load_listed(caller))

    async def suggest(self, caller: Caller, typed: str) -> list[str]:
        """Return names of the server's campaigns that contain the typed text."""
        key = typed.strip().casefold()
        names = [entry.campaign.name for entry in await self.list_all(caller) if entry.campaign.name]
        return [name for name in names if key in name.casefold()]

    async def show(self, caller: Caller, name: str | None) -> CampaignDetails | None:
        """Return a campaign with its channels and game masters; None if nothing was played yet."""
        return await self.store.reader.do(_load_shown(caller, name))

    async def number(self, caller: Caller, name: str | None) -> int | None:
        """Return the id of the campaign of that name; None for None, Unknown if there is none."""
        return None if name is None else (await self.store.reader.do(_find_by_name(caller, name))).campaign_id

    async def played(self, caller: Caller) -> int:
        """Return the id of the campaign played here; 0 if nothing happened yet."""
        return await self.store.reader.do(campaigns.played(caller))

    async def leads(self, caller: Caller) -> bool:
        """Return whether the caller is a game master here."""
        return (await self.store.reader.do(current_campaign(caller))).is_gm

    async def rules(self, caller: Caller) -> Rules:
        """Return the rules of the campaign played here."""
        return await self.store.reader.do(campaigns.played_rules(caller))

    async def allowed(self, caller: Caller) -> int:
        """Return how many campaigns this server may have."""
        return await self.store.reader.do(campaigns.allowed(caller.home))

    async def allow(self, caller: Caller, count: int) -> None:
        """Set how many campaigns this server may have; NotAllowed unless the caller manages it."""
        caller.must_manage(NotAllowed("Only people with Manage Server can change that number."))
        await transact(self.store.database, campaigns.allow(caller.home, count))

    async def usual(self, caller: Caller) -> Rules:
        """Return the rules that new campaigns of this server begin with."""
        return (await self.store.reader.do(campaigns.usual_rules([caller.home])))[caller.home]

    async def set_usual(self, caller: Caller, rules: Mapping[str, object]) -> tuple[Rules, Rules, int]:
        """Set default rules of this server's campaigns; raise NotAllowed unless the caller manages it.

        Existing campaigns follow, except in rules that they set themselves. Return the default rules before
        and after, and the number of campaigns that followed.
        """
        caller.must_manage(NotAllowed("Only people with Manage Server change settings of the whole server."))
        self.check(rules)
        followed = set[int]()
        # Campaigns change first, all at once: after a crash a retry finds the rest. Campaigns that begin
        # meanwhile are found by the transaction that changes the default rules.
        while True:
            changing = campaigns.change_usual_rules(caller.home, rules, followed)
            before, after, due = await transact(self.store.database, changing)
            self.store.rules.forget()
            if not due:
                break
            requests = [(caller, SetRules(number, changes)) for number, changes in due.items()]
            (await self.store.writer.write_all(requests)).written_or_raise()
            followed |= due.keys()
        # Only another process can have created one in between.
        late = await self.store.reader.do(campaigns.due_to_follow(caller.home, before, after))
        for number, changes in late.items():
            if number not in followed:
                await self.store.change_rules(caller, SetRules(number, changes))
        return before, after, len(followed | late.keys())

    def check(self, rules: Mapping[str, object]) -> None:
        """Raise SpecError if histories would be kept for longer than the host allows."""
        days = rules.get("retention")
        if isinstance(days, int) and FOREVER < self.retention < days:
            raise SpecError("Histories stay for {retention} days at most here.", retention=self.retention)

    async def set_rules(self, caller: Caller, rules: Mapping[str, object]) -> Event:
        """Set some rules of the campaign played here, for its game masters."""
        self.check(rules)
        return await self.store.set_rules(caller, rules)


def _find_by_name(caller: Caller, typed: str) -> Queries[CampaignEntry]:
    """Return the campaign of that name; raise Unknown if there is none."""
    name = clean(typed, NAME_LIMIT)
    for entry in (yield from campaigns.named_campaigns(caller.home)):
        if entry.campaign.name and entry.campaign.name.casefold() == name.casefold():
            return entry
    raise Unknown("There is no campaign `{wanted}` here. `/campaign list` shows them.", wanted=name)


def _load_switch(
    caller: Caller, name: str | None
) -> Queries[tuple[tuple[CampaignAccess, Extent | None], int | None]]:
    """Return the campaign played here with its size, and the id of the next one."""
    before = yield from _load_current(caller)
    return before, None if name is None else (yield from _find_by_name(caller, name)).campaign_id


def _load_current(caller: Caller) -> Queries[tuple[CampaignAccess, Extent | None]]:
    """Return the campaign played here and its size; None for no campaign."""
    access = yield from current_campaign(caller)
    return access, (yield from _load_extent(access.campaign_id)) if access.campaign_id else None


def _load_for_creation(caller: Caller) -> Queries[tuple[Extent | None, bool]]:
    """Return the size of the campaign played here, and whether a new campaign may take it over."""
    access, extent = yield from _load_current(caller)
    if not access.campaign_id:
        return extent, True
    is_unnamed = access.campaign.own and access.campaign.name is None
    return extent, is_unnamed and is_played_here(caller, access.masters)


def _load_listed(caller: Caller) -> Queries[list[CampaignEntry]]:
    played = yield from campaigns.played_campaign(caller)
    own = [played] if played and played.campaign.name is None else []
    return [*own, *(yield from campaigns.named_campaigns(caller.home))]


def _load_extent(campaign_id: int) -> Queries[Extent]:
    entry = yield from campaigns.campaign(campaign_id)
    if entry is None:
        return Extent(None, 0, 0)
    return Extent(entry.campaign.name, entry.seq, len((yield from rollers(campaign_id))))


def _load_shown(caller: Caller, name: str | None) -> Queries[CampaignDetails | None]:
    if name is None:
        entry = yield from campaigns.played_campaign(caller)
    else:
        entry = yield from _find_by_name(caller, name)
    if entry is None:
        return None
    channels = yield from campaigns.channels(entry.campaign_id)
    masters = yield from campaigns.masters(entry.campaign_id)
    access = yield from current_campaign(caller)
    usable = caller.leads(masters) and (not access.campaign_id or access.is_gm)
    return CampaignDetails(entry.campaign, entry.seq, tuple(channels), masters, usable)
