"""The counts of a fair roller's faces beside their shares, for its current memory."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from bot.campaign.events import Event
from bot.campaign.replay import counted_faces
from bot.dice.system import Memory
from bot.systems.fair import Fair


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a fair roller's faces; `observed` is None if some of its rolls are unknown."""

    name: str
    faces: tuple[str, ...]
    observed: tuple[int, ...] | None
    ahead: tuple[Fraction, ...]
    """Rolls by which each face is ahead of its share; negative if it is due."""
    own: bool
    """True for the memory of one player."""
    before: int
    """Number of results that the roller was made with, before its first roll."""

    @property
    def rolls(self) -> int:
        """Return the number of rolls."""
        return sum(self.observed or ()) - self.before

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """Return the expected count of each face; () if it is unknown."""
        if not self.observed:
            return ()
        return tuple(n - ahead for n, ahead in zip(self.observed, self.ahead, strict=True))


def counted(name: str, system: Fair, memory: Memory, rolls: Iterable[Event], *, own: bool) -> Counts:
    """Return the counts behind a memory, from the rolls since it was made."""
    tally = Counter(system.after)
    for event in rolls:
        tally.update(counted_faces(event.roll))
    counts, total = tuple(tally[face] for face in system.faces), system.base.total
    errors = zip(counts, system.base.weights, memory, strict=True)
    is_complete = all(total * n - a * sum(counts) == error for n, a, error in errors)
    ahead = tuple(Fraction(error, total) for error in memory)
    return Counts(name, system.faces, counts if is_complete else None, ahead, own, len(system.after))
