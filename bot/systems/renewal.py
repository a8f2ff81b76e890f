"""Pity: an event becomes likelier with each try without it.

The n-th try since the last event has the chance h(n); the last entry of the table repeats. The table is
explicit, or computed for a long-run chance: "prd" grows in proportion to the tries (as in Warcraft III),
"latest" gives the event at the N-th try at the latest. Source: docs/checks.md, "How long it stayed away".
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from bot.dice.errors import SpecError
from bot.dice.names import LABEL_LIMIT
from bot.dice.system import (
    Json,
    Memory,
    Spec,
    System,
    is_label,
    is_list,
    print_decimal,
    read_decimal,
    read_integer,
)

UNIT = 10**12
"""A chance of 1."""
TRIES_LIMIT = 300
_RATIO = re.compile(r"[0-9]{1,6}/[1-9][0-9]{0,5}", re.ASCII)
_LEAST_PRD = Fraction(1, 20)
LABELS = ("event", "nothing")
"""The default names of the event and of its absence."""


@dataclass(frozen=True, slots=True)
class Renewal(System):
    """Memory: the number of tries since the last event."""

    parameters: tuple[tuple[str, Json], ...] = field(hash=False)
    """The parameters of the table in the spec; they contain lists, which have no hash."""
    table: tuple[int, ...]
    """The chances h(1), h(2) and so on, in `UNIT`."""
    labels: tuple[str, str]
    first: int
    """The tries in the first memory: chosen so that the mean of a short evening is right."""

    name: ClassVar[str] = "renewal"

    @property
    def independent(self) -> bool:
        """True if every try has the same chance."""
        return len({*self.table}) == 1

    @property
    def faces(self) -> tuple[str, ...]:
        """The event, and its absence."""
        return self.labels

    def start(self) -> Memory:
        """Return the initial number of tries."""
        return (self.first,)

    def weights(self, memory: Memory) -> tuple[int, ...]:
        """Return (H, UNIT - H)."""
        chance = self.table[memory[0]]
        return (chance, UNIT - chance)

    def advance(self, memory: Memory, chosen: int) -> Memory:
        """Return 0 tries after the event, else one more try."""
        return (min(memory[0] + 1, len(self.table) - 1) if chosen else 0,)

    @property
    def latest(self) -> int | None:
        """The try since the last event at which the event is certain; None if there is none."""
        return next((n for n, chance in enumerate(self.table, start=1) if chance == UNIT), None)

    @property
    def gap(self) -> Fraction:
        """The mean number of tries from one event to the next."""
        return Fraction(*_wait(self.table))

    def shares(self) -> tuple[int, ...]:
        """Return one event in the mean number of tries from one to the next."""
        tries, events = self.gap.as_integer_ratio()
        return events, tries - events

    def continues(self, other: System) -> bool:
        """Return whether `other` counts the same number of tries of the same event."""
        counted = self.labels, len(self.table)
        return isinstance(other, Renewal) and (other.labels, len(other.table)) == counted

    def as_spec(self) -> Spec:
        """Return {"system": "renewal", "prd": "0.25", "labels": ["event", "nothing"], "start": 2}."""
        return {"system": self.name, **dict(self.parameters), "labels": [*self.labels], "start": self.first}

    @classmethod
    def from_spec(cls, spec: Spec) -> "Renewal":
        """Read `table`, `prd`, or `latest` with `chance`; SpecError unless exactly one is given."""
        parameters, table = _read_table(spec)
        labels = spec.get("labels", [*LABELS])
        match labels:
            case [str(event), str(nothing)] if is_label(event) and is_label(nothing) and event != nothing:
                pass
            case _:
                raise SpecError("labels are two different words of 1 to {most} characters.", most=LABEL_LIMIT)
        usual = 0 if "start" in spec else best_start(table)
        first = read_integer(spec, "start", usual, 0, len(table) - 1)
        return cls(tuple(parameters.items()), table, (event, nothing), first)


def _wait(table: Sequence[int]) -> tuple[int, int]:
    """Return the mean number of tries from one event to the next as a fraction, not reduced: that is slow."""
    # From the last entry on the wait is 1/h; before it is one try and, with chance 1 - h, the next wait.
    over, under = UNIT, table[-1]
    for chance in reversed(table[:-1]):
        over, under = under * UNIT + (UNIT - chance) * over, under * UNIT
    return over, under


def biases(table: Sequence[int]) -> tuple[Fraction, ...]:
    """Return, for each start, the long-run excess of events over the expected number.

    After n tries from a the mean count is n/E + 1 - r_a/E + (var + E - E^2)/(2 E^2), with E and var the mean
    and the variance of the gap and r_a the mean wait from a.
    """
    last = Fraction(table[-1], UNIT)
    waits, square = [1 / last], (2 - last) / last**2
    for chance in reversed(table[:-1]):
        miss = Fraction(UNIT - chance, UNIT)
        square = 1 + miss * (2 * waits[-1] + square)
        waits.append(1 + miss * waits[-1])
    mean = waits[-1]
    common = 1 + (square + mean - 2 * mean**2) / (2 * mean**2)
    return tuple(common - wait_from / mean for wait_from in reversed(waits))


@lru_cache(maxsize=256)
def best_start(table: tuple[int, ...]) -> int:
    """Return the start of the least bias; of equal ones the smallest."""
    errors = biases(table)
    return min(range(len(errors)), key=lambda tries: (abs(errors[tries]), tries))


def _read_table(spec: Spec) -> tuple[dict[str, Json], tuple[int, ...]]:
    if len(spec.keys() & {"table", "prd", "latest"}) != 1 or ("latest" in spec and "chance" not in spec):
        raise SpecError(
            "Renewal takes a chance (as JSON: prd), or latest with a chance, or a table of chances."
        )
    if "table" in spec:
        entries = spec["table"]
        if not is_list(entries) or not 1 <= len(entries) <= TRIES_LIMIT:
            raise SpecError("The table has 1 to {most} chances.", most=TRIES_LIMIT)
        chances = [_read_chance(entry) for entry in entries]
        if not chances[-1]:
            raise SpecError("The last chance of the table is over 0, or it might never come.")
        return {"table": [*map(_print_chance, chances)]}, tuple(int(chance * UNIT) for chance in chances)
    if "prd" in spec:
        chance = _read_chance(spec["prd"])
        if chance < _LEAST_PRD:
            raise SpecError("The chance for prd is 0.05 to 1; for rarer events write a table or use latest.")
        return {"prd": _print_chance(chance)}, prd(chance)
    tries = read_integer(spec, "latest", 1, 1, TRIES_LIMIT)
    chance = _read_chance(spec["chance"])
    if not chance or tries < 2 / chance - 1:
        raise SpecError(
            "It can't surely come by try {tries:,} and be that rare. Raise the number or the chance.",
            tries=tries,
        )
    return {"latest": tries, "chance": _print_chance(chance)}, latest(tries, chance)


def _read_chance(value: object) -> Fraction:
    """Read 0.25 or 1/6."""
    text = str(value).strip()
    chance = Fraction(text) if _RATIO.fullmatch(text) else read_decimal(value)
    if chance > 1:
        raise SpecError("A chance is 0 to 1, not {value}.", value=value)
    return chance


def _print_chance(chance: Fraction) -> str:
    """Write a chance as a decimal where that is exact, else as a fraction."""
    decimal = print_decimal(chance)
    return decimal if Fraction(decimal) == chance else str(chance)


@lru_cache(maxsize=256)
def prd(chance: Fraction) -> tuple[int, ...]:
    """Return h(n) = min(1, n c) with the least c, in `UNIT`, whose long-run chance is at least `chance`."""

    def often(c: int) -> bool:
        over, under = _wait(_rising(c))
        return over * chance.numerator <= under * chance.denominator

    steps = range(1, int(chance * UNIT) + 1)
    return _rising(steps[bisect_left(steps, True, key=often)])


@lru_cache(maxsize=256)
def latest(tries: int, chance: Fraction) -> tuple[int, ...]:
    """Return the law of the most entropy on 1..`tries`: P(T = n) in proportion to r^(n-1), rounded."""

    def too_long(c: int) -> bool:
        # The sums of n r^(n-1) and of r^(n-1), times UNIT^(tries-1).
        gaps, whole, power = 0, 0, 1
        for n in range(1, tries + 1):
            gaps, whole, power = gaps * UNIT + n * power, whole * UNIT + power, power * c
        return gaps * chance.numerator > whole * chance.denominator

    ratio = bisect_left(range(UNIT + 1), True, key=too_long) - 1
    table: list[int] = []
    over = under = power = 1
    for _ in range(tries):
        table.append((2 * UNIT * under + over) // (2 * over))
        # over/under is 1 + r + ... + r^n.
        power *= ratio
        over, under = over * UNIT + power, under * UNIT
    return tuple(reversed(table))


def _rising(c: int) -> tuple[int, ...]:
    return (*(n * c for n in range(1, -(-UNIT // c))), UNIT)
