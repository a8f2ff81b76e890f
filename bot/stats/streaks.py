"""The longest run of one face, and how common one as long is among plain dice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bot.dice.system import System
from bot.systems.odds import shares


@dataclass(frozen=True, slots=True)
class Streak:
    """The longest run of one face."""

    face: str
    length: int
    dice: int
    """How many dice it was looked for among."""
    chance: float
    """How many stretches of as many plain dice have one as long."""
    looked: int = 1
    """How many stretches were looked at, of which this one is the rarest."""

    def of(self, looked: int) -> "Streak":
        """Return it as the rarest of so many: the chance that any of them has one as rare, at the most."""
        return replace(self, looked=looked, chance=1 - (1 - self.chance) ** looked)


def longest_streak(system: System, faces: Sequence[str]) -> Streak | None:
    """Return the longest run in faces, the oldest first; None for one die, or one with one face."""
    if len(faces) < 2 or len(system.faces) < 2:
        return None
    runs = ((face, sum(1 for _ in run)) for face, run in groupby(faces))
    face, length = max(runs, key=lambda run: run[1])
    return Streak(face, length, len(faces), streak_chance(shares(system), len(faces), length))


def streak_chance(weights: Sequence[int], rolls: int, length: int) -> float:
    """Return the probability that `rolls` rolls of plain dice have a run of `length` or more of one face."""
    import numpy as np

    if length <= 1:
        return 1.0
    p = np.array(weights, dtype=float) / sum(weights)
    runs = np.zeros((len(weights), length - 1))
    runs[:, 0] = p
    for _ in range(rolls - 1):
        so_far = runs.sum(axis=1)
        after = np.empty_like(runs)
        after[:, 0] = p * (so_far.sum() - so_far)
        after[:, 1:] = p[:, None] * runs[:, :-1]
        runs = after
    return float(1 - runs.sum())
