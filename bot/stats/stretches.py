"""Stretches: the rolls that are looked at, with the memories that they began with.

What is usual hangs on that: a second session begins with the memory of the first, a reset begins anew half
way, and of a memory that several people share one player's rolls are only a part.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bot.campaign.campaigns import TABLE, Remembers
from bot.campaign.events import Event
from bot.dice.system import Memory, System


@dataclass(frozen=True, slots=True)
class MemorySpan:
    """Steps of one memory under one system."""

    system: System
    memory: Memory | None
    """What it begins with; None where it goes on from the span before, tuned."""
    pattern: tuple[int, ...]
    """How many are looked at, then how many are not, and so on in turns."""

    @property
    def steps(self) -> int:
        """Return how many steps it has in all."""
        return sum(self.pattern)

    @property
    def looked_at(self) -> int:
        """Return how many of them are looked at."""
        return sum(self.pattern[::2])

    @property
    def settles(self) -> bool:
        """Return whether only its end counts: errors stay within bounds, and every step is looked at."""
        return self.system.evens_out and len(self.pattern) == 1

    @property
    def settled(self) -> int:
        """Return how many steps there are to play: all of them, or only until errors have settled."""
        return self.system.settled(self.steps) if self.settles else self.steps


@dataclass(frozen=True, slots=True)
class Stretch:
    """Spans of systems with the same faces and shares."""

    spans: tuple[MemorySpan, ...]

    @property
    def system(self) -> System:
        """Return the system it ended with."""
        return self.spans[-1].system

    @property
    def threads(self) -> list[list[MemorySpan]]:
        """Return the spans of each memory."""
        threads: list[list[MemorySpan]] = []
        for span in self.spans:
            if span.memory is None:
                threads[-1].append(span)
            else:
                threads.append([span])
        return threads

    @property
    def independent(self) -> bool:
        """Return whether no roll in it tells of another."""
        return all(span.system.independent for span in self.spans)

    @property
    def looked_at(self) -> int:
        """Return how many steps are looked at."""
        return sum(span.looked_at for span in self.spans)


def trace(rolls: Iterable[tuple[Event, bool]]) -> Stretch | None:
    """Return the stretch of a roller's rolls, the oldest first, each with whether it is looked at.

    Rolls that stand are all that is needed: where one does not begin with what the one before left, there
    was a reset, and a span of its own begins. None where no roll with a memory is looked at.
    """
    threads: list[_Thread] = []
    latest: dict[int | Memory, _Thread] = {}
    for event, looked in rolls:
        roll = event.roll
        system = roll.of.system
        if system is None or roll.before is None:
            continue
        # Whoever was erased has no name to follow; the memory that they left is as good.
        owner = TABLE if roll.whose is Remembers.TABLE else event.user_id
        thread = latest.pop(roll.before if owner is None else owner, None)
        if thread is None or not thread.goes_on(system, roll.before):
            if not looked:
                continue
            thread = _Thread(system, roll.before)
            threads.append(thread)
        thread.roll(system, roll.results, looked=looked)
        latest[thread.after if owner is None else owner] = thread
    spans = tuple(span for thread in threads for span in thread.spans())
    return Stretch(spans) if spans else None


class _Thread:
    """One memory, from its first roll that is looked at."""

    def __init__(self, system: System, before: Memory) -> None:
        self._before = before
        self._spans: list[tuple[System, list[int]]] = [(system, [0])]
        self.after = before

    def goes_on(self, system: System, before: Memory) -> bool:
        """Return whether a roll follows on this memory."""
        return before == self.after and system.continues(self._spans[-1][0])

    def roll(self, system: System, faces: tuple[str, ...], *, looked: bool) -> None:
        """Put a roll behind the others."""
        if system != self._spans[-1][0]:
            self._spans.append((system, [0]))
        pattern = self._spans[-1][1]
        if looked is (len(pattern) % 2 == 0):
            pattern.append(0)
        pattern[-1] += len(faces)
        if not system.independent:
            index = face_index(system)
            for face in faces:
                self.after = system.advance(self.after, index[face])

    def spans(self) -> list[MemorySpan]:
        """Return its spans, up to the last roll that is looked at."""
        while len(self._spans) > 1 and len(self._spans[-1][1]) == 2 and not self._spans[-1][1][0]:
            self._spans.pop()
        pattern = self._spans[-1][1]
        if len(pattern) % 2 == 0:
            pattern.pop()
        return [
            MemorySpan(system, self._before if n == 0 else None, tuple(pattern))
            for n, (system, pattern) in enumerate(self._spans)
        ]


@lru_cache(maxsize=128)
def face_index(system: System) -> dict[str, int]:
    """Return each face's place."""
    return {face: i for i, face in enumerate(system.faces)}
