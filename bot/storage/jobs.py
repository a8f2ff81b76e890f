"""What the writer is asked for, where what that needs is found, and what of it has yet to be loaded."""

from dataclasses import dataclass, field, fields
from typing import NamedTuple

from bot.campaign.command import Caller, Command, Needs
from bot.storage.places import NameAt
from bot.storage.rows import PersonAt


class RollerAt(NamedTuple):
    """Where a roller is found."""

    campaign_id: int
    key: str


class MemoryAt(NamedTuple):
    """Where one of a roller's memories is found."""

    roller: RollerAt
    epoch: int
    owner_id: int


class EventAt(NamedTuple):
    """Where an event is found."""

    campaign_id: int
    seq: int


class Asking(NamedTuple):
    """One of the events that an interaction makes."""

    interaction_id: int
    part: int


@dataclass(frozen=True, slots=True)
class Job:
    """One command, its caller, and what it must see."""

    caller: Caller
    command: Command
    needs: Needs
    asking: Asking | None
    """What is the same when Discord delivers it twice, and of no other job; None for nobody's."""

    @classmethod
    def of(cls, caller: Caller, command: Command) -> "Job":
        """Return the job of a command."""
        asking = None if caller.interaction_id is None else Asking(caller.interaction_id, caller.part)
        return cls(caller, command, command.needs(), asking)


@dataclass(slots=True)
class Missing:
    """What has to be loaded before a job can be decided."""

    rollers: set[tuple[RollerAt, int]] = field(default_factory=set[tuple[RollerAt, int]])
    """Rollers, and who asks for them."""
    memories: set[MemoryAt] = field(default_factory=set[MemoryAt])
    events: set[EventAt] = field(default_factory=set[EventAt])
    following: set[EventAt] = field(default_factory=set[EventAt])
    """Events about which all later ones are to be loaded."""
    own: set[tuple[EventAt, int]] = field(default_factory=set[tuple[EventAt, int]])
    """Events about which all later ones but other people's rolls are, with a person."""
    names: set[NameAt] = field(default_factory=set[NameAt])
    people: set[PersonAt] = field(default_factory=set[PersonAt])
    hands: set[PersonAt] = field(default_factory=set[PersonAt])
    """Players whose cards are to be counted."""
    sessions: set[int] = field(default_factory=set[int])
    """Campaigns of which it is to be known whether a session goes on."""
    seats: set[EventAt] = field(default_factory=set[EventAt])
    """Calls whose named players are to be loaded."""
    masters: set[int] = field(default_factory=set[int])
    """Campaigns whose game masters are to be loaded."""

    def __bool__(self) -> bool:
        return any(getattr(self, one.name) for one in fields(self))
