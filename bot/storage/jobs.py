"""Jobs of the writer, and the keys of the rows that a job needs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from bot.campaign.command import Caller, Command, Needs
from bot.campaign.events import CallOpened, EventAt

if TYPE_CHECKING:
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


class Missing:
    """Keys of the rows still to be loaded before jobs can be decided."""

    def __init__(self) -> None:
        self.rollers: set[tuple[RollerAt, int]] = set()
        """Rollers with the callers' user ids."""
        self.memories: set[MemoryAt] = set()
        self.events: set[EventAt] = set()
        self.followers: set[EventAt] = set()
        """Events of which all followers are needed."""
        self.own_followers: set[tuple[EventAt, int]] = set()
        """Events and users: all followers but other people's rolls are needed."""
        self.names: set[NameAt] = set()
        self.people: set[PersonAt] = set()
        self.hands: set[PersonAt] = set()
        """Players whose cards have to be counted."""
        self.sessions: set[int] = set()
        """Campaigns of which the newest session is needed."""
        self.seats: set[EventAt] = set()
        """Calls whose named players are needed."""
        self.pushes: set[tuple[EventAt, int]] = set()
        """Events and users: the user's push of the event is needed."""
        self.masters: set[int] = set()
        """Campaigns whose game masters are needed."""

    def __bool__(self) -> bool:
        return any(vars(self).values())
