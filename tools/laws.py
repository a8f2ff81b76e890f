"""The rules that are made again: plain, fair, dynamic and deck rollers on 1dS, 2dS and labels.

Stands beside rolls.py. Numbers are sections of docs/format.md. Standard library only.
"""

import json
import re
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt
from typing import Any

from proofs import LARGEST, need

WIDEST, BITS = 1_000, 14_300  # faces, and bits of a draw that can be written down
LONGEST = 1 << 96  # no history is so long that a memory holds larger numbers
FIELDS = {"dice": "", "fair": "tightness", "dynamic": "factor", "deck": "size refill mode"}
RATIO = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|[0-9]{1,9}/0*[1-9][0-9]{0,8}")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """5.2: an object of a rule, in which no name stands twice."""
    need(len(dict(pairs)) == len(pairs), "has a rule that says something twice")
    return dict(pairs)


class System:
    """5.2: a rule on a table of faces; `dice` of them make a face, 0 where faces are words."""

    def __init__(self, text: str) -> None:
        spec = json.loads(text, object_pairs_hook=once)
        self.name, self.title, self.values, base = spec["system"], "", spec.get("values"), spec.get("base")
        if self.name == "method":
            self.title = f"d{self.values} {spec['method']}"
        elif self.name == "game":
            self.title = f"{spec['game']} {spec['roll']}"
        charted = isinstance(base, dict) and base.keys() == {"dice", "labels"} and type(base["dice"]) is str
        written = base["dice"] if charted else base
        dice = re.fullmatch(r"([12])d([1-9]\d{0,2})", written, re.ASCII) if type(written) is str else None
        self.dice, self.sides = (int(dice[1]), int(dice[2])) if dice else (0, 0)
        faces = self.dice * (self.sides - 1) + 1 if dice else len(base) if isinstance(base, dict) else 0
        faces *= not charted or dice is not None
        self.chart, self.totals = list[list[int]](), list[list[int]]()
        optional = {"after"} if self.name == "fair" else set[str]()
        own = spec.keys() - optional == {"system", "base", *FIELDS.get(self.name, "?").split()}
        self.known = own and 0 < faces <= WIDEST
        if not self.known:
            return
        if charted:
            base, dice = self.read_chart(base["labels"]), None
        labels: Any = {} if dice else base
        self.labels: dict[str, int] = {face: weight for face, weight in labels.items() if weight}
        self.size, self.refill, mode = spec.get("size", 1), spec.get("refill", 1), spec.get("mode", "add")
        numbers = [self.size, self.refill, *self.labels.values()]
        fits = all(type(n) is int and 0 < n <= LARGEST for n in numbers) and (dice or self.labels)
        ratio = spec.get("factor", spec.get("tightness", "1"))
        fits = fits and (RATIO.fullmatch(ratio) or (ratio == "inf" and self.name == "fair"))
        need(fits and mode in {"add", "reset"}, "has a rule that can't be")
        self.after: list[str] = spec.get("after", [])
        there = type(self.after) is list and all(face in self.table for face in self.after)
        need(there and len(self.after) < WIDEST, "has a rule that can't be")
        self.hat, self.adds = ratio == "inf", mode == "add"
        self.ratio = (0, 1) if self.hat else Fraction(ratio).as_integer_ratio()

    def read_chart(self, labels: dict[str, list[int]]) -> dict[str, int]:
        """5.2: give the weights of a chart's labels, in which every total of its dice stands once."""
        ways = self.ways()
        fits = sorted(total for of in labels.values() for total in of) == [*ways] and all(labels.values())
        need(fits, "has a rule that can't be")
        self.totals = [*labels.values()]
        self.chart = [[ways[total] for total in of] for of in self.totals]
        return {label: sum(of) for label, of in zip(labels, self.chart)}

    def ways(self) -> dict[int, int]:
        """Give each total of the dice with the number of its ways."""
        totals = range(self.dice, self.dice * self.sides + 1)
        return {n: min(n - 1, 2 * self.sides + 1 - n) ** (self.dice - 1) for n in totals}

    @cached_property
    def table(self) -> dict[str, int]:
        """Give each face's weight without a memory."""
        return self.labels or {str(n): ways for n, ways in self.ways().items()}

    @cached_property
    def faces(self) -> list[str]:
        """Give the faces in order."""
        return [*self.table]

    @cached_property
    def base(self) -> list[int]:
        """Give their weights without a memory."""
        return [*self.table.values()]

    @cached_property
    def start(self) -> list[int]:
        """Give the memory at first."""
        if self.name == "fair":
            sum_, rolls = sum(self.base), len(self.after)
            return [sum_ * self.after.count(face) - a * rolls for face, a in self.table.items()]
        return [self.size * weight * (self.name == "deck") for weight in self.base if self.name != "dice"]

    def cost(self, memory: list[int]) -> int:
        """Tell about how many microseconds a roll takes; refuse a memory that the rule can't have."""
        least, most = min(memory, default=0), max(memory, default=0)
        bits = most * (max(self.ratio).bit_length() - 1) if self.name == "dynamic" else most.bit_length()
        fits = len(memory) == len(self.start) and bits < BITS and most - least < LONGEST
        need(fits and (least >= 0 or self.name == "fair"), "has a memory that its rule can't have")
        return 5 + len(self.faces) * (1 + bits // 1_000 + bits * bits // 5_000_000)

    def weights(self, memory: list[int]) -> list[int]:
        """Give each face's weight for the next roll."""
        least, most, (p, q) = min(memory, default=0), max(memory, default=0), self.ratio
        if self.hat:
            return [w * (n == least) for w, n in zip(self.base, memory)]
        if self.name == "dynamic":
            return [p**n * q ** (most - n) for n in memory]
        if self.name == "fair":
            return [w * half_power(p * (n - least), q * sum(self.base)) for w, n in zip(self.base, memory)]
        return memory or self.base

    def advance(self, memory: list[int], chosen: int) -> list[int]:
        """Give the memory after a face came out."""
        step = {"fair": sum(self.base), "dynamic": 1, "deck": -1}.get(self.name, 0)
        after = [n + step * (place == chosen) for place, n in enumerate(memory)]
        if self.name == "deck" and sum(after) < self.refill:
            return [n + self.adds * left for n, left in zip(self.start, after)]
        less = {"fair": self.base, "dynamic": [min(after, default=0)] * len(after)}.get(self.name)
        return [n - one for n, one in zip(after, less)] if less else after


@lru_cache(1 << 16)
def half_power(p: int, q: int) -> int:
    """5.2: 2^64 times 2^(-p/q), at least 1, in integers."""
    whole, digits = divmod((p << 64) // q, 1 << 64)
    product = 1 << 128
    for place, root in enumerate(roots() if whole < 64 else []):
        product = product * root >> 128 if digits >> 63 - place & 1 else product
    return max(1, product >> 64 + min(whole, 64))


@lru_cache(1)
def roots() -> list[int]:
    """5.2: 2^128 times 2^-(1/2), 2^-(1/4) and so on."""
    found = [1 << 127]
    for _ in range(64):
        found.append(isqrt(found[-1] << 128))
    return found[1:]
