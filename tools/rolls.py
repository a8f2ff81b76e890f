"""Make recorded rolls again: sums of dice; plain, fair, dynamic and deck rollers on 1dS, 2dS and labels.

Stands beside verify.py, which binds each roll to the tree. NotImplementedError says that a rule is not known
here. Numbers are sections of docs/format.md.
"""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from proofs import need

KEPT = 1_000  # events whose undo can be followed
TERM = r"([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?"
FIELDS = {"dice": set(), "fair": {"tightness"}, "dynamic": {"factor"}, "deck": {"size", "refill", "mode"}}


class Rolls:
    """5.3: rollers from event to event; `unseen(n)` says if event n, or one after it, could not be read."""

    def __init__(self, unseen: Callable[[int], bool]) -> None:
        self.unseen = unseen
        # A roller by the number of its newest event: its rule, and each owner's memory; "" is anybody else's.
        self.heads: dict[int, dict[str, Any]] = {}
        self.steps: dict[int, tuple[int, dict[str, Any]]] = {}

    def see(self, event: dict[str, Any], parts: dict[str, Any], draws: "Draws") -> None:
        """Check the next event whose `what` is open."""
        what, kind, target = parts["what"], event["kind"], event.get("target", 0)
        self.steps.pop(event["seq"] - KEPT, None)
        if kind == "undo":
            newest = target not in self.steps or target in self.heads or self.unseen(target)
            need(newest, f"undoes #{target}, which is not its roller's newest")
            self.heads.pop(target, None)
            prev, self.heads[prev] = self.steps.pop(target, (0, {}))
        elif "prev" in what:
            self.go_on(event["seq"], kind, parts, draws)
        elif kind == "roll" and "how" in parts:
            draws.replay(what, [])

    def go_on(self, seq: int, kind: str, parts: dict[str, Any], draws: "Draws") -> None:
        """Check an event that goes on from its roller's newest one."""
        what, prev = parts["what"], parts["what"]["prev"]
        newest = not prev or prev in self.heads or self.unseen(prev)
        need(newest, f"goes on from #{prev}, which is not its roller's newest")
        state = self.heads.pop(prev, {"": None} if prev else {})
        owner = parts.get("who", {}).get("user") if what.get("whose") == "player" else "table"
        self.steps[seq], self.heads[seq] = (prev, state), {**state, owner: None} if owner else {"": None}
        if kind in {"make", "remove"}:
            self.heads[seq] = {**state, "rule": what["spec"]} if kind == "make" else {}
        elif kind == "reset" and "spec" not in what:
            self.heads[seq] = {"rule": state.get("rule")}
        elif kind == "roll" and "how" in parts:
            before = [int(n) for n in parts["how"].get("before", [])]
            known = state.get(owner, state.get("", System(what["spec"]).start))
            need(
                state.get("rule") in {None, what["spec"]}, "was not rolled with the rule that its roller had"
            )
            need(not owner or known in (None, before), "began with another memory than its roller had")
            after = draws.replay(what, before)
            self.heads[seq].update({owner: after} if owner else {})


@lru_cache(256)
class System:
    """5.2: a rule on a table of faces; `dice` of them make a face, 0 where faces are words."""

    def __init__(self, text: str) -> None:
        self.spec = spec = json.loads(text)
        self.name, base, self.dice = spec["system"], spec.get("base"), 0
        dice = isinstance(base, str) and re.fullmatch(r"([12])d([1-9]\d{0,2})", base, re.ASCII)
        if spec.keys() != {"system", "base"} | FIELDS.get(self.name, {""}) or dice is None:
            raise NotImplementedError
        if dice:
            self.dice, s = int(dice[1]), int(dice[2])
            totals = range(self.dice, self.dice * s + 1)
            base = {str(n): min(n - 1, 2 * s + 1 - n) ** (self.dice - 1) for n in totals}
        self.faces, self.base = zip(*((face, weight) for face, weight in base.items() if weight))
        self.start = [spec.get("size", 0) * weight for weight in self.base if self.name != "dice"]

    def weights(self, memory: list[int]) -> list[int]:
        """Give each face's weight for the next roll."""
        least, most = min(memory, default=0), max(memory, default=0)
        fits = len(memory) == len(self.start) and (self.name != "dynamic" or most < 10_000)
        need(fits, "has a memory that its rule can't have")
        if self.name == "dynamic":
            p, q = Fraction(self.spec["factor"]).as_integer_ratio()
            return [p**n * q ** (most - n) for n in memory]
        if self.name == "fair" and self.spec["tightness"] == "inf":
            return [w * (n == least) for w, n in zip(self.base, memory)]
        if self.name == "fair":
            p, q = Fraction(self.spec["tightness"]).as_integer_ratio()
            return [w * half_power(p * (n - least), q * sum(self.base)) for w, n in zip(self.base, memory)]
        return memory or self.base

    def advance(self, memory: list[int], chosen: int) -> list[int]:
        """Give the memory after a face came out."""
        step = {"fair": sum(self.base), "dynamic": 1, "deck": -1}.get(self.name, 0)
        after = [n + step * (place == chosen) for place, n in enumerate(memory)]
        if self.name == "deck" and sum(after) < self.spec["refill"]:
            return [n + (self.spec["mode"] == "add") * left for n, left in zip(self.start, after)]
        less = {"fair": self.base, "dynamic": [min(after, default=0)] * len(after)}.get(self.name)
        return [n - one for n, one in zip(after, less)] if less else after


@lru_cache(1 << 16)
def half_power(p: int, q: int) -> int:
    """5.2: 2^64 times 2^(-p/q), at least 1, in integers."""
    whole, digits = divmod((p << 64) // q, 1 << 64)
    product, root = 1 << 128, 1 << 127
    for place in reversed(range(64)):
        root = isqrt(root << 128)
        product = product * root >> 128 if digits >> place & 1 else product
    return max(1, product >> 64 + min(whole, 64))


class Draws:
    """5.1: a roll's recorded draws; with the words of a key (6.2), each must be what they give."""

    def __init__(self, pairs: list[Any], words: Iterator[int] | None) -> None:
        self.left = [(int(total), int(value)) for total, value in reversed(pairs)]
        self.words, self.v, self.m = words, 0, 1

    def choose(self, weights: list[int]) -> int:
        """Give an index, with chance in proportion to its weight."""
        total, chosen = self.left.pop() if self.left else (0, 0)
        fits = total == sum(weights) and 0 <= chosen < len(weights) and weights[chosen]
        need(fits, "has a draw that its rule does not ask for")
        if self.words:
            (position, rest, size), before = self.split(total), sum(weights[:chosen])
            need(before <= position < before + weights[chosen], "does not follow from its key")
            self.v, self.m = rest + (position - before) * size, weights[chosen] * size
        return chosen

    def split(self, total: int) -> tuple[int, int, int]:
        """Take a number below `total` out of the register, and give what is left of it."""
        while True:
            while self.m < total << 32:
                self.v, self.m = self.v << 64 | next(self.words), self.m << 64
            size, left = divmod(self.m, total)
            if self.v < size * total:
                return *divmod(self.v, size), size
            self.v, self.m = self.v - size * total, left

    def replay(self, what: dict[str, Any], memory: list[int]) -> list[int]:
        """Check a roll's results, and return the memory after it."""
        faces, results = self.sums(what["text"]) if not what.get("spec") else [], what["results"]
        for place in range(len(results) if not faces else 0):
            system = System(what["spec"])
            if what.get("practice") and (place == 0 or not what.get("together")):
                memory = system.start
            chosen = self.choose(system.weights(memory))
            faces.append(system.faces[chosen])
            if system.dice and system.base[chosen] > 1:
                self.choose([1] * system.base[chosen])  # which two dice make that sum
            memory = system.advance(memory, chosen)
        need(faces == results and results and not self.left, "does not come out as recorded")
        return memory

    def sums(self, text: str) -> list[str]:
        """Throw a sum of dice and numbers, such as 2#1d20+4."""
        repeat, _, body = text.rpartition("#")
        signed, results = body if body[:1] == "-" else "+" + body, [0] * int(repeat or 1)
        if not re.fullmatch(f"(?:{TERM})+", signed, re.ASCII):
            raise NotImplementedError
        for place in range(len(results)):
            for sign, dice, sides, number in re.findall(TERM, signed, re.ASCII):
                value = sum(1 + self.choose([1] * int(sides)) for _ in range(int(dice or 0)))
                value += int(number or 0)
                results[place] += -value if sign == "-" else value
        return [str(result) for result in results]
