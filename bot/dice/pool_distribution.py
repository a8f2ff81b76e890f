"""The exact distributions of pools that keep some of their dice, and dice that make a given total.

The ranks, groups of ends worth the same, are gone through in the order in which dice are dropped or kept. At
each, c of the m dice left have that rank, in C(m, c) ways; those that stand where dice are kept add their
score. Once all that are kept have shown, the dice left may show any of the later ranks. A state is (rank, m).
Inside, scores are counted from the lowest one there is, so that none is negative.

Dice that are not all alike, or not independent, are walked face by face from the highest down. Of several
groups of dice some are kept, whatever group they are of. Dice whose explosions are dice of their own are such
groups too: given how many tosses exploded and how many did not, all of the first are alike, and all of the
others. Dice that never show a face twice are a choice out of the faces.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod
from typing import TypeAlias

from bot.dice.die_distribution import Budget, DieDistribution, Sums, factor, pack, pick, unpack, width_for
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.modifiers import Keep
from bot.dice.terms import Dice
from bot.dice.throws import Toss

_LATER = -1
Group: TypeAlias = tuple[int, Mapping[int, int]]
"""A number of dice, and the weights of their faces."""


class KeepDistribution:
    """The totals of one such pool; SpecError beyond the budget."""

    def __init__(self, law: DieDistribution, budget: Budget) -> None:
        self._law = law
        self._count, self._kept = law.term.count, law.term.kept
        self._skipped = law.term.skipped
        self._tail = self._count - self._skipped - self._kept
        self._ends = law.ranks()
        scores = [law.scores(ends) for ends in self._ends]
        self._low = min(map(min, scores))
        self._span = max(map(max, scores)) - self._low
        self._width = width_for(law.weight**self._count)
        self._weights = [sum(ends.values()) for ends in self._ends]
        self._later = [sum(self._weights[rank + 1 :]) for rank in range(len(self._ends))]
        budget.spend(self._work())
        self._sums = [
            Sums({score - self._low: weight for score, weight in one.items()}, self._kept, budget)
            for one in scores
        ]
        self._table = self._fill()
        self.weights = unpack(self._table[0][self._count], self._width, self._low * self._kept)

    def arrange(self, total: int, draws: Draws) -> list[tuple[Toss, ...]]:
        """Draw the dice of the pool, in order, given its total."""
        rank, dice, left = -1, self._count, total - self._low * self._kept
        fallen: dict[int, list[tuple[Toss, ...]]] = {}
        while dice > self._tail:
            rank, number, score = pick(self._ways(rank + 1, dice, left), draws)
            before, kept = self._split(dice, number)
            ends = self._ends[rank]
            scores = self._sums[rank].split(kept, score, draws)
            shown = [self._law.draw(ends, draws, score + self._low) for score in scores]
            others = [self._law.draw(ends, draws) for _ in range(number - kept)]
            fallen[rank] = [*others[:before], *shown, *others[before:]]
            dice, left = dice - number, left - score
        later = {end: weight for ends in self._ends[rank + 1 :] for end, weight in ends.items()}
        fallen[_LATER] = [self._law.draw(later, draws) for _ in range(dice)]
        # Any order of the ranks is as likely as any other. Of equal dice the earlier come first in order, so
        # within a rank the order stands.
        places = _shuffled([rank for rank, dice in fallen.items() for _ in dice], draws)
        each = {rank: iter(dice) for rank, dice in fallen.items()}
        return [next(each[rank]) for rank in places]

    def _split(self, dice: int, number: int) -> tuple[int, int]:
        """Return how many of the next dice come before those that are kept, and how many are kept."""
        place = self._count - dice
        before = min(number, max(0, self._skipped - place))
        return before, min(number - before, dice - before - self._tail)

    def _ways(self, first: int, dice: int, left: int) -> dict[tuple[int, int, int], int]:
        """Weigh the next rank that shows, the number of dice on it, and the score of those kept."""
        ways: dict[tuple[int, int, int], int] = {}
        numbers = [(number, self._split(dice, number)[1]) for number in range(1, dice + 1)]
        for rank in range(first, len(self._ends)):
            # Once all that are kept have shown, their score alone tells whether a way leads there.
            last = {kept: self._sums[rank].of(kept).get(left, 0) for kept in {kept for _, kept in numbers}}
            for number, kept in numbers:
                if dice - number > self._tail:
                    after = self._table[rank + 1][dice - number]
                    for score, weight in self._sums[rank].of(kept).items():
                        if rest := factor(after, self._width, left - score):
                            chosen = self._chosen(rank, dice, number, kept)
                            ways[rank, number, score] = chosen * weight * rest
                elif last[kept]:
                    ways[rank, number, left] = self._chosen(rank, dice, number, kept) * last[kept]
        return {way: weight for way, weight in ways.items() if weight}

    def _chosen(self, rank: int, dice: int, number: int, kept: int) -> int:
        """Weigh the places of `number` dice on the rank, those not kept and, at the end, all others."""
        rest = dice - number
        later = self._later[rank] ** rest if rest <= self._tail else 1
        return comb(dice, number) * self._weights[rank] ** (number - kept) * later

    def _fill(self) -> list[list[int]]:
        """Return for each state the packed distribution of what the dice still to come add."""
        width, tail = self._width, self._tail
        table = [[0] * (self._count + 1)]
        for rank in reversed(range(len(self._ends))):
            after = table[-1]
            sums: list[tuple[int, int]] = []
            for number in range(self._kept + 1):
                law = self._sums[rank].of(number)
                sums.append((pack(law, width, min(law)), min(law) * width))
            row = [0] * (self._count + 1)
            for dice in range(tail + 1, self._count + 1):
                packed, ending = after[dice], 0
                for number in range(1, dice + 1):
                    kept = self._split(dice, number)[1]
                    chosen = self._chosen(rank, dice, number, kept)
                    if dice - number > tail:
                        law, shift = sums[kept]
                        packed += chosen * law * after[dice - number] << shift
                    else:
                        ending += chosen
                law, shift = sums[self._split(dice, dice)[1]]
                row[dice] = packed + (law * ending << shift)
            table.append(row)
        return table[::-1]

    def _work(self) -> int:
        """Estimate the cost of filling the table, in the unit of the budget."""
        states = self._skipped + self._kept
        steps = len(self._ends) * states * self._count
        digits = self._kept * self._span * self._width // 60
        factors = states * max(self._weights).bit_length() // 60
        return 25 * len(self._ends) + steps * (2_000 + digits * (4 + factors)) // 4_000


def _shuffled(places: list[int], draws: Draws) -> list[int]:
    """Shuffle the places, by Fisher and Yates."""
    for last in range(len(places) - 1, 0, -1):
        other = draws.below(last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def kept_of_groups(groups: Sequence[Group], keep: Keep, budget: Budget) -> dict[int, int]:
    """Return the sums of the dice kept out of all groups, with weights; SpecError beyond the budget."""
    count = sum(number for number, _ in groups)
    below, above = keep.dropped(count)
    last = count - below
    if above >= last:
        raise SpecError("'{keep}' is too many for {count} dice.", keep=keep, count=count)
    later = [sum(weights.values()) for _, weights in groups]
    states = {tuple(number for number, _ in groups): {0: 1}}
    sums: dict[int, int] = {}
    for face in sorted({face for _, weights in groups for face in weights}, reverse=True):
        here = [weights.get(face, 0) for _, weights in groups]
        later = [rest - weight for rest, weight in zip(later, here, strict=True)]
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for left, ways in states.items():
            for shown in product(*map(_numbers, left, here, later)):
                budget.spend(5 + len(ways) // 2)
                after = tuple(n - c for n, c in zip(left, shown, strict=True))
                place, end = count - sum(left), count - sum(after)
                weight = prod(comb(n, c) * w**c for n, c, w in zip(left, shown, here, strict=True))
                gained = face * max(0, min(end, last) - max(place, above))
                if done := end >= last:
                    weight *= prod(w**n for n, w in zip(after, later, strict=True))
                into = sums if done else following.setdefault(after, {})
                for total, number in ways.items():
                    into[total + gained] = into.get(total + gained, 0) + weight * number
        states = following
    return {total: weight for total, weight in sorted(sums.items()) if weight}


def _numbers(left: int, here: int, later: int) -> range:
    """Return how many dice of a group may show a face, of those left."""
    if not here:
        return range(1)
    return range(left + 1) if later else range(left, left + 1)


def separate_chains(term: Dice, budget: Budget) -> dict[int, int]:
    """Return the sums of a term that keeps some of its dice, further ones being dice of their own."""
    if term.keep is None or term.success or (term.explode and term.explode.penetrates):
        raise SpecError(
            "Its exact odds are not worked out: separate explosions are kept, neither counted nor less one."
        )
    weights = term.weights
    hits = {face: weight for face, weight in weights.items() if term.explodes(face)}
    others = {face: weight for face, weight in weights.items() if face not in hits}
    whole, further = sum(weights.values()), term.further
    chain = {(tosses, 1): whole ** (further - tosses) for tosses in range(further + 1)} | {
        (further + 1, 0): 1
    }
    numbers = {(0, 0): 1}
    for _ in range(term.count):
        budget.spend(len(numbers) * len(chain))
        longer: dict[tuple[int, int], int] = {}
        for (hit, other), ways in numbers.items():
            for (more, end), weight in chain.items():
                key = hit + more, other + end
                longer[key] = longer.get(key, 0) + ways * weight
        numbers = longer
    sums: dict[int, int] = {}
    for (hit, other), ways in numbers.items():
        for total, weight in kept_of_groups([(hit, hits), (other, others)], term.keep, budget).items():
            sums[total] = sums.get(total, 0) + ways * weight
    return dict(sorted(sums.items()))


def unlike_faces(term: Dice, budget: Budget) -> dict[int, int]:
    """Return the scores of dice that never show a face twice: each choice of faces weighs the same."""
    chosen: list[dict[int, int]] = [{0: 1}, *({} for _ in range(term.count))]
    for face in term.faces:
        score = term.score(face)
        for number in range(term.count, 0, -1):
            budget.spend(1 + len(chosen[number - 1]) // 4)
            for total, ways in chosen[number - 1].items():
                chosen[number][total + score] = chosen[number].get(total + score, 0) + ways
    return dict(sorted(chosen[term.count].items()))
