"""The exact distribution of a pool that keeps some of its dice, and dice of it that make a given total.

The ranks, groups of runs worth the same, are gone through from the first to be kept. At each, c of the m dice
left have that rank, in C(m, c) ways; they are kept while any are wanted. Once none is, the dice left may
show any of the later ranks. A state is (rank, how many are still wanted): the second tells m as well.
Inside, scores are counted from the lowest one there is, so that none is negative.
"""

from math import comb

from bot.dice.die_distribution import DieDistribution
from bot.dice.draws import Draws
from bot.dice.sums import Budget, Sums, factor, pack, pick, unpack, width_for
from bot.dice.throws import Toss

_LATER = -1


class KeepDistribution:
    """The totals of one such pool; SpecError beyond the budget."""

    def __init__(self, law: DieDistribution, budget: Budget) -> None:
        self._law = law
        self._wanted, self._dropped = law.term.kept, law.term.count - law.term.kept
        self._runs = law.ranks()
        scores = [law.scores(runs) for runs in self._runs]
        self._low = min(map(min, scores))
        self._span = max(map(max, scores)) - self._low
        self._width = width_for(law.weight**law.term.count)
        self._weights = [sum(runs.values()) for runs in self._runs]
        self._later = [sum(self._weights[rank + 1 :]) for rank in range(len(self._runs))]
        budget.spend(self._work())
        self._sums = [
            Sums({score - self._low: weight for score, weight in one.items()}, self._wanted, budget)
            for one in scores
        ]
        self._table = self._fill()
        self.weights = unpack(self._table[0][self._wanted], self._width, self._low * self._wanted)

    def arrange(self, total: int, draws: Draws) -> list[tuple[Toss, ...]]:
        """Draw the dice of the pool, in order, given its total."""
        rank, wanted, left = -1, self._wanted, total - self._low * self._wanted
        fallen: dict[int, list[tuple[Toss, ...]]] = {}
        while wanted:
            rank, number, score = pick(self._ways(rank + 1, wanted, left), draws)
            kept = min(number, wanted)
            runs = self._runs[rank]
            scores = self._sums[rank].split(kept, score, draws)
            fallen[rank] = [self._law.draw(runs, draws, score + self._low) for score in scores]
            fallen[rank] += [self._law.draw(runs, draws) for _ in range(number - kept)]
            wanted, left = wanted - kept, left - score
        later = {run: weight for runs in self._runs[rank + 1 :] for run, weight in runs.items()}
        others = self._law.term.count - sum(map(len, fallen.values()))
        fallen[_LATER] = [self._law.draw(later, draws) for _ in range(others)]
        # Any order of the ranks is as likely as any other. Of equal dice the earlier are kept, so within a
        # rank the order stands.
        places = _shuffled([rank for rank, dice in fallen.items() for _ in dice], draws)
        dice = {rank: iter(dice) for rank, dice in fallen.items()}
        return [next(dice[rank]) for rank in places]

    def _ways(self, first: int, wanted: int, left: int) -> dict[tuple[int, int, int], int]:
        """Weigh the next rank that shows, the number of dice on it, and the score of those kept."""
        dice = wanted + self._dropped
        ways: dict[tuple[int, int, int], int] = {}
        for rank in range(first, len(self._runs)):
            for number in range(1, wanted):
                after = self._table[rank + 1][wanted - number]
                for score, weight in self._sums[rank].of(number).items() if after else ():
                    rest = factor(after, self._width, left - score)
                    ways[rank, number, score] = comb(dice, number) * weight * rest
            if last := self._sums[rank].of(wanted).get(left):
                for number in range(wanted, dice + 1):
                    ways[rank, number, left] = last * self._others(rank, wanted, number)
        return {way: weight for way, weight in ways.items() if weight}

    def _others(self, rank: int, wanted: int, number: int) -> int:
        """Weigh the dice not wanted, and all places, when `number` dice have the rank."""
        dice = wanted + self._dropped
        ties = self._weights[rank] ** (number - wanted)
        return comb(dice, number) * ties * self._later[rank] ** (dice - number)

    def _fill(self) -> list[list[int]]:
        """Return for each state the packed distribution of what the dice still wanted add."""
        width = self._width
        table = [[0] * (self._wanted + 1)]
        for rank in reversed(range(len(self._runs))):
            after = table[-1]
            sums = [(1, 0)]
            for number in range(1, self._wanted + 1):
                law = self._sums[rank].of(number)
                sums.append((pack(law, width, min(law)), min(law) * width))
            row = [0]
            for wanted in range(1, self._wanted + 1):
                dice = wanted + self._dropped
                law, shift = sums[wanted]
                most = range(wanted, dice + 1)
                packed = law * sum(self._others(rank, wanted, number) for number in most) << shift
                for number in range(wanted):
                    law, shift = sums[number]
                    packed += comb(dice, number) * law * after[wanted - number] << shift
                row.append(packed)
            table.append(row)
        return table[::-1]

    def _work(self) -> int:
        """Estimate the cost of filling the table, in the unit of the budget."""
        steps = len(self._runs) * self._wanted * (self._wanted + self._dropped)
        digits = self._wanted * self._span * self._width // 60
        factors = self._wanted * max(self._weights).bit_length() // 60
        return 25 * len(self._runs) + steps * (2_000 + digits * (4 + factors)) // 4_000


def _shuffled(places: list[int], draws: Draws) -> list[int]:
    """Shuffle the places, by Fisher and Yates."""
    for last in range(len(places) - 1, 0, -1):
        other = draws.below(last + 1)
        places[last], places[other] = places[other], places[last]
    return places
