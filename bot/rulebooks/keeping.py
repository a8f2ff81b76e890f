"""Which dice of a game's roll count, where only the best or worst ones do: the others are struck out."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from bot.rulebooks.formula import Amounts
from bot.rulebooks.rules import DicePool, GameFace, GameRule


class Lying(NamedTuple):
    """The dice of a pool as they fell, and what was known then."""

    pool: DicePool
    known: Amounts
    dice: Sequence[tuple[GameFace, ...]]


class _Asked(dict[str, int]):
    """The values of a roll, which notes the names that are asked for, and those that they are made of."""

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


def keeping(rule: GameRule, values: Mapping[str, int], fallen: Sequence[Lying]) -> list[Collection[int]]:
    """Return for each pool the places of the dice that count.

    A measure that the result does not ask for, such as the lower die of two with advantage, keeps none.
    """
    every: list[Collection[int]] = [range(len(lying.dice)) for lying in fallen]
    if not any(measure.keep for measure in rule.measures):
        return every
    asked = _asked(rule, values)
    measures = [measure for measure in rule.measures if measure.name in asked]
    ways: dict[str, set[str]] = {}
    for measure in measures:
        for name in measure.pools:
            ways.setdefault(name, set()).add(measure.way if measure.keep else "all")
    kept: dict[int, set[int]] = {}
    for measure in (measure for measure in measures if measure.keep):
        worths = [
            (measure.of({**lying.known, **face.values()}), n, place)
            for n, lying in enumerate(fallen)
            if lying.pool.name in measure.pools
            for place, die in enumerate(lying.dice)
            for face in lying.pool.counted(die)
        ]
        # Of equal dice the earlier ones are kept, as everywhere.
        worths.sort(key=lambda worth: worth[0], reverse=measure.way == "highest")
        for rank, (_, n, place) in enumerate(worths):
            kept.setdefault(n, set()).update([place] if rank < measure.keep else [])
    # Where the best and the worst count, or all do besides, none is out.
    return [
        kept[n] if n in kept and len(ways[lying.pool.name]) == 1 else every[n]
        for n, lying in enumerate(fallen)
    ]


def _asked(rule: GameRule, values: Mapping[str, int]) -> set[str]:
    """Return the names that the result, what is shown beside it and the dice's own formulas ask for."""
    asked = _Asked(rule, values)
    rule.outcome(asked)
    notes = [holds for _, holds in rule.notes if not rule.classes]
    for formula in (*notes, *(pool.count for pool in rule.pools)):
        formula.value(asked)
    inner = {name for measure in rule.measures for name in measure.formula.names}
    for name in {rule.number, rule.amount, *rule.show, *inner} & values.keys():
        asked.__getitem__(name)
    return asked.names
