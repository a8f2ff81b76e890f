"""Audit a history: work every number, part, leaf, face and memory out anew from the events alone.

The tree binds what was said to a root; the replay shows that every face follows from its draws and its
memory. What nobody can prove is that secret bits were random. Source: docs/format.md, sections 1, 2, 5, 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.campaign.calls import TIES
from bot.campaign.events import Event, HistoryCut, RegisterReset, Rolled, Undone, milliseconds_of
from bot.campaign.histories import read_cut
from bot.campaign.kinds import Kind, Visibility
from bot.campaign.replay import remake
from bot.dice.draws import Recorder, ReplayError, Source
from bot.dice.errors import DiceError
from bot.record.hashing import HASH_BYTES, Keyring, NotCanonical, Spot, Tree, leaf_hash
from bot.record.known import KnownRoller, Tagging
from bot.record.ledger import write_line
from bot.record.lineage import Broken, Lineage, no_tag
from bot.record.lines import Told, read_told
from bot.record.proof_mode import Press, draws_of, is_round, keys_root, salted

_MINUTE = 60_000
_LONGEST = 15 * _MINUTE
_SEQUENCE_BITS = 22
_ROLL, _COMMIT, _SALT, _CUT, _PUBLIC = Kind.ROLL, Kind.COMMIT, Kind.SALT, Kind.CUT, Visibility.PUBLIC
_OF_PROOF_MODE = frozenset({_COMMIT, Kind.UNCOMMIT, _SALT})
_RESULT = frozenset({"what", "how"})
_CALL, _HIDDEN, _UNSEEN = 1, 2, 4
_NOTES, _SPANS = 20, 50
_ABOUT: Final = {
    Kind.ROLL: _CALL,
    Kind.REVEAL: _HIDDEN | _CALL,
    Kind.CLOSE: _CALL,
    Kind.REOPEN: _CALL,
    Kind.CANCEL: _CALL,
}
"""What the target of an event must be."""


class Presses:
    """The interactions of the last minutes, as a history tells them."""

    def __init__(self) -> None:
        self._known: set[tuple[int, int]] = set()
        self._newest = self._swept = 0

    def see(self, seq: int, interaction: int, part: int) -> str:
        """Take an event's interaction and return what is to be noted of it, or ""; Broken if it can't be."""
        moment = interaction >> _SEQUENCE_BITS
        late = self._newest - moment
        if (interaction, part) in self._known:
            raise Broken(seq, "has the interaction of another event")
        if late > _LONGEST:
            raise Broken(seq, f"was asked for {late // _MINUTE} minutes before an event above it")
        self._newest = max(self._newest, moment)
        self._known.add((interaction, part))
        if self._newest - self._swept > _LONGEST:
            oldest = self._newest - _LONGEST << _SEQUENCE_BITS
            self._known = {one for one in self._known if one[0] >= oldest}
            self._swept = self._newest
        return f"#{seq} was asked for over a minute before an event above it." if late > _MINUTE else ""


@dataclass(slots=True)
class Findings:
    """What was checked."""

    remade: int = 0
    """Rolls that were made again."""
    closed: int = 0
    """Rolls that were told in part."""
    nobody: int = 0
    """Rolls by nobody named."""
    withheld: list[list[int]] = field(default_factory=list[list[int]])
    """The first spans of events that were not told."""
    withheld_later: int = 0
    """How many events behind those spans were not told."""
    sealed: list[str] = field(default_factory=list[str])
    """What was held against seals."""
    notes: list[str] = field(default_factory=list[str])
    """The first things that are worth a look."""

    def note(self, text: str) -> None:
        """Take a note, unless there are too many: a long file must not fill the memory."""
        if text and len(self.notes) < _NOTES:
            self.notes.append(text)

    def withhold(self, seq: int) -> None:
        """Take note of the number of an event that was not told."""
        if self.withheld and self.withheld[-1][1] == seq - 1:
            self.withheld[-1][1] = seq
        elif len(self.withheld) < _SPANS:
            self.withheld.append([seq, seq])
        else:
            self.withheld_later += 1


class Audit:
    """Checks one campaign's events in order, those that follow `tree`.

    `rollers` and `tagging` are what a cut has kept of what is not there; see `Lineage`.
    """

    def __init__(
        self,
        log: str,
        tree: Tree | None = None,
        rollers: Mapping[str, KnownRoller] | None = None,
        tagging: Tagging = no_tag,
    ) -> None:
        self.tree: Tree = tree or Tree()
        self.start: int = self.tree.size
        self.begun: bool = self.start == 0 or rollers is not None
        """Whether it began with #1, or a cut in it says that the rest was removed."""
        self.findings: Findings = Findings()
        self._log = log
        self.before: Tree = self.tree
        self._lineage = Lineage(self.start, rollers, tagging)
        self._presses = Presses()
        self._marks = bytearray()
        """Of each event, if it is a call, hidden or not to be seen."""
        self._epoch: tuple[int, Sequence[bytes]] | None = None
        self._pending: Told | None = None
        """A commit whose hashes have yet to come."""
        self._salt = ""
        self._committed: int | None = None
        """When proof mode's keys were committed to, in milliseconds since 1970, if that is known."""

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        return self.tree.size

    @property
    def rollers(self) -> Mapping[str, KnownRoller]:
        """Return all rollers that there were, as they are after the last event."""
        return self._lineage.rollers

    @property
    def salt(self) -> str:
        """Return the salt of proof mode after the last event."""
        return self._salt

    def recall(self, event: Event) -> None:
        """Take an event of longer ago again, which is about to be undone."""
        self._lineage.recall(event)

    @property
    def awaits_keys(self) -> bool:
        """Return whether the hashes of the last event's keys have yet to come."""
        return self._pending is not None

    def see(self, line: str) -> Told:
        """Check the next event, as its line, but for the newline, tells it.

        Broken names the first number that does not hold, and why; NotCanonical is for no canonical line.
        """
        return self._see(line)[0]

    def _see(self, line: str) -> tuple[Told, Mapping[Spot, bytes]]:
        seq = self.seq + 1
        try:
            told = read_told(line)
        except NotCanonical:
            raise
        except (DiceError, ValueError, TypeError) as error:
            raise Broken(seq, str(error)) from error
        if told.seq != seq:
            raise Broken(seq, f"is missing: #{told.seq} comes next")
        self.tree, completed = self.tree.append(told.leaf)
        self._join(told)
        return told, completed

    def see_stored(self, event: Event, keyring: Keyring) -> Mapping[Spot, bytes]:
        """Check the next event of a database, whose leaf must be what was written down with it.

        Return the hashes of tiles that it completes.
        """
        told, completed = self._see(write_line(event, keyring.keys(event.user_id)))
        if told.leaf != event.seal.leaf:
            raise Broken(event.seq, "is not what was written down: its leaf is another")
        return completed

    def open_epoch(self, commit: int, leaves: Sequence[str]) -> None:
        """Take the hashes of the keys of the last event, a commit; Broken where they are not its own."""
        pub = self._pending.pub if self._pending and self._pending.seq == commit else None
        hashes = tuple(map(bytes.fromhex, leaves))
        fits = pub is not None and pub.get("keys") == len(hashes)
        if not fits or not pub or pub.get("root") != keys_root(hashes).hex():
            raise Broken(self.seq, "is not the commit of these keys")
        self._epoch, self._pending = (commit, hashes), None

    def _join(self, told: Told) -> None:
        self._marks.append(_UNSEEN)
        if told.kind is None:
            self._lineage.skip(told.seq, withheld=True)
            self.findings.withhold(told.seq)
            return
        if told.press:
            self.findings.note(self._presses.see(told.seq, *told.press))
        if told.seq == 1 and (told.pub or {}).get("log") != self._log:
            raise Broken(1, "does not begin this log")
        self._check_target(told)
        if told.kind in _OF_PROOF_MODE:
            self._follow_proof_mode(told)
        elif told.kind is _CUT:
            self._begin(told)
        self._marks[-1] = 0
        if told.kind is _ROLL:
            self._marks[-1] = _HIDDEN * (told.visibility is not _PUBLIC)
            self.findings.closed += not _RESULT.isdisjoint(told.closed)
            self.findings.nobody += told.user_id is None
        elif told.kind is Kind.CALL:
            self._marks[-1] = _CALL
        self._check_body(told)

    def _check_target(self, told: Told) -> None:
        seq, target = told.seq, told.target or 0
        if target >= seq:
            raise Broken(seq, "is about an event after it")
        wanted = _ABOUT.get(told.kind) if told.kind else None
        if wanted is None or (told.kind is _ROLL and not target):
            return
        aimed = self._marks[target - self.start - 1] if target > self.start else bool(target) and _UNSEEN
        if not aimed & (wanted | _UNSEEN):
            raise Broken(seq, f"is a {told.kind} about #{target}, which is nothing of that sort")

    def _follow_proof_mode(self, told: Told) -> None:
        if told.kind is _SALT:
            pub = {**(told.pub or {})}
            if "drand" in pub and self._committed and not is_round(pub["drand"], self._committed):
                flaw = "does not have drand's first round after the commit, or not its signature's hash"
                raise Broken(told.seq, flaw)
            self._salt = salted(self._salt, pub)
            return
        self._epoch, self._salt, self._pending, self._committed = None, "", None, None
        if told.kind is _COMMIT:
            clock = told.event.clock if told.event else None
            self._pending, self._committed = told, milliseconds_of(told.press[0]) if told.press else clock

    def _begin(self, cut: Told) -> None:
        if cut.target != self.start:
            return
        if (cut.pub or {}).get("frontier") != [one.hex() for one in self.before.frontier]:
            raise Broken(cut.seq, "is not the cut before this history")
        self.begun = True

    def _check_body(self, told: Told) -> None:
        event = told.event
        try:
            if event is None or "how" in told.closed:
                if told.kind is not _CUT:
                    self._lineage.skip(told.seq)
                return
            if isinstance(event.body, HistoryCut):
                read_cut(event)
            self._lineage.see(event)
            far = self.start < (event.target or 0) <= self._lineage.forgotten
            if isinstance(event.body, Undone) and far and self.rollers[event.roller.casefold()].adrift:
                self.findings.note(f"#{told.seq} undoes what is too far back to be checked.")
            if isinstance(event.body, Rolled | RegisterReset):
                self._check_key(event, event.body)
            self.findings.remade += isinstance(event.body, Rolled)
        except Broken:
            raise
        except (ReplayError, DiceError, ValueError) as error:
            raise Broken(told.seq, str(error).removeprefix(f"#{told.seq} ")) from error

    def _check_key(self, event: Event, body: Rolled | RegisterReset) -> None:
        """Raise Broken unless what was drawn in proof mode has its own key, and its draws follow from it."""
        if self._epoch is None or event.seq - self._epoch[0] > len(self._epoch[1]):
            return
        begun, leaves = self._epoch
        if len(body.key) != 2 * HASH_BYTES:
            raise Broken(event.seq, "has no key")
        key = bytes.fromhex(body.key)
        if leaf_hash(key) != leaves[event.seq - begun - 1]:
            raise Broken(event.seq, "does not have the key that was committed for it")
        if body.source is Source.PHYSICAL:
            return
        press = Press(self._log, event.seq, str(event.interaction_id), event.part, self._salt)
        draws = draws_of(key, press)
        record = Recorder(draws)
        if isinstance(body, Rolled):
            remake(body, record)
        else:
            _ = [record.below(total) for total, _ in body.draws]
        lots = body.lots if isinstance(body, Rolled) else ()
        if tuple(record.drawn) != body.draws or any(draws.below(TIES) != lot for lot in lots):
            raise Broken(event.seq, "does not follow from its key")
