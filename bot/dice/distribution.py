"""The exact distribution of an expression, and dice that make a given total: integers only, no float.

Arranged dice are as likely as if the expression had been rolled again and again until it made the total;
nothing is rolled again, though: each choice is drawn by the exact weight of all that can follow it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd, lcm

from bot.dice.die_distribution import (
    Budget,
    DieDistribution,
    Sums,
    pack,
    pick,
    product_work,
    unpack,
    width_for,
)
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.expressions import (
    Best,
    Binary,
    Expression,
    Negative,
    Node,
    Number,
    Operator,
    Opposed,
    Tagged,
    Thrown,
    Together,
    Truth,
    parts_of,
)
from bot.dice.pool_distribution import KeepDistribution, kept_of_groups, separate_chains, unlike_faces
from bot.dice.terms import Dice
from bot.dice.throws import Throw, Toss, assemble, pool_of

MAX_FACES = 1_000

Fallen = list[tuple[Toss, ...]]
"""The tosses of a term's dice, in order."""


def distribution(expression: Expression) -> Mapping[int, int]:
    """Return each total and its weight, ascending, in lowest terms; 2d6 has 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1.

    SpecError for a repeated roll, for more than 1,000 totals, or where working it out would take too long.
    """
    if expression.repeat > 1:
        raise SpecError("A repeated roll has many results, not one. Leave the # out.")
    if expression.more:
        raise SpecError("Several rolls have several results. Ask for each of them.")
    (law,) = laws(expression, Budget())
    if len(law) > MAX_FACES:
        raise SpecError(
            "It has {count:,} different totals: at most {most:,}.", count=len(law), most=MAX_FACES
        )
    return dict(law)


def laws(expression: Expression, budget: Budget) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return each roll's totals with their weights, in lowest terms; SpecError beyond the budget."""
    found: list[tuple[tuple[int, int], ...]] = []
    for each in (expression, *expression.more):
        weights = _distribution_of(each.body, budget).weights
        shared = gcd(*weights.values())
        found += [tuple((total, weights[total] // shared) for total in sorted(weights))] * each.repeat
    return tuple(found)


def can_arrange(expression: Expression) -> bool:
    """Return whether dice can be drawn that make a given total: not where they are no plain terms."""

    def plain(node: Node) -> bool:
        if isinstance(node, Dice):
            return not node.unique and not (node.keep and node.explode and node.explode.separate)
        return not isinstance(node, Best | Together | Thrown) and all(map(plain, parts_of(node)))

    return plain(expression.body)


def arrange(expression: Expression, total: int, draws: Draws) -> Throw:
    """Draw a throw with that total; SpecError if there is none, or where `distribution` takes too long."""
    law = _cached_distribution(expression.body)
    if total not in law.weights:
        raise SpecError("{expression} never makes {total:,}.", expression=expression, total=total)
    fallen = iter(law.arrange(total, draws))
    return assemble(expression.body, lambda term, tag: pool_of(term, next(fallen), tag))


def _unshown(_total: int, _draws: Draws) -> list[Fallen]:
    """Draw no dice of totals from which these can't be worked out."""
    raise NotImplementedError("ask can_arrange first")


@lru_cache(maxsize=16)  # a roller asks for the same dice again and again, and the law is most of the work
def _cached_distribution(body: Node) -> "Distribution":
    return _distribution_of(body, Budget())


@dataclass(frozen=True, slots=True)
class Distribution:
    """The totals of a part of an expression."""

    weights: Mapping[int, int]
    """Each total, and its integer weight."""
    arrange: Callable[[int, Draws], list[Fallen]] = _unshown
    """Draw the dice of each term of the part, from left to right, given the total."""


def _distribution_of(node: Node, budget: Budget) -> Distribution:
    """Work out a part; SpecError beyond the budget."""
    match node:
        case Tagged(body):
            return _distribution_of(body, budget)
        case Number(value):
            return _number(value)
        case Dice():
            return _dice(node, budget)
        case Negative(body):
            return _binary(Operator.MINUS, _number(0), _distribution_of(body, budget), budget)
        case Opposed(left, right):
            return _distribution_of(Binary(Operator.MINUS, left, right), budget)
        case Binary(operator, left, right):
            return _binary(operator, _distribution_of(left, budget), _distribution_of(right, budget), budget)
        case Truth(body):
            return _truth(_distribution_of(body, budget), node)
        case Best() | Together():
            groups = (
                [(term.count, term.weights) for term in node.terms]
                if isinstance(node, Together)
                else [(1, _distribution_of(part, budget).weights) for part in node.parts]
            )
            return Distribution(kept_of_groups(groups, node.keep, budget))
        case Thrown(number, term):
            return Distribution(_mixed(_distribution_of(number, budget).weights, term, budget))


def _number(value: int) -> Distribution:
    return Distribution({value: 1}, lambda _total, _draws: [])


def _dice(term: Dice, budget: Budget) -> Distribution:
    if term.unique:
        return Distribution(unlike_faces(term, budget))
    if term.keep and term.explode and term.explode.separate:
        return Distribution(separate_chains(term, budget))
    return _term(term, budget)


def _mixed(numbers: Mapping[int, int], term: Dice, budget: Budget) -> dict[int, int]:
    """Weigh the totals of dice whose number is thrown first, over the common multiple of all weights."""
    weights = {number: _dice(replace(term, count=number), budget).weights for number in numbers}
    wholes = {number: sum(law.values()) for number, law in weights.items()}
    whole = lcm(*wholes.values())
    totals: dict[int, int] = {}
    for number, chance in numbers.items():
        budget.spend(len(weights[number]))
        for total, weight in weights[number].items():
            totals[total] = totals.get(total, 0) + chance * weight * (whole // wholes[number])
    return dict(sorted(totals.items()))


def _term(term: Dice, budget: Budget) -> Distribution:
    law, count = DieDistribution(term, budget), term.count
    if term.kept < count:
        ranks = KeepDistribution(law, budget)
        return Distribution(ranks.weights, lambda total, draws: [ranks.arrange(total, draws)])
    sums = Sums(law.scores(law.ends), count, budget)
    return Distribution(
        sums.of(count),
        lambda total, draws: [
            [law.draw(law.ends, draws, score) for score in sums.split(count, total, draws)]
        ],
    )


def _binary(operator: Operator, left: Distribution, right: Distribution, budget: Budget) -> Distribution:
    def arranged(total: int, draws: Draws) -> list[Fallen]:
        ways: dict[tuple[int, int], int] = {}
        for first, weight in left.weights.items():
            for second in _partners(operator, first, right.weights, total):
                if second in right.weights:
                    ways[first, second] = weight * right.weights[second]
        first, second = pick(ways, draws)
        return [*left.arrange(first, draws), *right.arrange(second, draws)]

    return Distribution(_combined(operator, left.weights, right.weights, budget), arranged)


def _partners(operator: Operator, left: int, rights: Mapping[int, int], total: int) -> Iterable[int]:
    """Return all totals that may stand on the right, and perhaps more."""
    match operator:
        case Operator.PLUS:
            return (total - left,)
        case Operator.MINUS:
            return (left - total,)
        case Operator.TIMES if left:
            return () if total % left else (total // left,)
        case _:
            return (right for right in rights if operator.apply(left, right) == total)


def _truth(body: Distribution, truth: Truth) -> Distribution:
    judged: dict[int, dict[int, int]] = {-1: {}, 0: {}, 1: {}}
    for value, weight in body.weights.items():
        judged[truth.judge(value)][value] = weight
    weights = {total: sum(ways.values()) for total, ways in judged.items() if ways}
    return Distribution(weights, lambda total, draws: body.arrange(pick(judged[total], draws), draws))


def _combined(
    operator: Operator, left: Mapping[int, int], right: Mapping[int, int], budget: Budget
) -> dict[int, int]:
    """Combine two independent results by an operation, ascending."""
    if operator is Operator.MINUS:
        operator, right = Operator.PLUS, {-total: weight for total, weight in right.items()}
    width = width_for(sum(left.values()) * sum(right.values()))
    low = min(left) + min(right)
    product, pairs = product_work(max(left) + max(right) - low + 1, width), len(left) * len(right) * 2
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
