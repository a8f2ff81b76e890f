"""How often each face of a fair roller came, beside its share, for the memory that it has now."""

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
    """A fair roller's faces; `came` is None where not all of its rolls are known."""

    name: str
    faces: tuple[str, ...]
    came: tuple[int, ...] | None
    ahead: tuple[Fraction, ...]
    """By how many rolls each face is ahead of its share; below 0 it is due."""
    own: bool
    """Whether they are one player's."""
    before: int
    """How many results count that came before its first roll."""

    @property
    def rolls(self) -> int:
        """Return how often it was rolled."""
        return sum(self.came or ()) - self.before

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """Return how often each face is expected; () where that is not known."""
        return tuple(n - ahead for n, ahead in zip(self.came, self.ahead, strict=True)) if self.came else ()


def counted(name: str, system: Fair, memory: Memory, rolls: Iterable[Event], *, own: bool) -> Counts:
    """Return the counts behind a memory, as these rolls made it."""
    came = Counter(system.after)
    for event in rolls:
        came.update(counted_faces(event.roll))
    numbers, total = tuple(came[face] for face in system.faces), system.base.total
    errors = zip(numbers, system.base.weights, memory, strict=True)
    known = all(total * n - a * sum(numbers) == error for n, a, error in errors)
    ahead = tuple(Fraction(error, total) for error in memory)
    return Counts(name, system.faces, numbers if known else None, ahead, own, len(system.after))
