"""Make recorded rolls again: sums of dice; plain, fair, dynamic and deck rollers on 1dS, 2dS and labels.

Stands beside verify.py. NotImplementedError is for other rules. Numbers are sections of docs/format.md.
"""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from proofs import Register, need

KEPT = 1_000  # events whose undo can be followed
TERM = r"([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?"
FIELDS = {"dice": "", "fair": "tightness", "dynamic": "factor", "deck": "size refill mode"}


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
            need(state.get("rule") in {None, what["spec"]}, "was rolled by another rule than its roller had")
            need(not owner or known in (None, before), "began with another memory than its roller had")
            self.heads[seq][owner] = draws.replay(what, before)


@lru_cache(256)
class System:
    """5.2: a rule on a table of faces; `dice` of them make a face, 0 where faces are words."""

    def __init__(self, text: str) -> None:
        self.spec = spec = json.loads(text)
        self.name, self.dice, table = spec["system"], 0, spec.get("base")
        dice = re.fullmatch(r"([12])d([1-9]\d{0,2})", str(table), re.ASCII)
        known = spec.keys() == {"system", "base", *FIELDS.get(self.name, "?").split()}
        if not known or (isinstance(spec.get("base"), str) and not dice):
            raise NotImplementedError
        if dice:
            self.dice, s = int(dice[1]), int(dice[2])
            totals = range(self.dice, self.dice * s + 1)
            table = {str(n): min(n - 1, 2 * s + 1 - n) ** (self.dice - 1) for n in totals}
        self.faces, self.base = zip(*[(face, weight) for face, weight in table.items() if weight])
        self.start = [spec.get("size", 0) * weight for weight in self.base if self.name != "dice"]

    def weights(self, memory: list[int]) -> list[int]:
        """Give each face's weight for the next roll."""
        least, most = min(memory, default=0), max(memory, default=0)
        fits = self.name == "fair" or (least >= 0 and (most < 10_000 or self.name == "deck"))
        need(fits and len(memory) == len(self.start), "has a memory that its rule can't have")
        if self.name == "fair" and self.spec["tightness"] == "inf":
            return [w * (n == least) for w, n in zip(self.base, memory)]
        p, q = Fraction(self.spec.get("factor") or self.spec.get("tightness") or 1).as_integer_ratio()
        if self.name == "dynamic":
            return [p**n * q ** (most - n) for n in memory]
        if self.name == "fair":
            return [w * half_power(p * (n - least), q * sum(self.base)) for w, n in zip(self.base, memory)]
        return memory or [*self.base]

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
        self.register = Register(words) if words else None

    def choose(self, weights: list[int]) -> int:
        """Give an index, with chance in proportion to its weight."""
        total, chosen = self.left.pop() if self.left else (0, 0)
        fits = total == sum(weights) and 0 <= chosen < len(weights) and weights[chosen]
        need(fits, "has a draw that its rule does not ask for")
        need(not self.register or self.register.choose(weights) == chosen, "does not follow from its key")
        return chosen

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
        own = not self.register or all(self.register.below(10**6) == lot for lot in what.get("lots", []))
        need(faces == results and results and own and not self.left, "does not come out as recorded")
        return memory

    def sums(self, text: str) -> list[str]:
        """Throw a sum of dice and numbers, such as 2#1d20+4."""
        repeat, _, body = text.rpartition("#")
        signed = body if body[:1] == "-" else "+" + body
        if len(repeat) > 2 or not re.fullmatch(f"(?:{TERM})+", signed, re.ASCII):
            raise NotImplementedError
        results = [0] * int(repeat or 1)
        for place in range(len(results)):
            for sign, dice, sides, number in re.findall(TERM, signed, re.ASCII):
                thrown = [1 + self.choose([1] * int(sides)) for _ in range(int(dice or 0))]
                results[place] += int(sign + "1") * (int(number or 0) + sum(thrown))
        return [str(result) for result in results]
