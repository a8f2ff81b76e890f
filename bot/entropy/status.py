"""How the room fares, as values for players and admins: states and counts, never a bit of the randomness."""

from dataclasses import dataclass
from enum import StrEnum

from bot.dice.sources import Source
from bot.entropy.health import Health
from bot.entropy.service import Physics


class ServiceState(StrEnum):
    """Where a source stands, in a word for an admin."""

    OFF = "off"
    NEW = "not asked yet"
    ASKING = "being asked"
    FINE = "fine"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """One source."""

    name: str
    kind: Physics
    state: ServiceState
    error: str | None = None
    """The last error in our words, or why it is off; None when its last answer was good."""
    health: Health | None = None
    """The last verdict of the tests; None if no bytes came yet."""
    quota: int | None = None
    """Bits left to us, for a service that says so."""
    next_try: float | None = None
    """Seconds until it may be asked again, 0 if it may now; None if it is off."""
    blocks: int = 0
    """Blocks of 1,024 bytes that were used since the start."""


@dataclass(frozen=True, slots=True)
class EntropyStatus:
    """The whole room."""

    source: Source
    """What a roll would be called now."""
    bits: dict[Physics, int]
    """Remote bits that wait, by kind; a roll of a d20 takes 4.3 of each."""
    sources: tuple[ServiceStatus, ...]
