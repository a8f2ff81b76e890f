"""The state of a campaign, as far as one command may look at it or one event may change it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.campaign.calls import Call
from bot.campaign.campaigns import UNNAMED, Campaign, Master
from bot.campaign.events import Event
from bot.campaign.proof import ProofMode
from bot.campaign.rollers import Remembers, Roller
from bot.dice.system import Memory

Slot: TypeAlias = tuple[int, int]
"""Which of a roller's memories: its epoch, and its owner (a player, or `TABLE`)."""


@dataclass(frozen=True, slots=True)
class State:
    """One roller, one event and one call of a campaign, with what is set about the campaign."""

    campaign: Campaign = UNNAMED
    played: bool = False
    """Whether the campaign is played in the caller's channel."""
    taken: bool = False
    """Whether another campaign here has the name that the command gives."""
    masters: Mapping[Master, bool] = field(default_factory=dict[Master, bool])
    """Game masters who were just named (true) or dismissed."""
    roller: Roller | None = None
    """The roller that it is about, removed ones included."""
    memories: Mapping[Slot, Memory] = field(default_factory=dict[Slot, Memory])
    """That roller's memories, as far as they may be concerned; the others are at their start."""
    event: Event | None = None
    """The event that it is about: the target."""
    revealed: bool = False
    """Whether that event is revealed."""
    call: Call | None = None
    """The target as a call for rolls, with what became of it."""
    seats: frozenset[int] = frozenset()
    """The players who were named in that call."""
    proof: ProofMode | None = None
    """The campaign's proof mode; None where it is not on."""

    def present(self) -> Roller | None:
        """Return the roller, unless it was removed."""
        return self.roller if self.roller and self.roller.spec else None

    def memory(self, roller: Roller, user_id: int) -> Memory | None:
        """Return what a roller remembers for a player; None for nothing yet."""
        return self.memories.get((roller.since(self.campaign.evening), roller.memory.owner(user_id)))


def owner_of(roller: Roller, event: Event, whose: Remembers | None = None) -> int | None:
    """Return whose memory an event used, None for erased players; a call may say otherwise."""
    if (whose or roller.memory) is Remembers.PLAYER:
        return event.user_id
    return Remembers.TABLE.owner(0)
