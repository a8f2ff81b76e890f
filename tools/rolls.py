"""Make recorded rolls again: rollers by name, their memories, and sums of dice. The rules are in laws.py.

Stands beside verify.py. NotImplementedError is for other rules. Numbers are sections of docs/format.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from draws import WRONG, Draws, whole
from laws import System, half_power

from proofs import need

KEPT, RULES = 1_000, 64  # steps whose undo can be followed; rules in mind
WORK, EACH = 600_000, 250  # about as many microseconds for a file, and for each line of it
CHANGES = {"make", "reset", "restart", "remove"}
GOES_ON = CHANGES | {"return"}
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
    """5.3: rollers by name. `unread(n)` says if event n could not be read, `cards(n)` which cards it drew."""

    def __init__(self, unread: Callable[[int], bool], cards: Callable[[int], list[str]]) -> None:
        self.unread, self.cards = unread, cards
        self.work, self.blind, self.gone, self.far = WORK, 0, 0, 0
        self.rollers, self.steps = dict[str, Roller](), dict[int, list[Any]]()
        self.systems = dict[str, System]()
        half_power.cache_clear()

    def skip(self, seq: int, kind: str = "make") -> None:
        """5.3: an event that can't be read, which may be any roller's, and may have made one."""
        self.blind, self.gone = seq, seq if kind in CHANGES or kind == "undo" else self.gone

    def see(self, event: dict[str, Any], parts: dict[str, Any], draws: Draws) -> str:
        """Check the next event whose `what` is open; say what could not be checked of it."""
        what, how, kind, seq = parts["what"], parts.get("how", {}), event["kind"], event["seq"]
        self.work += EACH
        name, text = what.get("roller", "").casefold(), what.get("spec", "")
        rule = self.system(text)
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

    def system(self, text: str | None) -> System | None:
        """5.2: what a rule's text says."""
        if text and text not in self.systems:
            self.systems = {} if len(self.systems) == RULES else self.systems
            self.systems[text] = System(text)
        return self.systems[text] if text else None

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
        self, name: str, event: dict[str, Any], parts: dict[str, Any], draws: Draws, rule: "System | None"
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
        elif kind == "return":
            need(before.rule != "", "is of a roller that nobody made")
            after = self.put_back(after, parts, event["target"], step) if how else after.lost()
        else:
            register = rule and rule.name == "register" and name == "d100 register"
            need(register, "resets no register")
            after = after.lost(rule=text)
            if how and rule:
                value = draws.below(rule.values) if draws.left else 0
                need(value == what.get("value", 0), "does not come out as recorded")
        self.rollers[name] = after

    def remember(
        self, known: Roller, parts: dict[str, Any], draws: Draws, rule: Any, step: list[Any]
    ) -> Roller:
        """5.3: check a roll and the memory that it began with; give the roller with the one after it."""
        try:
            owner, before = self.began(known, parts, rule)
            memory = self.replay(draws, parts["what"], rule, before)
        except NotImplementedError:
            draws.unknown = True
            return known.lost()
        return kept(known, owner, memory, step)

    def put_back(self, known: Roller, parts: dict[str, Any], target: int, step: list[Any]) -> Roller:
        """5.5: check the memory that a card goes back to; give the roller with the one after it."""
        rule = self.system(known.rule)
        owner, before = self.began(known, parts, rule)
        if not (rule and rule.known):
            return known.lost()
        place, fits = parts["how"]["place"], rule.name == "deck" and len(before) == len(rule.faces)
        need(fits and place < len(before), "puts back a card that has no place")
        drawn = self.cards(target) or rule.faces
        need(rule.faces[place] in drawn, f"puts back another card than #{target} was")
        return kept(known, owner, [n + (at == place) for at, n in enumerate(before)], step)

    @staticmethod
    def began(known: Roller, parts: dict[str, Any], rule: System | None) -> tuple[str, list[int]]:
        """5.3: check the memory that an event began with; say whose it is, "" for nobody's, and give it."""
        how = parts["how"]
        owner = parts.get("who", {}).get("user", "") if how.get("whose") == "player" else "table"
        before = [whole(n) for n in how.get("before", [])]
        start = rule.start if owner and rule and rule.known and not known.loose else None
        same = known.memories.get(owner, start) in (None, before)
        need(same, "began with another memory than its roller had")
        return owner, before

    def spend(self, work: int) -> None:
        """5.1: take off work that is about to be done, as long as the file leaves time for it."""
        self.work -= work
        if self.work < 0:
            raise NotImplementedError

    def replay(self, draws: Draws, what: dict[str, Any], rule: Any, memory: list[int]) -> list[int]:
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
                total = sum(map(draws.fell, [rule.sides] * rule.dice))
                need(total in rule.totals[chosen] if rule.totals else str(total) == faces[-1], WRONG)
            else:
                each = rule.chart[chosen] if rule.chart else [rule.base[chosen]]
                ways = each[draws.choose(each) if len(each) > 1 else 0]
                if rule.dice and ways > 1:
                    draws.below(ways)  # which two dice make that sum
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


def kept(known: Roller, owner: str, memory: list[int], step: list[Any]) -> Roller:
    """5.3: give the roller with the memory after an event, and note for an undo the one before it."""
    if owner:
        step[2:] = owner, known.memories.get(owner)
        known.memories[owner] = memory
    return known
