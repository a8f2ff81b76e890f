"""A roller's state: a channel's named system, and whose rolls it remembers."""

from dataclasses import dataclass
from enum import StrEnum

from bot.campaign.events import Event
from bot.dice.bases import Json
from bot.dice.system import System
from bot.systems.registry import load_spec, print_spec

_OWN = "d100 "
TABLE = 0
"""The owner of a memory that the whole table shares."""


class Remembers(StrEnum):
    """Whose rolls one memory holds."""

    TABLE = "table"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class Roller:
    """A named roller of one channel.

    Its memories count from event `epoch` on: a reset moves the epoch and touches no memory, so it
    can be undone. `last` is the number of its newest event that can be undone, 0 if there is none.
    """

    name: str
    system: System | None
    """None once removed."""
    memory: Remembers
    epoch: int
    last: int = 0

    def owner(self, user_id: int) -> int:
        """Whose memory a roll by this player uses."""
        return user_id if self.memory is Remembers.PLAYER else TABLE

    def owner_of(self, event: Event) -> int | None:
        """Whose memory a recorded roll used: a call may have said otherwise; None once they were erased."""
        whose = event.detail.get("whose", self.memory)
        return event.user_id if whose == Remembers.PLAYER else TABLE

    def as_json(self) -> Json:
        """What `from_json` needs, apart from `last`."""
        spec = print_spec(self.system) if self.system else None
        return {"name": self.name, "spec": spec, "memory": self.memory, "epoch": self.epoch}

    @classmethod
    def from_json(cls, value: Json, last: int) -> "Roller":
        """The roller as an event's detail kept it; ValueError if it did not."""
        match value:
            case {"name": str(name), "spec": str() | None as spec, "memory": str(whose), "epoch": int(epoch)}:
                return cls(name, load_spec(spec) if spec else None, Remembers(whose), epoch, last)
            case _:
                raise ValueError("the record of the roller is damaged")


def is_own(name: str) -> bool:
    """Whether a roller of that name is each player's own, in every channel: their first roll makes it."""
    return name.casefold().startswith(_OWN)
