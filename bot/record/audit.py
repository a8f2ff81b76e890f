"""Audit a history: recompute every number, part, leaf, face and memory from the events alone.

The tree binds the events to a root; the replay shows that every face follows from its draws and its memory.
Nobody can prove that secret bits were random. `Cutting` checks the events that a cut removes once more.
Source: docs/format.md, sections 1, 2, 5, 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.campaign.events import Event, HistoryCut, HistoryRestored, Rolled, RollerMade, SessionMarked, Undone
from bot.campaign.histories import Beginning, read_cut
from bot.campaign.kinds import Kind, Mark, Visibility
from bot.dice.draws import ReplayError
from bot.dice.errors import DiceError, LocalizedError
from bot.record.codec import Unreadable
from bot.record.earlier import MOVES, Hands, Presses
from bot.record.effort import Effort
from bot.record.findings import Broken, Few, Spans
from bot.record.hashing import Hashes, Keyring, Tree
from bot.record.key_audit import KeyAudit
from bot.record.known import KnownRoller, Tagging, rollers_from_cut
from bot.record.ledger import write_line
from bot.record.lineage import Lineage, no_tag, read_rule
from bot.record.lines import EventRecord, read_record
from bot.record.shape import check_shape

_ROLL, _CUT, _PUBLIC = Kind.ROLL, Kind.CUT, Visibility.PUBLIC
_KEYED = frozenset({_ROLL, Kind.RESTART})
_RESULT = frozenset({"what", "how"})
_HIDEABLE = frozenset({_ROLL, Kind.CALL})
_CALL, _HIDDEN, _UNSEEN, _OFFER, _HAND, _UNREAD, _MOVE = 1, 2, 4, 8, 16, 32, 64
_CHANGES = frozenset({Kind.MAKE, Kind.RESET, Kind.RESTART, Kind.REMOVE, Kind.UNDO, Kind.SESSION})
"""Kinds that change a roller's rule, or when memories begin."""
_NOTES = 20
_ABOUT: Final = {
    Kind.ROLL: _CALL,
    Kind.REVEAL: _HIDDEN | _CALL,
    Kind.CLOSE: _CALL,
    Kind.REOPEN: _CALL,
    Kind.CANCEL: _CALL,
    Kind.PLAY: _HAND | _UNREAD,
    Kind.DISCARD: _HAND | _UNREAD,
    Kind.RETURN: _HAND | _OFFER | _UNREAD,
    Kind.CHOOSE: _OFFER | _UNREAD,
}
"""Kind of event to the marks of which its target needs one."""


@dataclass(slots=True)
class Findings:
    """Counts and notes of an audit."""

    remade: int = 0
    """Number of rolls that were made again."""
    heavy: Spans = field(default_factory=Spans)
    """Rolls that were not, because they would have taken too long."""
    closed: Spans = field(default_factory=Spans)
    """Rolls with closed parts."""
    memories: dict[str, Spans] = field(default_factory=dict[str, Spans])
    """Roller's name to its public rolls whose memory is closed."""
    nobody: int = 0
    """Number of rolls that name no person."""
    withheld: Spans = field(default_factory=Spans)
    """Withheld events."""
    sealed: list[str] = field(default_factory=list[str])
    """Results of comparing events with seals."""
    restored: Few[Event] = field(default_factory=Few[Event])
    """Events that record that the history was restored from a backup."""
    notes: Few[LocalizedError] = field(default_factory=Few[LocalizedError])
    """Findings that are no faults, but worth a look."""

    def hide(self, seq: int, roller: str) -> None:
        """Count a public roll whose memory is closed."""
        name = roller if roller in self.memories or len(self.memories) < _NOTES else "other rollers"
        self.memories.setdefault(name, Spans()).add(seq)


def tree_before(beginning: Beginning | None) -> Tree:
    """Return the tree before a history's first event: empty, or that of the events that were cut off."""
    return Tree(beginning.upto, beginning.frontier) if beginning else Tree()


def audit_from(log: str, beginning: Beginning | None, tagging: Tagging) -> "Audit":
    """Return the audit of a whole history, which begins with event 1 or after a cut."""
    rollers = rollers_from_cut(beginning.cut.rollers) if beginning else None
    return Audit(log, tree_before(beginning), rollers, tagging)


class Audit:
    """Checks one campaign's events in order, beginning after `tree`.

    `rollers` are those of a cut and `tagging` gives a player's tag in it; see `Lineage`. `effort` limits the
    work on a stranger's file; without it all rolls are made again.
    """

    def __init__(
        self,
        log: str,
        tree: Tree | None = None,
        rollers: Mapping[str, KnownRoller] | None = None,
        tagging: Tagging = no_tag,
        effort: Effort | None = None,
    ) -> None:
        self._effort = effort
        self.tree: Tree = tree or Tree()
        self.start: int = self.tree.size
        self.begun: bool = self.start == 0 or rollers is not None
        """True if it began with #1, or a cut in it records that the events before were removed."""
        self.findings: Findings = Findings()
        self._log = log
        self.before: Tree = self.tree
        self.lineage: Lineage = Lineage(self.start, rollers, tagging)
        self._presses = Presses(self.start)
        self._hands = Hands()
        self._marks = bytearray()
        """The marks of each event, which say what later events may target it."""
        self.key_audit: KeyAudit = KeyAudit(log, self.start)

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        return self.tree.size

    def see(self, line: str) -> EventRecord:
        """Check the next event, given as its line without the newline, and return it.

        Raise Broken with the event's number and a reason if it does not hold, NotCanonical for a line that
        is not canonical.
        """
        if self._effort:
            self._effort.earn(len(line))
        try:
            record = read_record(line)
        except Unreadable as error:
            raise Broken(self.seq + 1, "#{number} {reason}.", reason=error) from error
        self._see(record)
        return record

    def _see(self, record: EventRecord) -> Hashes:
        seq = self.seq + 1
        if record.seq != seq:
            raise Broken(seq, "#{number} is missing: #{other} comes next.", other=record.seq)
        self.tree, completed = self.tree.append(record.leaf)
        self._join(record)
        return completed

    def see_stored(self, event: Event, keyring: Keyring) -> Hashes:
        """Check the next event of a database, also against its stored leaf.

        Return the hashes of the tiles that it completes.
        """
        record = read_record(write_line(event, keyring.keys(event.user_id)))
        completed = self._see(record)
        if record.leaf != event.seal.leaf:
            raise Broken(event.seq, "#{number} is not what was written down: its leaf is another.")
        return completed

    def _join(self, record: EventRecord) -> None:
        self._marks.append(_UNSEEN)
        if record.kind is None:
            self.lineage.skip(record.seq)
            self._presses.withhold()
            self._hands.skip()
            self.key_audit.withhold(record.seq)
            self.findings.withheld.add(record.seq)
            return
        if note := self._presses.see(record.seq, record.press):
            self.findings.notes.add(note)
        if record.seq == 1 and (record.pub or {}).get("log") != self._log:
            raise Broken(1, "#{number} does not begin this log.")
        aimed = self._aim(record)
        if record.kind is _CUT:
            self._begin(record)
        self._marks[-1] = _mark(record)
        if record.kind is _ROLL:
            if not _RESULT.isdisjoint(record.closed):
                self.findings.closed.add(record.seq)
            self.findings.nobody += record.user_id is None
        self._check_body(record, aimed)
        self.key_audit.see(record)

    def _aim(self, record: EventRecord) -> int:
        """Return the marks of an event's target; raise Broken if that can't be its target."""
        seq, target = record.seq, record.target or 0
        if target >= seq:
            raise Broken(seq, "#{number} is about an event after it.")
        aimed = self._marks[target - self.start - 1] if target > self.start else bool(target) and _UNSEEN
        required = _ABOUT.get(record.kind, 0) if record.kind else 0
        if record.kind is Kind.REVEAL and record.press is None:
            required = _CALL
        plain = not required or (record.kind is _ROLL and not target)
        if not plain and not aimed & (required | _UNSEEN):
            raise Broken(
                seq,
                "#{number} is a {kind} about #{target}, which is nothing of that sort.",
                kind=record.kind,
                target=target,
            )
        return aimed

    def _begin(self, cut: EventRecord) -> None:
        if cut.target != self.start:
            return
        if (cut.pub or {}).get("frontier") != [node.hex() for node in self.before.frontier]:
            raise Broken(cut.seq, "#{number} is not the cut before this history.")
        self.begun = True

    def _check_body(self, record: EventRecord, aimed: int) -> None:
        try:
            check_shape(record, hidden_call=bool(aimed & (_HIDDEN | _UNSEEN)))
            self._hands.see(record)
            if record.kind is not Kind.UNDO or not aimed & _MOVE:
                self._check_rules(record)
        except Broken:
            raise
        except (ReplayError, DiceError) as error:
            if isinstance(error, ReplayError) and "number" in error.values:
                raise Broken(record.seq, error.text, **error.values) from error
            raise Broken(record.seq, "#{number} is not as it should be: {reason}", reason=error) from error
        except (ValueError, ArithmeticError, LookupError) as error:
            raise Broken(record.seq, "#{number} is not as it should be.") from error

    def _check_rules(self, record: EventRecord) -> None:
        event, unheard = record.event, "how" in record.closed
        body = event.body if event else None
        light = body is None or self._effort is None or self._effort.allows(body, closed=unheard)
        if record.kind in _KEYED:
            self.key_audit.check(record, remakes=light)
        if event and isinstance(body, HistoryRestored):
            self.findings.restored.add(event)
        if isinstance(body, Rolled):
            self._count(record, body, unheard=unheard, light=light)
        if isinstance(body, RollerMade) and light:
            read_rule(record.seq, body)
        if event is None:
            self.lineage.skip(record.seq, changes=record.kind in _CHANGES)
            return
        if unheard or not light:
            if record.kind is not _CUT:
                self.lineage.fold_closed(event, light=light)
            return
        if record.kind is _CUT:
            read_cut(event)
        self.lineage.see(event)
        far = self.start < (event.target or 0) <= self.lineage.forgotten
        if isinstance(body, Undone) and far and self.lineage.rollers[event.roller.casefold()].adrift:
            note = LocalizedError("#{number} undoes something too far back to check.", number=record.seq)
            self.findings.notes.add(note)

    def _count(self, record: EventRecord, body: Rolled, *, unheard: bool, light: bool) -> None:
        if unheard and record.visibility is _PUBLIC:
            self.findings.hide(record.seq, body.roller)
        elif not unheard and not light:
            self.findings.heavy.add(record.seq)
        self.findings.remade += light and not unheard


def _mark(record: EventRecord) -> int:
    """Return the marks of an event, which say what later events may target it."""
    body = record.event.body if record.event else None
    hidden = record.kind in _HIDEABLE and record.visibility is not _PUBLIC
    drawn = _HAND * body.hand | _OFFER * body.offer if isinstance(body, Rolled) else 0
    mark = _CALL * (record.kind is Kind.CALL) | _HIDDEN * hidden | _UNREAD * ("what" in record.closed)
    return mark | drawn | _MOVE * (record.kind in MOVES)


class Cutting:
    """Audits the events to remove, in order: from event 1, or from the last cut on."""

    def __init__(self, log: str, keyring: Keyring, last: Beginning | None = None) -> None:
        self._keyring = keyring
        self._audit = audit_from(log, last, keyring.tag)
        self._session = last.cut.session if last else ()
        self.seen: int = 0
        """Number of events without cuts."""

    @property
    def upto(self) -> int:
        """Return the number of the last event."""
        return self._audit.seq

    def see(self, event: Event) -> None:
        """Check the next event; raise Broken if the history does not hold."""
        self._audit.see_stored(event, self._keyring)
        self.seen += not isinstance(event.body, HistoryCut)
        if isinstance(event.body, SessionMarked):
            starts = event.body.mark is Mark.START
            self._session = (event.seq, event.interaction_id or 0) if starts else ()

    def cut(self, days: int) -> HistoryCut:
        """Return the cut that removes all events so far, with the rollers in the order of their names."""
        rollers = sorted(self._audit.lineage.rollers.items())
        return HistoryCut(
            target=self._audit.seq,
            days=days,
            frontier=tuple(node.hex() for node in self._audit.tree.frontier),
            session=self._session,
            rollers=tuple(roller.keep(self._keyring.tag) for _, roller in rollers),
        )
