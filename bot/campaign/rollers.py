"""A roller's state: a campaign's named system, and whose rolls it remembers."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.dice.system import Memory, System
from bot.systems.game import GameRoll
from bot.systems.luck import Keeping, LuckAccount
from bot.systems.registry import load_spec

REGISTER = "d100 register"
"""The name of every campaign's accumulation register."""
TABLE = 0
"""The owner of a memory that the whole table shares."""
_OWN = "d100 "


class Remembers(StrEnum):
    """Whose rolls one memory holds."""

    TABLE = "table"
    PLAYER = "player"

    def owner(self, user_id: int) -> int:
        """Return whose memory a roll by this player uses."""
        return user_id if self is Remembers.PLAYER else TABLE


@dataclass(frozen=True, slots=True)
class Roller:
    """A named roller of one campaign.

    Its memories count from event `epoch` on: a reset moves the epoch and touches no memory, so it can be
    undone.
    """

    name: str
    spec: str
    """Its system as canonical JSON text; "" once removed."""
    memory: Remembers
    epoch: int
    last: int = field(default=0, metadata={"part": ""})
    """The number of its newest event that can be undone, 0 if there is none."""

    @property
    def system(self) -> System | None:
        """Return its system; None once removed."""
        return load_spec(self.spec) if self.spec else None

    @property
    def shows_numbers(self) -> bool:
        """Return whether every roll is one number; several cards at once are none, whatever is on them."""
        system = self.system
        if isinstance(system, GameRoll):
            return not system.rule.classes
        return system is not None and system.hand == 1 and all(map(_is_number, system.faces))

    def at(self, last: int) -> "Roller":
        """Return the roller with that newest event, which no record holds."""
        return Roller(self.name, self.spec, self.memory, self.epoch, last)

    def since(self, evening: int) -> int:
        """Return the number that its memories count from, in the session that event `evening` began."""
        ends = isinstance(system := self.system, LuckAccount) and system.keep is Keeping.SESSION
        return max(self.epoch, evening) if ends else self.epoch


@dataclass(frozen=True, slots=True)
class KeptRoller:
    """A roller as a cut keeps it, for the events that are left to be checked with."""

    roller: Roller
    memories: tuple[tuple[str, Memory], ...] = ()
    """Its memories since its epoch: of "table", or of a player by a tag of 32 hexadecimal digits."""
    last: int = 0
    """The number of its newest event that can be undone."""
    evening: int = 0
    """The number of the event that began the newest session, where its memory ends with one."""
    unsure: tuple[str, ...] = ()
    """What is not known of it; see `bot.record.known`."""

    def restored(self) -> Roller:
        """Return the roller with its newest event."""
        return self.roller.at(self.last)


def is_own(name: str) -> bool:
    """Return whether a roller of that name is each player's own: their first roll makes it."""
    return name.casefold().startswith(_OWN)


def _is_number(face: str) -> bool:
    try:
        int(face)
    except ValueError:
        return False
    return True
