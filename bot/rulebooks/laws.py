"""How the dice of a rule fall: thrown as at a table, and as an exact law.

They are thrown pool after pool, with one draw a die. The law is the chance of each outcome, as integer
weights: dice are folded into what the measures have seen, pool by pool, so that twenty dice cost a few
hundred states and not ten to the twentieth power. Where a pool's size or faces depend on earlier dice, the
states are grouped by what they depend on.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from math import lcm
from typing import NamedTuple, TypeAlias, TypeVar

from bot.dice.die_distribution import Budget, TooLong
from bot.dice.draws import Draws
from bot.dice.errors import SpecError
from bot.dice.terms import Dice
from bot.dice.throws import Die, Face, Part, Pool, Throw
from bot.rulebooks.formula import Amounts
from bot.rulebooks.keeping import Lying, keeping
from bot.rulebooks.rules import DicePool, GameFace, GameRule, Kept, Measure

PAIRS_LIMIT = 500_000
"""Pairs of states that the exact law of one roll may join, about half a second of work."""

Counted: TypeAlias = tuple[Kept, ...]
"""What each measure has seen."""
Tosses: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""Pool by pool and die by die, the places of the faces that fell."""
_Face = TypeVar("_Face")
Law: TypeAlias = dict[Counted, int]
"""The weight of what may be seen."""
_NEXT = " · "
_DICE = "dice"
"""A pool of this name is shown without it, as 3d6; so is one that is called what its dice are, d6."""


def outcome_law(rule: GameRule, given: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """Return each outcome with its weight, from the worst to the best; SpecError where it takes too long."""
    found = _law(rule, given)
    if found is None:
        raise SpecError("The exact odds of so many dice would take too long. It can still be rolled.")
    return found


@lru_cache(maxsize=256)
def _law(rule: GameRule, given: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...] | None:
    with suppress(TooLong):
        return _work_out(_deciding(rule), dict(given), Budget(PAIRS_LIMIT))
    return None


def _work_out(rule: GameRule, values: Amounts, work: Budget) -> tuple[tuple[str, int], ...]:
    states: Law = {rule.beginning(): 1}
    done: frozenset[str] = frozenset()
    for pool in rule.pools:
        states = _after(rule, pool, values, states, done, work)
        done |= {pool.name}
    weights: dict[int, int] = defaultdict(int)
    for seen, weight in states.items():
        weights[rule.outcome(rule.settle(values, seen))] += weight
    names = [name for name, _ in rule.classes]
    return tuple((names[n] if names else str(n), weights[n]) for n in sorted(weights))


def _deciding(rule: GameRule) -> GameRule:
    """Return the rule without the measures and values that are only shown."""
    known = dict(rule.values) | {measure.name: measure.formula for measure in rule.measures}
    formulas = [f for pool in rule.pools for f in (pool.count, pool.sides, pool.explode) if f]
    formulas += dict(rule.classes).values()
    names = frozenset(() if rule.classes else {rule.number}).union(*(f.names for f in formulas))
    used: set[str] = set()
    while names - used:
        used |= names
        names = {name for one in used if one in known for name in known[one].names}
    measures = tuple(measure for measure in rule.measures if measure.name in used)
    return replace(rule, measures=measures, values=tuple(v for v in rule.values if v[0] in used))


def _after(
    rule: GameRule, pool: DicePool, given: Amounts, states: Law, done: frozenset[str], work: Budget
) -> Law:
    """Return the law of what was seen once this pool has fallen too."""
    measures = [m for m in rule.measures if pool.name in m.pools]
    formulas = [pool.count, pool.sides, pool.explode, *(m.formula for m in measures)]
    used = sorted({name for formula in formulas if formula for name in formula.names})
    groups: dict[tuple[int, ...], list[tuple[Counted, int]]] = defaultdict(list)
    for seen, weight in states.items():
        known = rule.known(given, seen, done)
        groups[tuple(known.get(name, 0) for name in used)].append((seen, weight))
    laws = [
        (_pool_law(pool, measures, dict(zip(used, key, strict=True)), work), group)
        for key, group in groups.items()
    ]
    work.spend(sum(len(found) * len(group) for (found, _), group in laws))
    whole = lcm(*(total for (_, total), _ in laws))
    places = [n for n, m in enumerate(rule.measures) if pool.name in m.pools]
    joins = [measure.join for measure in measures]
    after: Law = defaultdict(int)
    for (found, total), group in laws:
        scaled = [(added, ways * (whole // total)) for added, ways in found.items()]
        for seen, weight in group:
            for added, ways in scaled:
                joined = [*seen]
                for place, join, more in zip(places, joins, added, strict=True):
                    joined[place] = join(joined[place], more)
                after[tuple(joined)] += weight * ways
    return after


def _pool_law(pool: DicePool, measures: Sequence[Measure], known: Amounts, work: Budget) -> tuple[Law, int]:
    """Return the law of what these measures see on a pool, and its total weight."""
    dice = pool.dice(known)
    found: Law = {tuple(measure.empty for measure in measures): 1}
    if not dice:
        return found, 1
    one, sides = _die_law(pool, measures, known)
    for _ in range(dice):
        work.spend(len(found) * len(one))
        found = _joined(measures, found, one)
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
    joins = [measure.join for measure in measures]
    for first, weight in one.items():
        for second, ways in other.items():
            both = tuple([join(a, b) for join, a, b in zip(joins, first, second, strict=True)])
            after[both] += weight * ways
    return after


class Fallen(NamedTuple):
    """A rule that was thrown."""

    throw: Throw
    """Its total is the place of the class, or the number."""
    values: Mapping[str, int]
    """Every value by its name."""
    tosses: Tosses


def throw_rule(rule: GameRule, given: Mapping[str, int], draws: Draws, stood: Tosses = ()) -> Fallen:
    """Throw the rule once with these values of its options.

    Of the pools in `stood` the dice lie already, but for those without a toss. SpecError for too many dice.
    """
    seen = list(rule.beginning())
    done: frozenset[str] = frozenset()
    parts: list[Part] = []
    fallen: list[tuple[int, Lying]] = []
    tosses: list[tuple[tuple[int, ...], ...]] = []
    for n, pool in enumerate(rule.pools):
        known = rule.known(given, seen, done)
        lie = stood[n] if n < len(stood) else ((),) * pool.dice(known)
        pool.limited(len(lie))
        tosses.append(tuple([_die(pool, known, draws, die) for die in lie]))
        faces = pool.shown(known) if lie else ()
        dice = [tuple([faces[toss] for toss in die]) for die in tosses[-1]]
        looking = [(place, one) for place, one in enumerate(rule.measures) if pool.name in one.pools]
        for face in (face for die in dice for face in pool.counted(die)):
            there = {**known, **face.values()}
            for place, measure in looking:
                seen[place] = measure.join(seen[place], measure.of(there))
        if dice:
            plain = pool.sides and pool.name in {_DICE, f"d{len(pool.shown(known))}"}
            name = "" if plain else f"{_readable(pool.name)} "
            parts += [f"{_NEXT if parts else ''}{name}", _part(pool, known, dice)]
            fallen.append((len(parts) - 1, Lying(pool, known, dice)))
        done |= {pool.name}
    values = rule.settle(given, seen)
    for (place, _), kept in zip(fallen, keeping(rule, values, [lie for _, lie in fallen]), strict=True):
        if isinstance(part := parts[place], Pool):
            left = tuple([die if n in kept else replace(die, kept=False) for n, die in enumerate(part.dice)])
            parts[place] = part._replace(dice=left, total=sum(die.value for die in left if die.kept))
    # A value of 0 says nothing, unless it is the roll's own count.
    shown = [name for place, name in enumerate(rule.show) if values[name] or not place]
    parts.extend(f"{_NEXT}{_readable(name)} {values[name]}" for name in shown if name != rule.number)
    if not rule.classes:
        parts.extend(f"{_NEXT}{note}" for note, holds in rule.notes if holds.value(values))
    amount = values[rule.amount] if rule.amount else 0
    judgement = rule.judgement(values)
    fell = Throw(rule.outcome(values), tuple(parts), judgement=judgement, amount=amount)
    return Fallen(fell, values, tuple(tosses))


def _part(pool: DicePool, known: Mapping[str, int], dice: list[tuple[GameFace, ...]]) -> Part:
    """Return the dice of a pool as they are shown: those with numbers from 1 on like any other dice."""
    if pool.sides is None:
        return f"({', '.join('+'.join(face.text for face in die) for die in dice)})"
    term = Dice(len(dice), len(pool.shown(known)))
    shown = tuple(Die(tuple(Face(face.number) for face in die)) for die in dice)
    return Pool(term, None, shown, sum(die.value for die in shown))


def _readable(name: str) -> str:
    return name.replace("_", " ")


def _die(pool: DicePool, known: Amounts, draws: Draws, lies: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places of the faces that a die comes to, from those on that lie already."""
    faces = pool.shown(known)
    fell = [*lies] or [draws.below(len(faces))]
    while (
        pool.explode and len(fell) <= pool.most and pool.explode.value({**known, **faces[fell[-1]].values()})
    ):
        fell.append(draws.below(len(faces)))
    return tuple(fell)
