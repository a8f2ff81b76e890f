"""Compare the counts of a die's faces with their expected distribution: each count, the furthest, the mean.

Nothing here decides a roll. `Counts` are those of a fair roller, beside its memory.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from bot.campaign.events import Event
from bot.campaign.histories import Session
from bot.campaign.replay import counted_faces
from bot.dice.errors import SpecError
from bot.dice.system import Base, Memory, System
from bot.stats.bands import ENOUGH_DICE, Band, CountLaw, Sum, Worst
from bot.stats.best import Streak
from bot.stats.independent import Independent
from bot.stats.played import usual
from bot.stats.stretches import Stretch
from bot.systems.fair import Fair
from bot.systems.odds import are_numbers, shares
from bot.systems.plain import PlainDice

Owners: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Pairs of an owner's name and the faces that the owner gains from."""
_Law: TypeAlias = Independent | CountLaw
_FACES = 20
"""Most faces to list in an error."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The average of numbered faces with its usual range."""

    value: Fraction
    expected: Fraction
    low: float
    high: float
    """At least 19 of 20 equally long stretches are between `low` and `high`, ends included."""
    at_most: float
    """The share of such stretches with this average or a lower one: 0 to 1."""
    at_least: float


@dataclass(frozen=True, slots=True)
class Gain:
    """The count of an owner's faces; a face that is listed twice counts twice."""

    owner: str
    faces: tuple[str, ...]
    observed: int
    expected: Fraction
    usual: Sum


@dataclass(frozen=True, slots=True)
class Luck:
    """The counts of one die's faces with their usual ranges."""

    faces: tuple[str, ...]
    counts: tuple[int, ...]
    expected: tuple[Fraction, ...]
    bands: tuple[Band, ...]
    worst: Worst
    mean: Mean | None
    """None if the faces are not numbers, or if there is only one face."""
    runs: int = 0
    """Number of simulated evenings behind the usual ranges; 0 if they are exact."""
    gains: tuple[Gain, ...] = ()
    """The counts of owners who gain from some faces."""

    @property
    def dice(self) -> int:
        """Return the number of counted faces."""
        return sum(self.counts)

    @property
    def enough(self) -> bool:
        """Return True if there are enough dice for a verdict."""
        return self.dice >= ENOUGH_DICE

    @property
    def inside(self) -> int:
        """Return the number of faces inside their usual range."""
        return sum(count in band for count, band in zip(self.counts, self.bands, strict=True))

    @property
    def furthest(self) -> str:
        """Return the face with the largest difference from its expected count."""
        errors = [abs(c - e) for c, e in zip(self.counts, self.expected, strict=True)]
        return self.faces[errors.index(max(errors))]


@dataclass(frozen=True, slots=True)
class Report:
    """The statistics of one die."""

    name: str
    """The roller's name, or d20."""
    system: System
    luck: Luck
    streak: Streak | None
    rolls: int
    """Number of rolls that contain it; 0 if only its faces are counted."""
    true: int
    """Number of these rolls with true-random bits throughout."""
    session: Session | None = None
    more: int = 0
    """Number of older dice that are left out."""
    plainly: bool = False
    """True if a roller with a memory is compared with plain dice, since its first memory is unknown."""
    by_hand: int = 0
    """Number of rolls thrown by hand, which are left out."""


@lru_cache(maxsize=128)  # called for each die of each roll
def plain_die(name: str) -> PlainDice:
    """Return the die with this name in a tally, d20 or dF."""
    sides = ("-1", "0", "1") if name == "dF" else tuple(map(str, range(1, int(name[1:]) + 1)))
    return PlainDice(Base(sides, (1,) * len(sides)))


def judge(system: System, counts: Sequence[int], stretch: Stretch | None = None, owners: Owners = ()) -> Luck:
    """Compare the counts of a system's faces with the counts expected over this stretch.

    Without a stretch compare them with plain dice of the same shares. Raise ValueError if all counts are 0,
    SpecError if an owner's face is not one of the system's.
    """
    table, dice = shares(system), sum(counts)
    if not dice:
        raise ValueError("there is no luck in no dice")
    law: _Law = Independent(table, dice) if stretch is None or stretch.independent else usual(stretch)
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


def _mean(faces: Sequence[str], table: Sequence[int], counts: Sequence[int], law: _Law) -> Mean | None:
    if not are_numbers(faces) or len(faces) < 2:
        return None
    values, total, dice = [*map(int, faces)], sum(table), sum(counts)
    expected = Fraction(sum(v * a for v, a in zip(values, table, strict=True)), total)
    observed = sum(v * c for v, c in zip(values, counts, strict=True))
    law_sum = law.sum(values, observed)
    value = Fraction(observed, dice)
    return Mean(value, expected, law_sum.low / dice, law_sum.high / dice, law_sum.at_most, law_sum.at_least)


def find_faces(system: System, owners: Owners, labels: Sequence[str] = ()) -> Owners:
    """Return each owner's faces in the system's spelling; raise SpecError if the system lacks one.

    The error lists the faces by their displayed `labels`, if these are given.
    """
    faces_by_key = {face.casefold(): face for face in system.faces}
    for face in chain.from_iterable(names for _, names in owners):
        if face.casefold() not in faces_by_key:
            listed = labels or system.faces
            faces = ", ".join(listed[:_FACES]) + " …" * (len(listed) > _FACES)
            raise SpecError("{face} can't come out here. These can: {faces}.", face=face, faces=faces)
    return tuple((owner, tuple(faces_by_key[face.casefold()] for face in names)) for owner, names in owners)


def _gains(system: System, counts: Sequence[int], law: _Law, owners: Owners) -> tuple[Gain, ...]:
    """Return the gain of each owner; raise SpecError if the system lacks a face."""
    table, gains = shares(system), list[Gain]()
    for owner, faces in find_faces(system, owners):
        multiplicities = [faces.count(face) for face in system.faces]
        observed = sum(n * c for n, c in zip(multiplicities, counts, strict=True))
        share = Fraction(sum(n * a for n, a in zip(multiplicities, table, strict=True)), sum(table))
        gains.append(Gain(owner, faces, observed, share * sum(counts), law.sum(multiplicities, observed)))
    return tuple(gains)


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
