"""Does a history hold? Every number, seal, person, face and memory, worked out anew from the events alone.

The chain shows that nothing was changed since a head was shown; the replay shows that every face follows from
its draws and its memory. What nobody can prove is that secret bits were random. Source: docs/randomness.md,
"What the operator could still do".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.campaign.caller import NOBODY
from bot.campaign.cuts import Beginning, read_cut
from bot.campaign.events import (
    CallCancelled,
    CallClosed,
    CallOpened,
    CallReopened,
    Event,
    HistoryCut,
    Revealed,
    Rolled,
)
from bot.campaign.visibility import Visibility
from bot.dice.draws import ReplayError
from bot.dice.errors import DiceError
from bot.record.chain import START, hash_person, link
from bot.record.known import KnownRoller, read_rollers
from bot.record.lineage import Broken, Lineage


@dataclass(frozen=True, slots=True)
class Sealed:
    """An event that the reader may not see: its number and the chain's head after it."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Partial:
    """An event that is told without what would betray a hidden roll: memory, draws and the player's hash.

    Without them its seal can't be worked out, and so they can't be guessed from the seal either.
    """

    event: Event

    @property
    def seq(self) -> int:
        """Its number."""
        return self.event.seq

    @property
    def head(self) -> bytes:
        """Return the chain's head after it."""
        return self.event.seal.head


Item: TypeAlias = Event | Sealed | Partial


@dataclass(frozen=True, slots=True)
class Findings:
    """What was checked."""

    first: int
    last: int
    """The numbers of the first and the last event."""
    rolls: int
    """Rolls that were made again."""
    sealed: int
    """Events that could not be looked into."""
    erased: int
    """Events of players who were erased."""
    partial: tuple[int, ...] = ()
    """The numbers of events that were told in part; nothing but their place in the chain is checked."""

    @property
    def events(self) -> int:
        """Return how many events there are."""
        return self.last + 1 - self.first


class Audit:
    """Checks one campaign's events in order, from event `start` + 1 on, which follows the head `head`.

    `rollers` and `salt` are what a cut has kept of what is not there; see `Lineage`.
    """

    def __init__(
        self,
        start: int = 0,
        head: bytes = START,
        rollers: Mapping[str, KnownRoller] | None = None,
        salt: bytes | None = None,
    ) -> None:
        self.seq: int = start
        self.head: bytes = head
        self._lineage = Lineage(start, rollers, salt)
        self._hidden: set[int] = set()
        self._calls: set[int] = set()
        self._rolls = self._sealed = self._erased = 0
        self._partial: list[int] = []
        self._first = start + 1

    @property
    def rollers(self) -> Mapping[str, KnownRoller]:
        """Return all rollers that there were, as they are after the last event."""
        return self._lineage.rollers

    def forget(self, number: int) -> None:
        """Keep no events up to that number in mind; see `Lineage`."""
        self._lineage.forget(number)

    def see(self, item: Item) -> None:
        """Check the next event; Broken names the first number that does not hold, and why."""
        expected = self.seq + 1
        if item.seq != expected:
            raise Broken(expected, f"is missing: after #{self.seq} comes #{item.seq}")
        if isinstance(item, Sealed):
            self._sealed += 1
            self._lineage.skip(item.seq)
            # Who may not see the event may not see whether it was hidden either.
            self._hidden.add(item.seq)
        elif isinstance(item, Partial):
            self._partial.append(item.seq)
            self._lineage.skip(item.seq)
            self._check_hiding(item.event)
        else:
            self._check(item)
        self.seq, self.head = item.seq, item.seal.head if isinstance(item, Event) else item.head

    def finish(self, seq: int, head: bytes) -> Findings:
        """Return what was checked; Broken unless the last event has that number and that head."""
        if self.seq < seq:
            raise Broken(self.seq + 1, f"is missing: the history goes on to #{seq}")
        if self.seq > seq:
            raise Broken(seq + 1, f"is too much: the history ends with #{seq}")
        if self.head != head:
            raise Broken(seq, "does not have the head that the history ends with")
        return Findings(self._first, self.seq, self._rolls, self._sealed, self._erased, tuple(self._partial))

    def _check(self, event: Event) -> None:
        number, seal = event.seq, event.seal
        if event.user_id is not None:
            known = seal.salt is not None and hash_person(seal.salt, event.user_id, event.label or "")
            if known != seal.person:
                raise Broken(number, "was not asked for by that player in those words")
        else:
            self._erased += event.interaction_id is not None
        try:
            if isinstance(event.body, HistoryCut):
                check_cut(event)
            self._lineage.see(event)
            self._check_call(event)
        except Broken:
            raise
        except (ReplayError, DiceError, ValueError) as error:
            raise Broken(number, _reason(number, error)) from error
        self._check_hiding(event)
        if link(self.head, event).seal.head != seal.head:
            raise Broken(number, "does not fit the chain: it, or the head before it, was changed")
        self._rolls += isinstance(event.body, Rolled)

    def _check_hiding(self, event: Event) -> None:
        if isinstance(event.body, Rolled) and event.visibility is not Visibility.PUBLIC:
            self._hidden.add(event.seq)
        if isinstance(event.body, Revealed) and (event.target or 0) >= self._first:
            if event.target not in self._hidden:
                raise Broken(event.seq, f"reveals #{event.target}, which was not hidden")
            self._hidden.discard(event.target)

    def _check_call(self, event: Event) -> None:
        body = event.body
        if isinstance(body, CallOpened):
            self._calls.add(event.seq)
            if body.terms.hides:
                self._hidden.add(event.seq)
        answers = isinstance(body, Rolled | CallClosed | CallReopened | CallCancelled)
        if answers and event.target is not None:
            unseen = event.target < self._first or event.target in self._hidden
            if event.target not in self._calls and not unseen:
                raise Broken(event.seq, f"answers #{event.target}, which is no call")


def check_cut(event: Event) -> Beginning:
    """Return the beginning that a cut makes; ValueError where it is none, or its record is damaged."""
    salt = event.seal.salt
    if salt is not None and hash_person(salt, NOBODY, "") != event.seal.person:
        raise Broken(event.seq, "is not salted as it was")
    beginning = read_cut(event)
    read_rollers(beginning.cut.rollers, salt)
    return beginning


def _reason(number: int, error: Exception) -> str:
    """Return the error's words without the number that they may begin with."""
    return str(error).removeprefix(f"#{number} ")
