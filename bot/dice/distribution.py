"""The exact distribution of an expression, and dice that make a given total: integers only, no float.

Arranged dice are as likely as if the expression had been rolled again and again until it made the total;
nothing is rolled again, though: each choice is drawn by the exact weight of all that can follow it.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import gcd
from typing import Protocol

from bot.dice.die_distribution import DieDistribution, die_distribution
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.expressions import Binary, Expression, Negative, Node, Number, Operator, Tagged, Truth
from bot.dice.keep_distribution import KeepDistribution
from bot.dice.sums import Budget, Sums, pack, pick, unpack, width_for, work
from bot.dice.terms import Condition, Dice
from bot.dice.throws import Throw, Toss, assemble, pool_of

MAX_FACES = 1_000

Fallen = list[tuple[Toss, ...]]
"""The tosses of a term's dice, in order."""


def distribution(expression: Expression) -> Mapping[int, int]:
    """Return each total and its weight, ascending, in lowest terms; 2d6 has 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1.

    SpecError for a repeated roll, for more than 1,000 totals, or where working it out would take too long.
    """
    if expression.repeat > 1:
        raise SpecError("A repeated roll has many results, not one: take the # away.")
    weights = _distribution_of(expression.body, Budget()).weights
    if len(weights) > MAX_FACES:
        raise SpecError(f"It has {len(weights):,} different totals: at most {MAX_FACES:,}.")
    shared = gcd(*weights.values())
    return {total: weights[total] // shared for total in sorted(weights)}


def arrange(expression: Expression, total: int, draws: Draws) -> Throw:
    """Draw a throw with that total; SpecError if there is none, or where `distribution` takes too long."""
    law = _cached_distribution(expression.body)
    if total not in law.weights:
        raise SpecError(f"{expression} never makes {total:,}.")
    fallen = iter(law.arrange(total, draws))
    return assemble(expression.body, lambda term, tag: pool_of(term, next(fallen), tag))


@lru_cache(maxsize=16)  # a roller asks for the same dice again and again, and the law is most of the work
def _cached_distribution(body: Node) -> "Distribution":
    return _distribution_of(body, Budget())


class Distribution(Protocol):
    """The totals of a part of an expression."""

    @property
    def weights(self) -> Mapping[int, int]:
        """Each total, and its integer weight."""
        ...

    def arrange(self, total: int, draws: Draws) -> list[Fallen]:
        """Draw the dice of each term of the part, from left to right, given the total."""
        ...


def _distribution_of(node: Node, budget: Budget) -> Distribution:
    """Work out a part; SpecError beyond the budget."""
    match node:
        case Number(value):
            return _Number(value)
        case Tagged(body):
            return _distribution_of(body, budget)
        case Dice():
            return _Term(die_distribution(node, budget), budget)
        case Negative(body):
            return _Binary(Operator.MINUS, _Number(0), _distribution_of(body, budget), budget)
        case Binary(operator, left, right):
            return _Binary(operator, _distribution_of(left, budget), _distribution_of(right, budget), budget)
        case Truth(body, condition):
            return _Truth(_distribution_of(body, budget), condition)


class _Number:
    def __init__(self, value: int) -> None:
        self.weights = {value: 1}

    def arrange(self, total: int, draws: Draws) -> list[Fallen]:  # noqa: ARG002 (a number has no dice)
        return []


class _Term:
    def __init__(self, law: DieDistribution, budget: Budget) -> None:
        self._law = law
        count = law.term.count
        if law.term.kept < count:
            self._ranks = KeepDistribution(law, budget)
            self.weights = self._ranks.weights
        else:
            self._ranks = None
            self._sums = Sums(law.scores(law.runs), count, budget)
            self.weights = self._sums.of(count)

    def arrange(self, total: int, draws: Draws) -> list[Fallen]:
        if self._ranks:
            return [self._ranks.arrange(total, draws)]
        law = self._law
        return [
            [law.draw(law.runs, draws, score) for score in self._sums.split(law.term.count, total, draws)]
        ]


class _Binary:
    def __init__(self, operator: Operator, left: Distribution, right: Distribution, budget: Budget) -> None:
        self._operator, self._left, self._right = operator, left, right
        self.weights = _combined(operator, left.weights, right.weights, budget)

    def arrange(self, total: int, draws: Draws) -> list[Fallen]:
        ways: dict[tuple[int, int], int] = {}
        for left, weight in self._left.weights.items():
            for right in self._partners(left, total):
                if right in self._right.weights:
                    ways[left, right] = weight * self._right.weights[right]
        left, right = pick(ways, draws)
        return [*self._left.arrange(left, draws), *self._right.arrange(right, draws)]

    def _partners(self, left: int, total: int) -> Mapping[int, int] | tuple[int, ...]:
        """Return all totals that may stand on the right, and perhaps more."""
        match self._operator:
            case Operator.PLUS:
                return (total - left,)
            case Operator.MINUS:
                return (left - total,)
            case Operator.TIMES if left:
                return () if total % left else (total // left,)
            case Operator.TIMES:
                return () if total else self._right.weights
            case Operator.FLOOR:
                return tuple(right for right in self._right.weights if left // right == total)


class _Truth:
    def __init__(self, body: Distribution, condition: Condition) -> None:
        self._body, self._condition = body, condition
        passing = sum(self._passing(1).values())
        weights = {0: sum(body.weights.values()) - passing, 1: passing}
        self.weights = {total: weight for total, weight in weights.items() if weight}

    def arrange(self, total: int, draws: Draws) -> list[Fallen]:
        return self._body.arrange(pick(self._passing(total), draws), draws)

    def _passing(self, total: int) -> dict[int, int]:
        """Return the totals of the body that are so judged, and their weights."""
        holds = self._condition.holds
        return {value: weight for value, weight in self._body.weights.items() if holds(value) == total}


def _combined(
    operator: Operator, left: Mapping[int, int], right: Mapping[int, int], budget: Budget
) -> dict[int, int]:
    """Combine two independent results by an operation, ascending."""
    if operator is Operator.MINUS:
        operator, right = Operator.PLUS, {-total: weight for total, weight in right.items()}
    width = width_for(sum(left.values()) * sum(right.values()))
    low = min(left) + min(right)
    product, pairs = work(max(left) + max(right) - low + 1, width), len(left) * len(right) * 2
    if operator is Operator.PLUS and product < pairs:
        budget.spend(product)
        return unpack(pack(left, width, min(left)) * pack(right, width, min(right)), width, low)
    budget.spend(pairs)
    totals: dict[int, int] = {}
    for first, weight in left.items():
        for second, other in right.items():
            total = operator.apply(first, second)
            totals[total] = totals.get(total, 0) + weight * other
    return dict(sorted(totals.items()))
