"""The exact distributions of pools that keep some of their dice, and dice conditioned on a given total.

The ranks, groups of ends with equal value, are visited in the order in which dice are dropped or kept. At
each, c of the m remaining dice have that rank, in C(m, c) ways; those in kept positions add their score. When
all kept dice have a rank, the remaining dice may have any later rank. A state is (rank, m). Internally scores
are relative to the lowest score, so that none is negative.

Groups of different dice, of which some are kept, are visited face by face from the highest down. Separate
explosions are such groups too: given the number of tosses that exploded and of those that did not, the first
are identically distributed, and so are the others. Dice without repeated faces are a choice out of the faces.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod
from typing import TypeAlias

from bot.dice.die_distribution import (
    Budget,
    DieDistribution,
    Sums,
    add_up,
    factor,
    joined,
    pack,
    pick,
    unpack,
    width_for,
)
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.modifiers import Keep
from bot.dice.terms import Dice, Toss

_LATER = -1
Group: TypeAlias = tuple[int, Mapping[int, int]]
"""A number of dice, and the weights of their faces."""


class KeepDistribution:
    """The totals of one such pool; SpecError beyond the budget."""

    def __init__(self, law: DieDistribution, budget: Budget) -> None:
        self._law = law
        self._count, self._kept_count = law.term.count, law.term.kept_count
        self._skipped = law.term.skipped
        self._tail = self._count - self._skipped - self._kept_count
        self._ends = law.ranks()
        scores = [law.scores(ends) for ends in self._ends]
        self._low = min(map(min, scores))
        self._span = max(map(max, scores)) - self._low
        self._width = width_for(sum(law.ends.values()) ** self._count)
        self._weights = [sum(ends.values()) for ends in self._ends]
        self._later = [sum(self._weights[rank + 1 :]) for rank in range(len(self._ends))]
        budget.spend(self._estimate_work())
        self._sums = [
            Sums(
                {score - self._low: weight for score, weight in rank_scores.items()}, self._kept_count, budget
            )
            for rank_scores in scores
        ]
        self._table = self._fill_table()
        self.weights = unpack(self._table[0][self._count], self._width, self._low * self._kept_count)

    def arrange(self, total: int, draws: Draws) -> list[tuple[Toss, ...]]:
        """Draw the dice of the pool, in order, given its total."""
        rank, dice, remaining = -1, self._count, total - self._low * self._kept_count
        fallen: dict[int, list[tuple[Toss, ...]]] = {}
        while dice > self._tail:
            rank, number, score = pick(self._weigh_ways(rank + 1, dice, remaining), draws)
            before, kept_count = self._split_number(dice, number)
            ends = self._ends[rank]
            scores = self._sums[rank].split(kept_count, score, draws)
            kept_dice = [self._law.draw(ends, draws, score + self._low) for score in scores]
            others = [self._law.draw(ends, draws) for _ in range(number - kept_count)]
            fallen[rank] = [*others[:before], *kept_dice, *others[before:]]
            dice, remaining = dice - number, remaining - score
        later = {end: weight for ends in self._ends[rank + 1 :] for end, weight in ends.items()}
        fallen[_LATER] = [self._law.draw(later, draws) for _ in range(dice)]
        # All orders of the ranks are equally likely. Equal dice are kept in order, so that the order within a
        # rank is fixed.
        places = _shuffle([rank for rank, dice in fallen.items() for _ in dice], draws)
        by_rank = {rank: iter(dice) for rank, dice in fallen.items()}
        return [next(by_rank[rank]) for rank in places]

    def _split_number(self, dice: int, number: int) -> tuple[int, int]:
        """Return how many of the next `number` dice are dropped before kept ones, and how many are kept."""
        place = self._count - dice
        before = min(number, max(0, self._skipped - place))
        return before, min(number - before, dice - before - self._tail)

    def _weigh_ways(self, first: int, dice: int, remaining: int) -> dict[tuple[int, int, int], int]:
        """Return the weights of the next (rank, number of dice on it, score of the kept ones)."""
        ways: dict[tuple[int, int, int], int] = {}
        numbers = [(number, self._split_number(dice, number)[1]) for number in range(1, dice + 1)]
        for rank in range(first, len(self._ends)):
            # When all kept dice have a rank, only ways with exactly the remaining score count.
            last = {n: self._sums[rank].of(n).get(remaining, 0) for n in {n for _, n in numbers}}
            for number, kept_count in numbers:
                places = self._weigh_places(rank, dice, number, kept_count)
                if dice - number > self._tail:
                    after = self._table[rank + 1][dice - number]
                    for score, weight in self._sums[rank].of(kept_count).items():
                        rest = factor(after, self._width, remaining - score)
                        ways[rank, number, score] = places * weight * rest
                else:
                    ways[rank, number, remaining] = places * last[kept_count]
        return {way: weight for way, weight in ways.items() if weight}

    def _weigh_places(self, rank: int, dice: int, number: int, kept_count: int) -> int:
        """Return the weight of `number` dice on the rank, with dropped ones and, at the end, the rest."""
        rest = dice - number
        later = self._later[rank] ** rest if rest <= self._tail else 1
        return comb(dice, number) * self._weights[rank] ** (number - kept_count) * later

    def _fill_table(self) -> list[list[int]]:
        """Return the packed distribution of the remaining dice's score, for each state."""
        width, tail = self._width, self._tail
        table = [[0] * (self._count + 1)]
        for rank in reversed(range(len(self._ends))):
            after = table[-1]
            sums: list[tuple[int, int]] = []
            for number in range(self._kept_count + 1):
                law = self._sums[rank].of(number)
                sums.append((pack(law, width, min(law)), min(law) * width))
            row = [0] * (self._count + 1)
            for dice in range(tail + 1, self._count + 1):
                packed, ending = after[dice], 0
                for number in range(1, dice + 1):
                    kept_count = self._split_number(dice, number)[1]
                    chosen = self._weigh_places(rank, dice, number, kept_count)
                    if dice - number > tail:
                        law, shift = sums[kept_count]
                        packed += chosen * law * after[dice - number] << shift
                    else:
                        ending += chosen
                law, shift = sums[self._split_number(dice, dice)[1]]
                row[dice] = packed + (law * ending << shift)
            table.append(row)
        return table[::-1]

    def _estimate_work(self) -> int:
        """Estimate the cost of filling the table, in the unit of the budget."""
        states = self._skipped + self._kept_count
        steps = len(self._ends) * states * self._count
        digits = self._kept_count * self._span * self._width // 60
        factors = states * max(self._weights).bit_length() // 60
        return 25 * len(self._ends) + steps * (2_000 + digits * (4 + factors)) // 4_000


def _shuffle(places: list[int], draws: Draws) -> list[int]:
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
    later = [sum(weights.values()) for _, weights in groups]
    states = {tuple(number for number, _ in groups): {0: 1}}
    sums: dict[int, int] = {}
    for face in sorted({face for _, weights in groups for face in weights}, reverse=True):
        face_weights = [weights.get(face, 0) for _, weights in groups]
        later = [rest - weight for rest, weight in zip(later, face_weights, strict=True)]
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for remaining, ways in states.items():
            for counts in product(*map(_possible_counts, remaining, face_weights, later)):
                budget.spend(5 + len(ways) // 2)
                after = tuple(n - c for n, c in zip(remaining, counts, strict=True))
                place, end = count - sum(remaining), count - sum(after)
                weight = prod(
                    comb(n, c) * w**c for n, c, w in zip(remaining, counts, face_weights, strict=True)
                )
                gained = face * max(0, min(end, last) - max(place, above))
                if done := end >= last:
                    weight *= prod(w**n for n, w in zip(after, later, strict=True))
                into = sums if done else following.setdefault(after, {})
                for total, number in ways.items():
                    into[total + gained] = into.get(total + gained, 0) + weight * number
        states = following
    return {total: weight for total, weight in sorted(sums.items()) if weight}


def _possible_counts(remaining: int, face_weight: int, later_weight: int) -> range:
    """Return the possible numbers of a group's remaining dice with a face."""
    if not face_weight:
        return range(1)
    return range(remaining + 1) if later_weight else range(remaining, remaining + 1)


def separate_chains(term: Dice, budget: Budget) -> dict[int, int]:
    """Return the sums of a term that keeps some of its dice, with separate explosions."""
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
        numbers = joined(numbers, chain, lambda now, more: (now[0] + more[0], now[1] + more[1]))
    sums = add_up(
        (total, ways * weight)
        for (hit, other), ways in numbers.items()
        for total, weight in kept_of_groups([(hit, hits), (other, others)], term.keep, budget).items()
    )
    return dict(sorted(sums.items()))


def unlike_faces(term: Dice, budget: Budget) -> dict[int, int]:
    """Return the scores of dice without repeated faces: each choice of faces has the same weight."""
    chosen: list[dict[int, int]] = [{0: 1}, *({} for _ in range(term.count))]
    for face in term.faces:
        score = term.score(face)
        for number in range(term.count, 0, -1):
            budget.spend(1 + len(chosen[number - 1]) // 4)
            for total, ways in chosen[number - 1].items():
                chosen[number][total + score] = chosen[number].get(total + score, 0) + ways
    return dict(sorted(chosen[term.count].items()))
