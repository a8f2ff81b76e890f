"""Audit a history: work every number, part, leaf, face and memory out anew from the events alone.

The tree binds what was said to a root; the replay shows that every face follows from its draws and its
memory. What nobody can prove is that secret bits were random. Source: docs/format.md, sections 1, 2, 5, 6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.campaign.events import Event, HistoryRestored, Rolled, RollerMade, Undone
from bot.campaign.histories import Beginning, read_cut
from bot.campaign.kinds import Kind, Visibility
from bot.dice.draws import ReplayError
from bot.dice.errors import DiceError, LocalizedError
from bot.record.codec import Unreadable
from bot.record.effort import Effort
from bot.record.findings import Broken, Few, Spans
from bot.record.hands import MOVES, Hands
from bot.record.hashing import Keyring, Spot, Tree
from bot.record.key_audit import KeyAudit
from bot.record.known import KnownRoller, Tagging, read_rollers
from bot.record.ledger import write_line
from bot.record.lineage import Lineage, no_tag, read_rule
from bot.record.lines import Told, read_told
from bot.record.presses import Presses
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
"""What the target of an event must be."""


@dataclass(slots=True)
class Findings:
    """What was checked."""

    remade: int = 0
    """Rolls that were made again."""
    heavy: Spans = field(default_factory=Spans)
    """Rolls that were not, for it would have taken too long."""
    closed: Spans = field(default_factory=Spans)
    """Rolls that were told in part."""
    memories: dict[str, Spans] = field(default_factory=dict[str, Spans])
    """Public rolls that do not tell their memory, by roller."""
    nobody: int = 0
    """Rolls by nobody named."""
    withheld: Spans = field(default_factory=Spans)
    """Events that were not told."""
    sealed: list[str] = field(default_factory=list[str])
    """What was held against seals."""
    restored: Few[Event] = field(default_factory=Few[Event])
    """The events that say that the history was put back to a backup."""
    notes: Few[LocalizedError] = field(default_factory=Few[LocalizedError])
    """What is worth a look."""

    def hide(self, seq: int, roller: str) -> None:
        """Count a public roll that does not tell its memory."""
        name = roller if roller in self.memories or len(self.memories) < _NOTES else "other rollers"
        self.memories.setdefault(name, Spans()).add(seq)


def tree_before(beginning: Beginning | None) -> Tree:
    """Return the tree that a history's first event joins: after a cut, that of what is gone."""
    return Tree(beginning.upto, beginning.frontier) if beginning else Tree()


def audit_from(log: str, beginning: Beginning | None, tagging: Tagging) -> "Audit":
    """Return the audit of a whole history, from where it begins on."""
    rollers = read_rollers(beginning.cut.rollers) if beginning else None
    return Audit(log, tree_before(beginning), rollers, tagging)


class Audit:
    """Checks one campaign's events in order, those that follow `tree`.

    `rollers` and `tagging` are what a cut has kept of what is not there; see `Lineage`. `effort` bounds the
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
        """Whether it began with #1, or a cut in it says that the rest was removed."""
        self.findings: Findings = Findings()
        self._log = log
        self.before: Tree = self.tree
        self.lineage: Lineage = Lineage(self.start, rollers, tagging)
        self._presses = Presses(self.start)
        self._hands = Hands()
        self._marks = bytearray()
        """Of each event, what others may say of it."""
        self.key_audit: KeyAudit = KeyAudit(log, self.start)

    @property
    def seq(self) -> int:
        """Return the number of the last event."""
        return self.tree.size

    def see(self, line: str) -> Told:
        """Check the next event, as its line, but for the newline, tells it.

        Broken names the first number that does not hold, and why; NotCanonical is for no canonical line.
        """
        if self._effort:
            self._effort.earn(len(line))
        try:
            told = read_told(line)
        except Unreadable as error:
            raise Broken(self.seq + 1, "#{number} {reason}.", reason=error) from error
        self._see(told)
        return told

    def _see(self, told: Told) -> Mapping[Spot, bytes]:
        seq = self.seq + 1
        if told.seq != seq:
            raise Broken(seq, "#{number} is missing: #{other} comes next.", other=told.seq)
        self.tree, completed = self.tree.append(told.leaf)
        self._join(told)
        return completed

    def see_stored(self, event: Event, keyring: Keyring) -> Mapping[Spot, bytes]:
        """Check the next event of a database, whose leaf must be what was written down with it.

        Return the hashes of tiles that it completes.
        """
        told = read_told(write_line(event, keyring.keys(event.user_id)))
        completed = self._see(told)
        if told.leaf != event.seal.leaf:
            raise Broken(event.seq, "#{number} is not what was written down: its leaf is another.")
        return completed

    def _join(self, told: Told) -> None:
        self._marks.append(_UNSEEN)
        if told.kind is None:
            self.lineage.skip(told.seq)
            self._presses.withhold()
            self._hands.skip()
            self.key_audit.withhold(told.seq)
            self.findings.withheld.add(told.seq)
            return
        if note := self._presses.see(told.seq, told.press):
            self.findings.notes.add(note)
        if told.seq == 1 and (told.pub or {}).get("log") != self._log:
            raise Broken(1, "#{number} does not begin this log.")
        aimed = self._aim(told)
        if told.kind is _CUT:
            self._begin(told)
        self._marks[-1] = _mark(told)
        if told.kind is _ROLL:
            if not _RESULT.isdisjoint(told.closed):
                self.findings.closed.add(told.seq)
            self.findings.nobody += told.user_id is None
        self._check_body(told, aimed)
        self.key_audit.see(told)

    def _aim(self, told: Told) -> int:
        """Return the marks of an event's target; Broken where it can't be about that."""
        seq, target = told.seq, told.target or 0
        if target >= seq:
            raise Broken(seq, "#{number} is about an event after it.")
        aimed = self._marks[target - self.start - 1] if target > self.start else bool(target) and _UNSEEN
        wanted = _ABOUT.get(told.kind, 0) if told.kind else 0
        if told.kind is Kind.REVEAL and told.press is None:
            wanted = _CALL
        plain = not wanted or (told.kind is _ROLL and not target)
        if not plain and not aimed & (wanted | _UNSEEN):
            raise Broken(
                seq,
                "#{number} is a {kind} about #{target}, which is nothing of that sort.",
                kind=told.kind,
                target=target,
            )
        return aimed

    def _begin(self, cut: Told) -> None:
        if cut.target != self.start:
            return
        if (cut.pub or {}).get("frontier") != [one.hex() for one in self.before.frontier]:
            raise Broken(cut.seq, "#{number} is not the cut before this history.")
        self.begun = True

    def _check_body(self, told: Told, aimed: int) -> None:
        try:
            check_shape(told, hidden_call=bool(aimed & (_HIDDEN | _UNSEEN)))
            self._hands.see(told)
            if told.kind is not Kind.UNDO or not aimed & _MOVE:
                self._check_rules(told)
        except Broken:
            raise
        except (ReplayError, DiceError) as error:
            if isinstance(error, ReplayError) and "number" in error.values:
                raise Broken(told.seq, error.text, **error.values) from error
            raise Broken(told.seq, "#{number} is not as it should be: {reason}", reason=error) from error
        except ValueError as error:
            raise Broken(told.seq, "#{number} is not as it should be.") from error

    def _check_rules(self, told: Told) -> None:
        event, unheard = told.event, "how" in told.closed
        body = event.body if event else None
        light = body is None or self._effort is None or self._effort.allows(body, closed=unheard)
        if told.kind in _KEYED:
            self.key_audit.check(told, remakes=light)
        if event and isinstance(body, HistoryRestored):
            self.findings.restored.add(event)
        if isinstance(body, Rolled):
            self._count(told, body, unheard=unheard, light=light)
        if isinstance(body, RollerMade) and light:
            read_rule(told.seq, body)
        if event is None:
            self.lineage.skip(told.seq, changes=told.kind in _CHANGES)
            return
        if unheard or not light:
            if told.kind is not _CUT:
                self.lineage.glimpse(event, light=light)
            return
        if told.kind is _CUT:
            read_cut(event)
        self.lineage.see(event)
        far = self.start < (event.target or 0) <= self.lineage.forgotten
        if isinstance(body, Undone) and far and self.lineage.rollers[event.roller.casefold()].adrift:
            note = LocalizedError("#{number} undoes something too far back to check.", number=told.seq)
            self.findings.notes.add(note)

    def _count(self, told: Told, body: Rolled, *, unheard: bool, light: bool) -> None:
        if unheard and told.visibility is _PUBLIC:
            self.findings.hide(told.seq, body.roller)
        elif not unheard and not light:
            self.findings.heavy.add(told.seq)
        self.findings.remade += light and not unheard


def _mark(told: Told) -> int:
    """Return what later events may say of an event."""
    body = told.event.body if told.event else None
    hidden = told.kind in _HIDEABLE and told.visibility is not _PUBLIC
    drawn = _HAND * body.hand | _OFFER * body.offer if isinstance(body, Rolled) else 0
    mark = _CALL * (told.kind is Kind.CALL) | _HIDDEN * hidden | _UNREAD * ("what" in told.closed)
    return mark | drawn | _MOVE * (told.kind in MOVES)
