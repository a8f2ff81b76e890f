"""Histories in format 2 for tests: rolls of the bot's own engine as plain JSON, and exports of them."""

import json
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from bot.campaign.proof import KEYS, CommittedKeys
from bot.dice import notation
from bot.dice.draws import Draws, Recorder, seeded
from bot.dice.system import Memory, System, step
from bot.dice.throws import roll
from bot.record.checkpoint import Checkpoint, ConsistencyProof, InclusionProof
from bot.record.codec import number_or_text
from bot.record.hashing import HashPosition, Keys, Tree, Value, canon
from bot.record.proof_mode import Epoch, KeyedDraws, Press, Salts, keys_root, salted
from bot.record.tree_proofs import prove_consistency, prove_inclusion
from bot.systems.registry import print_spec, read_spec
from bot.times import DISCORD_EPOCH, INSTANCE_BITS
from tests.support.parts import Line, close_parts, leaf_of, open_parts, part_of

LOG = "000102030405060708090a0b0c0d0e0f"
ORIGIN = f"evenhand/{LOG}"
NAME = "Friday"
FIRST_ID = 1_400_000_000_000_000_000
SECOND = 1_000 << 22
"""A second, in Discord's ids."""


@dataclass
class _Roller:
    system: System
    whose: str
    last: int
    epoch: int = 0
    memories: dict[str, Memory] = field(default_factory=dict[str, Memory])


class Log:
    """A campaign that writes down its events; every salt and every draw follows from the seed."""

    def __init__(self, seed: int = 1) -> None:
        self.events: list[Line] = []
        self.leaves: dict[int, tuple[bytes, ...]] = {}
        """The hashes of keys, by the number of their commit."""
        self._draws = seeded(seed)
        self._seed = seed.to_bytes(16)
        self._rollers: dict[str, _Roller] = {}
        self._epochs: list[Epoch] = []
        self._id = FIRST_ID

    def add(
        self,
        kind: str,
        user: int = 42,
        *,
        public: Line | None = None,
        label: str = "",
        words: Line | None = None,
        what: Line | None = None,
        how: Line | None = None,
    ) -> int:
        """Write an event down and return its number; `public` is set over its public fields."""
        seq = len(self.events) + 1
        self._id += 20 * SECOND
        event: Line = {"seq": seq, "kind": kind, "see": "public", "channel": "8", "id": str(self._id)}
        event |= public or {}
        if "clock" in event:
            del event["id"]
        if seq == 1:
            pub = event.get("pub")
            opening: Line = {"format": 2, "log": LOG, "origin": ORIGIN}
            event["pub"] = opening | (pub if isinstance(pub, dict) else {})
        own_words: Line = ({"label": label} if label else {}) | (words or {})
        parts: Line = {"who": {"user": str(user)}, "words": own_words, "what": what or {}, "how": how or {}}
        keys = Keys(self._seed * 2, self._seed + user.to_bytes(16))
        self.events.append(open_parts(event, parts, keys))
        return seq

    def roll(self, text: str, user: int = 42, *, public: Line | None = None, label: str = "") -> int:
        """Roll plain dice."""
        expression = notation.parse(text)
        draws, key = self._source(public)
        record = Recorder(draws)
        results: list[Value] = [str(roll(expression, record).total) for _ in range(expression.repeat)]
        part: Line = {"text": str(expression), "results": results, "source": "keyed" if key else "true"}
        return self.add(
            "roll", user, public=public, label=label, what=part, how={"draws": _drawn(record), **key}
        )

    def make(self, name: str, spec: Line, whose: str = "table") -> int:
        """Make a roller."""
        system = read_spec(spec)
        text = print_spec(system)
        roller = self._rollers.setdefault(name, _Roller(system, whose, 0))
        part: Line = {"roller": name, "spec": text}
        if whose != "table":
            part["memory"] = whose
        roller.last = roller.epoch = self.add("make", what=part, how={"prev": roller.last})
        return roller.last

    def roll_with(
        self,
        name: str,
        user: int = 42,
        times: int = 1,
        *,
        public: Line | None = None,
        label: str = "",
        words: Line | None = None,
        practice: bool = False,
        rest: str = "",
        more: Line | None = None,
    ) -> int:
        """Roll a roller, and dice beside it; practice touches no memory. `more` is added to `what`."""
        roller = self._rollers[name]
        owner = "table" if roller.whose == "table" else str(user)
        before = memory = roller.system.start() if practice else self.memory(name, owner)
        draws, key = self._source(public)
        record = Recorder(draws)
        results: list[Value] = []
        for _ in range(times * roller.system.hand):
            memory = roller.system.start() if practice else memory
            outcome, memory = step(roller.system, memory, record)
            results.append(outcome.face)
        part: Line = {"roller": name, "spec": print_spec(roller.system), "results": results}
        part |= more or {}
        part["source"] = "keyed" if key else "half"
        if rest:
            dice = notation.parse(rest)
            part |= {"rest": str(dice), "added": [str(roll(dice, record).total) for _ in range(times)]}
        how: Line = {"draws": _drawn(record), **key}
        if practice:
            return self.add(
                "roll", user, public=public, label=label, what={**part, "practice": True}, how=how
            )
        how |= {"prev": roller.last, "whose": roller.whose, "before": [number_or_text(n) for n in before]}
        roller.last = self.add("roll", user, public=public, label=label, words=words, what=part, how=how)
        roller.memories[owner] = memory
        return roller.last

    def draw(self, name: str, user: int = 42) -> int:
        """Draw a card into a hand."""
        return self.roll_with(name, user, public={"see": "self"}, more={"hand": True})

    def put_back(self, name: str, target: int, place: int, user: int = 42) -> int:
        """Put a card back from a hand into a deck that all share."""
        roller = self._rollers[name]
        memory = self.memory(name, "table")
        roller.memories["table"] = (*memory[:place], memory[place] + 1, *memory[place + 1 :])
        before: list[Value] = [number_or_text(n) for n in memory]
        how: Line = {"prev": roller.last, "place": place, "whose": "table", "before": before}
        roller.last = self.add("return", user, public={"target": target}, what={"roller": name}, how=how)
        return roller.last

    def memory(self, name: str, owner: str) -> Memory:
        """Return what a roller remembers."""
        roller = self._rollers[name]
        return roller.memories.get(owner, roller.system.start())

    def undo(self, name: str) -> int:
        """Take back a roller's newest roll."""
        roller = self._rollers[name]
        undone = self.events[roller.last - 1]
        how, who_part = part_of(undone, "how"), part_of(undone, "who")
        assert isinstance(how, dict)
        assert isinstance(who_part, dict)
        before, prev = how["before"], how["prev"]
        assert isinstance(before, list)
        assert isinstance(prev, int)
        owner = "table" if roller.whose == "table" else str(who_part["user"])
        roller.memories[owner] = tuple(int(str(n)) for n in before)
        number = self.add("undo", public={"target": roller.last}, what={"roller": name})
        roller.last = prev
        return number

    def reset(self, name: str) -> int:
        """Let a roller forget everything."""
        roller = self._rollers[name]
        roller.memories.clear()
        spec = print_spec(roller.system)
        before: Line = {"name": name, "spec": spec, "memory": roller.whose, "epoch": roller.epoch}
        how: Line = {"prev": roller.last, "before": before}
        roller.last = roller.epoch = self.add("reset", what={"roller": name}, how=how)
        return roller.last

    def commit(
        self,
        secret: bytes = bytes(32),
        *,
        clock: int | None = None,
        shown: bool = True,
        what: Line | None = None,
    ) -> int:
        """Commit to keys, which follow those that are left, and show them; with a `clock` nobody asked."""
        seq = len(self.events) + 1
        usable = [epoch for epoch in self._epochs if epoch.keys.message and epoch.keys.end > seq]
        keys = CommittedKeys(seq, usable[0].keys.end if usable else seq + 1)
        epoch = Epoch(secret, keys)
        leaves = epoch.leaves()
        timed: Line = {} if clock is None else {"clock": clock}
        pub: Line = {"keys": KEYS, "root": keys_root(leaves).hex(), "first": keys.first}
        self.add("commit", public={"pub": pub, **timed}, what=what)
        self._epochs = [*usable[:1], epoch]
        self.leaves[seq] = leaves
        if shown:
            self.show(seq)
        return seq

    def show(self, commit: int, message: int | None = None, **pub: Value) -> int:
        """Note the message that showed the keys of a commit, with more of what is public."""
        message = message or self._id + 1
        self._epochs = [
            replace(epoch, keys=replace(epoch.keys, message=message)) if epoch.keys.begun == commit else epoch
            for epoch in self._epochs
        ]
        return self.add(
            "shown", public={"pub": {"message": str(message), **pub}, "clock": 1, "target": commit}
        )

    def uncommit(self) -> int:
        """End proof mode."""
        self._epochs = []
        return self.add("uncommit")

    def restored(self, **public: Value) -> int:
        """Restore the history from a backup whose last event is the newest one."""
        self._epochs = []
        fixed: Line = {"pub": {"last": len(self.events)}, "clock": 1_795_000_000_000, **public}
        return self.add("restored", public=fixed)

    def salt(self, words: str, press: int = 0, message: int | None = None) -> int:
        """Add a player's words, and the message that showed them, if not 0, to what later bits depend on."""
        press = press or self._id + 20 * SECOND
        message = press + 1 if message is None else message
        pub: Line = {"salt": words, **({"message": str(message)} if message else {})}
        return self._add_salt({"pub": pub, "id": str(press)}, max(press, message))

    def drand(self, drand: Value, clock: int) -> int:
        """Add the round of drand that came at a time to the bits of the newest keys."""
        since = (clock - DISCORD_EPOCH + 1 << INSTANCE_BITS) - 1
        target: Line = {"target": self._epochs[-1].keys.begun} if self._epochs else {}
        return self._add_salt({"pub": {"drand": drand}, "clock": clock, **target}, since)

    def _add_salt(self, public: Line, since: int) -> int:
        self._epochs = [
            replace(epoch, salts=_linked(epoch.salts, since, public["pub"]))
            if public.get("target") in {None, epoch.keys.begun}
            else epoch
            for epoch in self._epochs
        ]
        return self.add("salt", public=public)

    def _source(self, public: Line | None) -> tuple[Draws, Line]:
        """Return the draws of the next roll, and the key recorded with them."""
        seq, press = len(self.events) + 1, int(str((public or {}).get("id", self._id + 20 * SECOND)))
        for epoch in self._epochs:
            if key := epoch.key_of(seq, press):
                return KeyedDraws(key, Press(LOG, seq, press, epoch.salts.of(press))), {"key": key.hex()}
        return self._draws, {}


def _linked(salts: Salts, since: int, pub: Value) -> Salts:
    before, salt = salts.links[-1]
    return Salts((*salts.links, (max(before, since), salted(salt, pub))))


def tree_of(leaves: Iterable[bytes]) -> Tree:
    """Return the tree over leaves."""
    tree = Tree()
    for leaf in leaves:
        tree = tree.append(leaf).tree
    return tree


def leaves_of(events: Iterable[Line]) -> list[bytes]:
    """Return the leaves of events, with open or closed parts."""
    return [leaf_of(event) for event in events]


def checkpoint_of(leaves: Sequence[bytes], size: int | None = None) -> Checkpoint:
    """Return the checkpoint after `size` leaves, or after all."""
    tree = tree_of(leaves[:size])
    return Checkpoint(ORIGIN, tree.size, tree.root)


def end_of(file: bytes) -> str:
    """Return the checkpoint at the end of an export."""
    return str(json.loads(file.splitlines()[-1])["checkpoint"])


def export(
    events: Sequence[Line],
    *,
    start: int = 0,
    before: Sequence[bytes] = (),
    leaves: Sequence[bytes] | None = None,
    epochs: dict[int, tuple[bytes, ...]] | None = None,
    name: str = NAME,
) -> list[bytes]:
    """Return the lines of an export of events that follow `before`.

    Its checkpoints are over `leaves` where they are given, as if the events were told truly.
    """
    tree = tree_of(before)
    leaf_hashes = leaves_of(events) if leaves is None else leaves
    lines = [_heading(tree, start + len(events), name)]
    for event, leaf in zip(events, leaf_hashes, strict=True):
        lines.append(canon(event) + b"\n")
        tree = tree.append(leaf).tree
        if tree.size in (epochs or {}):
            hashes: list[Value] = [leaf.hex() for leaf in (epochs or {})[tree.size]]
            lines.append(canon({"commit": tree.size, "leaves": hashes}) + b"\n")
        if tree.size % 100 == 0 or tree.size == start + len(events):
            text = Checkpoint(ORIGIN, tree.size, tree.root).text
            lines.append(canon({"checkpoint": text}) + b"\n")
    return lines


def _heading(tree: Tree, size: int, name: str) -> bytes:
    frontier: list[Value] = [node.hex() for node in tree.frontier]
    return (
        canon(
            {
                "evenhand": 2,
                "first": tree.size + 1,
                "frontier": frontier,
                "log": LOG,
                "name": name,
                "origin": ORIGIN,
                "size": size,
            }
        )
        + b"\n"
    )


def inclusion(events: Sequence[Line], number: int) -> InclusionProof:
    """Return the proof of one event of a history."""
    leaves = leaves_of(events)
    path = prove_inclusion(tree_of(leaves), number - 1, tiles_of(leaves))
    return InclusionProof(canon(events[number - 1]), number - 1, path, checkpoint_of(leaves))


def consistency(leaves: Sequence[bytes], old: int) -> ConsistencyProof:
    """Return the proof that a history extends its first `old` events."""
    path = prove_consistency(tree_of(leaves), old, tiles_of(leaves))
    return ConsistencyProof(old, path, checkpoint_of(leaves))


def tiles_of(leaves: Sequence[bytes]) -> dict[HashPosition, bytes]:
    """Return all hashes of a tree that would be stored."""
    stored: dict[HashPosition, bytes] = {}
    tree = Tree()
    for index, leaf in enumerate(leaves):
        stored[HashPosition(0, index)] = leaf
        tree, completed = tree.append(leaf)
        stored.update(completed)
    return stored


def edited(event: Line, name: str, **values: Value) -> Line:
    """Return the event with values of an open part replaced, and its salt kept."""
    changed = deepcopy(event)
    part = changed[name]
    assert isinstance(part, list)
    assert isinstance(part[1], dict)
    part[1].update(values)
    return changed


def card_of(draw: Line) -> Line:
    """Return what is said of a card that is played, after the roll that drew it."""
    part = part_of(draw, "what")
    assert isinstance(part, dict)
    return {name: part[name] for name in ("results", "roller")}


def told_to_player(event: Line) -> Line:
    """Return a hidden roll as a player sees it who may not see its result."""
    hidden = event.get("kind") == "roll" and event["see"] != "public"
    return close_parts(event, "words", "what", "how") if hidden else event


def _drawn(record: Recorder) -> list[Value]:
    return [[number_or_text(total), number_or_text(value)] for total, value in record.drawn]
