"""Compare counts of a die's faces with what is usual for them: each count, the furthest one, the mean.

Nothing here decides a roll.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from bot.campaign.histories import Session
from bot.dice.errors import SpecError
from bot.dice.system import Base, System
from bot.stats.bands import ENOUGH_DICE, Band, CountLaw, Sum, Worst
from bot.stats.best import Streak
from bot.stats.independent import Independent
from bot.stats.played import usual
from bot.stats.stretches import Stretch
from bot.systems.odds import are_numbers, shares
from bot.systems.plain import PlainDice

Owners: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""People, each with the faces that they gain from."""
_FACES = 20
"""Most faces that a refusal lists."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The average of numbered faces against what is usual."""

    value: Fraction
    expected: Fraction
    low: float
    high: float
    """At least 19 of 20 equally long stretches are in between, ends included."""
    at_most: float
    """How many such stretches are as low or lower: 0 to 1."""
    at_least: float


@dataclass(frozen=True, slots=True)
class Gain:
    """What somebody's faces came to; a face that is named twice counts twice."""

    owner: str
    faces: tuple[str, ...]
    came: int
    expected: Fraction
    usual: Sum


@dataclass(frozen=True, slots=True)
class Luck:
    """Counts of one die's faces with where they usually are."""

    faces: tuple[str, ...]
    counts: tuple[int, ...]
    expected: tuple[Fraction, ...]
    bands: tuple[Band, ...]
    worst: Worst
    mean: Mean | None
    """None where the faces are no numbers, or all the same one."""
    runs: int = 0
    """How many evenings were played to tell what is usual; 0 where it is exact."""
    gains: tuple[Gain, ...] = ()
    """What came for those who gain from some faces."""

    @property
    def dice(self) -> int:
        """Return how many faces were counted."""
        return sum(self.counts)

    @property
    def enough(self) -> bool:
        """Return whether there are enough to say anything."""
        return self.dice >= ENOUGH_DICE

    @property
    def inside(self) -> int:
        """Return how many faces are where they usually are."""
        return sum(c in b for c, b in zip(self.counts, self.bands, strict=True))

    @property
    def furthest(self) -> str:
        """Return the face that is furthest from its share."""
        errors = [abs(c - e) for c, e in zip(self.counts, self.expected, strict=True)]
        return self.faces[errors.index(max(errors))]


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of one die."""

    name: str
    """The roller's name, or d20."""
    system: System
    luck: Luck
    streak: Streak | None
    rolls: int
    """How many rolls show it; 0 where its faces alone are counted."""
    true: int
    """How many of these had true-random bits throughout."""
    session: Session | None = None
    more: int = 0
    """How many dice of it are older than those that were looked at."""
    plainly: bool = False
    """Whether a roller with a memory was compared with plain dice, since what it began with is not known."""
    by_hand: int = 0
    """How many rolls were thrown by hand, which nothing here judges."""


@lru_cache(maxsize=128)  # asked for each die that fell
def plain_die(name: str) -> PlainDice:
    """Return one die by its name in a tally, d20 or dF."""
    sides = ("-1", "0", "1") if name == "dF" else tuple(map(str, range(1, int(name[1:]) + 1)))
    return PlainDice(Base(sides, (1,) * len(sides)))


def judge(system: System, counts: Sequence[int], stretch: Stretch | None = None, owners: Owners = ()) -> Luck:
    """Compare the counts of a system's faces, one die or more, with what is usual in this stretch.

    Without one they are compared with plain dice of the same shares. `owners` gain from the faces named with
    them. ValueError for no dice, SpecError for no such face.
    """
    table, dice = shares(system), sum(counts)
    if not dice:
        raise ValueError("there is no luck in no dice")
    law: Independent | CountLaw
    law = Independent(table, dice) if stretch is None or stretch.independent else usual(stretch)
    return Luck(
        system.faces,
        tuple(counts),
        tuple(Fraction(a * dice, sum(table)) for a in table),
        law.bands(),
        law.worst(counts),
        _mean(system.faces, table, counts, law),
        law.runs,
        _gains(system, counts, law, owners),
    )


def _mean(
    faces: Sequence[str], table: Sequence[int], counts: Sequence[int], law: Independent | CountLaw
) -> Mean | None:
    if not are_numbers(faces) or len(faces) < 2:
        return None
    values, total, dice = [int(face) for face in faces], sum(table), sum(counts)
    expected = Fraction(sum(v * a for v, a in zip(values, table, strict=True)), total)
    added = sum(v * c for v, c in zip(values, counts, strict=True))
    found = law.sum(values, added)
    value = Fraction(added, dice)
    return Mean(value, expected, found.low / dice, found.high / dice, found.at_most, found.at_least)


def find_faces(system: System, owners: Owners, shown: Sequence[str] = ()) -> Owners:
    """Return each owner's faces as the system has them; SpecError for one that it has not.

    It lists the faces as they are shown, if these are given.
    """
    known = {face.casefold(): face for face in system.faces}
    for face in (face for _, named in owners for face in named):
        if face.casefold() not in known:
            these = shown or system.faces
            faces = ", ".join(these[:_FACES]) + " …" * (len(these) > _FACES)
            raise SpecError("{face} can't come out here. These can: {faces}.", face=face, faces=faces)
    return tuple((owner, tuple(known[face.casefold()] for face in named)) for owner, named in owners)


def _gains(
    system: System, counts: Sequence[int], law: Independent | CountLaw, owners: Owners
) -> tuple[Gain, ...]:
    """Return what came for each owner of faces; SpecError for a face that the system has not."""
    table, found = shares(system), list[Gain]()
    for owner, faces in find_faces(system, owners):
        times = [faces.count(face) for face in system.faces]
        came = sum(n * c for n, c in zip(times, counts, strict=True))
        share = Fraction(sum(n * a for n, a in zip(times, table, strict=True)), sum(table))
        found.append(Gain(owner, faces, came, share * sum(counts), law.sum(times, came)))
    return tuple(found)
