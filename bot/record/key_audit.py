"""Audit proof mode: check the key of each roll, and that its draws follow from it.

Source: docs/format.md, section 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.campaign.calls import TIES
from bot.campaign.events import Event, HistoryCut, RegisterReset, Rolled
from bot.campaign.kinds import Kind
from bot.campaign.proof import (
    KEYS,
    CommittedKeys,
    KeysCommitted,
    KeysShown,
    ProofMode,
    SaltGiven,
    keys_after,
    round_after_message,
    time_of_round,
)
from bot.campaign.replay import remake, throw_added_dice
from bot.dice.draws import Draws, Recorder, Source
from bot.record.findings import Broken, Few, Spans
from bot.record.hashing import is_hash, leaf_hash
from bot.record.ledger import LATEST, UNASKED
from bot.record.lines import EventRecord, is_snowflake
from bot.record.proof_mode import NO_SALT, KeyedDraws, Press, Salts, is_round, keys_root
from bot.times import milliseconds_of

_PEOPLE = 20
DRAND = "pipx run tools/drand.py {} {}"
"""Command that checks a signature of drand; takes the number of a round and its signature."""
_NO_ROUND = "#{number} does not have drand's first round after its keys, or not its signature's hash."
_ANOTHER_KEY = "#{number} does not have the key that was committed for it."
_KEYED = (Rolled, RegisterReset)
_CHANGES = frozenset({Kind.COMMIT, Kind.SHOWN, Kind.SALT, Kind.UNCOMMIT, Kind.CUT, Kind.RESTORED})
_ENDS = frozenset({Kind.UNCOMMIT, Kind.RESTORED})


class Unkeyed(StrEnum):
    """Reason why a roll can't be shown to follow from a key."""

    EARLY = "before the message that shows the keys"
    OFF = "without keys in force"
    THROWN = "typed in by people, not from keys"
    CLOSED = "closed, so their keys can't be seen"
    HEAVY = "that take too long to make again"
    WITHHELD = "can't be followed behind withheld events"
    CUT = "can't be followed, their commit was cut"


@dataclass(frozen=True, slots=True)
class _Epoch:
    keys: CommittedKeys
    time: int
    """The time before drand's round: of the message with the keys, or in older histories of the commit."""
    drand: bool
    second_hand: bool
    leaves: Sequence[bytes] = ()
    salts: Salts = NO_SALT


@dataclass(slots=True)
class KeyFindings:
    """Counts and notes of the audit of proof mode."""

    followed: int = 0
    """Number of rolls that follow from their keys."""
    unkeyed: dict[Unkeyed, Spans] = field(default_factory=dict[Unkeyed, Spans])
    people: dict[int | None, int] = field(default_factory=dict[int | None, int])
    """Person to the number of rolls that they typed in."""
    messages: Few[int] = field(default_factory=Few[int])
    """Ids of the messages that show keys."""
    spoken: Few[int] = field(default_factory=Few[int])
    """Ids of the messages that show words; apart, or many words would hide the messages with keys."""
    late: Few[int] = field(default_factory=Few[int])
    """Numbers of salts of older histories that somebody may have chosen, or known, too early or too late."""
    rounds: Few[tuple[int, str]] = field(default_factory=Few[tuple[int, str]])
    """Rounds of drand and their signatures, which remain to be checked."""
    ever: bool = False
    """True if keys were ever committed to."""
    withheld: int = 0
    """Number of the newest withheld event."""

    def count(self, seq: int, why: Unkeyed) -> None:
        """Count a roll that can't be shown to follow from a key."""
        self.unkeyed.setdefault(why, Spans()).add(seq)

    def throw(self, seq: int, user_id: int | None) -> None:
        """Count a roll that a person typed in."""
        self.count(seq, Unkeyed.THROWN)
        if user_id in self.people or len(self.people) < _PEOPLE:
            self.people[user_id] = self.people.get(user_id, 0) + 1


class KeyAudit:
    """Follows the keys of one history, whose events begin after number `start`."""

    def __init__(self, log: str, start: int) -> None:
        self.findings = KeyFindings()
        self._log = log
        self._start = start
        self._cut = start > 0
        """True if keys may be in force whose commit was cut off."""
        self._ended = 0
        """Number of the event that ended keys last."""
        self._epochs: dict[int, _Epoch] = {}
        self._keys: tuple[CommittedKeys, ...] = ()
        self._pending: EventRecord | None = None
        self._newest = self._unasked = 0
        self._agreed: list[int] = []
        """Rolls since the newest withheld event that follow from their keys."""
        self._strayed = False
        """True if the salt is known to have changed since then."""

    @property
    def awaits_keys(self) -> bool:
        """Return whether the last event is a commit whose hashes of keys have not been read yet."""
        return self._pending is not None

    @property
    def salts(self) -> Mapping[int, Salts]:
        """Return each commit's number with its chain of salts, for keys in use or waiting."""
        return {begun: epoch.salts for begun, epoch in self._epochs.items()}

    @property
    def _unsure(self) -> bool:
        """True if an unseen event may have changed the keys in force."""
        return self._cut or self.findings.withheld > (self._keys[0].begun if self._keys else self._ended)

    def withhold(self, seq: int) -> None:
        """Note a withheld event: a later roll that does not follow from its key is no proof of a fault."""
        self.findings.withheld, self._unasked, self._agreed = seq, 0, []

    def open_epoch(self, commit: int, leaves: Sequence[str]) -> None:
        """Take the hashes of the keys of the last event, a commit; raise Broken if they are not its own."""
        pub = self._pending.pub if self._pending and self._pending.seq == commit else None
        whole = len(leaves) == KEYS and all(map(is_hash, leaves))
        hashes = tuple(map(bytes.fromhex, leaves)) if whole else ()
        if not pub or not whole or pub.get("root") != keys_root(hashes).hex():
            raise Broken(commit, "#{number} is not the commit of these keys.")
        self._epochs[commit] = replace(self._epochs[commit], leaves=hashes)
        self._pending = None

    def see(self, record: EventRecord) -> None:
        """Take the next event, after its own roll was checked."""
        event, press = record.event, record.press
        if event is not None and (self._keys or record.kind in _CHANGES):
            self._change(record, event)
        self._unasked = 0 if press else self._unasked + 1
        if press and press[0] > self._newest:
            self._newest = press[0]

    def _change(self, record: EventRecord, event: Event) -> None:
        match event.body:
            case KeysCommitted() as body:
                self._commit(record, event, body)
            case KeysShown(target=target, message=message, round=number):
                waits = any(keys.begun == target and not keys.message for keys in self._keys)
                if not is_snowflake(message) or not (waits or self._unsure):
                    raise Broken(event.seq, "#{number} shows no keys that were committed to.")
                if number is not None:
                    self._wait_for_round(event, int(message), number)
                self.findings.messages.add(int(message))
            case SaltGiven() as body:
                self._salt(event, body)
            case _:
                pass
        before = self._keys
        self._keys = keys_after(self._keys, event.seq, event.body)
        self._epochs = {keys.begun: replace(self._epochs[keys.begun], keys=keys) for keys in self._keys}
        if self._keys[:1] != before[:1]:
            self._agreed, self._strayed = [], False
        ends = event.kind in _ENDS or bool(before and not self._keys)
        took_over = bool(self._keys) and event.seq + 1 >= self._keys[0].first
        reached = isinstance(event.body, HistoryCut) and (event.target or 0) >= self._start
        if ends or (self._cut and (took_over or (reached and not self._keys))):
            self._cut, self._ended = False, event.seq

    def _commit(self, record: EventRecord, event: Event, body: KeysCommitted) -> None:
        first = ProofMode(self._keys).next_first(event.seq)
        if body.keys != KEYS or body.first <= event.seq or (body.first != first and not self._unsure):
            raise Broken(event.seq, "#{number} commits to keys while others are left.")
        keys = CommittedKeys(event.seq, body.first)
        self._epochs[event.seq] = _Epoch(keys, event.milliseconds, body.drand, body.second_hand)
        self._pending, self.findings.ever = record, True

    def _wait_for_round(self, event: Event, message: int, number: int) -> None:
        if number != round_after_message(message):
            raise Broken(event.seq, _NO_ROUND)
        if epoch := self._epochs.get(event.target or 0):
            self._epochs[epoch.keys.begun] = replace(epoch, time=milliseconds_of(message))

    def _salt(self, event: Event, body: SaltGiven) -> None:
        epochs = [epoch for epoch in self._epochs.values() if event.target in {None, epoch.keys.begun}]
        if body.drand:
            timed = event.target and event.clock == time_of_round(body.drand[0]) and not body.salt
            fits = [epoch for epoch in epochs if epoch.drand and is_round([*body.drand], epoch.time)]
            if not timed or body.message or (len(fits) != 1 and (epochs or not self._unsure)):
                raise Broken(event.seq, _NO_ROUND)
            # The signature will be printed, so it must be hexadecimal digits, even if its commit is unseen.
            if is_round([*body.drand], time_of_round(body.drand[0] - 1)):
                self.findings.rounds.add((body.drand[0], body.drand[2]))
            times = [milliseconds_of(fit.keys.message) if fit.keys.message else None for fit in fits]
            if any(time is None or time_of_round(body.drand[0]) <= time for time in times):
                self.findings.late.add(event.seq)
        elif not body.salt or event.target is not None:
            raise Broken(event.seq, "#{number} is a salt without words.")
        elif not body.message:
            self.findings.late.add(event.seq)
        elif is_snowflake(body.message):
            self.findings.spoken.add(int(body.message))
        else:
            raise Broken(event.seq, "#{number} is a salt without the message that showed it.")
        for salted in epochs:
            drand = salted.drand and body.drand is None
            self._epochs[salted.keys.begun] = replace(salted, salts=salted.salts.after(event), drand=drand)

    def check(self, record: EventRecord, *, remakes: bool) -> None:
        """Check the key of a roll or a restart before `see`; raise Broken for another key, or none.

        Unless the audit `remakes` the roll, count it as not shown to follow from its key.
        """
        seq, press = record.seq, record.press[0] if record.press else 0
        body = record.event.body if record.event else None
        body = body if isinstance(body, _KEYED) else None
        keys = next((keys for keys in self._keys if keys.message and keys.has(seq)), None)
        if body and body.source is Source.PHYSICAL:
            self.findings.throw(seq, record.user_id)
            if keys and self._epochs[keys.begun].second_hand:
                raise Broken(seq, "#{number} was typed in, where others throw for who hosts the bot.")
        if keys is None or press <= (keys.message or 0):
            self._check_plain(seq, body, early=keys is not None)
            return
        if body and not self._unsure and not _is_keyed_source(body):
            raise Broken(seq, "#{number} does not say that it has a key.")
        if body is None or "how" in record.closed:
            self.findings.count(seq, Unkeyed.CLOSED)
            return
        epoch = self._epochs[keys.begun]
        if epoch.leaves:  # a cut is audited without the hashes of keys
            self._check_key(seq, press, body, epoch, remakes=remakes)

    def _check_key(
        self, seq: int, press: int, body: Rolled | RegisterReset, epoch: _Epoch, *, remakes: bool
    ) -> None:
        key = bytes.fromhex(body.key) if is_hash(body.key) else b""
        if leaf_hash(key) != epoch.leaves[seq - epoch.keys.first]:
            self._differs(Broken(seq, _ANOTHER_KEY if key else "#{number} has no key."))
            return
        self._check_place(seq, press)
        if body.source is Source.PHYSICAL:
            return
        if not remakes:
            self.findings.count(seq, Unkeyed.HEAVY)
        elif _follows(body, KeyedDraws(key, Press(self._log, seq, press, epoch.salts.of(press)))):
            if isinstance(body, Rolled):
                self._agrees(seq)
        else:
            # A withheld event changed the salt, so the rolls since then agreed by chance.
            for agreed_seq in self._agreed:
                self.findings.count(agreed_seq, Unkeyed.WITHHELD)
            self.findings.followed -= len(self._agreed)
            self._agreed, self._strayed = [], True
            self._differs(Broken(seq, "#{number} does not follow from its key."))

    def _agrees(self, seq: int) -> None:
        if self._unsure and self._strayed:
            self.findings.count(seq, Unkeyed.WITHHELD)
            return
        self.findings.followed += 1
        if self._unsure:
            self._agreed.append(seq)

    def _check_place(self, seq: int, press: int) -> None:
        late = milliseconds_of(self._newest) - milliseconds_of(press)
        if late > LATEST:
            raise Broken(
                seq, "#{number} was asked for {seconds} s before an event above it.", seconds=late // 1000
            )
        if self._unasked > UNASKED:
            raise Broken(
                seq,
                "#{number} stands behind more than {unasked} events that nobody asked for.",
                unasked=UNASKED,
            )

    def _check_plain(self, seq: int, body: Rolled | RegisterReset | None, *, early: bool) -> None:
        source = body.source if body else None
        keyed = body is not None and (bool(body.key) or source is Source.KEYED)
        if keyed and (early or not self._unsure):
            raise Broken(seq, "#{number} has a key that nothing committed to.")
        if keyed:
            self.findings.count(seq, Unkeyed.CUT if self._cut else Unkeyed.WITHHELD)
        elif self.findings.ever and not self._unsure and source is not Source.PHYSICAL:
            self.findings.count(seq, Unkeyed.EARLY if early else Unkeyed.OFF)

    def _differs(self, broken: Broken) -> None:
        if not self._unsure:
            raise broken
        self.findings.count(broken.number, Unkeyed.WITHHELD)


def _is_keyed_source(body: Rolled | RegisterReset) -> bool:
    """Return whether the recorded source is a key, dice thrown by hand, or none for a roll without draws."""
    return body.source in {Source.KEYED, Source.PHYSICAL} or (body.source is None and not body.draws)


def _follows(body: Rolled | RegisterReset, draws: Draws) -> bool:
    """Return whether a roll's draws and lots are those of its key."""
    record = Recorder(draws)
    if isinstance(body, Rolled):
        remake(body, record)
        throw_added_dice(body, record)
    else:
        _ = [record.below(total) for total, _ in body.draws]
    lots = body.lots if isinstance(body, Rolled) else ()
    return tuple(record.drawn) == body.draws and all(draws.below(TIES) == lot for lot in lots)
