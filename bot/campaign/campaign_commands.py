"""Commands on campaigns: create, use, rename, archive, change game masters, set rules, mark sessions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.campaign.campaigns import Master, MasterKind, Rules
from bot.campaign.command import Caller, InCampaign, Needs, Plain
from bot.campaign.events import (
    CampaignArchived,
    CampaignCreated,
    CampaignRenamed,
    CampaignUsed,
    MasterChanged,
    RulesSet,
    SessionMarked,
)
from bot.campaign.kinds import Mark
from bot.campaign.state import State
from bot.dice.errors import DiceError, SpecError, Unknown


@dataclass(frozen=True, slots=True)
class CreateCampaign(Plain):
    """Create a campaign with the caller as its first game master.

    It is the channel's own unnamed campaign with its history and rollers, or an empty one if `fresh`.
    """

    name: str
    """Cleaned already."""
    fresh: bool
    """Whether to start empty."""

    def needs(self) -> Needs:
        """Return the campaign (new or played here), the name to look up, and the game masters."""
        return Needs(new=self.fresh, name=self.name.casefold(), masters=True)

    def decide(self, caller: Caller, state: State) -> CampaignCreated:
        """Create it; SpecError for a taken or empty name, DiceError if it can't be created here."""
        _check_name(self.name, state)
        if state.room < 1:
            raise DiceError(
                "This server has no room for more campaigns, and archived ones count. People with "
                "Manage Server can allow more: `/admin settings campaigns:`."
            )
        if not self.fresh and state.campaign.name:
            raise DiceError(
                "{name} is played here and stays as it is. Begin an empty one with `fresh:True`.",
                name=state.campaign.name,
            )
        joins = is_played_here(caller, state.local_masters)
        if not self.fresh and not joins:
            caller.must_lead(state.masters)
        return CampaignCreated(name=self.name, joins=joins)


def is_played_here(caller: Caller, masters: frozenset[Master] | None) -> bool:
    """Return whether a campaign that the caller creates is played here: not if others lead the played one.

    Without game masters, anybody may take over. `masters` is None if no campaign is played.
    """
    return masters is None or caller.leads(masters) or not caller.has_gm(masters)


@dataclass(frozen=True, slots=True)
class UseCampaign(Plain):
    """Play a campaign in the caller's channel; an archived one becomes active again."""

    campaign_id: int | None
    """None for the channel's own."""
    gm = True

    def needs(self) -> Needs:
        """Return the campaign, its game masters and those of the campaign played here."""
        return Needs(campaign=self.campaign_id, own=self.campaign_id is None, masters=True)

    def right(self, _caller: Caller, _rules: Rules) -> bool:
        """Return False: `decide` checks the rights in two campaigns."""
        return False

    def decide(self, caller: Caller, state: State) -> CampaignUsed:
        """Use it if the caller leads it and the one played here; DiceError if it is played here already."""
        if state.local_masters is not None or self.campaign_id is None:
            caller.must_lead(state.local_masters or frozenset())
        if self.campaign_id is not None:
            caller.must_lead(state.masters)
        if state.played and not state.campaign.archived:
            raise DiceError("You already play that campaign here.")
        return CampaignUsed()


@dataclass(frozen=True, slots=True)
class RenameCampaign(InCampaign, Plain):
    """Rename a campaign; a channel's own campaign can be played elsewhere once it has a name."""

    name: str
    """Cleaned already."""
    gm = True

    def needs(self) -> Needs:
        """Return the campaign and the name to look up."""
        return Needs(campaign=self.campaign_id, name=self.name.casefold())

    def decide(self, caller: Caller, state: State) -> CampaignRenamed:
        """Rename it; SpecError for a taken or empty name."""
        _check_name(self.name, state)
        return CampaignRenamed(name=self.name, before=state.campaign.name)


class ArchiveCampaign(InCampaign, Plain):
    """Archive a campaign: its history stays, and its channels play their own campaigns again."""

    gm = True

    def decide(self, caller: Caller, state: State) -> CampaignArchived:
        """Archive it; DiceError for a channel's own campaign, or an archived one."""
        campaign = state.campaign
        if campaign.own or campaign.name is None:
            raise DiceError(
                "This is the channel's own campaign, and it stays. You can archive campaigns made with "
                "`/campaign create`."
            )
        if campaign.archived:
            raise DiceError(
                "{name} is archived already. `/campaign use {name}` brings it back.", name=campaign.name
            )
        return CampaignArchived()


@dataclass(frozen=True, slots=True)
class ChangeMaster(InCampaign, Plain):
    """Add or remove a game master."""

    master: Master
    named: bool
    gm = True

    def needs(self) -> Needs:
        """Return the campaign and its game masters."""
        return Needs(campaign=self.campaign_id, masters=True)

    def decide(self, caller: Caller, state: State) -> MasterChanged:
        """Add or remove them; DiceError if nothing would change. The id of a person is not recorded."""
        if (self.master in state.masters) is self.named:
            raise DiceError(
                "They already lead this campaign."
                if self.named
                else "They don't lead this campaign. `/campaign show` lists who does."
            )
        role = self.master.id if self.master.kind is MasterKind.ROLE else None
        return MasterChanged(named=self.named, who=self.master.kind, role=role, master=self.master)


@dataclass(frozen=True, slots=True)
class SetRules(InCampaign, Plain):
    """Set some of a campaign's rules; the others stay."""

    rules: Mapping[str, object]
    """Field of `Rules` to its new value."""
    gm = True

    def decide(self, caller: Caller, state: State) -> RulesSet:
        """Set them; SpecError for a value out of range, Unknown if no game is played that could end."""
        before = state.campaign.rules
        if self.rules.get("game") == "" and not before.game:
            raise Unknown("No game is played here. A game master chooses one with `/game use`.")
        return RulesSet(before=before, after=replace(before, **self.rules))


class SessionOn(DiceError):
    """A session is on already."""


@dataclass(frozen=True, slots=True)
class MarkSession(Plain):
    """Start or end a session."""

    mark: Mark
    instead: int = 0
    """The number of the session that a start may end, if it is still on; 0 for none."""
    gm = True

    def needs(self) -> Needs:
        """Return that the current session is needed."""
        return Needs(session=True)

    def decide(self, caller: Caller, state: State) -> SessionMarked:
        """Mark it; DiceError if a session is on already, or none is on."""
        if state.session and self.mark is Mark.START and self.instead != state.campaign.evening:
            raise SessionOn("A session is already on. `/session end` ends it.")
        if not state.session and self.mark is Mark.END:
            raise DiceError("No session is on. `/session start` begins one.")
        return SessionMarked(mark=self.mark)


def _check_name(name: str, state: State) -> None:
    if not name:
        raise SpecError("A campaign needs a name.")
    if state.is_name_taken:
        raise SpecError("There is a campaign {name} here already. Take another name.", name=name)
