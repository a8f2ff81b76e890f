"""Verify an export of Evenhand, or a proof of one roll, without any of Evenhand's own code.

    python verify.py [--checkpoint FILE]... [--seal N=HEX]... [--part] FILE...

A FILE is an export (if it has several files, in order), a proof of one roll, or a proof that one checkpoint
extends another. Exit code 0: it holds, and matches a given checkpoint. 3: it is consistent, but no checkpoint
kept by somebody else confirms it. 1: it does not hold. 2: it can't be read as format 2. Numbers are sections
of docs/format.md. The files beside this one are its parts; rolls.py replays the rolls.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from events import CALL, HASH, HIDDEN, MEMORY, MOVE, TARGETS, UNREAD, UNSEEN, check_roll, open_parts
from hands import MOVES, Chosen, Hands
from keys import Keys, Lines, Spans

import proofs
from proofs import NUMBER, Checkpoint, Refused, canon, need, printable

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
    """Checks the events of one campaign in order; keeps one byte of flags of each."""

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
        """5.3: return whether an event is missing or withheld, or its `what` is closed."""
        return seq <= self.start or bool(self.flags[seq - self.start - 1] & (UNSEEN | UNREAD))

    def begin(self, line: dict[str, Any]) -> None:
        """4: check a file's first line."""
        has_name = isinstance(line.get("name"), str)
        need(has_name and re.fullmatch(FIRST, canon({**line, "name": ""})), "it is no export of format 2")
        first, frontier, own = line["first"], line["frontier"], (line["origin"], line["log"])
        fits = 0 < first <= line["size"] + 1 and len(frontier) == (first - 1).bit_count()
        need(fits, "its sizes are wrong")
        if not self.origin:
            need(own[0] == f"evenhand/{own[1]}", "its origin is another log's")
            (self.origin, self.log), self.start = own, first - 1
            self.seq, self.begun, self.keys = self.start, first == 1, Keys(self.log, self.start)
            self.opening, self.frontier = frontier, [bytes.fromhex(node) for node in frontier]
        position = self.seq, [node.hex() for node in self.frontier], (self.origin, self.log)
        goes_on = (first - 1, frontier, own) == position
        need(goes_on, "is missing: the next file does not go on from the one before", self.seq + 1)
        self.end, self.checked = line["size"], -1

    def line(self, line: dict[str, Any]) -> None:
        """4: check any other line of a file."""
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
        """4: check a file, given its first line and the rest."""
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
        """1, 2: check the next event; return its leaf."""
        seq, number = self.seq + 1, event.get("seq")
        need(number is not None, "it is no event")
        need(type(number) is int and number == seq, f"is missing: #{printable(str(number))} comes next", seq)
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
        """5: check an event against the events before it."""
        seq, kind, target = event["seq"], event["kind"], event.get("target", 0)
        self.press(seq, event)
        begins = (pub.get("format"), pub.get("log"), pub.get("origin")) == (2, self.log, self.origin)
        need(seq > 1 or begins, "does not begin this log", seq)
        need(target < seq, "is about an event after it", seq)
        aimed = self.flags[target - self.start - 1] if target > self.start else target and UNSEEN
        required = CALL if kind == "reveal" and "clock" in event else TARGETS.get(kind, 0)
        fits = not required or (kind == "roll" and not target) or aimed & (required | UNSEEN)
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
        self.hands.check_event(event, parts)
        if is_roll:
            self.chosen.check_event(seq, parts)
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
            self.replay(event, parts, bits)
        elif self.rolls and not moved and "what" in event:
            self.rolls.skip(seq, event["kind"])
        self.keys.check_event(event, parts)

    def hide(self, seq: int, what: dict[str, Any]) -> None:
        """1.2.1: count a public roll whose `how` is closed, which only a rule with a memory allows."""
        remembers = what.get("spec") and json.loads(what["spec"])["system"] in MEMORY
        need(remembers, "does not tell how it came about, and has no memory that it could tell", seq)
        name = printable(what["roller"])
        name = name if name in self.hidden or len(self.hidden) < 20 else "other rollers"
        self.hidden.setdefault(name, Spans()).add(seq)

    def press(self, seq: int, event: dict[str, Any]) -> None:
        """5.4: check that an interaction's events are side by side, at most 15 minutes after newer ones."""
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
            self.ids = {id_ for id_ in self.ids if self.newest - (int(id_) >> 22) <= 15 * MINUTE}
            self.swept = self.newest

    def replay(self, event: dict[str, Any], parts: dict[str, Any], bits: Iterator[int] | None) -> None:
        """5.1 to 5.3, 6: replay a roll, if rolls.py is there."""
        seq, how, is_remade = event["seq"], parts.get("how", {}), bool(rolls)
        is_roll, differs = event["kind"] == "roll" and "how" in parts, False
        try:
            if rolls and self.rolls:
                what = parts["what"]
                d6_only = what.get("d6_only", False)
                draws = rolls.Draws(how.get("draws", []), bits, what.get("thrown"), d6_only=d6_only)
                if note := self.rolls.check_event(event, parts, draws):
                    self.notes.add(note)
                is_remade, differs = not draws.unknown, draws.differs
        except NotImplementedError:
            is_remade = False
        except Refused as error:
            raise Refused(error.why, seq) from None
        self.counts["made again" if is_remade else "not made again"] += is_roll
        if bits and (is_roll or differs):
            self.keys.count_keyed(seq, remade=is_remade, differs=differs)

    def open_epoch(self, commit: object, leaves: Any) -> None:
        """6.1: take the hashes of the keys of a commit."""
        need(commit == self.pending.get("seq"), "is not the commit of these keys", self.seq)
        self.keys.open(self.seq, self.pending, leaves)
        self.pending = {}


def read_one(text: str, seals: dict[int, str]) -> tuple[History, list[Checkpoint]]:
    """3.2: check a proof of one event; return its history, and the checkpoint that its path leads to."""
    line, index, path, checkpoint = proofs.read_inclusion(text)
    need(re.fullmatch("evenhand/[0-9a-f]{32}", checkpoint[0]), "its origin is no log's")
    history = History(set(), seals, index, checkpoint[0])
    leaf = history.event(line)
    is_included = proofs.includes(leaf, index, path, checkpoint)
    need(is_included, "is not in the tree that its proof names", history.seq)
    return history, [checkpoint]


def anchor(own: list[Checkpoint], checkpoints: list[Checkpoint], links: list[Any]) -> int:
    """3.1, 3.3: return the largest event number that a person's checkpoints, and `links`, confirm; or -1.

    `own` are the checkpoints of the history itself.
    """
    sizes, best = {size: root for _, size, root in own}, -1
    for origin, size, root in checkpoints:
        need(not own or origin == own[0][0], f"is of another campaign: {printable(origin)}", size)
        changed = "is not what your checkpoint was made of: something up to it was changed"
        need(sizes.get(size, root) == root, changed, size)
        best = max(best, size) if size in sizes else best
    for old, path, new in links:
        for start in [*checkpoints, *own]:
            if start[1] == old:
                need(proofs.goes_on(start, path, new), "is not what the newer checkpoint goes on from", old)
                is_forward = start in own and new in checkpoints
                is_backward = start in checkpoints and (new in own or not own)
                best = max(best, old) if is_forward or is_backward else best
    return best


def report(history: History, upto: int) -> list[str]:
    """4: return the lines to print for a history that is confirmed up to a number."""
    first, last, lines = history.start + 1, history.seq, [UNANCHORED]
    if upto >= first:
        lines = [f"Holds: everything shown up to #{min(upto, last)} is what your checkpoint was made of."]
        lines += [f"#{upto + 1} to #{last} are newer, and only consistent in themselves."] * (upto < last)
    history.counts["closed in part"] = history.closed.count
    counts = ", ".join(f"{count} {name}" for name, count in history.counts.items())
    origin, withheld = printable(history.origin), history.withheld
    lines.append(f"#{first} to #{last} of {origin}. Rolls: {counts}. Events withheld: {withheld}.")
    lines += [f"It is a part: nothing before #{first} is here, and no cut says why."] * (not history.begun)
    lines += [f"Closed in part: {history.closed}."] * (history.closed.count > 0)
    unseen = [seq for seq in history.seals if not first <= seq <= last]
    lines += [f"#{seq}, whose seal you gave, is not here." for seq in unseen]
    lines += history.keys.report()
    for name, spans in history.hidden.items():
        lines.append(f"{spans.count} rolls of {name} closed: {spans}. {CLOSED}")
    return lines + history.notes.summary("notes")


def verify(options: argparse.Namespace) -> tuple[int, list[str]]:
    """Return the exit code, and the lines to print."""
    texts = [Path(name).read_text("utf-8-sig") for name in options.checkpoint]
    checkpoints = [checkpoint for text in texts for checkpoint in proofs.find_checkpoints(text)]
    seals = [re.fullmatch(rf"({NUMBER})=([0-9a-f]{{32,64}})", seal.replace(" ", "")) for seal in options.seal]
    need(all(seals), "a seal is N=HEX, with 32 digits or more")
    sealed = {int(seal[1]): seal[2] for seal in seals if seal}
    export, links = History({size for _, size, _ in checkpoints}, sealed), list[Any]()
    histories: list[tuple[History, list[Checkpoint]]] = []
    for name in options.files:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as stream:
            first = stream.readline(proofs.LONGEST + 1)
            if first.startswith(b"old "):
                links.append(proofs.read_consistency((first + stream.read(proofs.LONGEST)).decode()))
            elif first.startswith(b"c2sp.org/"):
                histories.append(read_one((first + stream.read(2 * proofs.LONGEST)).decode(), sealed))
            else:
                export.read(first, stream)
    if export.origin:
        need(export.begun or options.part, "is missing: the history begins later, and no cut says why", 1)
        export.roots[export.seq] = proofs.root_of(export.frontier)
        histories.append((export, [(export.origin, size, root) for size, root in export.roots.items()]))
    if not histories:
        upto = anchor([], checkpoints, links)
        return (0, [f"Holds: it goes on from your checkpoint of #{upto}."]) if upto > 0 else (3, [UNANCHORED])
    lines, code = list[str](), 0
    for history, own in histories:
        upto = anchor(own, checkpoints, links)
        sizes = [size for _, size, _ in checkpoints] if history is export else []
        early = [size for size in sizes if size < history.start]
        lines += [f"#{size} is not compared: it lies before #{history.start + 1}." for size in early]
        largest = max(sizes, default=0)
        is_whole = largest <= history.seq or upto == history.seq
        need(is_whole, f"is missing: a checkpoint was shown for {largest} events", history.seq + 1)
        code, lines = code if upto > history.start else 3, lines + report(history, upto)
    return code, lines


def main(arguments: list[str]) -> int:
    """Print the verdict, and return the exit code."""
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
        code, lines = 2, [f"Unreadable: {printable(str(error))}"]
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
