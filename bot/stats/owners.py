"""Whose results came: who gains from some faces, how often these came, and how often is usual."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.dice.errors import SpecError
from bot.dice.system import System
from bot.stats.bands import CountLaw, Sum
from bot.stats.independent import Independent
from bot.systems.odds import shares

NOBODY: Mapping[str, Sequence[str]] = {}
"""No owners of faces."""
_FACES = 20
"""So many are listed in a refusal."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What somebody's faces came to; a face that is named twice counts twice."""

    owner: str
    faces: tuple[str, ...]
    came: int
    expected: Fraction
    usual: Sum


def find_faces(system: System, owners: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return each owner's faces as the system has them; SpecError for one that it has not."""
    known = {face.casefold(): face for face in system.faces}
    for face in (face for named in owners.values() for face in named):
        if face.casefold() not in known:
            faces = ", ".join(system.faces[:_FACES]) + " …" * (len(system.faces) > _FACES)
            raise SpecError("{face} can't come out here. These can: {faces}.", face=face, faces=faces)
    return {owner: tuple(known[face.casefold()] for face in named) for owner, named in owners.items()}


def gains(
    system: System,
    counts: Sequence[int],
    law: Independent | CountLaw,
    owners: Mapping[str, Sequence[str]],
) -> tuple[Gain, ...]:
    """Return what came for each owner of faces; SpecError for a face that the system has not."""
    table, found = shares(system), list[Gain]()
    for owner, faces in find_faces(system, owners).items():
        times = [faces.count(face) for face in system.faces]
        came = sum(n * c for n, c in zip(times, counts, strict=True))
        share = Fraction(sum(n * a for n, a in zip(times, table, strict=True)), sum(table))
        found.append(Gain(owner, faces, came, share * sum(counts), law.sum(times, came)))
    return tuple(found)
