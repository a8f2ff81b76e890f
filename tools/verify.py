"""Check what Evenhand exported, or a proof of one roll, with none of Evenhand's own code.

    python verify.py [--checkpoint FILE]... [--seal N=HEX]... [--part] FILE...

A FILE is an export (the files of one in order), a proof of one roll, or a proof that one checkpoint goes on
from another. Exit code 0: it is what a given checkpoint was made of. 3: it agrees with itself, but nothing
that somebody else kept says that it is the true one. 1: it does not hold. 2: it can't be read as format 2.
Numbers are sections of docs/format.md. It needs proofs.py beside it, and makes rolls again with rolls.py.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from events import ABOUT, CALL, HASH, HIDDEN, MEMORY, MOVE, UNREAD, UNSEEN, check_roll, open_parts
from hands import MOVES, Chosen, Hands
from keys import Keys, Lines, Spans

import proofs
from proofs import NUMBER, Checkpoint, Refused, canon, need, shown

try:
    import rolls
except ImportError:
    rolls = None

MINUTE = 60_000
FIRST = (
    rf'{{"evenhand":2,"first":{NUMBER},"frontier":\[(?:{HASH},?)*\],"log":"[0-9a-f]{{32}}",'
    rf'"name":"","origin":"evenhand/[0-9a-f]{{32}}","size":{NUMBER}}}'
)
CLOSED = "Their memory is hidden from you; a game master's export opens them."
STRANGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
UNANCHORED = "Consistent in itself, unanchored: whoever made the file could have made another one. To know, \
hold a checkpoint that somebody kept against it, in a file: --checkpoint FILE."


class History:
    """The events of one campaign, one after the other; what is kept of each is a byte."""

    def __init__(self, sizes: set[int], seals: dict[int, str], start: int = 0, origin: str = "") -> None:
        self.sizes, self.seals, self.origin, self.log = sizes, seals, origin, origin[-32:]
        self.start = self.seq = start
        self.begun, self.opening = bool(origin), list[str]()
        self.end = self.checked = self.newest = self.swept = 0
        self.frontier, self.flags, self.roots = [b""] * start.bit_count(), bytearray(), dict[int, bytes]()
        self.pending, self.keys = dict[str, Any](), Keys(self.log, start)
        self.ids, self.own, self.part, self.gap = set[str](), "", 0, 0
        self.counts = dict.fromkeys(("made again", "not made again", "closed in part", "by nobody named"), 0)
        self.withheld, self.closed, self.hidden = Spans(), Spans(), dict[str, Spans]()
        self.notes, self.hands, self.chosen = Lines(), Hands(), Chosen()
        self.rolls = rolls and rolls.Rolls(self.unread, self.hands.cards)

    def unread(self, seq: int) -> bool:
        """5.3: whether an event is not here, or its `what` could not be read."""
        return seq <= self.start or bool(self.flags[seq - self.start - 1] & (UNSEEN | UNREAD))

    def begin(self, line: dict[str, Any]) -> None:
        """4: a file's first line."""
        named = isinstance(line.get("name"), str)
        need(named and re.fullmatch(FIRST, canon({**line, "name": ""})), "it is no export of format 2")
        first, frontier, own = line["first"], line["frontier"], (line["origin"], line["log"])
        fits = 0 < first <= line["size"] + 1 and len(frontier) == (first - 1).bit_count()
        need(fits, "its sizes are wrong")
        if not self.origin:
            need(own[0] == f"evenhand/{own[1]}", "its origin is another log's")
            (self.origin, self.log), self.start = own, first - 1
            self.seq, self.begun, self.keys = self.start, first == 1, Keys(self.log, self.start)
            self.opening, self.frontier = frontier, [bytes.fromhex(one) for one in frontier]
        here = self.seq, [one.hex() for one in self.frontier], (self.origin, self.log)
        goes_on = (first - 1, frontier, own) == here
        need(goes_on, "is missing: the next file does not go on from the one before", self.seq + 1)
        self.end, self.checked = line["size"], -1

    def line(self, line: dict[str, Any]) -> None:
        """4: every other line of a file."""
        need(not self.pending or "leaves" in line, "is a commit without the hashes of its keys", self.seq)
        if line.keys() == {"checkpoint"}:
            own = proofs.print_checkpoint(self.origin, self.seq, self.frontier)
            changed = "does not fit the checkpoint after it: something up to it was changed"
            need(line["checkpoint"] == own, changed, self.seq)
            self.checked = self.seq
        elif line.keys() == {"commit", "leaves"}:
            self.open_epoch(line["commit"], line["leaves"])
        elif line.keys() != {"about"}:
            due = self.seq % 100 == 0 and self.seq > self.start
            need(not due or self.checked == self.seq, "is not followed by a checkpoint", self.seq)
            self.event(line)

    def read(self, first: bytes, stream: BinaryIO) -> None:
        """4: a file, after its first line was read."""
        raws = chain([first], iter(lambda: stream.readline(proofs.LONGEST + 1), b""))
        for number, raw in enumerate(raws, 1):
            try:
                (self.begin if number == 1 else self.line)(proofs.read_line(raw))
            except (Refused, LookupError, TypeError, ValueError) as error:
                if isinstance(error, Refused) and error.seq is not None:
                    raise
                why = error.why if isinstance(error, Refused) else "it is not as it should be"
                raise Refused(f"line {number} is no line of an export: {why}") from None
            if self.seq in self.sizes:
                self.roots[self.seq] = proofs.root_of(self.frontier)
        need(self.seq >= self.end, f"is missing: the file goes on to #{self.end}", self.seq + 1)
        ended = self.seq == self.end == self.checked and not self.pending
        need(ended, "is not the end of its file", self.seq)

    def event(self, event: dict[str, Any]) -> bytes:
        """1, 2: the next event; return its leaf."""
        seq, told = self.seq + 1, event.get("seq")
        need(told is not None, "it is no event")
        need(type(told) is int and told == seq, f"is missing: #{shown(str(told))} comes next", seq)
        closed = event.keys() == {"leaf", "seq"} and re.fullmatch(HASH, f'"{event["leaf"]}"')
        parts, leaf = ({}, bytes.fromhex(event["leaf"])) if closed else open_parts(event)
        proofs.grow(self.frontier, self.seq, leaf)
        self.seq = seq
        self.flags.append(UNSEEN)
        if closed:
            self.keys.withhold(seq)
            self.withheld.add(seq)
            self.hands.skip()
            self.gap += 1
            if self.rolls:
                self.rolls.skip(seq)
        else:
            try:
                self.rules(event, parts, event.get("pub", {}))
            except STRANGE:
                raise Refused("is not recorded as events are", seq) from None
        need(leaf.hex().startswith(self.seals.get(seq, "")), "is not the event that was sealed", seq)
        if seq in self.seals:
            self.notes.add(f"#{seq} is the event that was sealed.")
        return leaf

    def rules(self, event: dict[str, Any], parts: dict[str, Any], pub: dict[str, Any]) -> None:
        """5: what may follow what."""
        seq, kind, target = event["seq"], event["kind"], event.get("target", 0)
        self.press(seq, event)
        begins = (pub.get("format"), pub.get("log"), pub.get("origin")) == (2, self.log, self.origin)
        need(seq > 1 or begins, "does not begin this log", seq)
        need(target < seq, "is about an event after it", seq)
        aimed = self.flags[target - self.start - 1] if target > self.start else target and UNSEEN
        wanted = CALL if kind == "reveal" and "clock" in event else ABOUT.get(kind, 0)
        fits = not wanted or (kind == "roll" and not target) or aimed & (wanted | UNSEEN)
        need(fits, f"is a {kind} about #{target}, which is nothing of that sort", seq)
        if kind == "cut" and target == self.start:
            need(pub.get("frontier") == self.opening, "is not the cut before this history", seq)
            self.begun = True
        if kind == "commit":
            self.pending = event
        what, is_roll, public = parts.get("what", {}), kind == "roll", event["see"] == "public"
        called = is_roll and target and aimed & (HIDDEN | UNSEEN)
        self.flags[-1] = CALL * (kind == "call") | HIDDEN * (kind in {"roll", "call"} and not public)
        self.flags[-1] |= MOVE * (kind in MOVES - {"return"}) | UNREAD * (
            "what" in event.keys() - parts.keys()
        )
        if is_roll and "what" in parts:
            self.flags[-1] |= check_roll(seq, event["see"], what, parts.get("how"))
        self.hands.see(event, parts)
        if is_roll:
            self.chosen.see(seq, parts)
        self.counts["by nobody named"] += is_roll and "user" not in parts.get("who", {})
        if is_roll:
            if not parts.keys() >= {"what", "how"}:
                self.closed.add(seq)
            need(not public or "what" in parts or called, "is public, and does not tell its result", seq)
            if public and what and "how" not in parts:
                self.hide(seq, what)
        bits = self.keys.roll(event, parts) if kind in {"roll", "restart"} else None
        moved = kind == "undo" and aimed & MOVE
        if "what" in parts and not moved:
            self.again(event, parts, bits)
        elif self.rolls and not moved and "what" in event:
            self.rolls.skip(seq, event["kind"])
        self.keys.see(event, parts)

    def hide(self, seq: int, what: dict[str, Any]) -> None:
        """1.2.1: a public roll that does not tell how it came about, which only a memory may have it do."""
        remembers = what.get("spec") and json.loads(what["spec"])["system"] in MEMORY
        need(remembers, "does not tell how it came about, and has no memory that it could tell", seq)
        name = shown(what["roller"])
        name = name if name in self.hidden or len(self.hidden) < 20 else "other rollers"
        self.hidden.setdefault(name, Spans()).add(seq)

    def press(self, seq: int, event: dict[str, Any]) -> None:
        """5.4: an interaction's events stand side by side, at most 15 minutes after newer ones."""
        own, part, gap = self.own, self.part, self.gap
        self.own, self.part, self.gap = str(event.get("id", "")), event.get("part", 0), 0
        if "id" not in event:
            return
        press, mine = event["id"], event.get("part", 0)
        time = int(press) >> 22
        late = self.newest - time
        fits = part and mine == part + gap + 1 if press == own else press not in self.ids
        need(fits, "has the interaction of another event", seq)
        whole = press == own or mine - 1 <= gap or seq == self.start + 1 > 1
        need(whole, "is a part of an interaction whose other parts do not stand before it", seq)
        need(late <= 15 * MINUTE, f"was asked for {late // MINUTE} minutes before an event above it", seq)
        if late > MINUTE:
            self.notes.add(f"#{seq} was asked for over a minute before an event above it.")
        self.newest = max(self.newest, time)
        self.ids.add(press)
        if self.newest - self.swept > 15 * MINUTE:
            self.ids = {one for one in self.ids if self.newest - (int(one) >> 22) <= 15 * MINUTE}
            self.swept = self.newest

    def again(self, event: dict[str, Any], parts: dict[str, Any], bits: Iterator[int] | None) -> None:
        """5.1 to 5.3, 6: a roll again, if rolls.py is here."""
        seq, how, made = event["seq"], parts.get("how", {}), bool(rolls)
        is_roll, differs = event["kind"] == "roll" and "how" in parts, False
        try:
            if rolls and self.rolls:
                what = parts["what"]
                d6_only = what.get("d6_only", False)
                draws = rolls.Draws(how.get("draws", []), bits, what.get("thrown"), d6_only=d6_only)
                if note := self.rolls.see(event, parts, draws):
                    self.notes.add(note)
                made, differs = not draws.unknown, draws.differs
        except NotImplementedError:
            made = False
        except Refused as error:
            raise Refused(error.why, seq) from None
        self.counts["made again" if made else "not made again"] += is_roll
        if bits and (is_roll or differs):
            self.keys.followed(seq, made=made, differs=differs)

    def open_epoch(self, commit: object, leaves: Any) -> None:
        """6.1: the hashes of the keys of a commit."""
        need(commit == self.pending.get("seq"), "is not the commit of these keys", self.seq)
        self.keys.open(self.seq, self.pending, leaves)
        self.pending = {}


def read_one(text: str, seals: dict[int, str]) -> tuple[History, list[Checkpoint]]:
    """3.2: one event, and the checkpoint that its path leads to."""
    line, index, path, checkpoint = proofs.read_inclusion(text)
    need(re.fullmatch("evenhand/[0-9a-f]{32}", checkpoint[0]), "its origin is no log's")
    one = History(set(), seals, index, checkpoint[0])
    leaf = one.event(line)
    need(proofs.includes(leaf, index, path, checkpoint), "is not in the tree that its proof names", one.seq)
    return one, [checkpoint]


def anchor(own: list[Checkpoint], given: list[Checkpoint], links: list[Any]) -> int:
    """3.1, 3.3: up to which number the given checkpoints, and the proofs between them, bear out one's own."""
    sizes, best = {size: root for _, size, root in own}, -1
    for origin, size, root in given:
        need(not own or origin == own[0][0], f"is of another campaign: {shown(origin)}", size)
        changed = "is not what your checkpoint was made of: something up to it was changed"
        need(sizes.get(size, root) == root, changed, size)
        best = max(best, size) if size in sizes else best
    for old, path, new in links:
        for known in (one for one in [*given, *own] if one[1] == old):
            need(proofs.goes_on(known, path, new), "is not what the newer checkpoint goes on from", old)
            tied = (known in own and new in given) or (known in given and (new in own or not own))
            best = max(best, old) if tied else best
    return best


def report(one: History, upto: int) -> list[str]:
    """4: what was found, and nothing more."""
    first, last, lines = one.start + 1, one.seq, [UNANCHORED]
    if upto >= first:
        lines = [f"Holds: everything shown up to #{min(upto, last)} is what your checkpoint was made of."]
        lines += [f"#{upto + 1} to #{last} are newer, and only consistent in themselves."] * (upto < last)
    one.counts["closed in part"] = one.closed.count
    counts = ", ".join(f"{count} {name}" for name, count in one.counts.items())
    lines += [
        f"#{first} to #{last} of {shown(one.origin)}. Rolls: {counts}. Events withheld: {one.withheld}."
    ]
    lines += [f"It is a part: nothing before #{first} is here, and no cut says why."] * (not one.begun)
    lines += [f"Closed in part: {one.closed}."] * (one.closed.count > 0)
    lines += [f"#{seq}, whose seal you gave, is not here." for seq in one.seals if not first <= seq <= last]
    lines += one.keys.report()
    for name, spans in one.hidden.items():
        lines.append(f"{spans.count} rolls of {name} closed: {spans}. {CLOSED}")
    return lines + one.notes.told("notes")


def verify(options: argparse.Namespace) -> tuple[int, list[str]]:
    """Give the exit code, and what there is to say."""
    given = [proofs.read_checkpoint(Path(name).read_text("utf-8")) for name in options.checkpoint]
    seals = [re.fullmatch(rf"({NUMBER})=([0-9a-f]{{32,64}})", seal.replace(" ", "")) for seal in options.seal]
    need(all(seals), "a seal is N=HEX, with 32 digits or more")
    sealed = {int(seal[1]): seal[2] for seal in seals if seal}
    history, links = History({size for _, size, _ in given}, sealed), list[Any]()
    found: list[tuple[History, list[Checkpoint]]] = []
    for name in options.files:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as stream:
            first = stream.readline(proofs.LONGEST + 1)
            if first.startswith(b"old "):
                links.append(proofs.read_consistency((first + stream.read(proofs.LONGEST)).decode()))
            elif first.startswith(b"c2sp.org/"):
                found.append(read_one((first + stream.read(2 * proofs.LONGEST)).decode(), sealed))
            else:
                history.read(first, stream)
    if history.origin:
        need(history.begun or options.part, "is missing: the history begins later, and no cut says why", 1)
        history.roots[history.seq] = proofs.root_of(history.frontier)
        found.append((history, [(history.origin, *one) for one in history.roots.items()]))
    if not found:
        upto = anchor([], given, links)
        return (0, [f"Holds: it goes on from your checkpoint of #{upto}."]) if upto > 0 else (3, [UNANCHORED])
    lines, code = list[str](), 0
    for one, own in found:
        upto = anchor(own, given, links)
        early = [size for _, size, _ in given if one is history and size < one.start]
        lines += [f"#{size} is not compared: it lies before #{one.start + 1}." for size in early]
        beyond = max((size for _, size, _ in given), default=0) if one is history else 0
        whole = beyond <= one.seq or upto == one.seq
        need(whole, f"is missing: a checkpoint was shown for {beyond} events", one.seq + 1)
        code, lines = code if upto > one.start else 3, lines + report(one, upto)
    return code, lines


def main(arguments: list[str]) -> int:
    """Print what there is to say, and give the exit code."""
    parser = argparse.ArgumentParser(description="Check an Evenhand history.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE")
    parser.add_argument("--seal", action="append", default=[], metavar="N=HEX")
    parser.add_argument("--part", action="store_true", help="the file begins in the middle")
    try:
        code, lines = verify(parser.parse_args(arguments))
    except Refused as error:
        broken = error.seq is not None
        code, lines = 2 - broken, [f"{f'Broken: #{error.seq}' if broken else 'Unreadable:'} {error.why}."]
    except (OSError, ValueError) as error:
        code, lines = 2, [f"Unreadable: {shown(str(error))}"]
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
