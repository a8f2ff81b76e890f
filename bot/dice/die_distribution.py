"""The exact distribution of one die: every run of faces that it may end with, with integer weights.

A run is one face, or more where the die explodes. With a reroll, a face that may stand weighs s + m and one
to reroll m, out of s², where m of the s faces are thrown again. A run with explosions weighs the product of
its faces' weights, times the whole weight of a toss for each toss that was spared: so all runs share one
denominator.
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
        """Return what a kept die adds with this run: its sum, or how many of its faces succeed."""
        success = self.term.success
        return sum(success.holds(face) for face in run) if success else sum(run)

    def scores(self, runs: Runs) -> dict[int, int]:
        """Return each score that the runs have, ascending, and its weight."""
        scores: dict[int, int] = {}
        for run, weight in runs.items():
            score = self.score(run)
            scores[score] = scores.get(score, 0) + weight
        return dict(sorted(scores.items()))

    def ranks(self) -> list[Runs]:
        """Group the runs that compare as equal when dice are kept, the first to be kept first."""
        best = sorted(self.runs, key=sum, reverse=self.term.keeps_highest)
        return [{run: self.runs[run] for run in same} for _, same in groupby(best, key=sum)]

    def draw(self, runs: Runs, draws: Draws, score: int | None = None) -> tuple[Toss, ...]:
        """Draw one of the runs (of that score, if one is given), and the rerolls that led to it."""
        if score is not None:
            runs = {run: weight for run, weight in runs.items() if self.score(run) == score}
        return tuple(toss for face in pick(runs, draws) for toss in self._tosses(face, draws))

    def _tosses(self, face: int, draws: Draws) -> Iterator[Toss]:
        """Yield the face, after the face that was rerolled into it where one was."""
        term = self.term
        if term.reroll:
            faces = range(term.lowest, term.lowest + term.sides)
            again = [other for other in faces if term.reroll.holds(other)]
            stands = 0 if term.reroll.holds(face) else term.sides
            if again and draws.choose((stands, len(again))):
                yield again[draws.below(len(again))], True
        yield face, False


def die_distribution(term: Dice, budget: Budget) -> DieDistribution:
    """Work out one die of the term; SpecError beyond the budget."""
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
    """Return each face, and its weight after a reroll."""
    faces = range(term.lowest, term.lowest + term.sides)
    if term.reroll is None:
        return dict.fromkeys(faces, 1)
    stands = [not term.reroll.holds(face) for face in faces]
    again = term.sides - sum(stands)
    return {face: term.sides * stood + again for face, stood in zip(faces, stands, strict=True)}
