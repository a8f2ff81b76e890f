"""Sum up an evening: each player's rolls against expectation, the rarest streak, the share of true rolls.

The rank of a face is the share of rolls that are lower, ties counting half (mid-ranks, as in Mann and
Whitney's test): 50 of 100 is expected, whatever dice are rolled.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from bot.campaign.events import Event
from bot.d100.register import Register
from bot.dice.labels import Label
from bot.dice.system import System
from bot.stats.luck import Streak, longest_streak, plain_die
from bot.stats.tallies import tosses
from bot.systems.odds import shares
from bot.systems.registry import load_spec

_SIDE = 1.96


@dataclass(frozen=True, slots=True)
class Player:
    """One player's evening; ranks are of 0 to 100."""

    user_id: int
    rolls: int
    """Faces that were ranked."""
    rank: float
    side: float
    """19 of 20 evenings are within 50 plus or minus this."""

    @property
    def luck(self) -> float:
        """How far from 50, in the unit in which 1 is the edge of what is usual."""
        return (self.rank - 50) / self.side if self.side else 0.0


@dataclass(frozen=True, slots=True)
class PlayerStreak:
    """A streak, whose it was and of which die."""

    user_id: int
    die: str
    streak: Streak


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """All that the summary of an evening shows."""

    players: tuple[Player, ...]
    """The luckiest first."""
    rolls: int
    true: int
    """Rolls whose bits were true-random throughout."""
    run: PlayerStreak | None
    """The streak that plain dice would show least often."""


def look_back(rolls: Iterable[Event]) -> EveningSummary:
    """Sum up these rolls, in their order; erased players have no part in it."""
    fallen: dict[tuple[int, str], list[str]] = {}
    systems: dict[str, System] = {}
    ranks: dict[int, list[tuple[float, float]]] = {}
    count = true = 0
    for event in rolls:
        count += 1
        true += event.roll.source is Label.TRUE
        for die, system, face in _faces(event):
            systems[die] = system
            if event.user_id is not None:
                fallen.setdefault((event.user_id, die), []).append(face)
                if (ranked := rank_faces(system)) is not None and face in ranked[0]:
                    ranks.setdefault(event.user_id, []).append((ranked[0][face], ranked[1]))
    players = (_player(user_id, found) for user_id, found in ranks.items())
    streaks = (
        PlayerStreak(user_id, die, streak)
        for (user_id, die), faces in fallen.items()
        if (streak := longest_streak(systems[die], faces)) and streak.length > 1
    )
    return EveningSummary(
        tuple(sorted(players, key=lambda player: -player.luck)),
        count,
        true,
        min(streaks, key=lambda run: run.streak.chance, default=None),
    )


def _faces(event: Event) -> list[tuple[str, System, str]]:
    """Return each face that fell, with its die's name and law; a register's values are nobody's luck."""
    roll = event.roll
    if not roll.spec:
        return [(die, plain_die(die), face) for die, face in tosses(event)]
    system = load_spec(roll.spec)
    return [] if isinstance(system, Register) else [(roll.roller, system, face) for face in roll.results]


def _player(user_id: int, found: list[tuple[float, float]]) -> Player:
    n = len(found)
    rank = sum(rank for rank, _ in found) / n
    side = _SIDE * sqrt(sum(variance for _, variance in found)) / n
    return Player(user_id, n, 100 * rank, 100 * side)


@lru_cache(maxsize=128)
def rank_faces(system: System) -> tuple[dict[str, float], float] | None:
    """Return each face's rank, of 0 to 1, and the variance of a rank; None where faces are not numbers."""
    if not all(face.removeprefix("-").isdecimal() for face in system.faces):
        return None
    table = shares(system)
    total, below = sum(table), 0
    ranks: dict[str, float] = {}
    variance = 0.0
    for face, a in sorted(zip(system.faces, table, strict=True), key=lambda one: int(one[0])):
        ranks[face] = (below + a / 2) / total
        variance += a / total * (ranks[face] - 0.5) ** 2
        below += a
    return ranks, variance
