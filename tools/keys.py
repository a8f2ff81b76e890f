"""Proof mode: which key a roll has, its bits, and what is said of it. Stands beside verify.py.

Numbers are sections of docs/format.md. Standard library only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from proofs import GENESIS, PERIOD, canon, is_round, need, root_over, words

KEYS, LEFT, LATE, OWN = 1024, 256, 3_000, 2
EPOCH = 1_420_070_400_000
HEX = re.compile("[0-9a-f]{64}")
SIGNED = "Check that drand signed round {0}: pipx run tools/drand.py {0} {2}"
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
    """Numbers in order, told as a bounded list of spans."""

    def __init__(self) -> None:
        self.count, self.spans, self.more = 0, list[list[int]](), 0

    def add(self, seq: int) -> None:
        """Take one more number."""
        self.count += 1
        if self.spans and self.spans[-1][1] == seq - 1:
            self.spans[-1][1] = seq
        elif len(self.spans) < 20:
            self.spans.append([seq, seq])
        else:
            self.more += 1

    def __str__(self) -> str:
        told = ", ".join(f"#{a}" if a == b else f"#{a} to #{b}" for a, b in self.spans)
        return (f"{told} and {self.more} more" if self.more else told) or "none"


class Lines:
    """Sentences, of which the first 20 are told, and of the others how many there are."""

    def __init__(self) -> None:
        self.first, self.more = list[str](), 0

    def add(self, line: str) -> None:
        """Take one more sentence."""
        self.more += len(self.first) >= 20
        self.first += [line] * (len(self.first) < 20)

    def told(self, what: str) -> list[str]:
        """4: what there is to print."""
        return self.first + [f"And {self.more} more {what}."] * (self.more > 0)


class Keys:
    """6: the keys of a history, event by event, of which the first `start` are not there."""

    def __init__(self, log: str, start: int) -> None:
        self.log, self.start, self.cut = log, start, start > 0
        self.withheld = self.ended = self.own = self.newest = self.follow = 0
        self.force: Epoch | None = None
        self.waiting: Epoch | None = None
        self.pending: Epoch | None = None
        self.agree, self.strayed = list[int](), False
        self.ever, self.people = False, dict[str, int]()
        self.spans = {name: Spans() for name in REASONS}
        self.messages, self.rounds, self.restored = Lines(), Lines(), Lines()

    def withhold(self, seq: int) -> None:
        """6.1: behind this nothing that does not follow can be called wrong."""
        self.withheld, self.own, self.agree = seq, 0, []

    @property
    def unsure(self) -> bool:
        """Whether an event that could not be seen may have changed the keys in force."""
        return self.withheld > (self.force.commit if self.force else self.ended)

    def at(self, seq: int) -> Epoch | None:
        """6.1: the epoch whose key number `seq` has, if it was shown."""
        if self.waiting and seq >= self.waiting.first:
            self.force, self.waiting, self.cut = self.waiting, None, False
            self.agree, self.strayed = [], False
        one = self.force
        return one if one and one.message and one.first <= seq < one.first + KEYS else None

    def see(self, event: dict[str, Any], parts: dict[str, Any]) -> None:
        """6.1, 6.3: an event that changes the keys, or may stand before a roll."""
        seq, kind, pub = event["seq"], event["kind"], event.get("pub", {})
        self.at(seq)
        if kind == "commit":
            self.commit(event, parts, pub)
        elif kind == "shown":
            one = next((e for e in (self.waiting, self.force) if e and e.commit == event.get("target")), None)
            message = str(pub.get("message"))
            known = one is not None and not one.message
            fits = re.fullmatch("[1-9][0-9]{15,18}", message) and (known or self.unsure or self.cut)
            need(fits, "shows no keys that were committed to", seq)
            if one:
                one.message = int(message)
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
        self.own = 0 if "id" in event else self.own + 1
        self.newest = max(self.newest, int(event.get("id", 0)) >> 22)

    def reaches(self, target: int) -> bool:
        """6.1: whether a cut takes the commit of the keys in force along."""
        return target >= (self.force.commit if self.force else self.start if self.cut else target + 1)

    def commit(self, event: dict[str, Any], parts: dict[str, Any], pub: dict[str, Any]) -> None:
        """6.1: new keys, which take over when the old ones are used up."""
        seq, old = event["seq"], self.force if self.force and self.force.message else None
        end, first = (old.first + KEYS if old else 0), pub.get("first")
        wanted = end if end > seq else seq + 1
        unsure = self.unsure or self.cut
        whole = pub.get("keys") == KEYS and type(first) is int and first > seq and "root" in pub
        waits = self.waiting and self.waiting.message
        fits = whole and (unsure or (first == wanted and not waits))
        need(fits, "commits to keys while others are left", seq)
        early = unsure or first == seq + 1 or end - 1 - seq >= LEFT
        need(early, "commits to keys when too few are left", seq)
        time = event["clock"] if "clock" in event else (int(event["id"]) >> 22) + EPOCH
        said = parts.get("what", {})
        one = Epoch(seq, int(first or 0), time, said.get("drand") is True, "second_hand" in said)
        self.pending, self.ever = one, True
        self.force, self.waiting = (old, one) if first > seq + 1 else (one, None)
        if self.force is one:
            self.cut, self.agree, self.strayed = False, [], False

    def open(self, seq: int, event: dict[str, Any], leaves: list[str]) -> None:
        """6.1: the hashes of the keys of the last event."""
        one = self.pending
        whole = len(leaves) == KEYS and all(HEX.fullmatch(leaf) for leaf in leaves)
        root = root_over([bytes.fromhex(leaf) for leaf in leaves]).hex() if whole else ""
        fits = root and one and one.commit == seq and event["pub"]["root"] == root
        need(fits, "is not the commit of these keys", seq)
        if one:
            one.leaves, self.pending = leaves, None

    def salt(self, event: dict[str, Any], pub: dict[str, Any]) -> None:
        """6.3: a link of the chain, and from which id on it counts."""
        seq, said = event["seq"], pub.get("drand")
        ones = [one for one in (self.force, self.waiting) if one]
        if "drand" in pub:
            ones = [one for one in ones if one.commit == event.get("target")]
            unseen = not ones and (self.unsure or self.cut)
            fits = pub.keys() == {"drand"} and is_round(said, ones[0].time if ones else None)
            fits = fits and event.get("clock") == GENESIS + ((said or [0])[0] - 1) * PERIOD
            fits = fits and (unseen or (ones and ones[0].drand))
            need(fits, "does not have drand's first round after the commit, or not its signature's hash", seq)
            self.rounds.add(SIGNED.format(*(said or [])))
            after = (event["clock"] - EPOCH << 22) + (1 << 22) - 1
        else:
            fits = pub.keys() == {"salt"} and pub["salt"] and isinstance(pub["salt"], str)
            fits = fits and "id" in event and "target" not in event
            need(fits, "is a salt without words or a press", seq)
            after = int(event["id"])
        for one in ones:
            one.drand = one.drand and "drand" not in pub
            link = sha256(canon([one.chain[-1][1], pub]).encode()).hexdigest()
            one.chain = [*one.chain[-200:], (max(after, one.chain[-1][0]), link)]

    def roll(self, event: dict[str, Any], parts: dict[str, Any]) -> Iterator[int] | None:
        """6.1: the bits that a roll must follow from, if they can be told; what it is counted as else."""
        seq, how, what = event["seq"], parts.get("how", {}), parts.get("what", {})
        press, source, one = int(event["id"]), what.get("source"), self.at(seq)
        keyed = "key" in how or source == "keyed"
        if source == "physical":
            user = parts.get("who", {}).get("user", "")
            need(not (one and one.second_hand), "was typed in, where others throw for who hosts the bot", seq)
            user = user if user in self.people or len(self.people) < 20 else "others"
            self.people[user] = self.people.get(user, 0) + 1
            self.count(seq, "thrown")
        if one is None or press <= one.message:
            blind = "withheld" if self.unsure else "cut" if self.cut else ""
            need(not keyed or (blind and not one), "has a key that nothing committed to", seq)
            if keyed or (self.ever and not blind and source != "physical"):
                self.count(seq, blind or ("shown" if one else "off"))
            return None
        named = source in {"keyed", "physical"} or (source is None and not how.get("draws"))
        need(not what or named or self.unsure, "does not say that it has a key", seq)
        if "how" not in parts:
            self.count(seq, "closed")
            return None
        key = str(how["key"]) if HEX.fullmatch(str(how.get("key"))) else ""
        fits = key and sha256(b"\0" + bytes.fromhex(key)).hexdigest() == one.leaves[seq - one.first]
        if not fits and self.unsure:
            self.count(seq, "withheld")
            return None
        need(key, "has no key", seq)
        need(fits, "does not have the key that was committed for it", seq)
        late = self.newest - (press >> 22)
        need(late <= LATE, f"was asked for {late // 1000} s before an event above it", seq)
        need(self.own <= OWN, "stands behind more than two events that nobody asked for", seq)
        if source == "physical":
            return None
        salt = next((link for after, link in reversed(one.chain) if after < press), "")
        return words(bytes.fromhex(key), f"{self.log}|{seq}|{press}|{salt}")

    def count(self, seq: int, reason: str) -> None:
        """6.4: a roll that does not follow from its key, and why."""
        self.spans[reason].add(seq)

    def followed(self, seq: int, *, made: bool, differs: bool) -> None:
        """6.1, 6.4: a roll's draws are those of its key, or not, or it was not made again."""
        need(not differs or self.unsure, "does not follow from its key", seq)
        if differs:
            # The salt is another one since what is withheld, so others agreed by chance.
            for one in self.agree:
                self.count(one, "withheld")
            self.follow -= len(self.agree)
            self.agree, self.strayed = [], True
        if self.unsure and self.strayed:
            self.count(seq, "withheld")
        elif made:
            self.follow += 1
            self.agree += [seq] * self.unsure
        else:
            self.count(seq, "made")

    def report(self) -> list[str]:
        """6.4: what is to be said, and nothing more."""
        lines = self.restored.told("times")
        if self.ever or any(one.count for name, one in self.spans.items() if name != "thrown"):
            lines.append(f"Proof mode: {self.follow} rolls follow from their keys.")
        who = ", ".join(f"{user or 'nobody named'} {n}" for user, n in self.people.items())
        last = {"thrown": f" (by {who})", "withheld": f" (#{self.withheld} is withheld)"}
        for name, one in self.spans.items():
            if one.count:
                lines.append(f"{one.count} rolls {REASONS[name]}: {one}{last.get(name, '')}.")
        return lines + self.messages.told("messages") + self.rounds.told("rounds")
