"""Check proof mode: the key of each roll, and its bits. Part of verify.py.

Numbers are sections of docs/format.md. Standard library only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from proofs import GENESIS, PERIOD, canon, is_round, need, root_over, words

KEYS, LEFT, LATE, UNASKED = 1024, 256, 3_000, 2
EPOCH = 1_420_070_400_000
HEX, MESSAGE = re.compile("[0-9a-f]{64}"), "[1-9][0-9]{15,18}"
SIGNED = "Check that drand signed round {0}: pipx run tools/drand.py {0} {2}"
NO_ROUND = "does not have drand's first round after its keys, or not its signature's hash"
LATE_SALT = "#{} is a salt that may have been chosen late, so it proves nothing."
REASONS = {
    "shown": "before the message that shows the keys",
    "off": "without keys in force",
    "thrown": "typed in by people, not from keys",
    "closed": "closed, so their keys can't be seen",
    "made": "by rules that this tool does not know",
    "withheld": "can't be followed behind withheld events",
    "cut": "can't be followed, their commit was cut",
}


@dataclass
class Epoch:
    """6.1: the keys of one commit."""

    commit: int
    first: int
    time: int
    drand: bool
    second_hand: bool
    leaves: list[str] = field(default_factory=list[str])
    message: int = 0
    chain: list[tuple[int, str]] = field(default_factory=lambda: [(0, "")])


class Spans:
    """Ascending numbers, printed as a bounded list of spans."""

    def __init__(self) -> None:
        self.count, self.spans, self.more = 0, list[list[int]](), 0

    def add(self, seq: int) -> None:
        """Add the next number."""
        self.count += 1
        if self.spans and self.spans[-1][1] == seq - 1:
            self.spans[-1][1] = seq
        elif len(self.spans) < 20:
            self.spans.append([seq, seq])
        else:
            self.more += 1

    def __str__(self) -> str:
        text = ", ".join(f"#{a}" if a == b else f"#{a} to #{b}" for a, b in self.spans)
        return (f"{text} and {self.more} more" if self.more else text) or "none"


class Lines:
    """The first 20 of many sentences, and the number of the others."""

    def __init__(self) -> None:
        self.first, self.more = list[str](), 0

    def add(self, line: str) -> None:
        """Add the next sentence."""
        self.more += len(self.first) >= 20
        self.first += [line] * (len(self.first) < 20)

    def summary(self, noun: str) -> list[str]:
        """4: return the lines to print; `noun` names the sentences."""
        return self.first + [f"And {self.more} more {noun}."] * (self.more > 0)


class Keys:
    """6: the keys of a history, whose events begin after number `start`."""

    def __init__(self, log: str, start: int) -> None:
        self.log, self.start, self.cut = log, start, start > 0
        self.withheld = self.ended = self.unasked = self.newest = self.followed = 0
        self.force: Epoch | None = None
        self.waiting: Epoch | None = None
        self.pending: Epoch | None = None
        self.agreed, self.salt_changed = list[int](), False
        self.had_keys, self.people = False, dict[str, int]()
        self.spans = {name: Spans() for name in REASONS}
        self.messages, self.late, self.rounds = Lines(), Lines(), Lines()
        self.spoken, self.restored = Lines(), Lines()

    def withhold(self, seq: int) -> None:
        """6.1: note a withheld event; a later roll that differs from its key is no proof of a fault."""
        self.withheld, self.unasked, self.agreed = seq, 0, []

    @property
    def unsure(self) -> bool:
        """True if a withheld event may have changed the keys in force."""
        return self.withheld > (self.force.commit if self.force else self.ended)

    def epoch_of(self, seq: int) -> Epoch | None:
        """6.1: return the epoch with the key of event `seq`; None if no message has shown it."""
        if self.waiting and seq >= self.waiting.first:
            self.force, self.waiting, self.cut = self.waiting, None, False
            self.agreed, self.salt_changed = [], False
        epoch = self.force
        return epoch if epoch and epoch.message and epoch.first <= seq < epoch.first + KEYS else None

    def check_event(self, event: dict[str, Any], parts: dict[str, Any]) -> None:
        """6.1, 6.3: check an event that may change the keys, after its own roll was checked."""
        seq, kind, pub = event["seq"], event["kind"], event.get("pub", {})
        self.epoch_of(seq)
        if kind == "commit":
            self.commit(event, parts, pub)
        elif kind == "shown":
            epochs = [epoch for epoch in (self.waiting, self.force) if epoch]
            epoch = next((epoch for epoch in epochs if epoch.commit == event.get("target")), None)
            message = str(pub.get("message"))
            is_pending = epoch is not None and not epoch.message
            fits = re.fullmatch(MESSAGE, message) and (is_pending or self.unsure or self.cut)
            need(fits, "shows no keys that were committed to", seq)
            time = (int(message) >> 22) + EPOCH
            if "round" in pub:
                need(pub["round"] == (time - GENESIS) // PERIOD + 2, NO_ROUND, seq)
            if epoch:
                epoch.message, epoch.time = int(message), time if "round" in pub else epoch.time
            self.messages.add(f"Compare message {message} in the channel.")
        elif kind == "salt":
            self.salt(event, pub)
        elif kind in {"uncommit", "restored"} or (kind == "cut" and self.reaches(event.get("target", 0))):
            self.force = self.waiting = None
            self.ended, self.cut = seq, False
        if kind == "restored":
            fits = "id" not in event and pub == {"last": seq - 1}
            need(fits, "does not say that the history was put back to the event before it", seq)
            self.restored.add(f"This history was put back to #{seq - 1}; compare your checkpoints.")
        self.unasked = 0 if "id" in event else self.unasked + 1
        self.newest = max(self.newest, int(event.get("id", 0)) >> 22)

    def reaches(self, target: int) -> bool:
        """6.1: return whether a cut removes the commit of the keys in force."""
        return target >= (self.force.commit if self.force else self.start if self.cut else target + 1)

    def commit(self, event: dict[str, Any], parts: dict[str, Any], pub: dict[str, Any]) -> None:
        """6.1: check a commit of new keys, which take over when the old ones are used up."""
        seq, old = event["seq"], self.force if self.force and self.force.message else None
        end, first = (old.first + KEYS if old else 0), pub.get("first")
        expected = end if end > seq else seq + 1
        unsure = self.unsure or self.cut
        whole = pub.get("keys") == KEYS and type(first) is int and first > seq and "root" in pub
        waits = self.waiting and self.waiting.message
        fits = whole and (unsure or (first == expected and not waits))
        need(fits, "commits to keys while others are left", seq)
        early = unsure or first == seq + 1 or end - 1 - seq >= LEFT
        need(early, "commits to keys when too few are left", seq)
        time = event["clock"] if "clock" in event else (int(event["id"]) >> 22) + EPOCH
        body = parts.get("what", {})
        epoch = Epoch(seq, int(first or 0), time, body.get("drand") is True, "second_hand" in body)
        self.pending, self.had_keys = epoch, True
        self.force, self.waiting = (old, epoch) if first > seq + 1 else (epoch, None)
        if self.force is epoch:
            self.cut, self.agreed, self.salt_changed = False, [], False

    def open(self, seq: int, event: dict[str, Any], leaves: list[str]) -> None:
        """6.1: take the hashes of the keys of the last event, a commit."""
        epoch = self.pending
        whole = len(leaves) == KEYS and all(HEX.fullmatch(leaf) for leaf in leaves)
        root = root_over([bytes.fromhex(leaf) for leaf in leaves]).hex() if whole else ""
        fits = root and epoch and epoch.commit == seq and event["pub"]["root"] == root
        need(fits, "is not the commit of these keys", seq)
        if epoch:
            epoch.leaves, self.pending = leaves, None

    def salt(self, event: dict[str, Any], pub: dict[str, Any]) -> None:
        """6.3: check a salt, and add it to the chain of its epochs."""
        seq, drand = event["seq"], pub.get("drand")
        epochs = [epoch for epoch in (self.force, self.waiting) if epoch]
        if "drand" in pub:
            epochs = [epoch for epoch in epochs if epoch.commit == event.get("target")]
            unseen = not epochs and (self.unsure or self.cut)
            fits = pub.keys() == {"drand"} and is_round(drand, epochs[0].time if epochs else None)
            fits = fits and event.get("clock") == GENESIS + ((drand or [0])[0] - 1) * PERIOD
            fits = fits and (unseen or (epochs and epochs[0].drand))
            need(fits, NO_ROUND, seq)
            # Without a message yet, 0, any round is late.
            if epochs and (event["clock"] <= (epochs[0].message >> 22) + EPOCH or not epochs[0].message):
                self.late.add(LATE_SALT.format(seq))
            self.rounds.add(SIGNED.format(*(drand or [])))
            after = (event["clock"] - EPOCH << 22) + (1 << 22) - 1
        else:
            message = str(pub.get("message", "0"))
            fits = pub.keys() <= {"message", "salt"} and pub.get("salt") and isinstance(pub["salt"], str)
            fits = fits and ("message" not in pub or re.fullmatch(MESSAGE, message))
            fits = fits and "id" in event and "target" not in event
            need(fits, "is a salt without words or a press, or without the message that showed it", seq)
            if "message" in pub:
                self.spoken.add(f"Compare message {message} in the channel, with words.")
            else:
                self.late.add(LATE_SALT.format(seq))
            after = max(int(event["id"]), int(message))
        for epoch in epochs:
            epoch.drand = epoch.drand and "drand" not in pub
            link = sha256(canon([epoch.chain[-1][1], pub]).encode()).hexdigest()
            epoch.chain = [*epoch.chain[-200:], (max(after, epoch.chain[-1][0]), link)]

    def roll(self, event: dict[str, Any], parts: dict[str, Any]) -> Iterator[int] | None:
        """6.1: return the bits that a roll must follow from; if there are none, count the reason."""
        seq, how, what = event["seq"], parts.get("how", {}), parts.get("what", {})
        press, source, epoch = int(event["id"]), what.get("source"), self.epoch_of(seq)
        keyed = "key" in how or source == "keyed"
        if source == "physical":
            user = parts.get("who", {}).get("user", "")
            second_hand = epoch and epoch.second_hand
            need(not second_hand, "was typed in, where others throw for who hosts the bot", seq)
            user = user if user in self.people or len(self.people) < 20 else "others"
            self.people[user] = self.people.get(user, 0) + 1
            self.count(seq, "thrown")
        if epoch is None or press <= epoch.message:
            blind = "withheld" if self.unsure else "cut" if self.cut else ""
            need(not keyed or (blind and not epoch), "has a key that nothing committed to", seq)
            if keyed or (self.had_keys and not blind and source != "physical"):
                self.count(seq, blind or ("shown" if epoch else "off"))
            return None
        names_source = source in {"keyed", "physical"} or (source is None and not how.get("draws"))
        need(not what or names_source or self.unsure, "does not say that it has a key", seq)
        if "how" not in parts:
            self.count(seq, "closed")
            return None
        key = str(how["key"]) if HEX.fullmatch(str(how.get("key"))) else ""
        fits = key and sha256(b"\0" + bytes.fromhex(key)).hexdigest() == epoch.leaves[seq - epoch.first]
        if not fits and self.unsure:
            self.count(seq, "withheld")
            return None
        need(key, "has no key", seq)
        need(fits, "does not have the key that was committed for it", seq)
        late = self.newest - (press >> 22)
        need(late <= LATE, f"was asked for {late // 1000} s before an event above it", seq)
        need(self.unasked <= UNASKED, "stands behind more than two events that nobody asked for", seq)
        if source == "physical":
            return None
        salt = next((link for after, link in reversed(epoch.chain) if after < press), "")
        return words(bytes.fromhex(key), f"{self.log}|{seq}|{press}|{salt}")

    def count(self, seq: int, reason: str) -> None:
        """6.4: count a roll that does not follow from its key, by the reason."""
        self.spans[reason].add(seq)

    def count_keyed(self, seq: int, *, remade: bool, differs: bool) -> None:
        """6.1, 6.4: count a roll with a key; `differs`: from its key, `remade`: it was made again."""
        need(not differs or self.unsure, "does not follow from its key", seq)
        if differs:
            # A withheld event changed the salt, so the rolls since then agreed by chance.
            for agreed in self.agreed:
                self.count(agreed, "withheld")
            self.followed -= len(self.agreed)
            self.agreed, self.salt_changed = [], True
        if self.unsure and self.salt_changed:
            self.count(seq, "withheld")
        elif remade:
            self.followed += 1
            self.agreed += [seq] * self.unsure
        else:
            self.count(seq, "made")

    def report(self) -> list[str]:
        """6.4: return the lines to print."""
        lines = self.restored.summary("times")
        if self.had_keys or any(spans.count for name, spans in self.spans.items() if name != "thrown"):
            lines.append(f"Proof mode: {self.followed} rolls follow from their keys.")
        throwers = ", ".join(f"{user or 'nobody named'} {n}" for user, n in self.people.items())
        last = {"thrown": f" (by {throwers})", "withheld": f" (#{self.withheld} is withheld)"}
        for name, spans in self.spans.items():
            if spans.count:
                lines.append(f"{spans.count} rolls {REASONS[name]}: {spans}{last.get(name, '')}.")
        lines += self.messages.summary("messages") + self.late.summary("salts")
        return lines + self.rounds.summary("rounds") + self.spoken.summary("messages with words")
