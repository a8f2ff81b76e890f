"""Replay recorded rolls: rollers by name, their memories, and sums of dice. The rules are in laws.py.

Part of verify.py. Other rules raise NotImplementedError. Numbers are sections of docs/format.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from draws import WRONG, Draws, whole
from laws import System, half_power

from proofs import need

LIMIT, RULES = 1_000, 64  # most steps that can be undone; most parsed rules that are kept
WORK, EACH = 600_000, 250  # work for a file, and more for each line of it, in about microseconds
CHANGES = {"make", "reset", "restart", "remove"}
GOES_ON = CHANGES | {"return"}
OWN, MAP = {"register", "pool", "leftovers"}, "destinator"  # rollers that their first roll makes


@dataclass(frozen=True, slots=True)
class Roller:
    """5.3: what is known of a roller; `rule` is None if it is unknown, "" if nobody made the roller."""

    rule: str | None = ""
    last: int = 0
    memories: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    loose: bool = False  # a memory that is missing here is unknown
    adrift: bool = False  # the number of its newest event is unknown

    def forget(self, **other: Any) -> "Roller":
        """Return the roller with unknown memories."""
        return replace(self, memories={}, loose=True, **other)


class Rolls:
    """5.3: rollers by name.

    `unread(n)`: whether event n could not be read. `cards(n)`: the cards that it drew.
    """

    def __init__(self, unread: Callable[[int], bool], cards: Callable[[int], list[str]]) -> None:
        self.unread, self.cards = unread, cards
        self.work, self.unreadable, self.changed, self.forgotten = WORK, 0, 0, 0
        self.rollers, self.steps = dict[str, Roller](), dict[int, list[Any]]()
        self.systems = dict[str, System]()
        half_power.cache_clear()

    def skip(self, seq: int, kind: str = "make") -> None:
        """5.3: note an unreadable event, which may be of any roller, and may have made one."""
        self.unreadable, self.changed = seq, seq if kind in CHANGES or kind == "undo" else self.changed

    def check_event(self, event: dict[str, Any], parts: dict[str, Any], draws: Draws) -> str:
        """Check the next event, whose `what` is open; return a note on what could not be checked, or ""."""
        what, how, kind, seq = parts["what"], parts.get("how", {}), event["kind"], event["seq"]
        self.work += EACH
        name, text = what.get("roller", "").casefold(), what.get("spec", "")
        rule = self.system(text)
        if kind == "undo":
            return self.undo(name, event.get("target", 0), seq)
        if kind in GOES_ON or (kind == "roll" and "prev" in how):
            self.continue_roller(name, event, parts, draws, rule)
        elif kind == "roll" and (rule is None or rule.title):
            title = rule.title.casefold() if rule else ""
            need(f"{name} ".startswith(f"{title} "), "is not named as rolls without a roller are")
            if "how" in parts:
                self.replay(draws, what, rule, [])
        elif kind == "roll" and not what.get("practice"):
            self.continue_roller(name, event, parts, draws, rule)
        elif kind == "roll":
            roller = self.find_roller(name)
            if roller.last > max(self.changed, self.unreadable) or not (self.changed or self.unreadable):
                self.check(roller, name, text, rule)
            if "how" in parts:
                self.replay(draws, what, rule, [])
        return ""

    def system(self, text: str | None) -> System | None:
        """5.2: parse a rule; None for no text."""
        if text is None or text == "":
            return None
        if text not in self.systems:
            self.systems = {} if len(self.systems) == RULES else self.systems
            self.systems[text] = System(text)
        return self.systems[text]

    def find_roller(self, name: str) -> Roller:
        """5.3: return the roller of that name; a blank one if nobody made it."""
        gap = self.changed or self.unread(1)
        return self.rollers.get(name) or (Roller().forget(rule=None, adrift=True) if gap else Roller())

    def rule(self, roller: Roller) -> str | None:
        """5.3: return a roller's rule; None if a withheld event may have changed it."""
        return roller.rule if roller.last > self.changed or not self.changed else None

    def check(self, roller: Roller, name: str, text: str, rule: "System | None") -> None:
        """5.3: refuse a roll with another rule than its roller has."""
        own = rule and rule.name in OWN and name == f"d100 {rule.name}"
        was_made = roller.rule != "" or own or (rule and rule.name == MAP)
        need(was_made, "was rolled by a roller that nobody made")
        need(own or roller.rule in {None, "", text}, "was rolled by another rule than its roller had")

    def undo(self, name: str, target: int, seq: int) -> str:
        """5.3: undo a roller's newest event; return a note if that can't be checked, or ""."""
        roller, far = self.find_roller(name), target not in self.steps and target <= self.forgotten
        moved = roller.last != target and roller.last < self.changed  # by a withheld undo
        if target and (self.unread(target) or far or moved):
            self.rollers[name] = roller.forget(adrift=True, rule=None if far else self.rule(roller))
            return f"#{seq} undoes what is too far back to be checked." * far
        key, before, owner, old = self.steps.pop(target, ("", roller, "", None))
        newest = key == name and (roller.last == target or roller.adrift)
        need(newest, f"undoes #{target}, which is not its roller's newest")
        if max(self.changed, self.unreadable) > target:
            before = before.forget()
        elif old is not None:
            before.memories[owner] = old
        else:
            before.memories.pop(owner, None)
        self.rollers[name] = before
        return ""

    def continue_roller(
        self, name: str, event: dict[str, Any], parts: dict[str, Any], draws: Draws, rule: "System | None"
    ) -> None:
        """5.3: check an event that names its roller's newest one before it, and update the roller."""
        what, how, kind, seq = parts["what"], parts.get("how", {}), event["kind"], event["seq"]
        before, prev, text = self.find_roller(name), how.get("prev"), what.get("spec", "")
        if prev is not None and prev != before.last and not before.adrift:
            fits = (before.last < prev < seq and self.unread(prev)) or before.last < self.changed >= prev
            need(fits, f"goes on from #{prev}, which is not its roller's newest")
            before = before.forget(rule=self.rule(before), last=prev)
        need(prev is not None or "how" in event.keys() - parts.keys(), "does not say what it goes on from")
        if prev is None and self.unreadable > before.last:
            before = before.forget(rule=self.rule(before), adrift=True)
        self.steps[seq] = step = [name, before, "", None]
        if len(self.steps) > LIMIT:
            self.forgotten = next(iter(self.steps))
            del self.steps[self.forgotten]
        after = replace(before, last=seq, adrift=False)
        if kind == "make":
            need(text, "makes a roller without a rule")
            after = replace(after, rule=text) if before.rule != "" else Roller(text, seq)
        elif kind in {"reset", "remove"}:
            after = Roller(before.rule if kind == "reset" else "", seq)
        elif kind == "roll":
            self.check(before, name, text, rule)
            after = replace(after, rule=text)
            after = self.remember(after, parts, draws, rule, step) if how else after.forget()
        elif kind == "return":
            need(before.rule != "", "is of a roller that nobody made")
            after = self.put_back(after, parts, event["target"], step) if how else after.forget()
        else:
            register = rule and rule.name == "register" and name == "d100 register"
            need(register, "resets no register")
            after = after.forget(rule=text)
            if how and rule:
                value = draws.below(rule.values) if draws.remaining else 0
                need(value == what.get("value", 0), "does not come out as recorded")
        self.rollers[name] = after

    def remember(
        self, roller: Roller, parts: dict[str, Any], draws: Draws, rule: Any, step: list[Any]
    ) -> Roller:
        """5.3: check a roll and the memory before it; return the roller with the memory after it."""
        try:
            owner, before = self.check_memory(roller, parts, rule)
            memory = self.replay(draws, parts["what"], rule, before)
        except NotImplementedError:
            draws.unknown = True
            return roller.forget()
        return with_memory(roller, owner, memory, step)

    def put_back(self, roller: Roller, parts: dict[str, Any], target: int, step: list[Any]) -> Roller:
        """5.5: check the memory that a card returns to; return the roller with the memory after it."""
        rule = self.system(roller.rule)
        owner, before = self.check_memory(roller, parts, rule)
        if not (rule and rule.is_known):
            return roller.forget()
        place, fits = parts["how"]["place"], rule.name == "deck" and len(before) == len(rule.faces)
        need(fits and place < len(before), "puts back a card that has no place")
        drawn = self.cards(target) or rule.faces
        need(rule.faces[place] in drawn, f"puts back another card than #{target} was")
        return with_memory(roller, owner, [n + (at == place) for at, n in enumerate(before)], step)

    @staticmethod
    def check_memory(roller: Roller, parts: dict[str, Any], rule: System | None) -> tuple[str, list[int]]:
        """5.3: check the memory before an event; return its owner, "" if erased, and the memory."""
        how = parts["how"]
        owner = parts.get("who", {}).get("user", "") if how.get("whose") == "player" else "table"
        before = [whole(n) for n in how.get("before", [])]
        need(not before or "whose" in how, "does not say whose memory it used")
        start = rule.start if owner and rule and rule.is_known and not roller.loose else None
        same = roller.memories.get(owner, start) in (None, before)
        need(same, "began with another memory than its roller had")
        return owner, before

    def spend(self, work: int) -> None:
        """5.1: charge work that is about to be done; raise NotImplementedError if the budget is spent."""
        self.work -= work
        if self.work < 0:
            raise NotImplementedError

    def replay(self, draws: Draws, what: dict[str, Any], rule: Any, memory: list[int]) -> list[int]:
        """5.1: check a roll's draws and results, and return the memory after it."""
        faces, results = list[str](), what["results"]
        if rule and not rule.is_known:
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
                total = sum(map(draws.take_thrown, [rule.sides] * rule.dice))
                need(total in rule.totals[chosen] if rule.totals else str(total) == faces[-1], WRONG)
            else:
                weights = rule.chart[chosen] if rule.chart else [rule.base[chosen]]
                ways = weights[draws.choose(weights) if len(weights) > 1 else 0]
                if rule.dice and ways > 1:
                    draws.below(ways)  # which two dice have that sum
            memory = rule.advance(memory, chosen)
        if not rule:
            self.spend(len(what["text"]) * len(results) + len(draws.remaining))
            faces = draws.sums(what["text"])
        if "rest" in what:
            self.spend(len(what["rest"]) * len(what["added"]) + len(draws.remaining))
            added = draws.sums(f"{len(what['added'])}#{what['rest']}")
            need(added == what["added"], "does not come out as recorded")
        self.spend(4 * len(what.get("lots", [])))
        draws.finish(what.get("lots", []))
        need(results and faces == results, "does not come out as recorded")
        return memory


def with_memory(roller: Roller, owner: str, memory: list[int], step: list[Any]) -> Roller:
    """5.3: return the roller with the memory after an event; note the one before in `step`, for undo."""
    if owner:
        step[2:] = owner, roller.memories.get(owner)
        roller.memories[owner] = memory
    return roller
