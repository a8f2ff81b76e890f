"""Check what Evenhand exported, or a proof of one roll, with none of Evenhand's code.

    python verify.py [--checkpoint FILE]... [--seal N=HEX]... [--part] FILE...

A FILE is an export (the files of one in order), a proof of one roll, or a proof that one checkpoint goes on
from another. Exit code 0: it is what a given checkpoint was made of. 3: it agrees with itself, but nothing
that somebody else kept says that it is the true one. 1: it does not hold. 2: it can't be read as format 2.
Numbers are sections of docs/format.md. With rolls.py beside this file, rolls are made again.
"""

import argparse
import json
import re
import sys
from base64 import b64decode, b64encode
from functools import reduce
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

try:
    import rolls
except ImportError:
    rolls = None

MINUTE, LARGEST, LONGEST, CALL, HIDDEN, UNSEEN = 60_000, 2**53 - 1, 1 << 20, 1, 2, 4
ABOUT = {"roll": CALL, "reveal": HIDDEN | CALL, "close": CALL, "reopen": CALL, "cancel": CALL}
PARTS, HASH, N = {"who", "words", "what", "how"}, '"[0-9a-f]{64}"', "(?:0|[1-9][0-9]{0,15})"
# The canonical text of an event, its parts closed and its `pub` put as 0; and of a file's first line.
ENTRY = (
    rf'{{"channel":"[0-9]{{1,20}}",("clock":{N},)?("how":{HASH},)?("id":"[1-9][0-9]{{15,18}}",)?'
    rf'"kind":"[a-z_]{{1,20}}",("part":{N},)?("pub":0,)?"see":"(?:public|self|gm|blind)","seq":{N}'
    rf'(,"target":{N})?(,"what":{HASH})?(,"who":{HASH})?(,"words":{HASH})?}}'
)
FIRST = (
    rf'{{"evenhand":2,"first":{N},"frontier":\[(?:{HASH},?)*\],"log":"[0-9a-f]{{32}}",'
    rf'"name":"(?:[^"\\]|\\.)*","origin":"[^\s+"\\]{{1,200}}","size":{N}}}'
)
HASH64 = "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="
NOTE = rf"([^\s+]{{1,200}})[ \n]({N})[ \n]({HASH64})\n*(?:\n— .*)?"
PROOF = rf"c2sp\.org/tlog-proof@v1\nextra (\S+)\nindex ({N})\n((?:{HASH64}\n)*)\n(.*)"
LINK = rf"old ({N})\n((?:{HASH64}\n)*)\n(.*)"
Checkpoint = tuple[str, int, bytes]
Link = tuple[int, list[bytes], Checkpoint]
UNANCHORED = "Consistent in itself, unanchored: whoever made the file could have made another one."


class Refused(Exception):
    """What does not hold, and the number where it does not; without a number, what can't be read."""


def need(holds: Any, why: str, seq: int | None = None) -> Any:
    """Refuse unless something holds."""
    if not holds:
        raise Refused(why, seq)
    return holds


def canon(value: Any, deep: int = 32) -> str:
    """1.1: the one way to write a value."""
    if isinstance(value, dict) and deep and all(re.fullmatch("[a-z0-9_]+", key) for key in value):
        return "{" + ",".join([f'"{key}":{canon(value[key], deep - 1)}' for key in sorted(value)]) + "}"
    if isinstance(value, list) and deep:
        return "[" + ",".join([canon(one, deep - 1) for one in value]) + "]"
    plain = isinstance(value, (str, bool)) or value is None or (type(value) is int and abs(value) <= LARGEST)
    return json.dumps(need(plain, "it has what the format does not have") and value, ensure_ascii=False)


def read_line(raw: bytes) -> dict[str, Any]:
    """1.1: the object on a line."""
    need(len(raw) <= LONGEST, "the line is longer than 1 MiB")
    need(raw.endswith(b"\n"), "the line has no end: something was cut off")
    try:
        value = json.loads(raw)
        same = isinstance(value, dict) and canon(value).encode() == raw[:-1]
    except (ValueError, RecursionError):
        same, value = False, None
    return need(same, "it is not the one way to write an object") and value


def node(left: bytes, right: bytes) -> bytes:
    """2: the hash over two neighbours."""
    return sha256(b"\1" + left + right).digest()


def grow(frontier: list[bytes], size: int, leaf: bytes) -> None:
    """2: one more leaf after `size` others."""
    while size & 1:
        leaf, size = node(frontier.pop(), leaf), size >> 1
    frontier.append(leaf)


def root_of(frontier: list[bytes]) -> bytes:
    """2: the root over a frontier."""
    return reduce(lambda root, left: node(left, root), frontier[::-1]) if frontier else sha256().digest()


def climb(old: int, size: int, path: list[bytes], own: bytes, end: int = 0) -> tuple[bytes, ...]:
    """2.1: the roots of `old` and of `size` leaves that a path leads to from `own`; nothing if it can't."""
    if size == (end or old):
        return (own, own) if own and not path else tuple(path * 2) if not own and len(path) == 1 else ()
    half = 1 << (size - 1).bit_length() - 1
    if old <= half:
        found = climb(old, half, path[:-1], own, end)
        return (found[0], node(found[1], path[-1])) if found and path else ()
    found = climb(old - half, size - half, path[:-1], own if end else b"", end)
    return tuple(node(path[-1], one) for one in found if path)


def read_checkpoint(text: str) -> Checkpoint:
    """3.1: a log's origin, size and root, in three lines or in one; signatures are passed over."""
    note = need(re.fullmatch(NOTE, text.strip(), re.DOTALL), "it is no checkpoint")
    return note[1], int(note[2]), b64decode(note[3])


def open_parts(event: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """1.2, 1.3: an event's parts that are open, and its leaf."""
    seq, parts, entry = event["seq"], dict[str, Any](), dict(event)
    for name in event.keys() & PARTS:
        match event[name]:
            case [str(salt), dict(part)] if re.fullmatch("[0-9a-f]{32}", salt):
                parts[name] = part
                entry[name] = sha256(canon(["evenhand/2", name, salt, part]).encode()).hexdigest()
    shape = canon({**entry, "pub": 0} if isinstance(event.get("pub"), dict) else entry)
    need(re.fullmatch(ENTRY, shape), "has a field or a part that is not as it should be", seq)
    need(
        ("id" in event) != ("clock" in event) and event.keys() >= {"id"} & {"part"},
        "has no time, or two",
        seq,
    )
    need(event["kind"] != "roll" or event.keys() >= PARTS, "is a roll without one of its parts", seq)
    return parts, sha256(b"\0" + canon(entry).encode()).digest()


def shown(text: str) -> str:
    """4: a stranger's words, so that nothing of them reaches a terminal as it is."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)[:60]


class History:
    """The events of one campaign, one after the other; what is kept of each is a byte."""

    def __init__(self, sizes: set[int], seals: dict[int, str], start: int = 0, origin: str = "") -> None:
        self.sizes, self.seals, self.origin, self.log, self.begun = (
            sizes,
            seals,
            origin,
            origin[-32:],
            bool(origin),
        )
        self.start = self.seq = self.gap = start
        self.end = self.checked = self.newest = self.swept = self.commit = 0
        self.frontier, self.flags, self.roots = [b""] * start.bit_count(), bytearray(), dict[int, bytes]()
        self.salt, self.keys, self.pending, self.ids = (
            "",
            list[str](),
            dict[str, Any](),
            set[tuple[str, int]](),
        )
        self.counts = dict.fromkeys(("made again", "not made again", "closed in part", "by nobody named"), 0)
        self.withheld, self.notes = list[list[int]](), list[str]()
        self.rolls = rolls and rolls.Rolls(lambda seq: seq <= self.gap)

    def begin(self, line: dict[str, Any]) -> None:
        """4: a file's first line."""
        need(re.fullmatch(FIRST, canon(line)), "it is no export of format 2")
        first, frontier, own = line["first"], line["frontier"], (line["origin"], line["log"])
        need(
            0 < first <= line["size"] + 1 and len(frontier) == (first - 1).bit_count(), "its sizes are wrong"
        )
        if not self.origin:
            (self.origin, self.log), self.start = own, first - 1
            self.seq, self.gap, self.begun = self.start, self.start, first == 1
            self.opening, self.frontier = frontier, [bytes.fromhex(one) for one in frontier]
        same = (first - 1, frontier, own) == (
            self.seq,
            [h.hex() for h in self.frontier],
            (self.origin, self.log),
        )
        need(same, "is missing: the next file does not go on from the one before", self.seq + 1)
        self.end, self.checked = line["size"], -1

    def line(self, line: dict[str, Any]) -> None:
        """4: every other line of a file."""
        need(not self.pending or "leaves" in line, "is a commit without the hashes of its keys", self.seq)
        if line.keys() == {"checkpoint"}:
            own = f"{self.origin}\n{self.seq}\n{b64encode(root_of(self.frontier)).decode()}\n"
            need(
                line["checkpoint"] == own,
                "does not fit the checkpoint after it: something was changed",
                self.seq,
            )
            self.checked = self.seq
        elif line.keys() == {"commit", "leaves"}:
            self.open_epoch(line["commit"], line["leaves"])
        elif line.keys() != {"about"}:
            due = self.seq % 100 == 0 and self.seq > self.start
            need(not due or self.checked == self.seq, "is not followed by a checkpoint", self.seq)
            self.event(line)

    def read(self, first: bytes, stream: BinaryIO) -> None:
        """4: a file, after its first line was read."""
        for number, raw in enumerate(chain([first], iter(lambda: stream.readline(LONGEST + 1), b"")), 1):
            try:
                (self.begin if number == 1 else self.line)(read_line(raw))
            except (Refused, TypeError, ValueError) as error:
                why, seq = error.args if isinstance(error, Refused) else ("it is no line of an export", None)
                raise Refused(why if seq else f"line {number}: {why}", seq) from None
            if self.seq in self.sizes:
                self.roots[self.seq] = root_of(self.frontier)
        need(self.seq >= self.end, f"is missing: the file goes on to #{self.end}", self.seq + 1)
        need(
            self.seq == self.end == self.checked and not self.pending, "is not the end of its file", self.seq
        )

    def event(self, event: dict[str, Any]) -> bytes:
        """1, 2: the next event; return its leaf."""
        seq, told = self.seq + 1, need("seq" in event, "it is no line of an export") and event["seq"]
        need(type(told) is int and told == seq, f"is missing: #{shown(str(told))} comes next", seq)
        closed = event.keys() == {"leaf", "seq"} and re.fullmatch(HASH, f'"{event["leaf"]}"')
        parts, leaf = ({}, bytes.fromhex(event["leaf"])) if closed else open_parts(event)
        grow(self.frontier, self.seq, leaf)
        self.flags.append(UNSEEN)
        self.seq, self.gap = seq, seq if closed or "what" in event.keys() - parts.keys() else self.gap
        if not closed:
            self.rules(event, parts, event.get("pub", {}))
        elif self.withheld and self.withheld[-1][1] == seq - 1:
            self.withheld[-1][1] = seq
        else:
            self.withheld.append([seq, seq])
        need(leaf.hex().startswith(self.seals.get(seq, "")), "is not the event that was sealed", seq)
        self.notes += [f"#{seq} is the event that was sealed."] * (seq in self.seals)
        return leaf

    def rules(self, event: dict[str, Any], parts: dict[str, Any], pub: dict[str, Any]) -> None:
        """5: what may follow what."""
        seq, kind, target = event["seq"], event["kind"], event.get("target", 0)
        if "id" in event:
            self.press(seq, int(event["id"]) >> 22, (event["id"], event.get("part", 0)))
        begins = (pub.get("format"), pub.get("log"), pub.get("origin")) == (2, self.log, self.origin)
        need(seq > 1 or begins, "does not begin this log", seq)
        need(target < seq, "is about an event after it", seq)
        aimed = self.flags[target - self.start - 1] if target > self.start else target and UNSEEN
        fits = kind not in ABOUT or (kind == "roll" and not target) or aimed & (ABOUT[kind] | UNSEEN)
        need(fits, f"is a {kind} about #{target}, which is nothing of that sort", seq)
        if kind == "cut" and target == self.start:
            self.begun = need(pub.get("frontier") == self.opening, "is not the cut before this history", seq)
        elif kind in {"commit", "uncommit"}:
            self.commit, self.salt, self.pending = 0, "", event if kind == "commit" else {}
        elif kind == "salt":
            self.salt = sha256(canon([self.salt, pub]).encode()).hexdigest()
        self.flags[-1] = CALL * (kind == "call") | HIDDEN * (kind == "roll" and event["see"] != "public")
        self.counts["by nobody named"] += kind == "roll" and "user" not in parts.get("who", {})
        self.counts["closed in part"] += kind == "roll" and not parts.keys() >= {"what", "how"}
        if "what" in parts:
            self.again(event, parts, kind == "roll" and "how" in parts)

    def press(self, seq: int, time: int, press: tuple[str, int]) -> None:
        """5.4: an interaction tells one event, and comes at most 15 minutes after newer ones."""
        late = self.newest - time
        need(press not in self.ids, "has the interaction of another event", seq)
        need(late <= 15 * MINUTE, f"was asked for {late // MINUTE} minutes before an event above it", seq)
        self.notes += [f"#{seq} was asked for over a minute before an event above it."] * (late > MINUTE)
        self.newest = max(self.newest, time)
        self.ids.add(press)
        if self.newest - self.swept > 15 * MINUTE:
            self.ids = {one for one in self.ids if self.newest - (int(one[0]) >> 22) <= 15 * MINUTE}
            self.swept = self.newest

    def again(self, event: dict[str, Any], parts: dict[str, Any], is_roll: bool) -> None:
        """5.1 to 5.3, 6: a roll again, if rolls.py is here."""
        seq, what, how, key = event["seq"], parts["what"], parts.get("how", {}), b""
        if is_roll and self.commit and seq - self.commit <= len(self.keys):
            key = bytes.fromhex(need(re.fullmatch("[0-9a-f]{64}", str(how.get("key"))), "has no key", seq)[0])
            fits = sha256(b"\0" + key).hexdigest() == self.keys[seq - self.commit - 1]
            need(fits, "does not have the key that was committed for it", seq)
        press = "|".join(map(str, (self.log, seq, event.get("id"), event.get("part", 0), self.salt)))
        try:
            if rolls and self.rolls:
                bits = b"" if what.get("source") == "physical" else key
                self.rolls.see(
                    event, parts, rolls.Draws(how.get("draws", []), bits, f"evenhand/2 bits {press}")
                )
                self.counts["made again"] += is_roll
        except NotImplementedError:
            self.counts["not made again"] += is_roll
        except ValueError as error:
            raise Refused(str(error), seq) from None
        except (ArithmeticError, AttributeError, LookupError, TypeError):
            raise Refused("is not recorded as a roll is", seq) from None

    def open_epoch(self, commit: object, leaves: Any) -> None:
        """6.1: the hashes of the keys of a commit."""
        frontier, pub = list[bytes](), self.pending.get("pub", {})
        for size, leaf in enumerate(leaves):
            grow(frontier, size, bytes.fromhex(leaf))
        fits = commit == self.pending.get("seq") and pub.get("keys") == len(leaves)
        need(fits and pub.get("root") == root_of(frontier).hex(), "is not the commit of these keys", self.seq)
        self.commit, self.keys, self.pending = self.seq, leaves, {}


def unbase64(text: str) -> list[bytes]:
    """3.2, 3.3: the hashes of a proof, one a line."""
    return [b64decode(line) for line in text.split()]


def read_text(first: bytes, stream: BinaryIO) -> str:
    """3.2, 3.3: a proof's text."""
    return (first + stream.read(2 * LONGEST)).decode()


def read_one(text: str, seals: dict[int, str]) -> tuple[History, list[Checkpoint]]:
    """3.2: one event, and the checkpoint that its path leads to."""
    proof = need(re.fullmatch(PROOF, text, re.DOTALL), "it is no proof")
    index, (origin, size, root) = int(proof[2]), read_checkpoint(proof[4])
    one = History(set(), seals, index, origin)
    leaf = one.event(read_line(b64decode(proof[1]) + b"\n"))
    found = climb(index + 1, size, unbase64(proof[3]), leaf, 1) if index < size else ()
    need(found[1:] == (root,), "is not in the tree that its proof names", index + 1)
    return one, [(origin, size, root)]


def anchor(own: list[Checkpoint], given: list[Checkpoint], links: list[Link]) -> int:
    """3.1, 3.3: up to which number the given checkpoints, and the proofs between them, bear out one's own."""
    sizes, best = {size: root for _, size, root in own}, -1
    for origin, size, root in given:
        need(origin in {one[0] for one in own} or not own, f"is of another campaign: {shown(origin)}", size)
        need(
            sizes.get(size, root) == root,
            "is not what your checkpoint was made of: something was changed",
            size,
        )
        best = max(best, size) if size in sizes else best
    for old, path, new in links:
        for known in (one for one in [*given, *own] if one[1] == old):
            fits = 0 < old <= new[1] and climb(old, new[1], path, known[2]) == (known[2], new[2])
            need(fits and known[0] == new[0], "is not what the newer checkpoint goes on from", old)
            best = max(best, old) if known in given or new in given else best
    return best


def report(one: History, upto: int) -> list[str]:
    """4: what was found, and nothing more."""
    first, last = one.start + 1, one.seq
    lines = [UNANCHORED]
    if upto >= first:
        lines = [f"Holds: everything shown up to #{min(upto, last)} is what your checkpoint was made of."]
        lines += [f"#{upto + 1} to #{last} are newer, and only consistent in themselves."] * (upto < last)
    spans = ", ".join(f"#{a}" if a == b else f"#{a} to #{b}" for a, b in one.withheld)
    counts = ", ".join(f"{count} {name}" for name, count in one.counts.items())
    lines += [
        f"#{first} to #{last} of {shown(one.origin)}. Rolls: {counts}. Events withheld: {spans or 'none'}."
    ]
    missing = [f"#{seq}, whose seal you gave, is not here." for seq in one.seals if not first <= seq <= last]
    return lines + missing + one.notes[:20]


def verify(options: argparse.Namespace) -> tuple[int, list[str]]:
    """Give the exit code, and what there is to say."""
    given = [read_checkpoint(Path(name).read_text("utf-8")) for name in options.checkpoint]
    seals = [re.fullmatch(rf"({N})=([0-9a-f]{{32,64}})", seal.replace(" ", "")) for seal in options.seal]
    need(all(seals), "a seal is N=HEX, with 32 digits or more")
    sealed, links, found = (
        {int(seal[1]): seal[2] for seal in seals if seal},
        list[Link](),
        list[tuple[History, list[Checkpoint]]](),
    )
    history = History({size for _, size, _ in given}, sealed)
    for name in options.files:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as stream:
            first = stream.readline(LONGEST + 1)
            if first.startswith(b"old "):
                link = need(re.fullmatch(LINK, read_text(first, stream), re.DOTALL), "it is no proof")
                links.append((int(link[1]), unbase64(link[2]), read_checkpoint(link[3])))
            elif first.startswith(b"c2sp.org/"):
                found.append(read_one(read_text(first, stream), sealed))
            else:
                history.read(first, stream)
    if history.origin:
        need(history.begun or options.part, "is missing, and no cut says why", 1)
        history.roots[history.seq] = root_of(history.frontier)
        found.append((history, [(history.origin, *one) for one in history.roots.items()]))
    if not found:
        upto = anchor([], given, links)
        return (0, [f"Holds: it goes on from your checkpoint of #{upto}."]) if upto > 0 else (3, [UNANCHORED])
    lines, code = list[str](), 0
    for one, own in found:
        upto = anchor(own, given, links)
        beyond = max((size for _, size, _ in given), default=0) if one is history else 0
        missing = f"is missing: a checkpoint was shown for {beyond} events"
        need(beyond <= one.seq or upto == one.seq, missing, one.seq + 1)
        code, lines = code if upto > one.start else 3, lines + report(one, upto)
    return code, lines


def main(arguments: list[str]) -> int:
    """Print what there is to say, and give the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE")
    parser.add_argument("--seal", action="append", default=[], metavar="N=HEX")
    parser.add_argument("--part", action="store_true")
    try:
        code, lines = verify(parser.parse_args(arguments))
    except Refused as error:
        why, seq = error.args
        code, lines = (1, [f"Broken at #{seq}: #{seq} {why}."]) if seq else (2, [f"Unreadable: {why}."])
    except (OSError, ValueError) as error:
        code, lines = 2, [f"Unreadable: {shown(str(error))}"]
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
