"""Make recorded rolls again: rollers by name, their memories, and sums of dice. The rules are in laws.py.

Stands beside verify.py. NotImplementedError is for other rules. Numbers are sections of docs/format.md.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from laws import System, half_power

from proofs import LARGEST, Register, need

KEPT, RULES, LONGEST = 1_000, 64, 200  # steps whose undo can be followed; rules in mind; characters of a sum
WORK, EACH = 600_000, 250  # about as many microseconds for a file, and for each line of it
TERM = r"([+-])(?:(\d{1,3})d([1-9]\d{0,3})|(\d{1,7}))(?:\[[^\[\]]*\])?"
CHANGES = {"make", "reset", "restart", "remove"}
GOES_ON = CHANGES | {"return"}
WRONG = "does not come out as the dice that were thrown by hand"
OWN, MAP = {"register", "pool", "leftovers"}, "destinator"  # their first roll makes them


@dataclass(frozen=True, slots=True)
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
    """5.3: rollers by name, from event to event; `unread(n)` says if event n could not be read."""

    def __init__(self, unread: Callable[[int], bool]) -> None:
        self.unread, self.work, self.blind, self.gone, self.far = unread, WORK, 0, 0, 0
        self.rollers, self.steps = dict[str, Roller](), dict[int, list[Any]]()
        self.systems = dict[str, System]()
        half_power.cache_clear()

    def skip(self, seq: int, kind: str = "make") -> None:
        """5.3: an event that can't be read, which may be any roller's, and may have made one."""
        self.blind, self.gone = seq, seq if kind in CHANGES or kind == "undo" else self.gone

    def see(self, event: dict[str, Any], parts: dict[str, Any], draws: "Draws") -> str:
        """Check the next event whose `what` is open; say what could not be checked of it."""
        what, how, kind, seq = parts["what"], parts.get("how", {}), event["kind"], event["seq"]
        self.work += EACH
        name, text = what.get("roller", "").casefold(), what.get("spec", "")
        if text not in self.systems and text:
            self.systems = {} if len(self.systems) == RULES else self.systems
            self.systems[text] = System(text)
        rule = self.systems[text] if text else None
        if kind == "undo":
            return self.undo(name, event.get("target", 0), seq)
        if kind in GOES_ON or "prev" in how:
            self.go_on(name, event, parts, draws, rule)
        elif kind == "roll" and (rule is None or rule.title):
            title = rule.title.casefold() if rule else ""
            need(f"{name} ".startswith(f"{title} "), "is not named as rolls without a roller are")
            if "how" in parts:
                self.replay(draws, what, rule, [])
        elif kind == "roll" and not what.get("practice"):
            self.go_on(name, event, parts, draws, rule)
        elif kind == "roll":
            known = self.known(name)
            if known.last > max(self.gone, self.blind) or not (self.gone or self.blind):
                self.check(known, name, text, rule)
            if "how" in parts:
                self.replay(draws, what, rule, [])
        return ""

    def known(self, name: str) -> Roller:
        """5.3: a roller as it is."""
        gap = self.gone or self.unread(1)
        return self.rollers.get(name) or (Roller().lost(rule=None, adrift=True) if gap else Roller())

    def rule(self, known: Roller) -> str | None:
        """5.3: a roller's rule, unless what is withheld may have changed it."""
        return known.rule if known.last > self.gone or not self.gone else None

    def check(self, known: Roller, name: str, text: str, rule: "System | None") -> None:
        """5.3: refuse a roll by another rule than its roller has."""
        own = rule and rule.name in OWN and name == f"d100 {rule.name}"
        made = known.rule != "" or own or (rule and rule.name == MAP)
        need(made, "was rolled by a roller that nobody made")
        need(own or known.rule in {None, "", text}, "was rolled by another rule than its roller had")

    def undo(self, name: str, target: int, seq: int) -> str:
        """5.3: take a roller's newest event back."""
        known, far = self.known(name), target not in self.steps and target <= self.far
        moved = known.last != target and known.last < self.gone  # by an undo that is withheld
        if target and (self.unread(target) or far or moved):
            self.rollers[name] = known.lost(adrift=True, rule=None if far else self.rule(known))
            return f"#{seq} undoes what is too far back to be checked." * far
        key, before, owner, old = self.steps.pop(target, ("", known, "", None))
        newest = key == name and (known.last == target or known.adrift)
        need(newest, f"undoes #{target}, which is not its roller's newest")
        if max(self.gone, self.blind) > target:
            before = before.lost()
        elif old is not None:
            before.memories[owner] = old
        else:
            before.memories.pop(owner, None)
        self.rollers[name] = before
        return ""

    def go_on(
        self, name: str, event: dict[str, Any], parts: dict[str, Any], draws: "Draws", rule: "System | None"
    ) -> None:
        """5.3: check an event that goes on from its roller's newest one."""
        what, how, kind, seq = parts["what"], parts.get("how", {}), event["kind"], event["seq"]
        before, prev, text = self.known(name), how.get("prev"), what.get("spec", "")
        if prev is not None and prev != before.last and not before.adrift:
            fits = (before.last < prev < seq and self.unread(prev)) or before.last < self.gone >= prev
            need(fits, f"goes on from #{prev}, which is not its roller's newest")
            before = before.lost(rule=self.rule(before), last=prev)
        need(prev is not None or "how" in event.keys() - parts.keys(), "does not say what it goes on from")
        if prev is None and self.blind > before.last:
            before = before.lost(rule=self.rule(before), adrift=True)
        self.steps[seq] = step = [name, before, "", None]
        if len(self.steps) > KEPT:
            self.far = next(iter(self.steps))
            del self.steps[self.far]
        after = replace(before, last=seq, adrift=False)
        if kind == "make":
            need(text, "makes a roller without a rule")
            after = replace(after, rule=text) if before.rule != "" else Roller(text, seq)
        elif kind in {"reset", "remove"}:
            after = Roller(before.rule if kind == "reset" else "", seq)
        elif kind == "roll":
            self.check(before, name, text, rule)
            after = replace(after, rule=text)
            after = self.remember(after, parts, draws, rule, step) if how else after.lost()
        else:
            register = rule and rule.name == "register" and name == "d100 register"
            why = "resets no register" if kind == "restart" else "is of a roller that nobody made"
            need(register if kind == "restart" else before.rule != "", why)
            after = after.lost(rule=text if register else after.rule)
            if kind == "restart" and how and rule:
                value = draws.below(rule.values) if draws.left else 0
                need(value == what.get("value", 0), "does not come out as recorded")
        self.rollers[name] = after

    def remember(
        self, known: Roller, parts: dict[str, Any], draws: "Draws", rule: Any, step: list[Any]
    ) -> Roller:
        """5.3: check a roll and the memory that it began with; give the roller with the one after it."""
        what, how = parts["what"], parts["how"]
        owner = parts.get("who", {}).get("user", "") if how.get("whose") == "player" else "table"
        before = [whole(n) for n in how.get("before", [])]
        try:
            start = rule.start if owner and rule.known and not known.loose else None
            need(
                known.memories.get(owner, start) in (None, before),
                "began with another memory than its roller had",
            )
            memory = self.replay(draws, what, rule, before)
        except NotImplementedError:
            draws.unknown = True
            return known.lost()
        if owner:
            step[2:] = owner, known.memories.get(owner)
            known.memories[owner] = memory
        return known

    def spend(self, work: int) -> None:
        """5.1: take off work that is about to be done, as long as the file leaves time for it."""
        self.work -= work
        if self.work < 0:
            raise NotImplementedError

    def replay(self, draws: "Draws", what: dict[str, Any], rule: Any, memory: list[int]) -> list[int]:
        """5.1: check a roll's draws and results, and return the memory after it."""
        faces, results = list[str](), what["results"]
        if rule and not rule.known:
            raise NotImplementedError
        for place in range(len(results) if rule else 0):
            if what.get("practice") and (place == 0 or not what.get("together")):
                memory = rule.start
            self.spend(rule.cost(memory))
            new = half_power.cache_info().misses
            chosen = draws.choose(rule.weights(memory))
            self.work -= 12 * (half_power.cache_info().misses - new)
            faces.append(rule.faces[chosen])
            if draws.thrown is not None:  # 5.9
                need(str(sum(map(draws.fell, [rule.sides] * rule.dice))) == faces[-1], WRONG)
            elif rule.dice and rule.base[chosen] > 1:
                draws.below(rule.base[chosen])  # which two dice make that sum
            memory = rule.advance(memory, chosen)
        if not rule:
            self.spend(len(what["text"]) * len(results) + len(draws.left))
            faces = draws.sums(what["text"])
        if "rest" in what:
            self.spend(len(what["rest"]) * len(what["added"]) + len(draws.left))
            added = draws.sums(f"{len(what['added'])}#{what['rest']}")
            need(added == what["added"], "does not come out as recorded")
        self.spend(4 * len(what.get("lots", [])))
        draws.finish(what.get("lots", []))
        need(results and faces == results, "does not come out as recorded")
        return memory


def whole(number: Any) -> int:
    """1.1: a whole number, as text where it is longer than JSON's."""
    if type(number) is int:
        return number
    long = re.fullmatch("-?[1-9][0-9]{15,4299}", number)
    need(long and abs(int(number)) > LARGEST, "has a number that is none")
    return int(number)


class Draws:
    """5.1: a roll's recorded draws; with the words of a key (6.2), each must be what they give."""

    def __init__(self, pairs: list[Any], words: Iterator[int] | None, thrown: Any = None) -> None:
        self.thrown = thrown and [whole(face) for face in reversed(thrown)]
        self.left = [(whole(total), whole(value)) for total, value in reversed(pairs)]
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
        if self.register:
            self.differs |= self.register.below(total) != chosen
        return chosen

    def fell(self, sides: int) -> int:
        """5.9: give the next die that was thrown by hand."""
        need(self.thrown and 1 <= self.thrown[-1] <= sides, WRONG)
        return self.thrown.pop() if self.thrown else 0

    def throw(self, sides: int) -> int:
        """5.1: give the next die; one that was thrown by hand is what it was drawn as."""
        face = 1 + self.below(sides)
        need(self.thrown is None or self.fell(sides) == face, WRONG)
        return face

    def finish(self, lots: list[int]) -> None:
        """5.1: refuse draws and dice that are left over, and draw the lots."""
        need(not self.left, "has a draw that its rule does not ask for")
        need(not self.thrown, WRONG)
        self.differs |= bool(self.register) and any(self.register.below(10**6) != lot for lot in lots)

    def sums(self, text: str) -> list[str]:
        """Throw a sum of dice and numbers, such as 2#1d20+4."""
        repeat, _, body = text.rpartition("#")
        signed = body if body[:1] == "-" else "+" + body
        fits = len(text) <= LONGEST and re.fullmatch(r"\d?\d?", repeat, re.ASCII)
        if not fits or not re.fullmatch(f"(?:{TERM})+", signed, re.ASCII):
            raise NotImplementedError
        results = [0] * int(repeat or 1)
        for place in range(len(results)):
            for sign, dice, sides, number in re.findall(TERM, signed, re.ASCII):
                thrown = [self.throw(int(sides)) for _ in range(int(dice or 0))]
                results[place] += int(sign + "1") * (int(number or 0) + sum(thrown))
        return [str(result) for result in results]
