"""Is it rigged? The evidence that may be looked at again and again, and what it would take to see something.

Faces come with the system that they were drawn from and the memory before them, so every bet is against the
very chances that the bot says it used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bot.campaign.events import Event
from bot.dice.system import Memory, System
from bot.stats.bands import ENOUGH_DICE
from bot.stats.chi_square import ChiSquare, chi_square
from bot.stats.processes import (
    Evidence,
    SystemBet,
    bet_on_all,
    rolls_needed,
    with_face_at,
)
from bot.systems.odds import shares
from bot.systems.registry import load_spec

_TEST_WORK = 10**8
"""So much the exact test may take, a tenth of a second; beyond it the test is simulated."""
TOO_OFTEN = Fraction(6, 5)
"""A face that comes a fifth too often is what one would want to notice."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What is to be said of some dice."""

    dice: int
    evidence: Evidence
    needed: int | None
    """How many dice it takes to notice one face that comes a fifth too often; None for over 50,000."""
    test: ChiSquare | None
    """For just this number of plain dice; None for dice with a memory, which no such test suits."""

    @property
    def enough(self) -> bool:
        """Return whether there are enough to say anything."""
        return self.dice >= ENOUGH_DICE


def examine_plain(system: System, faces: Sequence[str]) -> Examined:
    """Examine dice without a memory, the oldest first; ValueError for none."""
    table = shares(system)
    index = {face: i for i, face in enumerate(system.faces)}
    seen = [index[face] for face in faces]
    counts = [seen.count(i) for i in range(len(table))]
    return Examined(
        len(seen), bet_on_all(table, seen), needed(table), chi_square(table, counts, work=_TEST_WORK)
    )


def examine_roller(rolls: Iterable[Event]) -> Examined | None:
    """Examine rolls of a roller with a memory, the oldest first; None where none says what it began with."""
    evidence, dice = Evidence(), 0
    bet: SystemBet | None = None
    system: System | None = None
    for event in rolls:
        memory: Memory | None = event.roll.before
        if memory is None:
            continue
        system = load_spec(event.roll.spec)
        if bet is None:
            bet = SystemBet(system)
        bet.begin(system, memory)
        index = {face: i for i, face in enumerate(system.faces)}
        for face in event.roll.results:
            evidence = evidence.then(bet.see(index[face]))
            dice += 1
    return Examined(dice, evidence, needed(shares(system)), None) if system else None


@lru_cache(maxsize=64)
def needed(table: tuple[int, ...]) -> int | None:
    """Return how many dice it takes to notice that the last face comes a fifth too often.

    None for over 50,000, and where no face can come so much more often.
    """
    chance = TOO_OFTEN * Fraction(table[-1], sum(table))
    return rolls_needed(table, with_face_at(table, len(table) - 1, chance)) if chance < 1 else None
