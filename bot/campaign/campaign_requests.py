"""What is done with campaigns: make, use, rename, put away, name game masters, set rules."""

from dataclasses import dataclass, replace

from bot.campaign.campaigns import Campaign, Master, MasterKind
from bot.campaign.events import Asked, Kind
from bot.campaign.request import Change, Needs, Scene
from bot.campaign.rules import Rules
from bot.dice.draws import Draws
from bot.dice.errors import DiceError, SpecError, Unknown


@dataclass(frozen=True, slots=True)
class CreateCampaign:
    """Make a campaign; who asks is its first game master."""

    name: str
    """Cleaned already."""
    joins: bool
    """Whether it is played here from now on."""

    def needs(self) -> Needs:
        """A new campaign, and whether the name is free."""
        return Needs(new=True, name=self.name.casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A campaign; SpecError for a name that is taken or empty."""
        _check_name(self.name, scene)
        return Change(
            Kind.CREATE,
            text=self.name,
            campaign=Campaign(self.name, asked.home),
            joins=self.joins,
            masters=((Master(MasterKind.USER, asked.user_id), True),),
        )


@dataclass(frozen=True, slots=True)
class UseCampaign:
    """Play a campaign where it is asked; one that was put away is taken out again."""

    campaign_id: int | None
    """None is the channel's own."""

    def needs(self) -> Needs:
        """The campaign."""
        return Needs(campaign=self.campaign_id, own=self.campaign_id is None)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A move; Unknown for another server's campaign, DiceError if it is played here already."""
        campaign = scene.campaign
        if campaign.home != asked.home:
            raise Unknown("There is no such campaign here. /campaign list shows them.")
        if scene.played and not campaign.archived:
            raise DiceError("That campaign is played here already.")
        return Change(
            Kind.USE, text=campaign.name or "", campaign=replace(campaign, archived=False), joins=True
        )


@dataclass(frozen=True, slots=True)
class RenameCampaign:
    """Call a campaign otherwise; a channel's own one gets a name, and so can be played elsewhere too."""

    campaign_id: int | None
    """None is the one that is played where it is asked; so below."""
    name: str
    """Cleaned already."""

    def needs(self) -> Needs:
        """The campaign, and whether the name is free."""
        return Needs(campaign=self.campaign_id, name=self.name.casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """A new name; SpecError for one that is taken or empty."""
        _check_name(self.name, scene)
        return Change(
            Kind.RENAME,
            text=self.name,
            detail={"before": scene.campaign.name},
            campaign=replace(scene.campaign, name=self.name),
        )


@dataclass(frozen=True, slots=True)
class ArchiveCampaign:
    """Put a campaign away: its history stays, and its channels go back to their own campaigns."""

    campaign_id: int | None

    def needs(self) -> Needs:
        """The campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """An end; DiceError for a channel's own campaign, or one that is put away already."""
        campaign = scene.campaign
        if campaign.own or campaign.name is None:
            raise DiceError(
                "This is the channel's own campaign, which stays. Only one made with /campaign create can go."
            )
        if campaign.archived:
            raise DiceError(f"{campaign.name} is archived already. /campaign use takes it out again.")
        return Change(
            Kind.ARCHIVE, text=campaign.name, campaign=replace(campaign, archived=True), leaves=True
        )


@dataclass(frozen=True, slots=True)
class ChangeMaster:
    """Name a game master, or dismiss one; a person is not put on record, only that there was one."""

    campaign_id: int | None
    master: Master
    named: bool

    def needs(self) -> Needs:
        """The campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The change."""
        who = "a person" if self.master.kind is MasterKind.USER else f"the role {self.master.id}"
        return Change(
            Kind.MASTER,
            text=f"{'named' if self.named else 'dismissed'} {who}",
            masters=((self.master, self.named),),
        )


@dataclass(frozen=True, slots=True)
class SetRules:
    """Set a campaign's rules."""

    campaign_id: int | None
    rules: Rules

    def needs(self) -> Needs:
        """The campaign."""
        return Needs(campaign=self.campaign_id)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:  # noqa: ARG002 (nothing is drawn)
        """The rules before and after it."""
        return Change(
            Kind.RULES,
            detail={"before": scene.campaign.rules.as_json(), "after": self.rules.as_json()},
            campaign=replace(scene.campaign, rules=self.rules),
        )


def _check_name(name: str, scene: Scene) -> None:
    if not name:
        raise SpecError("A campaign needs a name.")
    if scene.taken:
        raise SpecError(f"There is a campaign {name} here already. Take another name.")
