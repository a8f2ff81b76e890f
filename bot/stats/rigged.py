"""Evidence on whether dice are rigged, valid however often it is looked at.

Faces come with the system that they were drawn from and the memory before them, so every bet is against the
very chances that the bot says it used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.campaign.accounts import counted_check
from bot.campaign.events import Event, Rolled
from bot.campaign.replay import faces
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
from bot.stats.stretches import face_index
from bot.systems.luck import LuckAccount
from bot.systems.odds import shares
from bot.systems.registry import load_spec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    """How many dice it takes to notice one face that comes a fifth too often; None for over 50,000, and for
    dice with a memory."""
    test: ChiSquare | None
    """For just this number of plain dice; None for dice with a memory, which no such test suits."""

    @property
    def enough(self) -> bool:
        """Return whether there are enough to say anything."""
        return self.dice >= ENOUGH_DICE


def examine_plain(system: System, faces: Sequence[str]) -> Examined:
    """Examine dice without a memory, the oldest first; ValueError for none."""
    import numpy as np

    table = shares(system)
    index = face_index(system)
    seen = [index[face] for face in faces]
    counts = np.bincount(seen, minlength=len(table)).tolist()
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
        if isinstance(system, LuckAccount):
            for face in faces(event.roll):
                evidence = evidence.then(bet.judge(*_of_check(event.roll, memory), int(face)))
                dice += 1
            continue
        bet.begin(system, memory)
        index = face_index(system)
        for face in event.roll.results:
            evidence = evidence.then(bet.see(index[face]))
            dice += 1
    return Examined(dice, evidence, None, None) if system else None


def _of_check(body: Rolled, memory: Memory) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Return the chances to score below and above what was to be expected: on the account, and plainly."""
    import numpy as np

    account = counted_check(body)
    if account is None:
        raise TypeError("no check that an account counted")
    law = account.outcomes
    above = [score >= law.expected for score in law.scores]
    now, plain = (
        Fraction(sum(w for w, up in zip(weights, above, strict=True) if up), sum(weights))
        for weights in (account.weights(memory), law.weights)
    )
    return np.array([1 - now, now], dtype=float), np.array([1 - plain, plain], dtype=float)


@lru_cache(maxsize=64)
def needed(table: tuple[int, ...]) -> int | None:
    """Return how many dice it takes to notice that the last face comes a fifth too often.

    None for over 50,000, and where no face can come so much more often.
    """
    chance = TOO_OFTEN * Fraction(table[-1], sum(table))
    return rolls_needed(table, with_face_at(table, len(table) - 1, chance)) if chance < 1 else None
