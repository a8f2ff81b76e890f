"""The exact distribution of an expression, and dice conditioned on a given total, with integers only.

Arranged dice have the law of the expression rolled until it makes the total, but without rejection: each
choice is drawn by the exact weight of all its continuations.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd, lcm

from bot.dice.die_distribution import (
    Budget,
    DieDistribution,
    Sums,
    TooLong,
    add_up,
    joined,
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
from bot.dice.terms import Dice, Toss
from bot.dice.throws import Throw, assemble, make_pool

MAX_FACES = 1_000
MAX_BITS = 14_000
"""Most bits of all weights together. Python writes and reads numbers of 4,300 digits, which are 14,284 bits.

A fair roller and a luck account multiply each weight by up to 2^64, and a record holds the sum.
"""

Fallen = list[tuple[Toss, ...]]
"""The tosses of a term's dice, in order."""


def distribution(expression: Expression) -> Mapping[int, int]:
    """Return each total and its weight, ascending, in lowest terms; 2d6 has 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1.

    SpecError for a repeated roll, for more than 1,000 totals, for weights of over 14,000 bits together, or
    beyond the budget.
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
    """Return each roll's totals with their weights, in lowest terms; TooLong beyond the limits."""
    result: list[tuple[tuple[int, int], ...]] = []
    for roll in (expression, *expression.more):
        weights = _distribution_of(roll.body, budget).weights
        # In lowest terms they may be small, but dice are arranged by these.
        if sum(weights.values()).bit_length() > MAX_BITS:
            raise TooLong("The numbers of its exact odds are too long: use fewer dice, or fewer sides.")
        shared = gcd(*weights.values())
        result += [tuple((total, weights[total] // shared) for total in sorted(weights))] * roll.repeat
    return tuple(result)


def can_arrange(expression: Expression) -> bool:
    """Return whether `arrange` can draw dice for a given total: only if all terms are supported."""

    def is_plain(node: Node) -> bool:
        if isinstance(node, Dice):
            return not node.unique and not (node.keep and node.explode and node.explode.separate)
        return not isinstance(node, Best | Together | Thrown) and all(map(is_plain, parts_of(node)))

    return is_plain(expression.body)


def arrange(expression: Expression, total: int, draws: Draws) -> Throw:
    """Draw a throw with that total; SpecError if there is none, or beyond the budget."""
    law = _cached_distribution(expression.body)
    if total not in law.weights:
        raise SpecError("{expression} never makes {total:,}.", expression=expression, total=total)
    fallen = iter(law.arrange(total, draws))
    return assemble(expression.body, lambda term, tag: make_pool(term, next(fallen), tag))


def _refuse_to_arrange(_total: int, _draws: Draws) -> list[Fallen]:
    """Raise NotImplementedError: dice of this part can't be drawn."""
    raise NotImplementedError("ask can_arrange first")


@lru_cache(maxsize=16)  # a roller repeats the same dice, and computing the law is most of the work
def _cached_distribution(body: Node) -> "Distribution":
    return _distribution_of(body, Budget())


@dataclass(frozen=True, slots=True)
class Distribution:
    """The totals of a part of an expression."""

    weights: Mapping[int, int]
    """Each total, and its integer weight."""
    arrange: Callable[[int, Draws], list[Fallen]] = _refuse_to_arrange
    """Draw the dice of each term of the part, from left to right, given the total."""


def _distribution_of(node: Node, budget: Budget) -> Distribution:
    """Return the distribution of a part; SpecError beyond the budget."""
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
                [(term.count, _values(term)) for term in node.terms]
                if isinstance(node, Together)
                else [(1, _distribution_of(part, budget).weights) for part in node.parts]
            )
            return Distribution(kept_of_groups(groups, node.keep, budget))
        case Thrown(number, term):
            return Distribution(_mix(_distribution_of(number, budget).weights, term, budget))


def _number(value: int) -> Distribution:
    return Distribution({value: 1}, lambda _total, _draws: [])


def _dice(term: Dice, budget: Budget) -> Distribution:
    if term.unique:
        return Distribution(unlike_faces(term, budget))
    if term.keep and term.explode and term.explode.separate:
        return Distribution(separate_chains(term, budget))
    return _term(term, budget)


def _mix(numbers: Mapping[int, int], term: Dice, budget: Budget) -> dict[int, int]:
    """Return the weights of a rolled number of dice, over the common multiple of all weights."""
    weights = {number: _dice(replace(term, count=number), budget).weights for number in numbers}
    wholes = {number: sum(law.values()) for number, law in weights.items()}
    whole = lcm(*wholes.values())
    budget.spend(sum(map(len, weights.values())))
    totals = add_up(
        (total, chance * weight * (whole // wholes[number]))
        for number, chance in numbers.items()
        for total, weight in weights[number].items()
    )
    return dict(sorted(totals.items()))


def _values(term: Dice) -> dict[int, int]:
    """Return each possible value of one die's first toss, and its weight after rerolls."""
    return add_up((term.worth(0, face), weight) for face, weight in term.weights.items())


def _term(term: Dice, budget: Budget) -> Distribution:
    law, count = DieDistribution(term, budget), term.count
    if term.kept_count < count:
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
    def arrange_both(total: int, draws: Draws) -> list[Fallen]:
        ways: dict[tuple[int, int], int] = {}
        for first, weight in left.weights.items():
            for second in _partners(operator, first, right.weights, total):
                if second in right.weights:
                    ways[first, second] = weight * right.weights[second]
        first, second = pick(ways, draws)
        return [*left.arrange(first, draws), *right.arrange(second, draws)]

    return Distribution(_combine(operator, left.weights, right.weights, budget), arrange_both)


def _partners(operator: Operator, left: int, rights: Mapping[int, int], total: int) -> Iterable[int]:
    """Return all right operands that may give the total, and perhaps others."""
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
    by_verdict: dict[int, dict[int, int]] = {-1: {}, 0: {}, 1: {}}
    for value, weight in body.weights.items():
        by_verdict[truth.judge(value)][value] = weight
    weights = {total: sum(ways.values()) for total, ways in by_verdict.items() if ways}
    return Distribution(weights, lambda total, draws: body.arrange(pick(by_verdict[total], draws), draws))


def _combine(
    operator: Operator, left: Mapping[int, int], right: Mapping[int, int], budget: Budget
) -> dict[int, int]:
    """Return the weights of an operation on two independent results, ascending."""
    if operator is Operator.MINUS:
        operator, right = Operator.PLUS, {-total: weight for total, weight in right.items()}
    width = width_for(sum(left.values()) * sum(right.values()))
    low = min(left) + min(right)
    product, pairs = product_work(max(left) + max(right) - low + 1, width), len(left) * len(right) * 2
    if operator is Operator.PLUS and product < pairs:
        budget.spend(product)
        return unpack(pack(left, width, min(left)) * pack(right, width, min(right)), width, low)
    budget.spend(pairs)
    return dict(sorted(joined(left, right, operator.apply).items()))
