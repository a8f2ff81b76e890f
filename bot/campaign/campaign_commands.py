"""What is done with campaigns: create, use, rename, archive, name game masters, set rules, mark sessions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.campaign.campaigns import Master, MasterKind, Rules
from bot.campaign.command import Caller, Needs, Plain
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
    """Make a campaign, whose first game master the caller is.

    It takes along the history and the rollers of the channel's own campaign without a name, or is `fresh`.
    """

    name: str
    """Cleaned already."""
    fresh: bool
    """Whether it begins empty."""

    def needs(self) -> Needs:
        """Return the campaign, new or the one played here, whether the name is free, and who leads here."""
        return Needs(new=self.fresh, name=self.name.casefold(), masters=True)

    def decide(self, caller: Caller, state: State) -> CampaignCreated:
        """Create it; SpecError for a name that is taken or empty, DiceError if it can't be made here."""
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
        joins = joining(caller, state.here)
        if not self.fresh and not joins:
            caller.must_lead(state.masters)
        return CampaignCreated(name=self.name, joins=joins)


def joining(caller: Caller, here: frozenset[Master] | None) -> bool:
    """Return whether a campaign that the caller makes is played here: unless others lead what is played.

    Where there are no game masters, whoever comes first may take over.
    """
    return here is None or caller.leads(here) or not caller.has_gm(here)


@dataclass(frozen=True, slots=True)
class UseCampaign(Plain):
    """Play a campaign in the caller's channel; an archived one comes back."""

    campaign_id: int | None
    """None is the channel's own."""
    gm = True

    def needs(self) -> Needs:
        """Return the campaign, and who leads it and what is played here."""
        return Needs(campaign=self.campaign_id, own=self.campaign_id is None, masters=True)

    def right(self, _caller: Caller, _rules: Rules) -> bool:
        """Return False: the rights are in two campaigns."""
        return False

    def decide(self, caller: Caller, state: State) -> CampaignUsed:
        """Use it, for who leads it and what is played here; DiceError if it is played here already."""
        if state.here is not None or self.campaign_id is None:
            caller.must_lead(state.here or frozenset())
        if self.campaign_id is not None:
            caller.must_lead(state.masters)
        if state.played and not state.campaign.archived:
            raise DiceError("You already play that campaign here.")
        return CampaignUsed()


@dataclass(frozen=True, slots=True)
class RenameCampaign(Plain):
    """Give a campaign another name; a channel's own one with a name can be played elsewhere too."""

    campaign_id: int | None
    """None is the one that is played in the caller's channel; so below."""
    name: str
    """Cleaned already."""
    gm = True

    def needs(self) -> Needs:
        """Return the campaign, and whether the name is free."""
        return Needs(campaign=self.campaign_id, name=self.name.casefold())

    def decide(self, caller: Caller, state: State) -> CampaignRenamed:
        """Rename it; SpecError for a name that is taken or empty."""
        _check_name(self.name, state)
        return CampaignRenamed(name=self.name, before=state.campaign.name)


@dataclass(frozen=True, slots=True)
class ArchiveCampaign(Plain):
    """Archive a campaign: its history stays, and its channels go back to their own campaigns."""

    campaign_id: int | None
    gm = True

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> CampaignArchived:
        """Archive it; DiceError for a channel's own campaign, or one that is archived already."""
        campaign = state.campaign
        if campaign.own or campaign.name is None:
            raise DiceError(
                "This is the channel's own campaign, and it stays. You can archive campaigns made with "
                "`/campaign create`."
            )
        if campaign.archived:
            raise DiceError("{name} is archived already. `/campaign use` brings it back.", name=campaign.name)
        return CampaignArchived()


@dataclass(frozen=True, slots=True)
class ChangeMaster(Plain):
    """Name a game master, or dismiss one."""

    campaign_id: int | None
    master: Master
    named: bool
    gm = True

    def needs(self) -> Needs:
        """Return the campaign, and who is named."""
        return Needs(campaign=self.campaign_id, masters=True)

    def decide(self, caller: Caller, state: State) -> MasterChanged:
        """Change it, DiceError if nothing would; a person is not put on record, only that there was one."""
        if (self.master in state.masters) is self.named:
            raise DiceError(
                "They already lead this campaign."
                if self.named
                else "They don't lead this campaign. `/campaign show` lists who does."
            )
        role = self.master.id if self.master.kind is MasterKind.ROLE else None
        return MasterChanged(named=self.named, who=self.master.kind, role=role, master=self.master)


@dataclass(frozen=True, slots=True)
class SetRules(Plain):
    """Set some of a campaign's rules; the others stay."""

    campaign_id: int | None
    rules: Mapping[str, object]
    """What is set, by its name in `Rules`."""
    gm = True

    def needs(self) -> Needs:
        """Return the campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, caller: Caller, state: State) -> RulesSet:
        """Set them; SpecError says what is out of range, Unknown that no game is played that could end."""
        before = state.campaign.rules
        if self.rules.get("game") == "" and not before.game:
            raise Unknown("No game is played here. A game master chooses one with `/game use`.")
        return RulesSet(before=before, after=replace(before, **self.rules))


@dataclass(frozen=True, slots=True)
class MarkSession(Plain):
    """Begin a session, or end it."""

    mark: Mark
    gm = True

    def needs(self) -> Needs:
        """Return whether a session goes on."""
        return Needs(session=True)

    def decide(self, caller: Caller, state: State) -> SessionMarked:
        """Mark it; DiceError if one goes on already, or none does."""
        if state.session is (self.mark is Mark.START):
            raise DiceError(
                "A session is already on. `/session end` ends it."
                if state.session
                else "No session is on. `/session start` begins one."
            )
        return SessionMarked(mark=self.mark)


def _check_name(name: str, state: State) -> None:
    if not name:
        raise SpecError("A campaign needs a name.")
    if state.taken:
        raise SpecError("There is a campaign {name} here already. Take another name.", name=name)
