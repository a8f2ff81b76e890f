"""The exact law of one die: every run of faces it may leave standing, with integer weights.

A run is one face, or more where the die explodes. With a reroll, a face weighs s if it may stand, and m more,
out of s², where m of the s faces are thrown again. A run with explosions weighs the product of its faces'
weights, times the whole weight of a toss for each toss that was spared: so all runs share one denominator.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from bot.dice.draws import Draws
from bot.dice.sums import Budget, pick
from bot.dice.terms import MAX_FURTHER, Dice
from bot.dice.throws import Toss

Run: TypeAlias = tuple[int, ...]
Runs: TypeAlias = dict[Run, int]


@dataclass(frozen=True, slots=True)
class DieDistribution:
    """The runs of one die of a term, with their weights."""

    term: Dice
    runs: Runs

    @property
    def weight(self) -> int:
        """The weight of all runs together."""
        return sum(self.runs.values())

    def score(self, run: Run) -> int:
        """What a kept die adds with this run: its sum, or how many of its faces succeed."""
        success = self.term.success
        return sum(success.holds(face) for face in run) if success else sum(run)

    def scores(self, runs: Runs) -> dict[int, int]:
        """Each score that the runs have, ascending, and its weight."""
        scores: dict[int, int] = {}
        for run, weight in runs.items():
            score = self.score(run)
            scores[score] = scores.get(score, 0) + weight
        return dict(sorted(scores.items()))

    def ranks(self) -> list[Runs]:
        """The runs in groups that are worth the same when dice are compared, the first kept first."""
        best = sorted(self.runs, key=sum, reverse=self.term.keeps_highest)
        return [{run: self.runs[run] for run in same} for _, same in groupby(best, key=sum)]

    def draw(self, runs: Runs, draws: Draws, score: int | None = None) -> tuple[Toss, ...]:
        """One of the runs (those with that score, if one is given), with the rerolls that led to it."""
        if score is not None:
            runs = {run: weight for run, weight in runs.items() if self.score(run) == score}
        return tuple(toss for face in pick(runs, draws) for toss in self._tosses(face, draws))

    def _tosses(self, face: int, draws: Draws) -> Iterator[Toss]:
        """The face, and before it the one thrown again, if that is how it came."""
        term = self.term
        if term.reroll:
            faces = range(term.lowest, term.lowest + term.sides)
            again = [other for other in faces if term.reroll.holds(other)]
            stands = 0 if term.reroll.holds(face) else term.sides
            if again and draws.choose((stands, len(again))):
                yield again[draws.below(len(again))], True
        yield face, False


def die_distribution(term: Dice, budget: Budget) -> DieDistribution:
    """The law of one die of the term; SpecError beyond the budget."""
    budget.spend(term.sides * (3 * MAX_FURTHER if term.explode else 1))
    faces = _faces(term)
    if not term.explode:
        return DieDistribution(term, {(face,): weight for face, weight in faces.items()})
    whole, top = sum(faces.values()), faces[term.highest]
    runs: Runs = {}
    for further in range(MAX_FURTHER + 1):
        tops = (term.highest,) * further
        spared = whole ** (MAX_FURTHER - further)
        for face, weight in faces.items():
            if face != term.highest or further == MAX_FURTHER:
                runs[(*tops, face)] = top**further * weight * spared
    return DieDistribution(term, runs)


def _faces(term: Dice) -> dict[int, int]:
    """Each face, and its weight after a reroll."""
    faces = range(term.lowest, term.lowest + term.sides)
    if term.reroll is None:
        return dict.fromkeys(faces, 1)
    stands = [not term.reroll.holds(face) for face in faces]
    again = term.sides - sum(stands)
    return {face: term.sides * stood + again for face, stood in zip(faces, stands, strict=True)}
