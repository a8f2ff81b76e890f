"""The exact law of a rule: the chance of each of its outcomes, as integer weights.

Dice are folded into what the measures have seen, pool by pool, so that twenty dice cost a few hundred states
and not ten to the twentieth power. Where a pool's size or faces depend on earlier dice, the states are
grouped by what they depend on.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import lcm
from typing import TypeAlias, TypeVar

from bot.dice.errors import SpecError
from bot.rulebooks.formula import Amounts
from bot.rulebooks.rules import DicePool, GameFace, GameRule, Kept, Measure

STATES_LIMIT = 100_000
"""Pairs of states that the exact law of one roll may join for a pool, about half a second of work."""

Counted: TypeAlias = tuple[Kept, ...]
"""What each measure has seen."""
_Face = TypeVar("_Face")
Law: TypeAlias = dict[Counted, int]
"""The weight of what may be seen."""


@lru_cache(maxsize=256)
def law(rule: GameRule, given: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Return each outcome with its weight, from the worst to the best; SpecError where it takes too long."""
    values = dict(given)
    states: Law = {rule.beginning(): 1}
    done: frozenset[str] = frozenset()
    for pool in rule.pools:
        states = _after(rule, pool, values, states, done)
        done |= {pool.name}
    weights: dict[int, int] = defaultdict(int)
    for seen, weight in states.items():
        weights[rule.outcome(rule.settle(values, seen))] += weight
    names = [name for name, _ in rule.classes]
    return tuple((names[n] if names else str(n), weights[n]) for n in sorted(weights))


def _after(rule: GameRule, pool: DicePool, given: Amounts, states: Law, done: frozenset[str]) -> Law:
    """Return the law of what was seen once this pool has fallen too."""
    measures = [m for m in rule.measures if pool.name in m.pools]
    formulas = [pool.count, pool.sides, pool.explode, *(m.formula for m in measures)]
    used = sorted({name for formula in formulas if formula for name in formula.names})
    groups: dict[tuple[int, ...], list[tuple[Counted, int]]] = defaultdict(list)
    for seen, weight in states.items():
        known = rule.known(given, seen, done)
        groups[tuple(known.get(name, 0) for name in used)].append((seen, weight))
    laws = [
        (_pool_law(pool, measures, dict(zip(used, key, strict=True))), group) for key, group in groups.items()
    ]
    if sum(len(found) * len(group) for (found, _), group in laws) > STATES_LIMIT:
        raise SpecError("The exact odds of so many dice would take too long. It can still be rolled.")
    whole = lcm(*(total for (_, total), _ in laws))
    places = [n for n, m in enumerate(rule.measures) if pool.name in m.pools]
    after: Law = defaultdict(int)
    for (found, total), group in laws:
        for seen, weight in group:
            for added, ways in found.items():
                joined = list(seen)
                for place, measure, more in zip(places, measures, added, strict=True):
                    joined[place] = measure.join(joined[place], more)
                after[tuple(joined)] += weight * ways * (whole // total)
    return after


def _pool_law(pool: DicePool, measures: Sequence[Measure], known: Amounts) -> tuple[Law, int]:
    """Return the law of what these measures see on a pool, and its total weight."""
    one, sides = _die_law(pool, measures, known)
    dice = pool.dice(known)
    found: Law = {tuple(measure.empty for measure in measures): 1}
    for _ in range(dice):
        found = _joined(measures, found, one)
        if len(found) > STATES_LIMIT:
            raise SpecError("The exact odds of so many dice would take too long. It can still be rolled.")
    return found, sides**dice


def _die_law(pool: DicePool, measures: Sequence[Measure], known: Amounts) -> tuple[Law, int]:
    """Return the law of what these measures see on one die with its further dice, and its total weight."""
    faces = pool.shown(known)
    explodes = [bool(pool.explode and pool.explode.value({**known, **face.values()})) for face in faces]
    most = pool.most if any(explodes) else 0

    def seen(face: GameFace) -> Counted:
        return tuple(measure.of({**known, **face.values()}) for measure in measures)

    if pool.together:
        sums = _chain(
            [(face.number, again) for face, again in zip(faces, explodes, strict=True)],
            most,
            lambda number, rest: {number + more: ways for more, ways in rest.items()},
        )
        law: Law = defaultdict(int)
        for number, ways in sums.items():
            law[seen(GameFace(str(number), number))] += ways
        return law, len(faces) ** (most + 1)
    each = [(seen(face), again) for face, again in zip(faces, explodes, strict=True)]
    return _chain(each, most, lambda one, rest: _joined(measures, {one: 1}, rest)), len(faces) ** (most + 1)


def _chain(
    faces: Sequence[tuple[_Face, bool]],
    most: int,
    join: Callable[[_Face, dict[_Face, int]], dict[_Face, int]],
) -> dict[_Face, int]:
    """Return the weights of a die that brings further ones, `most` at most."""
    law: dict[_Face, int] = {}
    for further in range(most + 1):
        longer: dict[_Face, int] = defaultdict(int)
        for face, again in faces:
            if again and further:
                for value, ways in join(face, law).items():
                    longer[value] += ways
            else:
                longer[face] += len(faces) ** further
        law = longer
    return law


def _joined(measures: Sequence[Measure], one: Law, other: Law) -> Law:
    """Return the law of both together, of independent dice."""
    after: Law = defaultdict(int)
    for first, weight in one.items():
        for second, ways in other.items():
            both = tuple(m.join(a, b) for m, a, b in zip(measures, first, second, strict=True))
            after[both] += weight * ways
    return after
