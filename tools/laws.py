"""The rules of rollers whose rolls are replayed: plain, fair, dynamic and deck, on 1dS, 2dS and labels.

Part of verify.py. Numbers are sections of docs/format.md. Standard library only.
"""

import json
import re
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt
from typing import Any

from proofs import LARGEST, need

WIDEST, BITS = 1_000, 14_300  # most faces; most bits of a draw that can be recorded
LONGEST = 1 << 96  # larger than any number in a memory
FIELDS = {"dice": "", "fair": "tightness", "dynamic": "factor", "deck": "size refill mode"}
RATIO = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?|[0-9]{1,9}/0*[1-9][0-9]{0,8}")


def reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """5.2: return the object with these keys and values; refuse a key that appears twice."""
    need(len(dict(pairs)) == len(pairs), "has a rule that says something twice")
    return dict(pairs)


class System:
    """5.2: a rule on a table of faces; a face is the sum of `dice` dice, or a word if that is 0."""

    def __init__(self, text: str) -> None:
        spec = json.loads(text, object_pairs_hook=reject_duplicates)
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
        self.is_known = own and 0 < faces <= WIDEST
        if not self.is_known:
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
        fits_table = type(self.after) is list and all(face in self.table for face in self.after)
        need(fits_table and len(self.after) < WIDEST, "has a rule that can't be")
        self.hat, self.adds = ratio == "inf", mode == "add"
        self.ratio = (0, 1) if self.hat else Fraction(ratio).as_integer_ratio()

    def read_chart(self, labels: dict[str, list[int]]) -> dict[str, int]:
        """5.2: return the weights of a chart's labels; each total of its dice must have exactly one label."""
        ways = self.ways()
        fits = sorted(n for totals in labels.values() for n in totals) == [*ways] and all(labels.values())
        need(fits, "has a rule that can't be")
        self.totals = [*labels.values()]
        self.chart = [[ways[total] for total in totals] for totals in self.totals]
        return {label: sum(weights) for label, weights in zip(labels, self.chart)}

    def ways(self) -> dict[int, int]:
        """Return each total of the dice with the number of ways to throw it."""
        totals = range(self.dice, self.dice * self.sides + 1)
        return {n: min(n - 1, 2 * self.sides + 1 - n) ** (self.dice - 1) for n in totals}

    @cached_property
    def table(self) -> dict[str, int]:
        """Each face with its weight without a memory."""
        return self.labels or {str(n): ways for n, ways in self.ways().items()}

    @cached_property
    def faces(self) -> list[str]:
        """The faces in order."""
        return [*self.table]

    @cached_property
    def base(self) -> list[int]:
        """The weights of the faces without a memory."""
        return [*self.table.values()]

    @cached_property
    def start(self) -> list[int]:
        """The initial memory."""
        if self.name == "fair":
            sum_, rolls = sum(self.base), len(self.after)
            return [sum_ * self.after.count(face) - a * rolls for face, a in self.table.items()]
        return [self.size * weight * (self.name == "deck") for weight in self.base if self.name != "dice"]

    def cost(self, memory: list[int]) -> int:
        """Return about how many microseconds a roll takes; refuse a memory that the rule can't have."""
        least, most = min(memory, default=0), max(memory, default=0)
        bits = most * (max(self.ratio).bit_length() - 1) if self.name == "dynamic" else most.bit_length()
        fits = len(memory) == len(self.start) and bits < BITS and most - least < LONGEST
        need(fits and (least >= 0 or self.name == "fair"), "has a memory that its rule can't have")
        return 5 + len(self.faces) * (1 + bits // 1_000 + bits * bits // 5_000_000)

    def weights(self, memory: list[int]) -> list[int]:
        """Return each face's weight for the next roll."""
        least, most, (p, q) = min(memory, default=0), max(memory, default=0), self.ratio
        if self.hat:
            return [w * (n == least) for w, n in zip(self.base, memory)]
        if self.name == "dynamic":
            return [p**n * q ** (most - n) for n in memory]
        if self.name == "fair":
            return [w * half_power(p * (n - least), q * sum(self.base)) for w, n in zip(self.base, memory)]
        return memory or self.base

    def advance(self, memory: list[int], chosen: int) -> list[int]:
        """Return the memory after a roll of face number `chosen`."""
        step = {"fair": sum(self.base), "dynamic": 1, "deck": -1}.get(self.name, 0)
        after = [n + step * (place == chosen) for place, n in enumerate(memory)]
        if self.name == "deck" and sum(after) < self.refill:
            return [n + self.adds * remaining for n, remaining in zip(self.start, after)]
        less = {"fair": self.base, "dynamic": [min(after, default=0)] * len(after)}.get(self.name)
        return [n - decrease for n, decrease in zip(after, less)] if less else after


@lru_cache(1 << 16)
def half_power(p: int, q: int) -> int:
    """5.2: return 2^64 times 2^(-p/q), at least 1, in integers."""
    whole, digits = divmod((p << 64) // q, 1 << 64)
    product = 1 << 128
    for place, root in enumerate(roots() if whole < 64 else []):
        product = product * root >> 128 if digits >> 63 - place & 1 else product
    return max(1, product >> 64 + min(whole, 64))


@lru_cache(1)
def roots() -> list[int]:
    """5.2: return 2^128 times 2^-(1/2), 2^-(1/4) and so on."""
    powers = [1 << 127]
    for _ in range(64):
        powers.append(isqrt(powers[-1] << 128))
    return powers[1:]
