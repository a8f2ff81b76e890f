"""Make recorded rolls again: sums of dice; plain, fair, dynamic and deck rollers on 1dS, 2dS and labels.

Stands beside verify.py. NotImplementedError is for other rules. Numbers are sections of docs/format.md.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Any

from proofs import Register, need

KEPT = 1_000  # events whose undo can be followed
LONGEST, MOST = 2_000, 100  # characters of a text, and results, that are rolled again
WORK, EACH = 400_000, 800  # weights that are worked out for a file, and for each line of it
TERM = r"([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?"
FIELDS = {"dice": "", "fair": "tightness", "dynamic": "factor", "deck": "size refill mode"}
CHANGES = {"make", "reset", "restart", "remove"}
OWN = {"register", "pool", "leftovers", "destinator"}  # their first roll makes them
RATIO = r"[0-9]{1,9}(\.[0-9]{1,9})?|[0-9]{1,9}/0*[1-9][0-9]{0,8}"


@dataclass(frozen=True)
class Roller:
    """5.3: a roller as far as it is known; `rule` is None where it is not, "" where there is none."""

    rule: str | None = ""
    last: int = 0
    memories: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    loose: bool = False  # a memory that is not here may be anything
    adrift: bool = False  # its newest number is not known

    def lost(self, **other: Any) -> "Roller":
        """Forget what a memory may be."""
        return replace(self, memories={}, loose=True, **other)


class Rolls:
    """5.3: rollers from event to event; `unread(n)` says if event n could not be read."""

    def __init__(self, unread: Callable[[int], bool]) -> None:
        self.unread, self.work, self.blind, self.gone = unread, WORK, 0, 0
        self.rollers = dict[str, Roller]()
        self.steps = dict[int, tuple[str, Roller]]()

    def skip(self, seq: int, *, withheld: bool) -> None:
        """5.3: an event that can't be read, which may be any roller's; withheld, it may have made one."""
        self.blind, self.gone = seq, seq if withheld else self.gone

    def see(self, event: dict[str, Any], parts: dict[str, Any], draws: "Draws") -> None:
        """Check the next event whose `what` is open."""
        what, kind, seq = parts["what"], event["kind"], event["seq"]
        self.work += EACH
        self.steps.pop(seq - KEPT, None)
        name = str(what.get("roller", "")).casefold()
        closed = "how" not in parts and name in self.rollers and not what.get("practice")
        if kind == "undo":
            self.undo(name, event.get("target", 0), seq)
        elif kind in CHANGES or (kind == "roll" and (closed or "prev" in parts.get("how", {}))):
            self.go_on(name, seq, kind, parts, draws)
        elif kind == "roll" and "how" in parts:
            known = self.rollers.get(name, Roller()) if what.get("practice") else Roller()
            rule = known.rule if known.last > self.gone and not own(what) else ""
            need(rule in {None, "", what.get("spec")}, "was rolled by another rule than its roller had")
            self.replay(draws, what, [])

    def undo(self, name: str, target: int, seq: int) -> None:
        """5.3: take a roller's newest event back."""
        known = self.rollers.get(name)
        if known is None or self.unread(target) or (target not in self.steps and target <= seq - KEPT):
            self.rollers[name] = (known or Roller()).lost(rule=None, adrift=True)
            return
        key, before = self.steps.pop(target, ("", Roller()))
        newest = key == name and (known.last == target or known.adrift)
        need(newest, f"undoes #{target}, which is not its roller's newest")
        self.rollers[name] = before

    def go_on(self, name: str, seq: int, kind: str, parts: dict[str, Any], draws: "Draws") -> None:
        """5.3: check an event that goes on from its roller's newest one."""
        what, how, before = parts["what"], parts.get("how", {}), self.rollers.get(name)
        spec, prev = what.get("spec", ""), how.get("prev")
        if before is None:
            before = Roller().lost(rule=None, adrift=True) if self.unread(1) or self.gone else Roller()
        if prev is not None and prev != before.last and not before.adrift:
            fits = (before.last < prev < seq and self.unread(prev)) or before.last < self.gone >= prev
            need(fits, f"goes on from #{prev}, which is not its roller's newest")
            before = before.lost(rule=None)
        need("how" not in parts or prev is not None, "does not say what it goes on from")
        if prev is None and self.blind > before.last:
            before = before.lost(rule=None, adrift=True)
        self.steps[seq] = name, before
        after = replace(before, last=seq, adrift=False)
        if kind == "make":
            need(isinstance(spec, str) and spec, "makes a roller without a rule")
            after = replace(after, rule=spec) if before.rule != "" else Roller(spec, seq)
        elif kind != "roll":
            after = after.lost() if kind == "restart" else Roller(before.rule if kind == "reset" else "", seq)
        else:
            need(before.rule != "" or own(what), "was rolled by a roller that nobody made")
            fits = own(what) or before.rule in {None, spec}
            need(fits, "was rolled by another rule than its roller had")
            after = replace(after, rule=spec if own(what) else after.rule)
            after = self.remember(after, parts, draws) if how else after.lost()
        self.rollers[name] = after

    def remember(self, known: Roller, parts: dict[str, Any], draws: "Draws") -> Roller:
        """5.3: check a roll and the memory that it began with; give the roller with the one after it."""
        what, how = parts["what"], parts["how"]
        owner = parts.get("who", {}).get("user") if how.get("whose") == "player" else "table"
        before = [int(n) for n in how.get("before", [])]
        try:
            if owner:
                start = None if known.loose else System(what["spec"]).start
                expected = known.memories.get(owner, start)
                need(expected in (None, before), "began with another memory than its roller had")
            memory = self.replay(draws, what, before)
        except NotImplementedError:
            draws.unknown = True
            return known.lost()
        return replace(known, memories={**known.memories, owner: memory}) if owner else known.lost()

    def replay(self, draws: "Draws", what: dict[str, Any], memory: list[int]) -> list[int]:
        """5.1: make a roll again, as long as the file leaves time for it."""
        results = what["results"]
        need(0 < len(results) <= MOST, "has more results than a roll can have")
        if "rest" in what:
            raise NotImplementedError
        if what.get("spec"):
            heavy = 1 + max(memory, default=0) // 10 if System(what["spec"]).name == "dynamic" else 1
            self.work -= len(results) * len(System(what["spec"]).base) * heavy
        if self.work < 0:
            raise NotImplementedError
        return draws.replay(what, memory)


def own(what: dict[str, Any]) -> bool:
    """5.3: whether a roll makes its roller, and may have another rule than it had."""
    return bool(what.get("spec")) and json.loads(what["spec"]).get("system") in OWN


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
        ratio = str(spec.get("factor") or spec.get("tightness") or 1)
        need(ratio == "inf" or re.fullmatch(RATIO, ratio), "has a rule with a number that is none")
        self.ratio = Fraction(0 if ratio == "inf" else ratio).as_integer_ratio()

    def weights(self, memory: list[int]) -> list[int]:
        """Give each face's weight for the next roll."""
        least, most = min(memory, default=0), max(memory, default=0)
        fits = self.name == "fair" or (least >= 0 and (most < 10_000 or self.name == "deck"))
        need(fits and len(memory) == len(self.start), "has a memory that its rule can't have")
        if self.name == "fair" and self.spec["tightness"] == "inf":
            return [w * (n == least) for w, n in zip(self.base, memory)]
        p, q = self.ratio
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
    product = 1 << 128
    for place, root in enumerate(roots()):
        product = product * root >> 128 if digits >> 63 - place & 1 else product
    return max(1, product >> 64 + min(whole, 64))


@lru_cache(1)
def roots() -> list[int]:
    """5.2: 2^128 times 2^-(1/2), 2^-(1/4) and so on."""
    found = [1 << 127]
    for _ in range(64):
        found.append(isqrt(found[-1] << 128))
    return found[1:]


class Draws:
    """5.1: a roll's recorded draws; with the words of a key (6.2), each must be what they give."""

    def __init__(self, pairs: list[Any], words: Iterator[int] | None) -> None:
        self.left = [(int(total), int(value)) for total, value in reversed(pairs)]
        self.register: Any = Register(words) if words else None
        self.differs = self.unknown = False

    def choose(self, weights: list[int]) -> int:
        """Give an index, with chance in proportion to its weight."""
        total, chosen = self.left.pop() if self.left else (0, 0)
        fits = total == sum(weights) and 0 <= chosen < len(weights) and weights[chosen]
        need(fits, "has a draw that its rule does not ask for")
        self.differs |= bool(self.register) and self.register.choose(weights) != chosen
        return chosen

    def below(self, total: int) -> int:
        """Give a number of 0 to total - 1, each equally likely."""
        said, chosen = self.left.pop() if self.left else (0, 0)
        need(said == total and 0 <= chosen < total, "has a draw that its rule does not ask for")
        self.differs |= bool(self.register) and self.register.below(total) != chosen
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
                self.below(system.base[chosen])  # which two dice make that sum
            memory = system.advance(memory, chosen)
        lots = what.get("lots", []) if self.register else []
        self.differs |= any(self.register.below(10**6) != lot for lot in lots)
        need(faces == results and not self.left, "does not come out as recorded")
        return memory

    def sums(self, text: str) -> list[str]:
        """Throw a sum of dice and numbers, such as 2#1d20+4."""
        repeat, _, body = text.rpartition("#")
        signed = body if body[:1] == "-" else "+" + body
        if len(text) > LONGEST or len(repeat) > 2 or not re.fullmatch(f"(?:{TERM})+", signed, re.ASCII):
            raise NotImplementedError
        results = [0] * int(repeat or 1)
        for place in range(len(results)):
            for sign, dice, sides, number in re.findall(TERM, signed, re.ASCII):
                thrown = [1 + self.below(int(sides)) for _ in range(int(dice or 0))]
                results[place] += int(sign + "1") * (int(number or 0) + sum(thrown))
        return [str(result) for result in results]
