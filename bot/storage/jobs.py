"""Jobs of the writer, and the keys of the rows that a job needs."""

from dataclasses import dataclass, field, fields
from typing import NamedTuple

from bot.campaign.command import Caller, Command, Needs
from bot.campaign.events import CallOpened, EventAt
from bot.storage.campaign_lookup import NameAt
from bot.storage.rows import PersonAt


class RollerAt(NamedTuple):
    """Key of a roller."""

    campaign_id: int
    key: str


class MemoryAt(NamedTuple):
    """Key of one of a roller's memories."""

    roller: RollerAt
    epoch: int
    owner_id: int


class DeliveryKey(NamedTuple):
    """Idempotency key of one event of an interaction: a second delivery has the same one."""

    interaction_id: int
    part: int


@dataclass(frozen=True, slots=True)
class Job:
    """A command, its caller and its needs."""

    caller: Caller
    command: Command
    needs: Needs
    delivery: DeliveryKey | None
    """None for a job that no interaction asked for."""

    @classmethod
    def of(cls, caller: Caller, command: Command) -> "Job":
        """Return the job of a command."""
        delivery = None if caller.interaction_id is None else DeliveryKey(caller.interaction_id, caller.part)
        return cls(caller, command, command.needs(), delivery)


class JobTarget(NamedTuple):
    """The rows that a job concerns, as far as the loaded rows tell."""

    campaign_id: int | None = None
    event: EventAt | None = None
    call: CallOpened | None = None
    """The call that determines the roller."""
    roller: RollerAt | None = None
    memory: MemoryAt | None = None


@dataclass(slots=True)
class Missing:
    """Keys of the rows still to be loaded before jobs can be decided."""

    rollers: set[tuple[RollerAt, int]] = field(default_factory=set[tuple[RollerAt, int]])
    """Rollers with the callers' user ids."""
    memories: set[MemoryAt] = field(default_factory=set[MemoryAt])
    events: set[EventAt] = field(default_factory=set[EventAt])
    followers: set[EventAt] = field(default_factory=set[EventAt])
    """Events of which all followers are needed."""
    own_followers: set[tuple[EventAt, int]] = field(default_factory=set[tuple[EventAt, int]])
    """Events and users: all followers but other people's rolls are needed."""
    names: set[NameAt] = field(default_factory=set[NameAt])
    people: set[PersonAt] = field(default_factory=set[PersonAt])
    hands: set[PersonAt] = field(default_factory=set[PersonAt])
    """Players whose cards have to be counted."""
    sessions: set[int] = field(default_factory=set[int])
    """Campaigns of which the newest session is needed."""
    seats: set[EventAt] = field(default_factory=set[EventAt])
    """Calls whose named players are needed."""
    pushes: set[tuple[EventAt, int]] = field(default_factory=set[tuple[EventAt, int]])
    """Events and users: the user's push of the event is needed."""
    masters: set[int] = field(default_factory=set[int])
    """Campaigns whose game masters are needed."""

    def __bool__(self) -> bool:
        return any(getattr(self, key_set.name) for key_set in fields(self))
