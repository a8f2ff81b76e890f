"""Stretches: the rolls to analyse, with the memories that they began with.

The expected distribution depends on the starting memory: a session continues the memory of the one before, a
reset restarts it, and one player's rolls are only a part of a shared memory.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bot.campaign.campaigns import TABLE, Remembers
from bot.campaign.events import Event
from bot.dice.system import Memory, System


@dataclass(frozen=True, slots=True)
class MemorySpan:
    """Consecutive steps of one memory under one system."""

    system: System
    memory: Memory | None
    """The memory at its start; None if it continues the span before under a tuned system."""
    pattern: tuple[int, ...]
    """Alternating numbers of steps that count and steps that don't, beginning with those that count."""

    @property
    def steps(self) -> int:
        """Return the number of all steps."""
        return sum(self.pattern)

    @property
    def looked_at(self) -> int:
        """Return the number of steps that count."""
        return sum(self.pattern[::2])

    @property
    def settles(self) -> bool:
        """Return True if only its end matters: errors are bounded, and every step counts."""
        return self.system.evens_out and len(self.pattern) == 1

    @property
    def settled(self) -> int:
        """Return the number of steps to simulate: all of them, or only until errors have settled."""
        return self.system.settled(self.steps) if self.settles else self.steps


@dataclass(frozen=True, slots=True)
class Stretch:
    """The spans of a roller's rolls; their systems have the same faces and shares."""

    spans: tuple[MemorySpan, ...]

    @property
    def system(self) -> System:
        """Return the last system."""
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
        """Return True if all rolls are independent."""
        return all(span.system.independent for span in self.spans)

    @property
    def looked_at(self) -> int:
        """Return the number of steps that count."""
        return sum(span.looked_at for span in self.spans)


def trace(rolls: Iterable[tuple[Event, bool]]) -> Stretch | None:
    """Return the stretch of a roller's rolls, the oldest first, each with True if it counts.

    Only valid rolls are needed: if one does not continue the memory of the one before, there was
    a reset, and a new span begins. Return None if no roll with a memory counts.
    """
    threads: list[_Thread] = []
    latest: dict[int | Memory, _Thread] = {}
    for event, is_counted in rolls:
        roll = event.roll
        system = roll.of.system
        if system is None or roll.before is None:
            continue
        # An erased player has no id; the memory after their last roll identifies them.
        owner = TABLE if roll.whose is Remembers.TABLE else event.user_id
        thread = latest.pop(roll.before if owner is None else owner, None)
        if thread is None or not thread.goes_on(system, roll.before):
            if not is_counted:
                continue
            thread = _Thread(system, roll.before)
            threads.append(thread)
        thread.roll(system, roll.results, is_counted=is_counted)
        latest[thread.after if owner is None else owner] = thread
    spans = tuple(span for thread in threads for span in thread.spans())
    return Stretch(spans) if spans else None


class _Thread:
    """One memory, from its first roll that counts."""

    def __init__(self, system: System, before: Memory) -> None:
        self._before = before
        self._spans: list[tuple[System, list[int]]] = [(system, [0])]
        self.after = before

    def goes_on(self, system: System, before: Memory) -> bool:
        """Return True if a roll continues this memory."""
        return before == self.after and system.continues(self._spans[-1][0])

    def roll(self, system: System, faces: tuple[str, ...], *, is_counted: bool) -> None:
        """Append a roll."""
        if system != self._spans[-1][0]:
            self._spans.append((system, [0]))
        pattern = self._spans[-1][1]
        if is_counted is (len(pattern) % 2 == 0):
            pattern.append(0)
        pattern[-1] += len(faces)
        if not system.independent:
            index = face_index(system)
            for face in faces:
                self.after = system.advance(self.after, index[face])

    def spans(self) -> list[MemorySpan]:
        """Return its spans, up to the last roll that counts."""
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
    """Return the index of each face."""
    return {face: i for i, face in enumerate(system.faces)}
