"""Exact laws of dice that are not all alike or not independent, by walking their faces from the highest down.

Of several groups of dice some are kept, whatever group they are of. Dice whose explosions are dice of their
own are such groups too: given how many tosses exploded and how many did not, all of the first are alike, and
all of the others. Dice that never show a face twice are a choice out of the faces.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod
from typing import TypeAlias

from bot.dice.errors import SpecError
from bot.dice.modifiers import Keep
from bot.dice.sums import Budget
from bot.dice.terms import Dice

Group: TypeAlias = tuple[int, Mapping[int, int]]
"""A number of dice, and the weights of their faces."""


def kept_of_groups(groups: Sequence[Group], keep: Keep, budget: Budget) -> dict[int, int]:
    """Return the sums of the dice kept out of all groups, with weights; SpecError beyond the budget."""
    count = sum(number for number, _ in groups)
    below, above = keep.dropped(count)
    last = count - below
    if above >= last:
        raise SpecError(f"'{keep}' is too many for {count} dice.")
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
        score = term.score((face,))
        for number in range(term.count, 0, -1):
            budget.spend(1 + len(chosen[number - 1]) // 4)
            for total, ways in chosen[number - 1].items():
                chosen[number][total + score] = chosen[number].get(total + score, 0) + ways
    return dict(sorted(chosen[term.count].items()))
