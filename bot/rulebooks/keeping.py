"""Which dice of a game's roll count, if only the best or worst ones do; the others are struck out."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bot.rulebooks.formula import Amounts
from bot.rulebooks.rules import FACE, DicePool, GameFace, GameRule, Measure


class ThrownPool(NamedTuple):
    """The thrown dice of a pool, and the values known when it was thrown."""

    pool: DicePool
    values: Amounts
    dice: Sequence[tuple[GameFace, ...]]


class _TrackedValues(dict[str, int]):
    """The values of a roll, which collect the names that are read, and those that they are computed from."""

    def __init__(self, rule: GameRule, values: Mapping[str, int]) -> None:
        super().__init__(values)
        self.names: set[str] = set()
        self._formulas = dict(rule.values)

    def __getitem__(self, name: str) -> int:
        if name not in self.names:
            self.names.add(name)
            if formula := self._formulas.get(name):
                formula.value(self)
        return super().__getitem__(name)


def counting_dice(
    rule: GameRule, values: Mapping[str, int], pools: Sequence[ThrownPool]
) -> list[Collection[int]]:
    """Return for each pool the indices of the dice that count.

    A measure that the result does not use, such as the lower die of two with advantage, counts none.
    """
    all_dice: list[Collection[int]] = [range(len(thrown.dice)) for thrown in pools]
    if not any(measure.keep for measure in rule.measures):
        return all_dice
    names = _used_names(rule, values)
    measures = [measure for measure in rule.measures if measure.name in names]
    few = [measure for measure in measures if _counts_few(measure, rule)]
    ways: dict[str, set[str]] = {}
    for measure in measures:
        for name in measure.pools if measure not in few else ():
            ways.setdefault(name, set()).add(measure.way if measure.keep else "all")
    counting: dict[int, set[int]] = {}
    for measure in measures:
        if not measure.keep and measure not in few:
            continue
        ranked = [
            (measure.evaluate({**thrown.values, **face.values()}), n, index)
            for n, thrown in enumerate(pools)
            if thrown.pool.name in measure.pools
            for index, die in enumerate(thrown.dice)
            for face in thrown.pool.counted(die)
        ]
        if measure.keep:
            # Of equal dice the earlier ones are kept, as everywhere.
            ranked.sort(key=lambda entry: entry[0], reverse=measure.way == "highest")
        for rank, (tally, n, index) in enumerate(ranked):
            is_counted = rank < measure.keep if measure.keep else tally[0]
            counting.setdefault(n, set()).update([index] if is_counted else [])
    # If both the best and the worst count, or all do in another measure, no die is struck out. In a pool
    # without a best or a worst die they all stay.
    return [
        counting[n] if n in counting and len(ways.get(thrown.pool.name, ())) == 1 else all_dice[n]
        for n, thrown in enumerate(pools)
    ]


def _counts_few(measure: Measure, rule: GameRule) -> bool:
    """Return whether a measure counts dice that show some face, such as sixes, for the result.

    The other dice count in it no more than in the highest. If the count is shown, they stay.
    """
    return measure.way == "count" and measure.formula.names <= {FACE} and measure.name not in rule.show


def _used_names(rule: GameRule, values: Mapping[str, int]) -> set[str]:
    """Return the names that the result, the values shown beside it and the dice's own formulas use."""
    tracked = _TrackedValues(rule, values)
    rule.outcome(tracked)
    conditions = [condition for _, condition in rule.notes if not rule.classes]
    for formula in (*conditions, *(pool.count for pool in rule.pools)):
        formula.value(tracked)
    inner = {name for measure in rule.measures for name in measure.formula.names}
    for name in {rule.number, rule.amount, *rule.show, *inner} & values.keys():
        tracked.__getitem__(name)
    return tracked.names
