"""A campaign as its people know it: a name, whether it is archived, its rules and its game masters."""

from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.rules import Rules


@dataclass(frozen=True, slots=True)
class Campaign:
    """What is set about a campaign; a channel's own one has no name until it is given one."""

    name: str | None = None
    home: int = 0
    """Where its name is unique: a server's number, or a channel's as a negative number."""
    own: bool = False
    """Whether it is a channel's own, which can't be archived."""
    archived: bool = False
    rules: Rules = Rules()
    evening: int = 0
    """The number of the event that began its newest session; 0 for none."""


UNNAMED = Campaign()
"""A campaign about which nothing was set."""


class MasterKind(StrEnum):
    """Who is named a game master."""

    USER = "user"
    ROLE = "role"


@dataclass(frozen=True, slots=True)
class Master:
    """A game master of a campaign: one person, or everybody with a role."""

    kind: MasterKind
    id: int

    @property
    def mention(self) -> str:
        """Return the mention that Discord shows as a name."""
        return f"<@{self.id}>" if self.kind is MasterKind.USER else f"<@&{self.id}>"


@dataclass(frozen=True, slots=True)
class Found:
    """A campaign, its number and how many events it has."""

    campaign_id: int
    campaign: Campaign
    seq: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A campaign with everything that people ask about it."""

    campaign: Campaign
    events: int
    channels: tuple[int, ...]
    masters: frozenset[Master]
