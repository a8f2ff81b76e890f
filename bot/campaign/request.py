"""What can be asked of a campaign: a request turns what is there, and draws, into one change.

Pure: the bot, the replay and the verifier decide with the same functions. A request that can't be met
raises a DiceError and changes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.campaign.campaigns import UNNAMED, Campaign, Master
from bot.campaign.events import Asked, Event, Kind
from bot.campaign.rollers import Remembers, Roller
from bot.dice.bases import Json
from bot.dice.draws import Draws
from bot.dice.labels import Label
from bot.dice.system import Memory

THIS = -1
"""Stands for the event's own number, which is not known before it is written."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a request must see before it can be decided."""

    roller: str = ""
    """The name, casefolded, of the roller that may be concerned."""
    event: int | None = None
    """The number of the event it is about."""
    following: bool = False
    """Whether it must also see the events that have that one as their target."""
    whose: Remembers | None = None
    """Whose memory it is about; None is as the roller has it."""
    last: bool = False
    """Whether it is about the roller's newest event that can be undone."""
    campaign: int | None = None
    """The number of the campaign it is about; None is the one that is played where it is asked."""
    own: bool = False
    """Whether it is about the channel's own campaign, which every channel has."""
    new: bool = False
    """Whether it is about a campaign that is yet to be made."""
    name: str = ""
    """The casefolded name of a campaign that may be there."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is there of a campaign, as far as one request is concerned."""

    roller: Roller | None = None
    """The roller that the request names, removed ones included."""
    memory: Memory | None = None
    """That roller's memory, of the asker or of the table; None where nothing is remembered yet."""
    event: Event | None = None
    """The event that the request is about."""
    revealed: bool = False
    """Whether that event was revealed before."""
    following: tuple[Event, ...] = ()
    """What has that event as its target, without what was undone."""
    campaign: Campaign = UNNAMED
    """What is set about the campaign."""
    played: bool = False
    """Whether the campaign is played where it is asked."""
    taken: bool = False
    """Whether another campaign here has the name that the request names."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a request does: the event's own part, and the state after it."""

    kind: Kind
    roller: str = ""
    text: str = ""
    results: tuple[str, ...] = ()
    spec: str = ""
    target: int | None = None
    detail: Mapping[str, Json] = field(default_factory=dict[str, Json])
    source: Label | None = None
    """What the draws came from, where it was not the draws that were handed in."""
    state: Roller | None = None
    """The roller after it; None leaves it as it is. Its `epoch` or `last` may be THIS."""
    memory: tuple[int, Memory] | None = None
    """An owner and their memory after it; None leaves all as they are."""
    campaign: Campaign | None = None
    """What is set about the campaign after it; None leaves it as it is."""
    joins: bool = False
    """Whether the campaign is played where it was asked from now on."""
    leaves: bool = False
    """Whether all channels go back to their own campaigns."""
    masters: tuple[tuple[Master, bool], ...] = ()
    """Game masters who are named (true) or dismissed."""


class Request(Protocol):
    """One thing that can be asked."""

    def needs(self) -> Needs:
        """What it must see."""
        ...

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """The change; raises a DiceError where it can't be made."""
        ...
