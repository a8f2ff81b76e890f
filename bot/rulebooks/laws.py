"""Throw the dice of a rule, and compute the exact law of its outcomes.

Pools are thrown in order, with one draw per die. The law has the chance of each outcome as integer weights:
dice are folded into the tallies of the measures, pool by pool, so that twenty dice cost a few hundred states
and not ten to the twentieth power. If a pool's size or faces depend on earlier dice, the states are grouped
by the values that they depend on.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from math import lcm
from operator import add, call
from typing import Any, NamedTuple, TypeAlias, TypeVar

from bot.dice.die_distribution import Budget, TooLong, add_up, joined
from bot.dice.draws import Draws, Replayer
from bot.dice.errors import SpecError
from bot.dice.terms import Dice
from bot.dice.throws import Die, Face, Part, Pool, Throw
from bot.rulebooks.formula import Amounts, Formula
from bot.rulebooks.keeping import ThrownPool, counting_dice
from bot.rulebooks.rules import DicePool, GameFace, GameRule, Measure, Tally

PAIRS_LIMIT = 500_000
"""Most pairs of states joined for the exact law of one roll, about half a second of work."""
_FEW_PAIRS = 10_000
THROW_LIMIT = 50_000
"""Most characters of formulas evaluated for one throw, about 10 ms of work."""
_EVALUATION = 10
"""The work of evaluating any formula, in characters."""
_CHARACTERS_PER_PAIR = 100

Tallies: TypeAlias = tuple[Tally, ...]
"""The tally of each measure."""
Tosses: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""The indices of the thrown faces, by pool and die."""
_Face = TypeVar("_Face")
Law: TypeAlias = dict[Tallies, int]
"""The weights of tallies."""
_SEPARATOR = " · "
_DICE = "dice"
"""A pool of this name is shown without it, as 3d6; so is one named like its dice, d6."""


def outcome_law(rule: GameRule, options: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Return each outcome with its weight, worst first; raise SpecError if that takes too long."""
    law = _cached_law(rule, options)
    if law is None:
        raise SpecError("The exact odds of so many dice would take too long. It can still be rolled.")
    return law


@lru_cache(maxsize=256)
def _cached_law(rule: GameRule, options: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...] | None:
    with suppress(TooLong):
        return _compute_law(_without_display(rule), dict(options), Budget(PAIRS_LIMIT))
    return None


def adds_just(rule: GameRule, options: Sequence[tuple[str, int]], option: str, sides: int) -> bool:
    """Return whether an option adds one die to the number of a roll, and changes nothing else of it.

    Return False if the roll has no number without a target, or if that takes more than a few milliseconds.
    """
    untargeted, budget = {**dict(options), rule.against: rule.missing}, Budget(_FEW_PAIRS)
    rule = _without_display(replace(rule, classes=()) if rule.against else rule)
    if rule.classes:
        return False
    with suppress(TooLong):
        before, after = (dict(_compute_law(rule, {**untargeted, option: n}, budget)) for n in (0, 1))
        die = dict.fromkeys(range(1, sides + 1), 1)
        return after == joined(before, die, lambda number, face: str(int(number) + face))
    return False


def _compute_law(rule: GameRule, options: Amounts, budget: Budget) -> tuple[tuple[str, int], ...]:
    states: Law = {rule.empty_tallies(): 1}
    for n in range(len(rule.pools)):
        states = _law_after_pool(rule, n, options, states, budget)
    budget.spend(len(states) * _settling_work(rule) // _CHARACTERS_PER_PAIR)
    weights = add_up(
        (rule.outcome(rule.values_after(options, tallies)), weight) for tallies, weight in states.items()
    )
    names = [name for name, _ in rule.classes]
    return tuple((names[n] if names else str(n), weights[n]) for n in sorted(weights))


def _without_display(rule: GameRule) -> GameRule:
    """Return the rule without the measures and values that are only shown."""
    formulas_by_name = dict(rule.values) | {measure.name: measure.formula for measure in rule.measures}
    formulas = [
        formula for pool in rule.pools for formula in (pool.count, pool.sides, pool.explode) if formula
    ]
    formulas += dict(rule.classes).values()
    names = frozenset(() if rule.classes else {rule.number}).union(*(formula.names for formula in formulas))
    used: set[str] = set()
    while names - used:
        used |= names
        names = {name for name in used if name in formulas_by_name for name in formulas_by_name[name].names}
    measures = tuple(measure for measure in rule.measures if measure.name in used)
    return replace(rule, measures=measures, values=tuple(value for value in rule.values if value[0] in used))


def _law_after_pool(rule: GameRule, place: int, options: Amounts, states: Law, budget: Budget) -> Law:
    """Return the law of the tallies after the pool at this place too, from that of the tallies before."""
    pool = rule.pools[place]
    with suppress(KeyError):  # the number of dice depends on earlier ones
        if not pool.dice(options):
            return states
    measures = [measure for measure in rule.measures if pool.name in measure.pools]
    die_formulas = [pool.sides, pool.explode, *(measure.formula for measure in measures)]
    die_names = sorted({name for formula in die_formulas if formula for name in formula.names})
    used = sorted({*die_names, *pool.count.names})
    budget.spend(len(states) * _work(formula for _, formula in rule.values) // _CHARACTERS_PER_PAIR)
    groups: dict[tuple[int, ...], list[tuple[Tallies, int]]] = defaultdict(list)
    for tallies, weight in states.items():
        values = rule.values_after(options, tallies, place)
        groups[tuple(values.get(name, 0) for name in used)].append((tallies, weight))

    @cache  # often earlier dice decide nothing but how many dice there are
    def pool_law(dice: int, *die_values: int) -> tuple[Law, int]:
        return _pool_law(rule, pool, dice, dict(zip(die_names, die_values, strict=True)), budget)

    laws: list[tuple[tuple[Law, int], list[tuple[Tallies, int]]]] = []
    for key, group in groups.items():
        values = dict(zip(used, key, strict=True))
        laws.append((pool_law(pool.dice(values), *[values[name] for name in die_names]), group))
    budget.spend(sum(len(law) * len(group) for (law, _), group in laws))
    whole = lcm(*(total for (_, total), _ in laws))
    join = _joining(rule)
    return add_up(
        (join(tallies, added), weight * ways * (whole // total))
        for (law, total), group in laws
        for tallies, weight in group
        for added, ways in law.items()
    )


def _pool_law(rule: GameRule, pool: DicePool, dice: int, values: Amounts, budget: Budget) -> tuple[Law, int]:
    """Return the law of the tallies of so many dice of a pool, and its total weight."""
    law: Law = {rule.empty_tallies(): 1}
    if not dice:
        return law, 1
    (die_law, sides), join = _die_law(rule, pool, values, budget), _joining(rule)
    for _ in range(dice):
        budget.spend(len(law) * len(die_law))
        law = joined(law, die_law, join)
    return law, sides**dice


def _die_law(rule: GameRule, pool: DicePool, values: Amounts, budget: Budget) -> tuple[Law, int]:
    """Return the law of the tallies of one die with its further dice, and its total weight."""
    faces, work = pool.faces_for(values), _tallying_work(pool, rule.measures)
    budget.spend(len(faces) * work // _CHARACTERS_PER_PAIR)
    explodes = [bool(pool.explode and pool.explode.value({**values, **face.values()})) for face in faces]
    limit = pool.most if any(explodes) else 0

    def tally(face: GameFace) -> Tallies:
        face_values = {**values, **face.values()}
        return tuple(
            measure.evaluate(face_values) if pool.name in measure.pools else measure.empty
            for measure in rule.measures
        )

    if pool.together:
        sums = _explode([face.number for face in faces], explodes, limit, add, budget)
        budget.spend(len(sums) * work // _CHARACTERS_PER_PAIR)
        law = add_up((tally(GameFace(str(number), number)), weight) for number, weight in sums.items())
    else:
        law = _explode([*map(tally, faces)], explodes, limit, _joining(rule), budget)
    return law, len(faces) ** (limit + 1)


def _explode(
    faces: Sequence[_Face],
    explodes: Sequence[bool],
    limit: int,
    join: Callable[[_Face, _Face], _Face],
    budget: Budget,
) -> dict[_Face, int]:
    """Return the weights of a die that adds further ones, `limit` at most, behind faces that explode."""
    law: dict[_Face, int] = {}
    for further in range(limit + 1):
        budget.spend(sum(explodes) * len(law))
        longer: dict[_Face, int] = defaultdict(int)
        for face, adds_die in zip(faces, explodes, strict=True):
            if adds_die and further:
                for value, weight in law.items():
                    longer[join(face, value)] += weight
            else:
                longer[face] += len(faces) ** further
        law = longer
    return law


def _joining(rule: GameRule) -> Callable[[Tallies, Tallies], Tallies]:
    """Return the function that joins the tallies of two sets of dice."""
    joins = [measure.join for measure in rule.measures]
    join: Any = call  # whose types allow no list of functions
    return lambda first, second: tuple(map(join, joins, first, second))


def _work(formulas: Iterable[Formula]) -> int:
    """Return the work of evaluating formulas, in characters."""
    return sum(len(formula.text) + _EVALUATION for formula in formulas)


def _settling_work(rule: GameRule) -> int:
    """Return the work of computing every value of a rule and its outcome."""
    return _work(formula for _, formula in (*rule.values, *rule.classes, *rule.notes))


def _tallying_work(pool: DicePool, measures: Iterable[Measure]) -> int:
    """Return the work of adding one face to the measures of a pool, in characters."""
    # The dice that count are found by measuring them once more.
    return _work([pool.explode] if pool.explode else []) + sum(
        (1 + bool(measure.keep)) * (_work([measure.formula]) + measure.keep)
        for measure in measures
        if pool.name in measure.pools
    )


class ThrownRule(NamedTuple):
    """The result of throwing a rule."""

    throw: Throw
    """The throw, whose total is the index of the class, or the number."""
    values: Mapping[str, int]
    """Every value by name."""
    tosses: Tosses


def throw_rule(rule: GameRule, options: Mapping[str, int], draws: Draws, fixed: Tosses = ()) -> ThrownRule:
    """Throw the rule once with these values of its options.

    `fixed` has dice of the first pools that are not thrown, except those without a toss. Raise SpecError for
    too many dice, and for too much work.
    """
    # What was rolled under another limit can still be replayed.
    limit = sys.maxsize if isinstance(draws, Replayer) else THROW_LIMIT
    try:
        return _throw_rule(rule, options, draws, fixed, Budget(limit))
    except TooLong:
        raise SpecError(
            "So many dice would take too long to throw. Use fewer dice, or shorter formulas."
        ) from None


def _throw_rule(
    rule: GameRule, options: Mapping[str, int], draws: Draws, fixed: Tosses, budget: Budget
) -> ThrownRule:
    tallies = list(rule.empty_tallies())
    parts: list[Part] = []
    thrown_pools: list[tuple[int, ThrownPool]] = []
    tosses: list[tuple[tuple[int, ...], ...]] = []
    budget.spend((len(rule.pools) + 1) * _settling_work(rule))
    for n, pool in enumerate(rule.pools):
        current = rule.values_after(options, tallies, n)
        prior = fixed[n] if n < len(fixed) else ((),) * pool.dice(current)
        pool.limited(len(prior))
        work = _tallying_work(pool, rule.measures)
        budget.spend(len(prior) * work)
        tosses.append(tuple([_throw_die(pool, current, draws, die) for die in prior]))
        budget.spend(sum(len(die) - 1 for die in tosses[-1]) * work)
        faces = pool.faces_for(current) if prior else ()
        dice = [tuple([faces[toss] for toss in die]) for die in tosses[-1]]
        for face in (face for die in dice for face in pool.counted(die)):
            face_values = {**current, **face.values()}
            for index, measure in enumerate(rule.measures):
                if pool.name in measure.pools:
                    tallies[index] = measure.join(tallies[index], measure.evaluate(face_values))
        if dice:
            is_plain = pool.sides and pool.name in {_DICE, f"d{len(pool.faces_for(current))}"}
            name = "" if is_plain else f"{_in_words(pool.name)} "
            parts += [f"{_SEPARATOR if parts else ''}{name}", _format_pool(pool, current, dice)]
            thrown_pools.append((len(parts) - 1, ThrownPool(pool, current, dice)))
    values = rule.values_after(options, tallies)
    counting_by_pool = counting_dice(rule, values, [thrown for _, thrown in thrown_pools])
    for (index, thrown), counting in zip(thrown_pools, counting_by_pool, strict=True):
        if isinstance(part := parts[index], str):
            parts[index] = _format_faces(thrown.dice, counting)
        else:
            dice = [die if n in counting else replace(die, kept=False) for n, die in enumerate(part.dice)]
            total = sum(die.value for die in dice if die.kept)
            parts[index] = part._replace(dice=tuple(dice), total=total)
    # A value of 0 is not worth showing, unless it is the roll's main one.
    visible = [name for index, name in enumerate(rule.show) if values[name] or not index]
    parts.extend(f"{_SEPARATOR}{_in_words(name)} {values[name]}" for name in visible if name != rule.number)
    if not rule.classes:
        parts.extend(f"{_SEPARATOR}{note}" for note, condition in rule.notes if condition.value(values))
    amount = values[rule.amount] if rule.amount else 0
    goal = values[rule.goal] if rule.goal else 0
    result = Throw(
        rule.outcome(values), tuple(parts), judgement=rule.judgement(values), goal=goal, amount=amount
    )
    return ThrownRule(result, values, tuple(tosses))


def _format_pool(pool: DicePool, values: Mapping[str, int], dice: list[tuple[GameFace, ...]]) -> Part:
    """Return the dice of a pool for display: dice numbered from 1 like any others, special ones as text."""
    if pool.sides is None:
        return _format_faces(dice, range(len(dice)))
    term = Dice(len(dice), len(pool.faces_for(values)))
    thrown = tuple(Die(tuple(Face(face.number) for face in die)) for die in dice)
    return Pool(term, None, thrown, sum(die.value for die in thrown))


def _format_faces(dice: Sequence[tuple[GameFace, ...]], counting: Collection[int]) -> str:
    """Return special dice as text, those that don't count struck out."""
    texts = ["+".join(face.text for face in die) for die in dice]
    return f"({', '.join(text if n in counting else f'~~{text}~~' for n, text in enumerate(texts))})"


def _in_words(name: str) -> str:
    return name.replace("_", " ")


def _throw_die(pool: DicePool, values: Amounts, draws: Draws, prior: tuple[int, ...]) -> tuple[int, ...]:
    """Return the face indices of a die and its further dice, continuing after `prior` ones."""
    faces = pool.faces_for(values)
    places = [*prior] or [draws.below(len(faces))]
    while (
        pool.explode
        and len(places) <= pool.most
        and pool.explode.value({**values, **faces[places[-1]].values()})
    ):
        places.append(draws.below(len(faces)))
    return tuple(places)
